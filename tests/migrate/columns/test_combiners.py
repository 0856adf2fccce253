"""Functions of ``combineByKey`` that add up numbers do as a reduction of the combiners of single values."""

from __future__ import annotations

import ast

import pytest

from migrate.columns import Element, Record, Refusal, Scope, check_sums, column_named
from migrate.columns.shapes import Float, Int, Str

N, X, S = column_named("n", Int()), column_named("x", Float()), column_named("s", Str())
PAIRS = "lambda a, b: (a[0] + b[0], a[1] + b[1])"
PLUS = "lambda a, b: a + b"


def check(create: str, merge: str, merge_all: str, value: Element) -> None:
    functions = [ast.parse(source, mode="eval").body for source in (create, merge, merge_all)]
    create_, merge_, merge_all_ = functions
    check_sums(create_, merge_, merge_all_, value, Scope(imports={"add": "operator.add"}))


@pytest.mark.parametrize(
    ("create", "merge", "merge_all", "value"),
    [
        ("lambda v: v", "lambda s, v: s + v", PLUS, N),
        ("lambda v: v", "lambda s, v: v + s", "add", X),
        ("lambda v: 1", "lambda s, v: s + 1", PLUS, N),
        ("lambda v: (v, 1)", "lambda s, v: (s[0] + v, s[1] + 1)", PAIRS, N),
        ("lambda v: (v, 1)", "lambda s, v: (s[0] + v, s[1] + 1)", PAIRS, X),
        ("lambda v: (1, v)", "lambda s, v: (1 + s[0], v + s[1])", PAIRS, N),
        ("lambda v: (v[1], v[0])", "lambda s, v: (s[0] + v[1], s[1] + v[0])", PAIRS, Record((N, X))),
        ("lambda v: v + 1", "lambda s, v: s + v + 1", PLUS, N),
    ],
)
def test_sums_are_proven(create: str, merge: str, merge_all: str, value: Element) -> None:
    check(create, merge, merge_all, value)


@pytest.mark.parametrize(
    ("create", "merge", "merge_all", "value"),
    [
        ("lambda v: v", "lambda s, v: s - v", PLUS, N),
        ("lambda v: v", "lambda s, v: s + v + 1", PLUS, N),
        ("lambda v: v", "lambda s, v: v", PLUS, N),
        ("lambda v: v", "lambda s, v: s + v", "lambda a, b: a", N),
        ("lambda v: v", "lambda s, v: s + v", "max", N),
        ("lambda v: (v, 1)", "lambda s, v: (s[0] + v, s[1] + 2)", PAIRS, N),
        ("lambda v: (v, 1)", "lambda s, v: (s[1] + 1, s[0] + v)", PAIRS, N),
        ("lambda v: (v, 1)", "lambda s, v: (s[0] + v, s[1] + 1)", "lambda a, b: a + b", N),
        ("lambda v: (v, 1)", "lambda s, v: s[0] + v", PAIRS, N),
        ("lambda v: [v]", "lambda s, v: s + [v]", PLUS, N),
        ("lambda v: v + v", "lambda s, v: s + v + v", PLUS, X),
        ("lambda v: v", "lambda s, v: s + v", PLUS, S),
        ("lambda v: v[0]", "lambda s, v: s + v[0]", PLUS, Record((Record((N, X)), N))),
        ("lambda v: unknown(v)", "lambda s, v: s + unknown(v)", PLUS, N),
    ],
)
def test_what_else_they_do_is_refused(create: str, merge: str, merge_all: str, value: Element) -> None:
    with pytest.raises(Refusal):
        check(create, merge, merge_all, value)
