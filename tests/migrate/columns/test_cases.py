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


@pytest.mark.full
@pytest.mark.parametrize("method", ["lower", "upper"])
def test_every_character(spark: SparkSession, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    convert = helper(method if BY_UNICODE else f"{method}_by_java")
    rows = [(character, f"a{character}b") for character in CHARACTERS]
    frame = spark.createDataFrame(rows, "alone STRING, within STRING")

    def or_null(message: Column) -> Column:
        return F.lit(None).cast("string")

    with monkeypatch.context() as patch:
        patch.setattr(F, "raise_error", or_null)
        found = frame.select("alone", "within", convert(F.col("alone")), convert(F.col("within"))).collect()
    differing = [
        hex(ord(alone))
        for alone, within, one, other in found
        if one is not None and (one, other) != (getattr(alone, method)(), getattr(within, method)())
    ]
    assert differing == []
    failing = next(alone for alone, _, one, _ in found if one is None)
    with pytest.raises((PySparkException, Py4JJavaError), match=rf"{method}\(\) of"):
        frame.where(F.col("alone") == failing).select(convert(F.col("alone"))).collect()
    assert sum(one is None for _, _, one, _ in found) < len(CHARACTERS) / 10
