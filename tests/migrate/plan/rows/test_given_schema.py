"""The types of a DataFrame's columns: those of a schema, or what Spark infers of the first rows."""

from __future__ import annotations

import pytest

from migrate.model import Options
from migrate.plan.rows.given_schema import CAUGHT_NONES
from tests.migrate.programs import native_body, run, whole_program

BODY = """\
from pyspark.sql import Row, SparkSession
spark = SparkSession(sc)
def show(rdd):
    try:
        df = spark.createDataFrame(rdd.map(lambda m: Row(one={one}, two={two})), ["a", "b"])
        df.show()
    except:
        pass
{stream}.foreachRDD(show)
"""
NONES = CAUGHT_NONES.format("None")
NO_ITEMS = CAUGHT_NONES.format("lists without items")


@pytest.mark.parametrize(
    ("stream", "one", "two", "told"),
    [
        ("messages", "m[1]", "1", {NONES}),
        ("lines", "m", "m.split(' ')[1:]", {NO_ITEMS}),
        ("lines", "m", "m.split(' ')", set()),
        ("messages", "m[1]", "m[0]", {NONES}),
    ],
    ids=["a value of Kafka", "no items", "an item", "a key"],
)
def test_a_note_tells_of_columns_without_values_where_errors_are_caught(
    stream: str, one: str, two: str, told: set[str]
) -> None:
    body = BODY.format(stream=stream, one=one, two=two)
    (graph,) = run(whole_program(body)).graphs
    assert {NONES, NO_ITEMS} & set(graph.notes) == told
    assert ".rdd" not in native_body(body)


@pytest.mark.parametrize("two", ["[len(m)]", "[[m]]", "[]"], ids=["of int", "of lists", "of nothing"])
def test_other_lists_are_rdd_code(two: str) -> None:
    assert ".rdd" in native_body(BODY.format(stream="lines", one="m", two=two))


def test_the_error_stays_if_the_user_asks_for_it() -> None:
    body = BODY.format(stream="messages", one="m[1]", two="1")
    assert ".rdd" in native_body(body, Options(strict=True))


VALUES = """\
from pyspark.sql import SparkSession
from pyspark.sql.types import IntegerType, StringType
spark = SparkSession(sc)
def show(rdd):
    spark.createDataFrame({rdd}, {schema}).show()
lines.foreachRDD(show)
"""


@pytest.mark.parametrize(
    ("rdd", "schema", "new"),
    [
        ("rdd", "StringType()", "batch.show()"),
        ("rdd", "schema='string'", "batch.show()"),
        ("rdd.map(lambda s: s.strip(' '))", "StringType()", '.alias("value")'),
        ("rdd.map(lambda s: len(s))", "IntegerType()", 'F.length("value").alias("value")'),
        ("rdd.map(lambda s: len(s))", "'bigint'", '.cast("bigint").alias("value")'),
    ],
)
def test_values_of_one_type_are_the_only_column(rdd: str, schema: str, new: str) -> None:
    body = native_body(VALUES.format(rdd=rdd, schema=schema))
    assert new in body
    assert ".rdd" not in body


@pytest.mark.parametrize(
    ("rdd", "schema"),
    [("rdd", "['line']"), ("rdd", "IntegerType()"), ("rdd.map(lambda s: s.split(' '))", "StringType()")],
    ids=["which fails", "of another type", "of lists"],
)
def test_values_of_other_types_are_rdd_code(rdd: str, schema: str) -> None:
    assert ".rdd" in native_body(VALUES.format(rdd=rdd, schema=schema))
