"""Schemas that a callback writes out in a variable of its own."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, flat, socket_program

BODY = """\
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import IntegerType, StringType, StructField, StructType
spark = SparkSession(sc)

def show(rdd):
    schema = StructType([StructField("tag", StringType(), True), StructField("n", IntegerType(), True)])
    {made}.show()

def other(rdd):
    schema = StructType([StructField("word", StringType())])
    rdd.map(lambda line: (line,)).toDF(schema).show()

lines.foreachRDD(show)
lines.foreachRDD(other)
"""
ROWS = "rdd.map(lambda line: Row(tag=line, n=len(line)))"
NAMED = 'F.col("value").alias("tag"), F.length("value").cast("bigint").cast("int").alias("n")'


@pytest.mark.parametrize(
    "made",
    [
        f"spark.createDataFrame({ROWS}, schema=schema)",
        f"spark.createDataFrame({ROWS}, schema)",
        f"{ROWS}.toDF(schema=schema)",
        f"{ROWS}.toDF(schema)",
    ],
)
def test_its_names_and_types_are_those_of_columns(made: str) -> None:
    new = flat(file(socket_program(BODY.format(made=made))).new)
    assert flat(NAMED) in new.replace(",)", ")") and 'batch.toDF("word")' in new
    assert ".rdd" not in new


@pytest.mark.parametrize(
    "before",
    [
        'schema.add("c", StringType())',
        "schema = load(schema)",
        "note(schema)",
        "schema.fields[1].dataType = StringType()",
    ],
)
def test_not_where_something_may_change_it(before: str) -> None:
    made = f"{before}\n    {ROWS}.toDF(schema)"
    assert "rdd" in file(socket_program(BODY.format(made=made))).new
