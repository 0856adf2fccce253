"""Reduce functions: which are aggregates, and that the aggregates give what Python's reduce gives."""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from migrate.columns import Record, Refusal, Scalar, Scope, column_named, compile_reduce, leaves
from migrate.columns.pieces import written_out
from migrate.columns.shapes import Bool, Float, Int, Shape, Str
from tests.migrate.columns.both_ways import ints, texts

SCOPE = Scope(imports={"add": "operator.add", "operator": "operator"})
ONE = Scalar("F.lit(1)", Int(1, 1, 32), "count", constant=1)


def column(name: str, shape: Shape) -> Scalar:
    return column_named(name, shape)


def aggregate(source: str, *values: Scalar) -> list[str]:
    """Compile a reduce function and return the code of its aggregates."""
    value = values[0] if len(values) == 1 else Record(values)
    return [
        leaf.code
        for leaf in leaves(compile_reduce(ast.parse(source, mode="eval").body, value, SCOPE).element)
    ]


SUM = 'exact_sum("n")'


@pytest.mark.parametrize(
    ("source", "value", "expected"),
    [
        ("lambda a, b: a + b", ONE, 'F.count("*")'),
        ("add", ONE, 'F.count("*")'),
        ("operator.add", column("n", Int()), SUM),
        ("lambda x, y: y + x", column("n", Int()), SUM),
        ("lambda a, b: int(a) + int(b)", column("n", Int()), SUM),
        ("lambda a, b: a + b", column("length", Int(0, 9, 32)), 'F.sum("length")'),
        ("max", column("n", Int()), 'F.max("n")'),
        ("lambda a, b: max(a, b)", column("s", Str()), 'F.max("s")'),
        ("lambda a, b: a if a > b else b", column("n", Int()), 'F.max("n")'),
        ("lambda a, b: b if a > b else a", column("n", Int()), 'F.min("n")'),
        ("max", column("x", Float()), 'F.max(ordered(F.col("x")))'),
        ("lambda a, b: b if a > b else a", column("x", Float()), 'F.min(ordered(F.col("x")))'),
        ("max", column("x", Float(finite=True)), 'F.max("x")'),
        ("lambda a, b: a or b", column("b", Bool()), 'F.bool_or("b")'),
        ("lambda a, b: a and b", column("b", Bool()), 'F.bool_and("b")'),
        ("lambda a, b: 1", column("n", Int(1, 1, 32)), 'F.max("n")'),
    ],
)
def test_aggregates(source: str, value: Scalar, expected: str) -> None:
    assert aggregate(source, value) == [expected]


def test_items_that_zip_puts_together_are_summed() -> None:
    found = aggregate("lambda a, b: tuple(x + y for x, y in zip(a, b))", ONE, column("n", Int()))
    assert found == ['F.count("*")', SUM]


def test_a_tuple_is_reduced_item_by_item() -> None:
    found = aggregate("lambda a, b: (a[0] + b[0], max(a[1], b[1]))", ONE, column("n", Int()))
    assert found == ['F.count("*")', 'F.max("n")']


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("lambda a, b: a + b", column("s", Str())),
        ("add", column("s", Str())),
        ("lambda a, b: a + b", column("x", Float())),
        ("lambda a, b: a + b", column("b", Bool())),
        ("lambda a, b: a - b", column("n", Int())),
        ("lambda a, b: a", column("n", Int())),
        ("lambda a, b: b", column("n", Int())),
        ("lambda a, b: a * b", column("n", Int())),
        ("lambda a, b: 1", column("n", Int())),
        ("lambda a, b: 2", column("n", Int(1, 1, 32))),
        ("lambda a, b: a + b + 1", column("n", Int())),
        ("lambda a, b: a + a", column("n", Int())),
        ("lambda a, b: a if a > 0 else b", column("n", Int())),
        ("lambda a, b: a if len(a) > len(b) else b", column("s", Str())),
        ("lambda a, b: a or b", column("n", Int())),
        ("lambda a: a", column("n", Int())),
        ("unknown", column("n", Int())),
    ],
)
def test_what_is_no_aggregate_or_depends_on_the_order(source: str, value: Scalar) -> None:
    with pytest.raises(Refusal):
        aggregate(source, value)


