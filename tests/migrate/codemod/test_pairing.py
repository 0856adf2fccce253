"""The trees of `ast` and of LibCST, walked in lockstep."""

from __future__ import annotations

import ast
import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesmith import from_node

from migrate.codemod.expression_parts import MismatchError
from migrate.codemod.pairing import Pairs
from migrate.codemod.source import deep

LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES = random.Random(20).sample([path for path in sorted(LIBRARY.glob("*.py")) if path.stat().st_size], 40)


def expressions(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.stmt]]:
    """The expressions of a module with the innermost statement of each, parts of f-strings left out."""
    waiting: list[tuple[ast.AST, ast.stmt | None]] = [(tree, None)]
    for node, statement in waiting:  # grows while it is walked
        for child in ast.iter_child_nodes(node):
            own = child if isinstance(child, ast.stmt) else statement
            if isinstance(child, ast.pattern) or (
                isinstance(node, ast.FormattedValue) and child is not node.value
            ):
                continue  # patterns, and texts of formats, are never written anew
            if isinstance(child, ast.JoinedStr):
                waiting += [(part, own) for part in ast.walk(child) if isinstance(part, ast.FormattedValue)]
                assert own is not None
                yield child, own
                continue
            waiting.append((child, own))
            if isinstance(child, ast.expr | ast.arg | ast.keyword) and not isinstance(
                child, ast.FormattedValue
            ):
                assert own is not None
                yield child, own


def check(source: str) -> int:
    """See that each node has a counterpart that says the same; how many there are."""
    tree, module = ast.parse(source), cst.parse_module(source)
    pairs = Pairs(tree, module)
    count = 0
    for node, statement in expressions(tree):
        try:
            other = pairs.node(node, statement)
        except MismatchError:
            assert isinstance(node, ast.Tuple)  # ``x[a, b]``: LibCST has the parts alone
            continue
        count += 1
        if isinstance(node, ast.Name):
            assert isinstance(other, cst.Name) and other.value == node.id
        elif isinstance(node, ast.Attribute):
            assert isinstance(other, cst.Attribute) and other.attr.value == node.attr
        elif isinstance(node, ast.arg):
            assert isinstance(other, cst.Param) and other.name.value == node.arg
        elif isinstance(node, ast.Call | ast.BinOp | ast.Compare | ast.Lambda):
            code = module.code_for_node(other)
            assert ast.dump(ast.parse(f"({code}\n)", mode="eval").body) == ast.dump(node)
    return count


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_standard_library(path: Path) -> None:
    with deep():
        assert check(path.read_text(encoding="utf-8"))


@given(from_node())
@settings(suppress_health_check=list(HealthCheck))
def test_any_program(source: str) -> None:
    with deep():
        check(source)


@pytest.mark.parametrize(
    "source",
    [
        "a and b and (c and d) or not e\n",
        "(a and b) and c\n",
        "f(*a, b, x=1, *c, **d)\n",
        "class A(B, *C, metaclass=M, **k): pass\n",
        "x[a:b, *c, ::d]\n",
        "x[a, b] = x[1:2] = x[(a, b)]\n",
        "f'{a}{b!r:>{c}}' 'd' f'{e=}'\n",
        "[a for b in c if d if e for f in g]\n",
        "{**a, b: c, **{d: e for d in f}}\n",
        "lambda a, /, b=1, *c, d=2, e, **f: (yield)\n",
        "def f(a: int = 1, *, b: str) -> float: return a\n",
        "if a: b\nelif c: d\nelif e: f\nelse: g\n",
        "try: a\nexcept B as c: d\nexcept (E, F): g\nelse: h\nfinally: i\n",
        "with a as b, c as (d, e): f; g\n",
        "match a:\n    case B(c=1) if d: e\n    case _: f\n",
        "async def f():\n    async for a in b: await c\n    async with d: pass\n",
        "del a, b[c]; del (d); global e\n",
        "a: int; b: str = c; d += e; assert f, g; raise h from i\n",
        "@a\n@b(c)\ndef d(): yield from e\n",
        "while (a := b()): c\nelse: d\n",
        "print(a if b else c, *d, ..., None, 1j, -1, not e)\n",
    ],
)
def test_every_kind_of_node(source: str) -> None:
    check(source)


def test_two_texts() -> None:
    with pytest.raises(MismatchError):
        Pairs(ast.parse("a\nb\n"), cst.parse_module("a\n"))
