"""Tests of one text that become one pattern."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from migrate.columns import leaves
from migrate.columns.pieces import written_out
from tests.migrate.columns.both_ways import check, edge_rows, program

ONE = {
    "w and len(w) > 1 and w[0] == '#' and re.match('^[a-zA-Z0-9]*$', w[1:])": "^#[a-zA-Z0-9]+$",
    "len(w) >= 2 and w[0] == '.' and re.match('[a-z]+', w[1:])": r"^\\.[a-z]+",
    "w.startswith('ab') and re.match('^c?$', w[2:])": "^abc?$",
    "w != '' and re.match('a', w)": None,
    "w and re.match('^[a-z]+$', w)": "^[a-z]+$",
    "'a' in w and w and re.match('^[a-z]+$', w) and len(w) < 9": "^[a-z]+$",
}
"""Conditions for a word that `split` gives, with the pattern, if it is one."""
SEVERAL = [
    "w[0] == '#' and re.match('[a-z]+', w[1:])",
    "w and w[0] == '#' and re.match('[a-z]+', w[2:])",
    "len(w) > 3 and w[0] == '#' and re.match('^[a-z]*$', w[1:])",
    "len(w) > 1 and w[0] == '#' and re.match('a|b*', w[1:])",
    "w and w[0] == '#' and re.match('(^[a-z]+)$', w[1:])",
    "w and w[0] == '#' and re.match('^^[a-z]', w[1:])",
    r"w and w[0] == '#' and re.match('(?:\\A[a-z])', w[1:])",
    "len(w) > -1 and w[0] == '#' and re.match('^[a-z]', w[1:])",
    r"len(w) > 1 and w[0] == '#' and re.match('^a\\*$', w[1:])",
    "len(w) > 1 and w[0] == '#' and re.match('^(?:a|b)*$', w[1:])",
    "w.startswith('#a') and w[0] == 'b' and re.match('[a-z]+', w[2:])",
    "w and w[0] == '#' and int(w[1:]) > 1 and re.match('[a-z]+', w[1:])",
    "w and w[0] == '#' or re.match('[a-z]+', w[1:])",
]
TEXTS = [
    *("", "#", "#a", "#a1", "#\n", "#a\n", "a\n", "#aB c", ".a", ".", "..", "ab", "abc", "abcd", "abc\n"),
    *("#é", "#a\u2028", "#a\x85", "##a", "#ab\r", "#1", "#aaaa", "b", "é", "#\u2028", "ab\r"),
]


def code_of(condition: str, separator: str) -> str:
    source = f"lambda s: [w for w in s.split({separator}) if {condition}]"
    return " ".join(written_out(leaf.code) for leaf in leaves(program(source).compiled.element))


@pytest.mark.parametrize(("condition", "regex"), [(one, regex) for one, regex in ONE.items() if regex])
def test_a_pattern_asks_for_all(condition: str, regex: str) -> None:
    made = code_of(condition, "")
    assert f'rlike("{regex}")' in made.replace('r"', '"').replace(r"\.", r"\\.")
    assert "substr" not in made and '!= ""' not in made


def test_a_word_is_no_pattern() -> None:
    assert '.startswith("a")' in code_of("w != '' and re.match('a', w)", "")


def test_a_text_that_may_end_a_line_keeps_its_length() -> None:
    """Of a `#` and the end of a line Python takes the pattern to match nothing before that."""
    condition = next(iter(ONE))
    assert r"rlike(r\"^#[a-zA-Z0-9]+\z\")".replace('\\"', '"') in code_of(condition, r"'\n'")
    assert "F.length" in code_of(condition, "','")


def test_each_gives_the_same(session: SparkSession) -> None:
    sources = [
        f"lambda s: [w for w in s.split({separator}) if {condition}]"
        for condition in (*ONE, *SEVERAL)
        for separator in ("','", r"'\n'", "")
        if "int(" not in condition
    ]
    others = edge_rows()[0][1:]
    data = [(text, *others) for text in (*TEXTS, ",".join(TEXTS), *(row[0] for row in edge_rows()))]
    assert check(session, [program(source) for source in sources], data) == []


@pytest.mark.parametrize("condition", SEVERAL)
def test_what_says_something_else_stays(condition: str) -> None:
    assert 'rlike("^#[a-z]' not in code_of(condition, "")
