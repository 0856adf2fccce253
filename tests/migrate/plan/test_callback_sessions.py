"""Sessions that RDD code finds by its RDD's context: the program's own is in reach anyway."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

PARSED = 'createDataFrame(batch.rdd.map(lambda row: parsed(row["value"]))).show()\n'
GETTER = """\
from pyspark.sql import Row, SparkSession


def getSparkSessionInstance(conf):
    if "session" not in globals():
        globals()["session"] = SparkSession.builder.config(conf=conf).getOrCreate()
    return globals()["session"]


def show(rdd):
    if rdd.isEmpty():
        return
    # Get the singleton instance of SparkSession
    {name} = getSparkSessionInstance(rdd.context.getConf())
    {name}.createDataFrame(rdd.map(parsed)).{then}


{more}
"""
OUTPUT = "lines.foreachRDD(show)"


def code(name: str = "spark", then: str = "show()", more: str = "", output: str = OUTPUT) -> str:
    """The new code of a program whose callback makes Rows by a function that is not followed."""
    return file(GETTER.format(name=name, then=then, more=more) + socket_program(output)).new


def test_the_variable_goes_where_it_has_the_session_s_name() -> None:
    new = code()
    assert "getSparkSessionInstance" not in new
    assert "singleton" not in new
    assert f"        return\n    spark.{PARSED}" in new


def test_another_variable_is_the_session() -> None:
    new = code("found")
    assert "getSparkSessionInstance" not in new
    assert f"    found = spark\n    found.{PARSED}" in new


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "found", "then": "show()\n    keep(found)"},
        {"name": "found", "then": "show()\n    found.unknown"},
        {"name": "found", "then": "show()\n    spark = 3"},
        {"more": "class Other:\n    show = show"},
    ],
    ids=["it is handed on", "another member", "a variable of that name", "another use of the callback"],
)
def test_it_stays_where_it_may_be_another(changed: dict[str, str]) -> None:
    assert "getSparkSessionInstance(rdd.context" in code(**changed)
