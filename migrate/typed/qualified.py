"""The names of builtins and library functions."""

from __future__ import annotations

import ast

from migrate.columns.element import Scope
from migrate.typed.asking import Names


def qualified(node: ast.AST, names: Names, scope: Scope) -> str | None:
    """The builtin or library function that an expression names (``operator.add``), or None."""
    if isinstance(node, ast.Name):
        if node.id in names or node.id in scope.constants or node.id in scope.functions:
            return None
        if node.id in scope.namedtuples:
            return node.id
        imported = scope.imports.get(node.id)
        known = imported is None and (scope.settled(node) or scope.settled_type(node) is not None)
        return imported or (None if node.id in scope.shadowed or known else node.id)
    if isinstance(node, ast.Attribute):
        above = qualified(node.value, names, scope)
        return f"{above}.{node.attr}" if above is not None else None
    return None
