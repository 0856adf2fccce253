"""Loops that nothing below them is reached from: ``while True:`` without a ``break``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.syntax.tree import Tree

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def endless_loop_above(statement: ast.stmt, tree: Tree) -> ast.While | None:
    """The loop that keeps a program from reaching a statement; None if it may get there.

    What catches an error of the loop's, as of Ctrl+C, and stands around it leads there.
    """
    step: ast.AST | None = statement
    while isinstance(step, ast.stmt) and not isinstance(step, _SCOPES):
        block = tree.block_of(step)
        for before in block[: block.index(step)]:
            if isinstance(before, ast.While) and _is_endless(before):
                return before
        step = tree.above.get(step)
    return None


def _is_endless(loop: ast.While) -> bool:
    always = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return always and not any(isinstance(one, ast.Break) for one in _own(loop.body))


def _own(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a loop's body, without those of loops and functions in it."""
    for statement in statements:
        yield statement
        if isinstance(statement, _SCOPES):
            continue
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(statement, name, [])
            if not (isinstance(statement, _LOOPS) and name == "body"):
                yield from _own(inner)
        for handler in getattr(statement, "handlers", []):
            yield from _own(handler.body)
        for case in getattr(statement, "cases", []):
            yield from _own(case.body)
