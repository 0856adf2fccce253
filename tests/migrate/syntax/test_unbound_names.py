"""Names that a module reads where nothing binds them."""

from __future__ import annotations

import ast

import pytest

from migrate.decisions.native import lost_names
from migrate.syntax.unbound_names import unbound_names


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import a.b, c as d\nprint(a, d, c)", {"c"}),
        ("def f(x, *y, z=w, **v):\n    return x, y, z, v, u", {"u", "w"}),
        ("def f():\n    x = 1\n    return lambda y: (x, y, f)\nprint(x)", {"x"}),
        ("def f():\n    global x\n    x = 1\nprint(x)", set()),
        ("print([n for n in range(3) if m])", {"m"}),
        ("try:\n    pass\nexcept ValueError as e:\n    print(e, __file__, spark)", set()),
        (
            "match x:\n    case [a, *b]:\n        print(a, b)\n    case {'c': c, **d}:\n        print(c, d)",
            {"x"},
        ),
        ("class A(B):\n    n = 1\n    def f(self):\n        return A, n, m", {"B", "m"}),
        ("@given(x)\ndef f(y: z) -> w:\n    pass", {"given", "w", "x", "z"}),
        (
            "if (n := 1) > 0:\n    print(n, __name__)\nwith open('a') as f, g as (h, i):\n    print(f, h, i)",
            {"g"},
        ),
        ("from a import *\nprint(b)", set()),
    ],
)
def test_they_are_found(code: str, names: set[str]) -> None:
    assert unbound_names(ast.parse(code)) == names


def test_new_code_loses_those_that_the_old_code_had() -> None:
    old = ast.parse("def f():\n    words = 1\n    return words\nprint(other)")
    assert lost_names(old, ast.parse("def f():\n    lines = 1\n    return rows\nprint(other)")) == ["rows"]
    assert lost_names(old, ast.parse("def f():\n    return words\n")) == ["words"]
    assert lost_names(old, old) == []


def test_borders_between_cells_are_no_names() -> None:
    new = ast.parse("lines = 1\n__cell_1__\nprint(lines)\n__cell_2__\n")
    assert lost_names(ast.parse(f"from pyspark.streaming import *\n{ast.unparse(new)}"), new) == []
