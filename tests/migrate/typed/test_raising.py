"""What types say to raise does raise: a report tells the user to mend it."""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import warnings
from collections.abc import Iterator

import pytest

from migrate.columns import Refusal, Scope
from migrate.typed.expressions import Expressions
from migrate.typed.types import (
    NEVER,
    DictOf,
    Items,
    ListOf,
    Nothing,
    Real,
    SetOf,
    Text,
    Truth,
    Type,
    Whole,
    one,
)

TEXT, WHOLE = one(Text()), one(Whole())
VALUES: dict[str, tuple[Type, list[object]]] = {
    "text": (TEXT, ["", "a b", "12"]),
    "int": (WHOLE, [0, 5, -3]),
    "float": (one(Real()), [0.0, 2.5]),
    "None": (one(Nothing()), [None]),
    "bool": (one(Truth()), [True, False]),
    "list of texts": (one(ListOf(TEXT)), [[], ["a"], ["a", "b", "c"]]),
    "list of ints": (one(ListOf(WHOLE)), [[], [3, 2, 1]]),
    "tuple": (one(Items((TEXT, WHOLE))), [("a", 1)]),
    "dict": (one(DictOf(TEXT, WHOLE)), [{}, {"a": 1}]),
    "set": (one(SetOf(TEXT)), [set(), {"a"}]),
}
OTHERS = [
    "1",
    "0",
    "2.5",
    "'a'",
    "'%s'",
    "[]",
    "['a']",
    "[1]",
    "()",
    "('a', 1)",
    "{}",
    "{'a': 1}",
    "set()",
    "None",
    "x",
]
OPERATORS = ["+", "-", "*", "/", "//", "%", "&", "|", "<", "==", "in", "and", "or"]
PARTS = [
    "x[0]",
    "x[2]",
    "x[-1]",
    "x['a']",
    "x[1:]",
    "x[0][1]",
    "-x",
    "not x",
    "f'{x:d}'",
    "[y for y in x]",
    "x.a",
]
BUILTINS = sorted(
    name
    for name, function in vars(builtins).items()
    if callable(function)
    and name.islower()
    and name not in ("breakpoint", "exec", "help", "input", "open", "print")
    if name not in ("copyright", "credits", "license", "exit", "quit", "eval", "compile")
)


def _expressions(values: list[object]) -> Iterator[str]:
    yield from PARTS
    for operator in OPERATORS:
        for other in OTHERS:
            yield from (f"x {operator} {other}", f"{other} {operator} x")
    given = ["", "1", "'a'", "['a']", "None", "lambda q: q"]
    for name in BUILTINS:
        yield from (f"{name}(x)", *(f"{name}(x, {other})" for other in given[1:]))
    for method in dir(values[0]):
        if not method.startswith("__"):
            yield from (f"x.{method}", *(f"x.{method}({other})" for other in given))


def _succeeds(code: str, value: object) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            eval(f"lambda x: {code}")(copy.deepcopy(value))
        except Exception:
            return False
    return True


@pytest.mark.parametrize("kind", VALUES)
def test_what_is_said_to_raise_raises(kind: str) -> None:
    type_, values = VALUES[kind]
    raising = []
    for code in _expressions(values):
        function = ast.parse(f"lambda x: {code}", mode="eval").body
        with contextlib.suppress(Refusal):
            if Expressions(Scope()).apply(function, [type_], {}) == NEVER:
                raising.append(code)
    assert raising
    assert [code for code in raising if any(_succeeds(code, value) for value in values)] == []
