"""Expressions of the program inside new code: a name stands for each until the code is written.

New code is put together as text. The user's own expressions stay out of it: the writer puts the nodes of the
expression in the place of its name, with their lines, comments and quotes.
"""

from __future__ import annotations

import ast
import itertools
import re

from migrate.syntax.nodes import walk

_numbers = itertools.count(1)
_NAME = re.compile(r"\buser_expression_[0-9]+__\b")


def quoted(node: ast.expr) -> str:
    """The name that stands for an expression of the program, the same each time."""
    kept = vars(node)
    if "quoted" not in kept:
        kept["quoted"] = f"user_expression_{next(_numbers)}__"
    name: str = kept["quoted"]
    return name


def quotes(tree: ast.AST) -> dict[str, ast.expr]:
    """The expressions below a node that have such a name, by it."""
    return {held["quoted"]: node for node in walk(tree) if "quoted" in (held := node.__dict__)}  # type: ignore[misc]


def names_in(code: str) -> list[str]:
    """The names of quoted expressions in new code, in order."""
    return _NAME.findall(code) if "user_expression_" in code else []
