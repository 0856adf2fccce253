"""Comparisons of one text with several are a membership, where they stand side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrate.columns import Refusal, leaves
from migrate.columns.pieces import written_out
from tests.migrate.columns.both_ways import SCOPE, program


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("lambda s: s == 'a' or s == 'b' or len(s) > 3", 'F.col("s").isin("a", "b") | (F.length("s") > 3)'),
        ("lambda s: s != 'a' and s != 'b'", '~F.col("s").isin("a", "b")'),
        ("lambda s: s[0] != 'a' and s[0] != 'b'", None),
        ("lambda s: s == 'a' or len(s) > 3 or s == 'b'", None),
        ("lambda s, t: s == 'a' or t == 'b'", '(F.col("s") == "a") | (F.col("t") == "b")'),
        ("lambda s: s != 'a' or s != 'b'", '(F.col("s") != "a") | (F.col("s") != "b")'),
        ("lambda s, n: ' ' in (s, n)", 'F.col("s") == " "'),
        ("lambda s, n: ' ' not in (s, n)", 'F.col("s") != " "'),
        ("lambda s, n: n in (s, 2, len(s))", '(F.col("n") == 2) | (F.col("n") == F.length("s"))'),
        (
            "lambda s, t: (s, t) in [('a', 'b'), ('c', '')]",
            'F.array("s", "t").isin(F.lit(["a", "b"]), F.lit(["c", ""]))',
        ),
        ("lambda s, n: (s, n) in [('a', 1), ('b', 2)]", None),
        ("lambda s, o: (s, o) in [('a', 'b'), ('c', 'd')]", None),
        ("lambda o: o in ('a', 'b')", 'F.col("o").eqNullSafe("a") | F.col("o").eqNullSafe("b")'),
    ],
)
def test_comparisons(function: str, code: str | None) -> None:
    try:
        found = written_out(leaves(program(function).compiled.element)[0].code)
    except Refusal:
        found = ""
    assert found == code if code is not None else "isin" not in found or "s[0]" in function


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("lambda s: any(s == t for t in TAGS)", 'F.col("s").isin("a", "b")'),
        ("lambda s: any([t == s[:1] for t in ['a', 'b']])", 'F.col("s").substr(1, 1).isin("a", "b")'),
        ("lambda s: all(s != t for t in TAGS)", '~F.col("s").isin("a", "b")'),
        ("lambda s: not any(t == s for t in ('a', 'b'))", '~F.col("s").isin("a", "b")'),
    ],
)
def test_a_comparison_with_each_item_is_a_membership(function: str, code: str) -> None:
    found = program(function, replace(SCOPE, constants={"TAGS": ["a", "b"]}))
    assert written_out(leaves(found.compiled.element)[0].code) == code


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("lambda s: TAGS[0] == s or TAGS[1] == s", 'F.col("s").isin(TAGS)'),
        ("lambda s: s != TAGS[0] and 'b' != s", '~F.col("s").isin("a", "b")'),
        ("lambda s: s == TAGS[1] or s == TAGS[0]", 'F.col("s").isin("b", "a")'),
        ("lambda s: 'a' == s or TAGS[1] == s", 'F.col("s").isin("a", "b")'),
        ("lambda s: (lambda TAGS: TAGS[0] == 'a' or TAGS[1] == 'a')(s)", None),
    ],
)
def test_comparisons_with_items_of_a_list_keep_its_name(function: str, code: str | None) -> None:
    scope = replace(SCOPE, constants={"TAGS": ["a", "b"]}, readable=frozenset({"TAGS"}))
    try:
        found = written_out(leaves(program(function, scope).compiled.element)[0].code)
    except Refusal:
        found = ""
    assert found == code if code is not None else "isin" not in found


@pytest.mark.parametrize(
    "function",
    [
        "lambda s: any(t in s for t in TAGS)",
        "lambda s: any(t == t for t in TAGS)",
        "lambda s: any(s != t for t in TAGS)",
        "lambda s: all(s == t for t in TAGS)",
    ],
)
def test_other_conditions_on_the_items_of_a_named_list_stay_a_function(function: str) -> None:
    with pytest.raises(Refusal, match="what the list says by its name"):
        program(function, replace(SCOPE, constants={"TAGS": ["a", "b"]}))


def test_a_comparison_with_each_character_is_no_membership() -> None:
    with pytest.raises(Refusal):
        program("lambda s: any(s == t for t in TAGS)", replace(SCOPE, constants={"TAGS": "ab"}))
