"""The comment above a statement that says why its graph is left for a person."""

from __future__ import annotations

import ast
import itertools

from migrate.codemod.changes import Changes
from migrate.read.marks import MARK
from migrate.syntax.nodes import parents_of, position
from migrate.syntax.text import Text


def mark(changes: Changes, node: ast.AST, reason: str) -> None:
    """Say why a graph is left above the statement that a node is in, if that is not said there already."""
    text, above = Text(changes.source), parents_of(changes.tree)
    while not isinstance(node, ast.stmt) or not text.begins_line(node):
        node = _before(node, above[node]) or above[node]
    assert isinstance(node, ast.stmt)
    lines = [node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))]
    if min(lines) == 1 or text.lines[min(lines) - 2].strip() != MARK + reason:
        changes.marks[node] = reason


def _before(node: ast.AST, holder: ast.AST) -> ast.stmt | None:
    """The statement that stands before one on the same line of a block."""
    for block in (value for _, value in ast.iter_fields(holder) if isinstance(value, list)):
        for one, other in itertools.pairwise(block):
            if other is node and isinstance(one, ast.stmt) and one.end_lineno == position(node)[0]:
                return one
    return None
