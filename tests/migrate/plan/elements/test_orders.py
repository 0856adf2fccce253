"""Sorts of RDDs by keys that may be None, at which Python fails beside any other key."""

from __future__ import annotations

import pytest

from migrate.model import Options
from migrate.plan.callbacks.rdd_chain import NONES
from tests.migrate.programs import kafka_program, native_body, run

SHOW = "def show(rdd):\n    print(rdd.sortBy(lambda m: m[1]).collect())\nmessages.foreachRDD(show)"


@pytest.mark.parametrize(
    "body",
    ["messages.transform(lambda rdd: rdd.sortBy(lambda m: m[1], False)).pprint()", SHOW],
    ids=["of a transform", "of a callback"],
)
def test_values_of_kafka_are_sorted_on_columns(body: str) -> None:
    result = run(kafka_program(body))
    assert 'orderBy("value")' in result.files[0].new or 'orderBy(F.desc("value"))' in result.files[0].new
    assert ".rdd" not in result.files[0].new
    assert any(NONES in note for note in result.graphs[0].notes)


CAUGHT = """\
def show(rdd):
    try:
        print(rdd.sortBy(lambda m: m[1]).collect())
    except TypeError:
        print("None")
messages.foreachRDD(show)
"""


@pytest.mark.parametrize(
    ("body", "options"),
    [(SHOW, Options(strict=True)), (CAUGHT, Options())],
    ids=["the user asks for Python's errors", "the callback catches them"],
)
def test_the_error_stays_where_it_is_seen(body: str, options: Options) -> None:
    assert ".rdd" in run(kafka_program(body), options).files[0].new


def test_a_number_that_may_be_nan_has_no_order_either() -> None:
    body = "messages.map(lambda m: float(m[1])).transform(lambda rdd: rdd.sortBy(lambda n: n)).pprint()"
    assert "orderBy" in native_body(body)
