"""DataFrames of elements of unknown types, whose schema the program writes out: a typed function of it."""

from __future__ import annotations

import json
import re

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

from migrate.model import Options, Result
from migrate.plan.typed.by_schema import OTHERS
from tests.migrate.programs import native_body, run, socket_program

PROGRAM = """\
import json
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import IntegerType, StringType, StructField, StructType
schema = StructType([StructField("a", StringType(), True), StructField("n", {type}(), {nullable})])
spark = SparkSession(sc)
def show(rdd):
    {show}
{stream}.foreachRDD(show)
"""
SHOW = "if not rdd.isEmpty():\n        spark.createDataFrame(rdd, schema).show()"
JSON = "lines.map(json.loads)"
PAIRS = JSON + ".map(lambda d: (d['a'], d.get('n')))"
ITEMS = JSON + ".flatMap(lambda d: d['all']).map(lambda d: (d['a'], d.get('n')))"


def program(stream: str, show: str = SHOW, type_: str = "StringType", nullable: str = "True") -> str:
    return PROGRAM.format(stream=stream, show=show, type=type_, nullable=nullable)


def text_of(result: Result) -> str:
    """The new text on one line."""
    return re.sub(r",? \)", ")", " ".join(str(result.files[0].new).split())).replace("( ", "(")


@pytest.mark.parametrize(
    ("stream", "code"),
    [
        (JSON, "F.udf(lambda value: json.loads(value), schema, useArrow=False)"),
        (PAIRS, "@F.udf(schema, useArrow=False)"),
        (ITEMS, "ArrayType(schema), useArrow=False)"),
        (
            PAIRS.replace(".map(lambda", ".filter(len).map(lambda"),
            "@F.udf(ArrayType(schema), useArrow=False)",
        ),
        (JSON + ".map(lambda d: Row(a=d['a'], n=d['n']))", "@F.udf(schema, useArrow=False)"),
    ],
    ids=["dicts", "pairs", "several of each", "some", "Rows"],
)
def test_its_columns_are_those_of_a_typed_function(stream: str, code: str) -> None:
    result = run(socket_program(program(stream)))
    (graph,), new = result.graphs, text_of(result)
    assert code in new
    assert ".rdd" not in new and "createDataFrame" not in new
    assert any(OTHERS in note for note in graph.notes)


@pytest.mark.parametrize(("stream", "name"), [(PAIRS, "row_udf"), (ITEMS, "rows_udf")])
def test_a_lambda_is_named_after_the_rows_that_it_makes(stream: str, name: str) -> None:
    assert f'{name}("value")' in text_of(run(socket_program(program(stream))))


def test_a_chain_in_the_callback_is_one_as_well() -> None:
    made = "rdd.map(json.loads).map(lambda d: (d['a'], d['n']))"
    new = text_of(run(socket_program(program("lines", f"spark.createDataFrame({made}, schema).show()"))))
    assert "schema, useArrow=False)" in new and ".rdd" not in new


def test_ints_of_fewer_bits_are_cast_which_fails_beyond_them() -> None:
    new = text_of(run(socket_program(program(PAIRS, type_="IntegerType"))))
    assert "struct<a string, n bigint>" in new and '.cast("int")' in new


@pytest.mark.parametrize(
    ("show", "nullable"),
    [
        ("spark.createDataFrame(rdd.filter(lambda d: d), schema).show()", "True"),
        ("spark.createDataFrame(rdd, ['a', 'n']).show()", "True"),
        ("spark.createDataFrame(rdd).show()", "True"),
        (SHOW, "False"),
        (
            "try:\n        spark.createDataFrame(rdd, schema).show()\n    except Exception:\n        pass",
            "True",
        ),
    ],
    ids=[
        "a filter is last",
        "names",
        "types of the values",
        "not nullable",
        "an error is caught",
    ],
)
def test_others_are_rdd_code(show: str, nullable: str) -> None:
    assert ".rdd" in native_body(program(PAIRS, show, nullable=nullable))


def test_nothing_is_null_where_errors_are_to_stay() -> None:
    assert ".rdd" in native_body(program(PAIRS), Options(strict=True))


def test_values_are_those_of_create_data_frame(spark: SparkSession) -> None:
    schema = StructType(
        [StructField("a", StringType()), StructField("x", DoubleType()), StructField("n", LongType())]
    )
    values = ("5", "5.10", "1e22", "true", "null", '"é"', '{"b": [1, null, 2.0]}', "[false]", str(10**30))
    texts = [f'{{"a": {value}, "x": 1.5, "n": {2**40}}}' for value in values]
    texts += ['{"a": "b", "x": NaN}', '{"a": "b", "x": -0.0, "other": 1}']
    lines = spark.createDataFrame([(text,) for text in texts], "value string")
    made = lines.select(F.udf(json.loads, schema, useArrow=False)("value").alias("result")).select("result.*")
    old = spark.createDataFrame(lines.rdd.map(lambda row: json.loads(row["value"])), schema)
    assert list(map(repr, made.collect())) == list(map(repr, old.collect()))
    assert made.schema == old.schema
