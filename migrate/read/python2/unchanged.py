"""Lists that nothing changes after they are made."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.syntax.nodes import of_kinds

_READING = frozenset(
    {"enumerate", "filter", "len", "list", "map", "print", "set", "sorted", "str", "tuple", "zip"}
)
"""Functions that change no list that they are given."""
_READING_METHODS = frozenset({"count", "index"})


def only_read(name: str, tree: ast.Module, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether all that a module does with the lists in a variable is to read them.

    Args:
        name: the name of the variable, wherever it is one.
        tree: the module.
        above: what each node stands in.
    """
    named = (node for node in of_kinds(tree, ast.Name) if node.id == name and isinstance(node.ctx, ast.Load))
    return all(_is_read(node, above[node]) for node in named)


def _is_read(node: ast.Name, above: ast.AST) -> bool:
    match above:
        case ast.Subscript(ctx=ast.Load()) | ast.Compare() | ast.For() | ast.comprehension():
            return True
        case ast.Call(ast.Name(function)):
            return function in _READING
        case ast.Call(ast.Attribute(attr="join")):
            return True
        case ast.Attribute(attr=method):
            return method in _READING_METHODS
    return False
