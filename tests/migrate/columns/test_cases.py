"""`str.lower` and `str.upper` on columns: the same for every character, or the query fails."""

from __future__ import annotations

import sys
from typing import Any

import pyspark
import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as F

from migrate.columns.helpers import definitions

CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
BY_UNICODE = pyspark.__version__ >= "4"


def helper(name: str):
    (definition,) = definitions({name}, frozenset())
    scope: dict[str, Any] = {"F": F}
    exec(definition.source, scope)
    return scope[name]


FORMS = [
    *("{}", "a{}b"),
    # the last letter of a word, a capital sigma, has a form of its own
    *(
        "\u03a3{}",
        "{}\u03a3",
        "a\u03a3{}",
        "a\u03a3{}a",
        "a{}\u03a3",
        "{}\u03a3a",
        "a\u03a3'{}a",
        "a{}'\u03a3",
    ),
]


@pytest.mark.full
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", ["lower", "upper"])
def test_every_character(
    spark: SparkSession, method: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    convert = helper(method if BY_UNICODE else f"{method}_by_java")
    frame = spark.createDataFrame([(form.format(character),) for character in CHARACTERS], "text STRING")

    def or_null(message: Column) -> Column:
        return F.lit(None).cast("string")

    with monkeypatch.context() as patch:
        patch.setattr(F, "raise_error", or_null)
        found = frame.select("text", convert(F.col("text"))).collect()
    assert [text for text, made in found if made is not None and made != getattr(text, method)()] == []
    failing = [text for text, made in found if made is None]
    assert len(failing) < len(CHARACTERS) / 10 or (method == "lower" and not BY_UNICODE)
    with pytest.raises((PySparkException, Py4JJavaError), match=rf"{method}\(\) of"):
        frame.where(F.col("text") == failing[0]).select(convert(F.col("text"))).collect()
