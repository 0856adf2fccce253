"""The nodes of syntax trees: `ast.walk`, for trees that many ask for and nobody changes."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def walk(node: ast.AST) -> Iterable[ast.AST]:
    """A node and everything below it, as `ast.walk` gives it; of a module it is only found once."""
    if not isinstance(node, ast.Module):
        return _below(node)
    kept = vars(node)
    if "nodes" not in kept:
        kept["nodes"] = _below(node)
    found: list[ast.AST] = kept["nodes"]
    return found


def parents_of(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """The parent of every node."""
    if not isinstance(tree, ast.Module):
        return _parents(tree)
    kept = vars(tree)
    if "parents" not in kept:
        kept["parents"] = _parents(tree)
    found: dict[ast.AST, ast.AST] = kept["parents"]
    return found


def _parents(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    return {child: node for node in walk(tree) for child in children(node)}


def _below(node: ast.AST) -> list[ast.AST]:
    found = [node]
    for one in found:  # grows while it is walked
        found += children(one)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, as `ast.iter_child_nodes` gives them."""
    children: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            children.append(value)
        elif isinstance(value, list):
            children += [item for item in value if isinstance(item, ast.AST)]
    return children
