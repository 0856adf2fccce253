"""Patterns of ``re``: what is covered finds the same in Java, what is not is refused."""

from __future__ import annotations

import ast
import random

import pytest
from pyspark.sql import SparkSession

from migrate.columns import Refusal, Scalar, compile_filter, compile_map
from migrate.columns.pieces import written_out
from tests.migrate.columns.both_ways import SCOPE, Program, check, edge_rows, elements, program

ATOMS = (
    *("a", "k", "S", "i", "[^K-s]", "1", " ", ".", "[a-c]", "[^a1]", "[^b.]", "é", "[À-ü]", "[&^-]"),
    *(r"\.", r"\s", r"\S", r"[\s,]", r"\t", r"\$", r"\w", r"[^\d_]"),
)
CALLS = (
    *("re.sub({}, '_', s{})", "re.split({}, s{})", "re.findall({}, s{})"),
    *("bool(re.search({}, s{}))", "bool(re.match({}, s{}))", "bool(re.fullmatch({}, s{}))"),
    *("re.compile({}{}).sub('_', s)", "re.compile({}{}).search(s) is None"),
    *("1 if re.findall({}, s{}) else 0", "bool(re.search('a' {}, s{}))"),
)
FLAGS = (
    *("", "", ", flags=re.I", ", flags=re.MULTILINE", ", flags=re.DOTALL | re.IGNORECASE", ", flags=re.X"),
    *(", flags=re.ASCII", ", flags=re.A | re.I"),
)
AROUND = (
    *("{}", "{}", "^(?:{})", "(?:{})$", r"\A(?:{})\Z", "b(?:{})?"),
    *("({})", "^({}).*", ".*{}.*", "^(a)#?"),
)
TIMES = ("", "", "", "+", "*", "?", "{1,2}", "{2}", "+?", "*?", "??")


def pattern(rng: random.Random) -> str:
    """A pattern of the grammar, which may match the empty text."""
    branches = [
        "".join(rng.choice(ATOMS) + rng.choice(TIMES) for _ in range(rng.randint(1, 3)))
        for _ in range(rng.choice((1, 1, 2, 3)))
    ]
    whole = "|".join(branches)
    around = (
        "{}",
        "{}",
        "^(?:{})",
        "(?:{})$",
        r"\A(?:{})\Z",
        "b(?:{})?",
        "({})",
        "^({}).*",
        ".*{}.*",
        "^(a)#?",
    )
    return rng.choice(around).format(whole)


def programs(seed: int, number: int) -> list[Program]:
    """Functions with random patterns; those that are refused are left out."""
    rng = random.Random(seed)
    found = []
    for _ in range(number):
        call = rng.choice(CALLS).format(repr(pattern(rng)), rng.choice(FLAGS))
        try:
            found.append(program(f"lambda s: {call}"))
        except Refusal:
            continue
    return found


def test_most_patterns_are_covered() -> None:
    assert len(programs(1, 200)) > 100


def test_random_patterns_find_the_same(session: SparkSession) -> None:
    assert check(session, programs(2, 60), edge_rows()) == []


@pytest.mark.parametrize(
    ("test", "code"),
    [
        ("re.search('word', s)", ".contains('word')"),
        ("re.search('(wo)rd.*', s)", ".contains('word')"),
        ("re.search('.*(?:word)', s)", ".contains('word')"),
        ("re.search('^word', s)", ".startswith('word')"),
        ("re.match('word.*', s)", ".startswith('word')"),
        ("re.findall('word.*', s)", ".contains('word')"),
        ("not re.findall('word', s)", ".contains('word')"),
        ("re.search('#', s)", ".contains('#')"),
        # these say more than a word
        ("re.search('word', s, re.I)", ".rlike("),
        ("re.search('(?m)^word', s)", ".rlike("),
        ("re.search('word$', s)", ".rlike("),
        ("re.search('a|b', s)", ".rlike("),
        ("re.match('.*word', s)", ".rlike("),
        ("re.fullmatch('word', s)", ".rlike("),
        ("re.search('.*', s)", ".rlike("),
    ],
)
def test_a_search_for_a_word_is_no_pattern(test: str, code: str) -> None:
    node = ast.parse(f"lambda s: {test}", mode="eval").body
    assert isinstance(node, ast.Lambda)
    found = compile_filter(node, [elements()["s"]], SCOPE).element
    assert isinstance(found, Scalar) and code in written_out(found.code).replace('"', "'")


@pytest.mark.parametrize(
    ("pattern", "java"),
    [
        ("(@[a-z]+)|([^a-z ])", "'@[a-z]+|[^a-z ]'"),
        ("(a)+(?:b(c))", "'a+bc'"),
        ("(a|b)c", "'[ab]c'"),
        ("(a|bc)d", "'(?:a|bc)d'"),
        ("((a|bc))", "'(?:a|bc)'"),
    ],
)
def test_groups_of_which_nothing_is_put_in_capture_nothing(pattern: str, java: str) -> None:
    node = ast.parse(f"lambda s: re.sub({pattern!r}, '', s)", mode="eval").body
    assert isinstance(node, ast.Lambda)
    found = compile_map(node, [elements()["s"]], SCOPE).element
    assert isinstance(found, Scalar) and java in written_out(found.code).replace('"', "'")


@pytest.mark.full
@pytest.mark.parametrize("seed", range(3, 9))
def test_many_random_patterns_find_the_same(session: SparkSession, seed: int) -> None:
    assert check(session, programs(seed, 150), edge_rows()) == []


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (r"re.sub('\\d', '', s)", "Unicode"),
        (r"re.findall('\\w+', s)", "Unicode"),
        (r"re.search('\\bword', s)", "means something else"),
        ("re.split('(a)', s)", "captures"),
        ("re.findall('(a)b', s)", "captures"),
        (r"re.sub('(a)', '\\1', s)", "backslash"),
        (r"re.sub('(a)\\1', '', s)", "means something else"),
        ("re.sub('(?:ab)+', '', s)", "repeated"),
        ("re.sub('a*', '', s)", "empty texts"),
        ("re.sub('(?i)é', '', s)", "beyond ASCII"),
        ("re.sub('a', '', s, flags=len(s))", "flags"),
        ("re.sub('a', '', s, strings=s)", "not those of the function"),
        ("re.sub('a', '')", "not those of the function"),
        ("re.split('a', s, maxsplit=1)", "number of splits"),
        ("re.sub('(?=a)b', '', s)", "means something else"),
        ("re.sub('[', '', s)", "cannot read"),
        ("re.sub(t, '', s)", "constant text"),
        (r"re.sub('a', '\\g<0>', s)", "backslash"),
        ("re.sub('a', t, s)", "constant text"),
        (r"re.sub('\ud800', '', s)", "no column"),
        (r"re.sub('\\ud800', '', s)", "surrogate"),
        ("re.sub('a', '', s, 1)", "with a count"),
        ("re.compile('a')", "compiled regular expression"),
        ("re.compile('a').match(s, 1)", "elsewhere than at the beginning"),
        ("re.compile(t).match(s)", "constant text"),
        ("re.compile('a').finditer(s)", "compiled regular expression"),
    ],
)
def test_what_is_not_common_is_refused(call: str, why: str) -> None:
    node = ast.parse(f"lambda s, t: {call}", mode="eval").body
    assert isinstance(node, ast.Lambda)
    with pytest.raises(Refusal, match=why):
        compile_map(node, [elements()["s"], elements()["t"]], SCOPE)
