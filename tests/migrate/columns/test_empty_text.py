"""``text is not ""`` asks whether a text is empty: CPython has one empty text, and one of each character."""

from __future__ import annotations

import warnings

import pytest
from pyspark.sql import SparkSession

from migrate.columns import Refusal
from tests.migrate.columns.both_ways import check, edge_rows, program
from tests.migrate.programs import file, run, socket_program


def test_an_empty_text_is_the_only_one(spark: SparkSession) -> None:
    sources = ["lambda s: s is ''", "lambda s: s is not ''", "lambda s: s.strip() is ''"]
    sources += ["lambda s: s is 'a'", "lambda s: s.strip() is not ' '"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        assert check(spark, [program(source) for source in sources], edge_rows()) == []


@pytest.mark.parametrize(
    "source", ["lambda s: s is 'ab'", "lambda s: s is 'é'", "lambda n: n is 7", "lambda n: n is ''"]
)
def test_other_objects_may_be_several(source: str) -> None:
    with warnings.catch_warnings(), pytest.raises(Refusal, match="for None only"):
        warnings.simplefilter("ignore", SyntaxWarning)
        program(source)


def test_a_note_says_what_is_compared_now() -> None:
    (graph,) = run(socket_program("lines.filter(lambda w: w is not '#').pprint()")).graphs
    assert any(note.startswith("`w is not '#'` compares texts as `==`") for note in graph.notes)
    new = file(socket_program("lines.filter(lambda w: w is not '#').pprint()")).new
    assert '.where(F.col("value") != "#")' in new
