"""Variables of a loop's body that may have what an element before left in them."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

from migrate.proofs.functions.left_over import left_over


def found(body: str) -> set[str]:
    loop = ast.parse(f"for row in rows:\n{indent(body, '    ')}").body[0]
    assert isinstance(loop, ast.For)
    return {*left_over(loop)}


@pytest.mark.parametrize(
    "body",
    [
        "n = int(row)\nprint(n)",
        "if row:\n    n = 1\nelse:\n    n = 2\nprint(n)",
        "if not row:\n    continue\nelse:\n    n = 1\nprint(n)",
        "try:\n    n = int(row)\nexcept ValueError:\n    continue\nprint(n)",
        "try:\n    n = int(row)\nexcept ValueError as error:\n    n = 0\n    print(error)\nprint(n)",
        "try:\n    n = int(row)\nfinally:\n    print(row)\nprint(n)",
        "with open(row) as file:\n    n = file.read()\nprint(n, file)",
        "print([part for part in row], sorted(row, key=lambda one: one[0]))",
        "for part in row:\n    n = part\n    print(n)",
        "while (part := row.pop()) and part:\n    print(part)",
        "n = 0\nfor part in row:\n    n += 1\nprint(n)",
    ],
)
def test_it_is_bound_on_all_ways(body: str) -> None:
    assert found(body) == set()


@pytest.mark.parametrize(
    "body",
    [
        "if row:\n    n = row\nprint(n)",
        "try:\n    n = int(row)\nexcept ValueError:\n    pass\nprint(n)",
        "for n in row:\n    pass\nprint(n)",
        "for part in row:\n    n = part\nprint(n)",
        "while row:\n    n = row.pop()\nprint(n)",
        "print(n)\nn = row",
        "n += 1",
        "try:\n    n = int(row)\nfinally:\n    print(n)",
    ],
)
def test_it_may_be_left_over(body: str) -> None:
    assert found(body) == {"n"}