FUNCTIONS: list[tuple[str, Callable[[Any, Any], Any], str, Shape]] = [
    ("add", operator.add, "n", Int()),
    ("max", max, "n", Int()),
    ("min", min, "n", Int()),
    ("max", max, "s", Str()),
    ("lambda a, b: a if a < b else b", min, "s", Str()),
    ("min", min, "x", Float()),
    ("lambda a, b: a if a >= b else b", max, "x", Float()),
    ("lambda a, b: a or b", lambda a, b: a or b, "b", Bool()),
    ("lambda a, b: a and b", lambda a, b: a and b, "b", Bool()),
]
numbers = st.floats().map(lambda x: x or 0.0)
"""The sign of 0.0 is that of the first one, in Python as well."""
groups = st.lists(st.tuples(st.integers(0, 3), ints, texts, st.booleans(), numbers), max_size=12)


@settings(max_examples=3, deadline=None)
@given(data=groups)
def test_aggregates_give_what_reduce_gives(
    spark: SparkSession, data: Sequence[tuple[int, int, str, bool, float]]
) -> None:
    """Per key and without keys, on no rows too; a sum beyond 64 bits raises, and so does NaN."""
    frame = spark.createDataFrame(data, "key int, n bigint, s string, b boolean, x double").coalesce(1)
    for ansi in ("true", "false"):
        spark.conf.set("spark.sql.ansi.enabled", ansi)
        for source, function, name, shape in FUNCTIONS:
            compiled = compile_reduce(ast.parse(source, mode="eval").body, column(name, shape), SCOPE)
            namespace: dict[str, Any] = {"F": F}
            for helper in compiled.demands.helpers:
                exec(helper.source, namespace)
            made = eval(written_out(leaves(compiled.element)[0].code), namespace)
            position = {"n": 1, "s": 2, "b": 3, "x": 4}[name]
            keys = sorted({row[0] for row in data})
            values: dict[Any, list[Any]] = {
                key: [row[position] for row in data if row[0] == key] for key in keys
            }
            expected = [(key, functools.reduce(function, values[key])) for key in keys]
            fits = all(not isinstance(value, int) or -(2**63) <= value < 2**63 for _, value in expected)
            try:
                found = sorted(tuple(row) for row in frame.groupBy("key").agg(made).collect())
            except (PySparkException, Py4JJavaError):  # 3.5 does not convert what raise_error throws
                assert compiled.partial
                assert (
                    any(map(math.isnan, (row[4] for row in data)))
                    if name == "x"
                    else not all(
                        -(2**63) <= partial < 2**63 for key in keys for partial in partials(values[key])
                    )
                )
            else:
                assert fits
                assert found == expected


def partials(values: Sequence[int]) -> list[int]:
    """All sums that may come up on the way, whatever the order: the domain of a sum."""
    return [sum(value for value in values if value > 0), sum(value for value in values if value < 0)]


def test_a_reduce_without_keys_has_no_row_for_no_rows(session: SparkSession) -> None:
    compiled = compile_reduce(ast.parse("add", mode="eval").body, column("n", Int()), SCOPE)
    namespace: dict[str, Any] = {"F": F}
    exec(compiled.demands.helpers[0].source, namespace)
    made = eval(written_out(leaves(compiled.element)[0].code), namespace)
    frame = session.createDataFrame([(1,), (2,)], "n bigint")
    assert [row[1] for row in frame.groupBy(F.lit(True)).agg(made).collect()] == [3]
    assert frame.where("n > 5").groupBy(F.lit(True)).agg(made).collect() == []
    assert [row[0] for row in frame.where("n > 5").agg(made).collect()] == [None]
