"""The names that the nodes of syntax trees bind."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import of_kinds

BINDING: tuple[type[ast.AST], ...] = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.arg, ast.alias),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
)
"""The nodes, beside names, that bind one: definitions, parameters, imports, handlers and patterns."""


def bound_by(node: ast.AST) -> str | None:
    """The name that a node of `BINDING` binds, if it does."""
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.alias):
        return None if node.name == "*" else node.asname or node.name.split(".")[0]
    return getattr(node, "name", None)


def bound_names(tree: ast.Module) -> set[str]:
    """The names that anything in a module binds, in any scope, but for names that only parameters have."""
    names = (node.id for node in of_kinds(tree, ast.Name) if not isinstance(node.ctx, ast.Load))
    others = (bound_by(node) for node in of_kinds(tree, *BINDING) if not isinstance(node, ast.arg))
    return {*names, *filter(None, others)}


def public_names(tree: ast.Module) -> frozenset[str] | None:
    """The names that a star import of a module brings in, by its ``__all__``; None if it writes out none."""
    found: list[ast.expr] = [
        one.value
        for one in tree.body
        if isinstance(one, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == "__all__" for t in one.targets)
    ]
    parts = found[0].elts if len(found) == 1 and isinstance(found[0], ast.List | ast.Tuple) else None
    stores = [n for n in of_kinds(tree, ast.Name) if n.id == "__all__"]
    if parts is None or len(stores) > 1:
        return None
    names = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return frozenset(names) if len(names) == len(parts) else None
