"""Parts of tuples have the names at once that callbacks make columns of them by."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, flat, socket_program

HEAD = """\
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import *
spark = SparkSession(sc)
parts = lines.map(lambda line: line.split(","))
"""
SALES = "sales = parts.map(lambda part: (float(part[0]), part[1], int(part[2])))\n"
SALE = (
    'select(F.col("part")[0].cast("double").alias("price"), F.col("part")[1].alias("shop"), '
    'F.col("part")[2].cast("bigint").alias("n"))'
)
NAMES = '["price", "shop", "n"]'


def new(body: str) -> str:
    return flat(file(socket_program(HEAD + body)).new)


@pytest.mark.parametrize(
    "made",
    [
        f"rdd.toDF({NAMES})",
        f"spark.createDataFrame(rdd, {NAMES})",
        f"spark.createDataFrame(rdd, schema={NAMES})",
        'rdd.toDF("price double, shop string, n long")',
        "rdd.map(lambda s: Row(price=s[0], shop=s[1], n=s[2])).toDF()",
    ],
)
def test_they_are_named_where_they_are_made(made: str) -> None:
    callback = f"def show(rdd):\n    if not rdd.isEmpty():\n        {made}.show()\n"
    text = new(f"{callback}{SALES}sales.pprint()\nsales.foreachRDD(show)")
    assert flat(SALE) in text
    assert "field" not in text and text.count("select(") == 2


def test_by_a_typed_function_too() -> None:
    sales = "sales = parts.map(lambda part: (part[0].title(), part[1], int(part[2])))\n"
    text = new(f"{sales}sales.foreachRDD(lambda rdd: rdd.toDF({NAMES}).show())")
    assert '.alias("price")' in text and "field" not in text


@pytest.mark.parametrize(
    "outputs",
    [
        f"sales.foreachRDD(lambda rdd: rdd.toDF({NAMES}).show())\n"
        'sales.foreachRDD(lambda rdd: rdd.toDF(["a", "b", "c"]).show())',
        'sales.foreachRDD(lambda rdd: rdd.toDF(["a.b", "b", "c"]).show())',
        f"sales.filter(lambda sale: sale[0] > 1).foreachRDD(lambda rdd: rdd.toDF({NAMES}).show())",
        f"sales.foreachRDD(lambda rdd: rdd.map(lambda s: s[::-1]).toDF({NAMES}).show())",
    ],
    ids=["two names", "no name", "read by more", "of other elements"],
)
def test_where_it_is_not_clear_they_keep_their_own_names(outputs: str) -> None:
    assert (
        '.alias("price")' not in new(SALES + outputs).partition("def process_batch")[2].partition(".show")[0]
    )
