"""Random functions from the grammar: expressions of each type, nested in each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from hypothesis import strategies as st

CONSTANTS = ["''", "'a'", "','", "' '", "'1'", "'ab'", "'É'"]
SEPARATORS = ["','", "' '", "'.'", "'a'", "'|'"]
DEPTH = 3


def _filled(template: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(lambda values: template.format(*values))


def _choice(options: Sequence[object]) -> st.SearchStrategy[str]:
    return st.sampled_from([str(option) for option in options])


@cache
def texts(depth: int) -> st.SearchStrategy[str]:
    """Expressions of type str."""
    if depth <= 0:
        return _choice(["s", "t", *CONSTANTS])
    text, number, truth, words = (kind(depth - 1) for kind in (texts, ints, bools, lists))
    return st.one_of(
        texts(0),
        _filled("({} + {})", text, text),
        _filled("{}.strip()", text),
        _filled("{}.strip({})", text, _choice(["' '", "'a1'"])),
        _filled("{}.rstrip()", text),
        _filled("{}.lower()", text),
        _filled("{}.replace({}, {})", text, _choice(SEPARATORS), _choice(CONSTANTS)),
        _filled("{}[{}:{}]", text, _choice([0, 1, ""]), _choice([-1, 1, 3, ""])),
        _filled("{}[{}]", text, _choice([0, 1, -1])),
        _filled("{}[{}]", words, _choice([0, 1, -1])),
        _filled("{}.join({})", _choice(["','", "''"]), words),
        _filled("str({})", number),
        _filled("str({})", truth),
        _filled("({} if {} else {})", text, truth, text),
        _filled("({} or {})", text, text),
        _filled("('%s=%d%%' % ({}, {}))", text, number),
        _filled("'{{}}{{}}'.format({}, {})", text, number),
        _filled("max({}, {})", text, text),
    )


@cache
def ints(depth: int) -> st.SearchStrategy[str]:
    """Expressions of type int."""
    if depth <= 0:
        return _choice(["n", "m", 0, 1, 3, 10, 2**31, -(2**63)])
    text, number, truth, words = (kind(depth - 1) for kind in (texts, ints, bools, lists))
    return st.one_of(
        ints(0),
        _filled("len({})", text),
        _filled("len({})", words),
        _filled("int({})", text),
        _filled("int({})", truth),
        _filled("({} {} {})", number, _choice(["+", "-", "*"]), number),
        _filled("({} {} {})", number, _choice(["//", "%"]), _choice([2, 7, "m", "(len(s) + 1)"])),
        _filled("(-{})", number),
        _filled("abs({})", number),
        _filled("{}.find({})", text, _choice(SEPARATORS)),
        _filled("{}.count({})", text, _choice(SEPARATORS)),
        _filled("({} if {} else {})", number, truth, number),
        _filled("{}({}, {})", _choice(["min", "max"]), number, number),
    )


@cache
def floats(depth: int) -> st.SearchStrategy[str]:
    """Expressions of type float."""
    if depth <= 0:
        return _choice(["x", "0.5", "-1.0"])
    number = floats(depth - 1)
    return st.one_of(
        floats(0),
        _filled("float({})", texts(depth - 1)),
        _filled("({} {} {})", number, _choice(["+", "-", "*", "/"]), number),
        _filled("(len({}) / {})", texts(depth - 1), _choice([2, "len(t)"])),
        _filled("({} if {} else {})", number, bools(depth - 1), number),
    )


@cache
def bools(depth: int) -> st.SearchStrategy[str]:
    """Expressions of type bool."""
    if depth <= 0:
        return _choice(["b", "True", "(n > 3)", "(s == t)"])
    text, number, truth, words = (kind(depth - 1) for kind in (texts, ints, bools, lists))
    comparison = _choice(["<", "<=", "==", "!=", ">", ">="])
    return st.one_of(
        bools(0),
        _filled("({} {} {})", text, comparison, text),
        _filled("({} {} {})", number, comparison, number),
        _filled("({} < {} <= {})", number, number, number),
        _filled("({} {} {})", floats(depth - 1), comparison, floats(depth - 1)),
        _filled("({} in {})", text, text),
        _filled("({} in {})", text, words),
        _filled("({} not in ('a', '1', ''))", text),
        _filled("(({}, {}) in [('a', '1'), ('', 'b')])", text, text),
        _filled("({} in (0, 1, 2))", number),
        _filled("{}.startswith({})", text, text),
        _filled("{}.endswith(('a', {}))", text, _choice(CONSTANTS)),
        _filled("({} {} {})", truth, _choice(["and", "or"]), truth),
        _filled("(not {})", st.one_of(text, number, truth, words)),
        _filled("bool({})", st.one_of(text, number, truth, words)),
        _filled("bool({} and {})", text, truth),
        _filled("(int({0}) > {2} {1} int({0}) < {2})", text, _choice(["and", "or"]), _choice([-1, 3, 2**31])),
        _filled("({0}[{2}] != 'a' {1} {0}[{2}] < 'b')", words, _choice(["and", "or"]), _choice([0, 1, -1])),
        _filled("({} if {} else {})", truth, truth, truth),
    )


@cache
def lists(depth: int) -> st.SearchStrategy[str]:
    """Expressions of type list of str."""
    if depth <= 0:
        return _choice(["words", "s.split(',')", "t.split()", "s.split(' ')"])
    words, text = lists(depth - 1), texts(depth - 1)
    return st.one_of(
        lists(0),
        _filled("{}.split({})", text, _choice(SEPARATORS)),
        _filled("{}.split()", text),
        _filled("{}[{}:{}]", words, _choice(["", 1, 2]), _choice(["", 2, 3])),
        _filled("[w + {} for w in {}]", text, words),
        _filled("[w for w in {} if w and {}]", words, bools(depth - 1)),
        _filled(
            "[{} for w in {} if len(w) > {}]",
            _choice(["w.strip()", "str(len(w))", "w[0]"]),
            words,
            _choice([0, 1, 2]),
        ),
        _filled("[{}, {}]", text, text),
    )


def functions(depth: int = DEPTH) -> st.SearchStrategy[str]:
    """Lambdas that return one value or a tuple."""
    value = st.one_of(*(kind(depth) for kind in (texts, ints, floats, bools, lists)))
    body = st.one_of(value, st.tuples(value, value).map(lambda pair: f"({pair[0]}, {pair[1]})"))
    return body.map(lambda text: f"lambda s, t, n, m, x, b, words: {text}")
