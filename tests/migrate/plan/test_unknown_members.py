"""Methods that PySpark's classes do not have: the report says so, with their lines."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run, socket_program

HEAD = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"


def told(body: str, more: str = "") -> list[str]:
    (graph,) = run(HEAD + more + socket_program(body)).graphs
    return [one for one in graph.must_change if "an AttributeError where this runs" in one]


@pytest.mark.parametrize(
    ("body", "start"),
    [
        (
            "lines.foreachRDD(lambda rdd: rdd.map(tuple).toDF().registerTempView('a'))",
            "line 9: a DataFrame has",
        ),
        (
            "def save(rdd):\n    spark.createDatafram(rdd).show()\n\nlines.foreachRDD(save)",
            "line 10: a SparkSession has no `createDatafram` (`createDataFrame` is one)",
        ),
        (
            "def show(time, rdd):\n    rdd.pprint()\n\nlines.foreachRDD(show)",
            "line 10: an RDD has no `pprint`",
        ),
        ("lines.transform(lambda rdd: rdd.filtr(bool)).pprint()", "line 9: an RDD has no `filtr`"),
        ("spark.read.jason('a').show()\nlines.pprint()", "line 9: a DataFrameReader has no `jason`"),
    ],
)
def test_a_method_that_its_class_has_not_is_told_of(body: str, start: str) -> None:
    (sentence,) = told(body)
    assert sentence.startswith(start)


def test_that_of_a_context_is_told_of_where_it_is_made() -> None:
    source = socket_program("lines.pprint()").replace(
        'SparkContext(appName="Test")', 'SparkContext(appName="Test").set("spark.cores.max", "3")'
    )
    (graph,) = run(source).graphs
    (sentence,) = graph.must_change
    assert sentence.startswith("line 4: a SparkContext has no `set` (a SparkConf has one)")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("lines.foreachRDD(lambda rdd: rdd.saveToEs('a'))", id="a package may have added it"),
        pytest.param(
            "def show(rdd):\n    rdd.pprint()\n\nlines.foreachRDD(show)\nshow(mine)",
            id="called by others, too",
        ),
        pytest.param(
            "def show(rdd):\n    rdd = mine(rdd)\n    rdd.pprint()\n\nlines.foreachRDD(show)", id="bound anew"
        ),
        pytest.param(
            "def show(rdd):\n    try:\n        rdd.pprint()\n    except AttributeError:\n        print(1)\n\n"
            "lines.foreachRDD(show)",
            id="the program goes on",
        ),
        pytest.param("lines.foreachRDD(lambda rdd: rdd.toDF().word.show())", id="a column"),
        pytest.param(
            "from pyspark.sql import HiveContext\nh = HiveContext(sc)\nh.setConf('a', 'b')\nlines.pprint()",
            id="of an SQLContext",
        ),
    ],
)
def test_what_is_not_certain_is_not_told_of(body: str) -> None:
    assert told(body) == []


def test_it_is_told_of_where_the_program_goes_to_compat() -> None:
    (graph,) = run(socket_program("lines.foreachRDD(lambda rdd: rdd.pprint())")).graphs
    assert graph.outcome is Outcome.COMPAT
    assert any("an RDD has no `pprint` (a DStream has one)" in one for one in graph.must_change)
