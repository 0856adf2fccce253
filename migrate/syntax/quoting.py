"""Expressions of the program inside new code: a name stands for each until the code is written.

New code is put together as text. The user's own expressions stay out of it: the writer puts the nodes of the
expression in the place of its name, with their lines, comments and quotes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from migrate.syntax.nodes import walk

_NAME = re.compile(r"user_expression_[0-9]+__")


class _Names:
    given = 0
    """How many there are."""


def quoted(node: ast.expr) -> str:
    """The name that stands for an expression of the program, the same each time."""
    kept = vars(node)
    if "quoted" not in kept:
        _Names.given += 1
        kept["quoted"] = f"user_expression_{_Names.given}__"
    name: str = kept["quoted"]
    return name


def quoted_as(node: ast.AST) -> str:
    """The name that stands for an expression; empty if none does yet."""
    name: str = vars(node).get("quoted", "")
    return name


def quotes(tree: ast.AST) -> Mapping[str, ast.expr]:
    """The expressions below a node that have such a name, by it; they are looked for when there are more."""
    kept = vars(tree)
    if kept.get("quotes_of") != _Names.given:
        kept["quotes_of"] = _Names.given
        kept["quotes"] = {held["quoted"]: node for node in walk(tree) if "quoted" in (held := node.__dict__)}
    found: Mapping[str, ast.expr] = kept["quotes"]
    return found


def names_in(code: str) -> list[str]:
    """The names of quoted expressions in new code, in order."""
    return _NAME.findall(code) if "user_expression_" in code else []
