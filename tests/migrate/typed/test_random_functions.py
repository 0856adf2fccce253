"""Functions whose types are proven give the same as typed functions of Spark as they do in RDD code."""

from __future__ import annotations

import ast
import contextlib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F

from migrate.columns import Refusal, Scope, column_named, leaves
from migrate.columns.shapes import Bool, Float, Int, List, Maybe, Shape, Str
from migrate.plan.new_code.spark_types import type_name
from migrate.typed import Result, result_of_map
from tests.migrate.columns.both_ways import flat, same
from tests.migrate.typed.random_functions import functions

LINES = (
    "",
    "a",
    "Ab",
    "ab ba",
    " a  b",
    "7",
    "-3.5",
    "1e3",
    "Abc Def Ghi",
    "nan",
    "banana a",
    "é 雪 😀",
    "\t",
)


def proven(source: str) -> Result | None:
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    try:
        return result_of_map(function, [column_named("value", Str())], Scope())
    except Refusal:
        return None


def run(source: str) -> list[Any]:
    """The function's results for all lines; those that raise are left out."""
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    found = []
    for line in LINES:
        with contextlib.suppress(Exception):
            found.append((line, namespace["f"](line)))
    return found


def is_of(shape: Shape, value: Any) -> bool:
    match shape:
        case Maybe(of):
            return value is None or is_of(of, value)
        case List(of):
            return type(value) is list and all(is_of(of, item) for item in value)
        case Int(low, high):
            return type(value) is int and low <= value <= high
    return type(value) is {Str: str, Float: float, Bool: bool}[type(shape)]


@settings(max_examples=300, deadline=None)
@given(functions())
def test_a_proven_type_is_that_of_every_result(source: str) -> None:
    found = proven(source)
    if found is None:
        return
    columns = leaves(found.element)
    for line, value in run(source):
        values = flat(value, found.element)
        assert len(values) == len(columns)
        for column, one in zip(columns, values, strict=True):
            assert is_of(column.shape, one), f"{source}\non {line!r}: {one!r} is not of {column.shape}"


def test_most_of_them_are_proven() -> None:
    """Else the others say nothing."""
    tried: list[bool] = []

    @settings(max_examples=200, deadline=None, database=None)
    @given(functions())
    def try_one(source: str) -> None:
        tried.append(proven(source) is not None)

    try_one()
    assert sum(tried) > len(tried) / 2


@settings(max_examples=2, deadline=None)
@given(st.lists(functions(), min_size=30, max_size=30))
def test_the_same_as_a_typed_function_and_in_rdd_code(spark: SparkSession, sources: list[str]) -> None:
    for arrow in [False, True] if spark.version.startswith("4.3") else [False]:
        expected: list[dict[str, Any]] = []
        columns: list[Column] = []
        for source in sources:
            found = proven(source)
            if found is None or not found.fits:
                continue
            results = dict(run(source))
            namespace: dict[str, Any] = {}
            exec(source, namespace)
            function = namespace["f"]
            parts = leaves(found.element)
            kind = ", ".join(f"c{place} {type_name(leaf.shape)}" for place, leaf in enumerate(parts))
            known = frozenset(results)
            element = found.element

            def made(line: str, function: Any = function, known: Any = known, element: Any = element) -> Any:
                return flat(function(line), element) if line in known else None

            udf = F.udf(made, f"struct<{kind}>", useArrow=arrow)
            columns.append(udf("value").alias(f"f{len(columns)}"))
            in_rdd_code = spark.sparkContext.parallelize(sorted(known), 1).map(function).collect()
            expected.append(dict(zip(sorted(known), in_rdd_code, strict=True)) | {"": results.get("")})
        frame = spark.createDataFrame([(line,) for line in LINES], "value string").coalesce(1)
        for row in frame.select("value", *columns).collect():
            for place, results in enumerate(expected):
                if results.get(row["value"]) is not None and row[f"f{place}"] is not None:
                    value = results[row["value"]]
                    values = value if isinstance(value, tuple) else (value,)
                    assert same(tuple(row[f"f{place}"]), tuple(values))
