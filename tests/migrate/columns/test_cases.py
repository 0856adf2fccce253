"""`str.lower` and `str.upper` on columns: the same for every character."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from migrate.columns import Refusal, leaves
from migrate.columns.helpers import definitions
from tests.migrate.columns.both_ways import SCOPE, program

CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
LETTER = r"[^\0-\x7f\s]"


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
def test_every_character(spark: SparkSession, method: str, form: str) -> None:
    texts = [*(form.format(character) for character in CHARACTERS), "", None]
    frame = spark.createDataFrame([(text,) for text in texts], "text STRING")
    found = frame.select("text", helper(method)(F.col("text"))).collect()
    assert [text for text, made in found if made != (text and getattr(text, method)())] == []


def test_spark_calls_no_function_of_python_for_the_items_of_a_list() -> None:
    with pytest.raises(Refusal, match="for the items of a list"):
        program("lambda s: [w.lower() for w in s.split()]")


@pytest.mark.full
@pytest.mark.parametrize("form", FORMS)
def test_letters_that_differ_are_beyond_ascii_in_both(spark: SparkSession, form: str) -> None:
    """One for one: a text of ASCII is as much equal to, in, or at a place of the one as of the other."""
    frame = spark.createDataFrame([(form.format(character),) for character in CHARACTERS], "text STRING")
    found = frame.select("text", F.lower("text"), F.upper("text")).collect()
    differing = [
        (text, made)
        for text, *both in found
        for made, expected in zip(both, (text.lower(), text.upper()), strict=True)
        if re.sub(LETTER, "?", made) != re.sub(LETTER, "?", expected)
    ]
    assert differing == []


STOP = ["the", "a"]
WORDS = ["the", "a", "\u00e9"]


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("lambda s: s.lower() == 'a'", 'F.lower("s") == "a"'),
        ("lambda s: 'a' != s.upper()", 'F.upper("s") != "a"'),
        ("lambda s: s.lower() in STOP", 'F.lower("s").isin("the", "a")'),
        ("lambda s: s.lower().startswith('a')", 'F.lower("s").startswith("a")'),
        ("lambda s: s.lower().startswith('#')", 'F.col("s").startswith("#")'),
        ("lambda s: s.upper().endswith('1!')", 'F.col("s").endswith("1!")'),
        ("lambda s: s.upper().endswith('')", 'F.upper("s").endswith("")'),
        ("lambda s: s.lower().endswith(('a', 'b'))", None),
        ("lambda s: 'error' in s.lower()", 'F.lower("s").contains("error")'),
        ("lambda s: s.lower().strip() == 'a'", None),
    ],
)
def test_a_text_of_ascii_needs_no_helper(function: str, code: str | None) -> None:
    found = program(function, replace(SCOPE, constants={"STOP": STOP})).compiled
    assert {helper.name for helper in found.demands.helpers} <= {"strip"}
    assert not found.partial and found.demands.raises == ()
    assert code is None or (leaves(found.element)[0].code == code)


@pytest.mark.parametrize(
    "function",
    [
        "lambda s: s.lower() == '\u00e9'",
        "lambda s: s.lower() in WORDS",
        "lambda s: s.lower() < 'a'",
        "lambda s: s.lower().split('a')[0] == 'a'",
        "lambda s, t: s.lower() == t",
        "lambda s: (s.lower() == 'a', s.lower())",
    ],
)
def test_others_do(function: str) -> None:
    assert len(program(function, replace(SCOPE, constants={"WORDS": WORDS})).compiled.demands.helpers) == 1
