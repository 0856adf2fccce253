"""Counts of what a typed function of Python makes, which Spark does not call for them."""

from __future__ import annotations

import pytest

from migrate.plan.callbacks.counted_values import UNCALLED
from tests.migrate.programs import run, whole_program

PARSED = """\
def parse(line):
    total = 0
    for word in line.split(" "):
        total = total * 31 + int(word)
    return "%d!" % total

"""
CAUGHT = """\
def show(rdd):
    try:
        print(rdd.{}.count())
    except ValueError:
        print("no number")

lines.foreachRDD(show)
"""


@pytest.mark.parametrize(
    "body",
    ["lines.map(parse).count().pprint()", "lines.foreachRDD(lambda rdd: print(rdd.map(parse).count()))"],
    ids=["a stream", "an RDD"],
)
def test_a_note_says_that_a_function_does_not_fail_for_them(body: str) -> None:
    (graph,) = run(whole_program(PARSED + body)).graphs
    assert any(UNCALLED in note for note in graph.notes)


def test_it_is_called_where_somebody_catches_its_errors() -> None:
    (file,) = run(whole_program(PARSED + CAUGHT.format("map(parse)"))).files
    assert '.rdd.map(lambda row: parse(row["value"])).count()' in file.new


def test_of_a_filter_only_the_elements_that_are_left_are_counted() -> None:
    kept = "filter(lambda line: 'a' in line)"
    (file,) = run(whole_program(PARSED + CAUGHT.format(kept))).files
    assert ".rdd" not in file.new
