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


def test_also_where_a_window_holds_them() -> None:
    named = "sales.window(60, 60).map(lambda s: Row(price=s[0], shop=s[1], n=s[2]))"
    text = new(f"{SALES}{named}.foreachRDD(lambda rdd: rdd.toDF().show())")
    assert flat(SALE) in text
    assert "field" not in text and "toDF" not in text


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


FLAT = HEAD.replace("parts = ", 'Sale = Row("shop", "n")\nparts = ')
TO_VIEW = '.foreachRDD(lambda rdd: rdd.toDF().createOrReplaceTempView("sales"))'


@pytest.mark.parametrize(
    "body",
    [
        f"lines.map(lambda line: (line, 1)).map(lambda p: Sale(p[0], p[1])){TO_VIEW}",
        "pairs = lines.map(lambda line: (line, 1))\n"
        f"sales = pairs.map(lambda p: Sale(p[0], p[1]))\nsales{TO_VIEW}",
        f"pairs = lines.map(lambda line: (1, line))\npairs.map(lambda p: Sale(p[1], p[0])){TO_VIEW}",
    ],
    ids=["chain", "variables", "in another order"],
)
def test_pairs_have_the_names_of_the_rows_that_an_operator_makes_of_them(body: str) -> None:
    text = flat(file(socket_program(FLAT + body)).new)
    shop, n = 'F.col("value").alias("shop")', 'F.lit(1).cast("bigint").alias("n")'
    one, other = flat(f"batch.select({shop}, {n})"), flat(f"batch.select({n}, {shop})")
    assert one in text or other in text
    assert text.count("select(") == 1 + (other in text)
    assert "sales=" not in text


def test_pairs_that_somebody_else_reads_have_their_own_names() -> None:
    body = f"pairs = lines.map(lambda line: (line, 1))\npairs.map(lambda p: Sale(p[0], p[1])){TO_VIEW}\n"
    text = flat(file(socket_program(f"{FLAT}{body}pairs.count().pprint()")).new)
    assert flat('F.col("value").alias("line"), F.lit(1)') in text


def test_ints_have_the_type_that_a_schema_names() -> None:
    callback = 'def show(rdd):\n    rdd.toDF("shop string, n int").show()\n'
    text = flat(file(socket_program(f"{FLAT}{callback}lines.map(lambda l: (l, 1)).foreachRDD(show)")).new)
    assert flat('F.lit(1).alias("n")') in text
    assert "cast" not in text
