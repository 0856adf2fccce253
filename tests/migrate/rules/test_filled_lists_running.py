"""Lists that the program fills, and functions that give nothing for what is not in them, batch by batch."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import whole_program
from tests.migrate.rules.running import after_program, before

LOADED = """\
def load(path):
    with open(path) as file:
        return file.read().split("\\n")

def label(word, good):
    if word in good:
        return ("good", 1)
    else:
        return ("bad", 1)

def known(word):
    if word in good:
        return True
    elif word in bad and len(word) > 1:
        return word

good = load("{path}/good.txt")
bad = load("{path}/bad.txt")
words = lines.flatMap(lambda line: line.split(" "))
"""
BODIES = {
    "a filter that gives None": (
        "words.filter(lambda word: True if word in good or word in bad else None)"
        ".map(lambda word: label(word, good)).reduceByKey(lambda a, b: int(a) + int(b)).pprint()"
    ),
    "a function that gives None": (
        "words.filter(known).pprint()\nwords.map(known).filter(lambda x: x).pprint()"
    ),
    "a function that is called": (
        "words.filter(lambda word: not known(word)).pprint()\n"
        "words.filter(lambda word: known(word) and known(word) is None).pprint()"
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_they_do_the_same(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path, body: str
) -> None:
    (tmp_path / "good.txt").write_text("ok\nfine\n")
    (tmp_path / "bad.txt").write_text("no\nx\nfine")
    whole = LOADED.replace("{path}", str(tmp_path)) + body
    batches = [("ok no", "x yes fine", "no"), (" ok", "y"), ("x x", "")]
    (expected,) = before([whole], batches, spark_context)
    came = after_program(whole_program(whole), [(), *batches], spark)
    assert came.batches[1:] == expected.batches
