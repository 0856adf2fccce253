"""Columns behind a callback that catches errors fail as Python does, unless the program ended there."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, kafka_program

GUARD = 'required(F.col("value"), "line is None")'
BODY = """\
def process(rdd):
    try:
        print(rdd.collect())
    except Exception as error:
        print(error)

words = messages.map(lambda m: m[1]).flatMap(lambda line: line.split(" "))
{}
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).foreachRDD(process)
"""
COUNTED = "words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()"


@pytest.mark.parametrize(
    ("more", "guarded"),
    [
        pytest.param("", True, id="the callback alone"),
        pytest.param(COUNTED, False, id="printed behind a shuffle"),
        pytest.param("words.saveAsTextFiles('words')", False, id="saved"),
        pytest.param("words.pprint()", True, id="printed, of which one partition may be enough"),
        pytest.param(f"if DEBUG:\n    {COUNTED}", True, id="printed sometimes"),
    ],
)
def test_another_output_ends_the_program(more: str, guarded: bool) -> None:
    new = file(kafka_program("import sys\nDEBUG = len(sys.argv) > 1\n" + BODY.format(more))).new
    assert (GUARD in new) is guarded


def test_unless_somebody_catches_that_too() -> None:
    source = kafka_program(BODY.format(COUNTED)).replace(
        "ssc.awaitTermination()", "try:\n    ssc.awaitTermination()\nexcept Exception:\n    pass"
    )
    assert GUARD in file(source).new
