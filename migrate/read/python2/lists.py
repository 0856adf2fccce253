"""Expressions that are lists, or go through as one does, for certain: neither a text nor a tuple."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.syntax.nodes import walk

_BUILTINS = frozenset({"dict", "frozenset", "list", "map", "range", "set", "sorted", "xrange", "zip"})
_METHODS = frozenset(
    {
        *("collect", "findall", "items", "keys", "readlines", "rsplit", "split", "splitlines", "take"),
        "values",
    }
)
_DISPLAYS = (ast.Dict, ast.DictComp, ast.GeneratorExp, ast.List, ast.ListComp, ast.Set, ast.SetComp)

Values = Callable[[ast.Name], Sequence[ast.expr | None]]
"""The values that a variable is bound to; None for one that is not written out."""


def is_list(node: ast.expr, values: Values, opened: frozenset[str] = frozenset()) -> bool:
    """Whether `node` is certainly no text and no tuple, but something with items: ``a + line.split()``.

    Args:
        node: the expression.
        values: the values of its variables.
        opened: the variables that are about to be looked at: what they are is known by their other values.
    """
    match node:
        case ast.Call(ast.Name("filter"), [_, items], []):
            return is_list(items, values, opened)
        case ast.Call(ast.Name(name)):
            return name in _BUILTINS
        case ast.Call(ast.Attribute(_, name)):
            return name in _METHODS
        case ast.BinOp(left, ast.Add(), right):
            return is_list(left, values, opened) or is_list(right, values, opened)
        case ast.IfExp(_, one, other):
            return is_list(one, values, opened) and is_list(other, values, opened)
        case ast.BoolOp(_, several):
            return all(is_list(one, values, opened) for one in several)
        case ast.Subscript(whole, ast.Slice()):
            return is_list(whole, values, opened)
        case ast.Name(name) if name not in opened:
            held = values(node)
            lists = [one for one in held if one is not None and is_list(one, values, opened | {name})]
            return len(lists) == len(held) and not all(_names(one, name) for one in lists)
        case ast.Name():
            return True
    return isinstance(node, _DISPLAYS)


def _names(node: ast.expr, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in walk(node))
