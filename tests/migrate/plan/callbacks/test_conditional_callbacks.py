"""Lambdas that hand their RDD on if it has elements: the function they hand it to takes a DataFrame."""

from __future__ import annotations

import pytest

from migrate.model import Tier
from tests.migrate.programs import file, run, socket_program

SHOW = """\
def nothing():
    print("nothing")
def show(rdd):
    rdd.map(lambda word: (word,)).toDF(["word"]).show()
"""


@pytest.mark.parametrize(
    ("chosen", "test", "first", "second"),
    [
        ("nothing() if rdd.isEmpty() else show(rdd)", "batch.isEmpty()", "nothing()", "show(batch)"),
        ("nothing() if rdd.count() == 0 else show(rdd)", "batch.count() == 0", "nothing()", "show(batch)"),
        ("show(rdd) if rdd.count() > 1 else nothing()", "batch.count() > 1", "show(batch)", "nothing()"),
    ],
)
def test_the_function_takes_a_dataframe(chosen: str, test: str, first: str, second: str) -> None:
    source = socket_program(f"{SHOW}lines.foreachRDD(lambda rdd: {chosen})")
    new = file(source).new
    assert f"    if {test}:\n        {first}\n    else:\n        {second}\n" in new
    assert ".rdd" not in new and 'batch.toDF("word").show()' in new
    assert Tier.RDD not in {site.tier for site in run(source).sites}


def test_it_may_keep_rdd_code_of_its_own() -> None:
    show = (
        "from pyspark.sql import Row\n"
        "def show(rdd):\n    rows = rdd.map(lambda w: Row(word=w))\n    print(rows.collect())\n"
        "    rows.toDF().show()\n"
    )
    body = f"{show}lines.foreachRDD(lambda rdd: print(0) if rdd.isEmpty() else show(rdd))"
    new = file(socket_program(body)).new
    assert "    if batch.isEmpty():\n        print(0)\n    else:\n        show(batch)\n" in new
    assert "    rows = batch.rdd.map(" in new


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param("show(rdd) if rdd.first() else nothing()", id="another question"),
        pytest.param("show(rdd) if rdd.isEmpty() else show(rdd)", id="handed on twice"),
        pytest.param("show(rdd) if rdd.countApprox(9) else nothing()", id="with arguments"),
    ],
)
def test_other_conditions_are_asked_of_the_rdd(chosen: str) -> None:
    new = file(socket_program(f"{SHOW}lines.foreachRDD(lambda rdd: {chosen})")).new
    assert "show(rdd)" in new


def test_what_a_count_would_not_compute_is_counted_as_an_rdd() -> None:
    stream = "lines.map(int).foreachRDD(lambda rdd: nothing() if rdd.count() < 2 else show(rdd))"
    show = SHOW.replace("(word,)", "(word, 1)").replace('["word"]', '["word", "n"]')
    new = file(socket_program(show + stream)).new
    assert "    if batch.count()" not in new
