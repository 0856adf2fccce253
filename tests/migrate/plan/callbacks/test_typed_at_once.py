"""The types of a schema where the columns of a batch are made, of which a callback makes one DataFrame."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, flat, socket_program

BODY = """\
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import FloatType, IntegerType, StringType, StructField, StructType
spark = SparkSession(sc)
schema = StructType([
    StructField("name", StringType()), StructField("size", IntegerType()), StructField("price", FloatType())
])

def show({parameters}):
    if not rdd.isEmpty():
        df = spark.createDataFrame(rdd, schema)
        df.createOrReplaceTempView("sales"){more}

def parse(line):
    parts = line.split(",")
    return Row(name=parts[0], size=int(parts[1]), price=float(parts[2]))

sales = lines.map(parse)
sales.foreachRDD({callback})
"""
PLAIN = {"parameters": "rdd", "callback": "show", "more": ""}
AT_ONCE = '.cast("int").alias("size"), parts[2].cast("double").cast("float").alias("price"))'
LATER = 'F.col("size").cast("int").alias("size"), F.col("price").cast("float").alias("price")'


@pytest.mark.parametrize(
    ("given", "at_once"),
    [
        ({}, True),
        ({"parameters": "time, rdd"}, True),
        ({"callback": "lambda rdd: show(rdd)"}, True),
        ({"more": "\n        print(rdd.count())"}, True),
        ({"more": "\n        print(rdd.map(lambda row: row.price).collect())"}, False),
        ({"callback": "show)\nsales.pprint("}, False),
    ],
    ids=["alone", "a time", "handed on", "counted", "read otherwise", "read by another output"],
)
def test_one_select_makes_columns_of_their_types(given: dict[str, str], at_once: bool) -> None:
    new = flat(file(socket_program(BODY.format(**{**PLAIN, **given}))).new)
    assert (flat(AT_ONCE) in new) is at_once
    assert not (at_once and flat(LATER) in new)
