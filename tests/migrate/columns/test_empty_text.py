"""``text is not ""`` asks whether a text is empty: CPython has one empty text."""

from __future__ import annotations

import warnings

import pytest
from pyspark.sql import SparkSession

from migrate.columns import Refusal
from tests.migrate.columns.both_ways import check, edge_rows, program


def test_an_empty_text_is_the_only_one(spark: SparkSession) -> None:
    sources = ["lambda s: s is ''", "lambda s: s is not ''", "lambda s: s.strip() is ''"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        assert check(spark, [program(source) for source in sources], edge_rows()) == []


@pytest.mark.parametrize("source", ["lambda s: s is 'a'", "lambda n: n is 7", "lambda n: n is ''"])
def test_other_objects_may_be_several(source: str) -> None:
    with warnings.catch_warnings(), pytest.raises(Refusal, match="for None only"):
        warnings.simplefilter("ignore", SyntaxWarning)
        program(source)
