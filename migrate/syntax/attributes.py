"""Attributes of objects that only their class sets: its body, or its ``__init__``."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrate.syntax.nodes import code_of, of_kinds, parents_of, walk


def is_set_once(name: str, trees: Iterable[ast.Module]) -> bool:
    """Whether all that sets an attribute of a name in modules is one statement of a class.

    It stands in the body of the class, or at the top of its ``__init__``.
    """
    trees = [*trees]
    if any(_may_set_any(tree) for tree in trees):
        return False
    classes = [cls for tree in trees for cls in of_kinds(tree, ast.ClassDef)]
    bound = [statement for cls in classes for statement in cls.body if name in names_bound(statement)]
    stores = [
        (one, tree)
        for tree in trees
        for one in of_kinds(tree, ast.Attribute)
        if one.attr == name and not isinstance(one.ctx, ast.Load)
    ]
    if len(stores) == 1:
        functions = (one for tree in trees for one in of_kinds(tree, ast.FunctionDef))
        return _is_in_init(*stores[0]) and all(one.name != name for one in functions)  # or a property
    return not stores and len(bound) == 1 and isinstance(bound[0], ast.Assign)


def names_bound(statement: ast.stmt) -> set[str]:
    """The names that a statement of the body of a class binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    nodes = (node for node in walk(statement) if isinstance(node, ast.Name))
    return {node.id for node in nodes if not isinstance(node.ctx, ast.Load)}


def _may_set_any(tree: ast.Module) -> bool:
    """Whether code sets attributes by names that it computes, or makes an object anew."""
    return any(name.id in ("setattr", "delattr", "vars") for name in of_kinds(tree, ast.Name)) or any(
        one.attr == "__dict__" or (one.attr == "__init__" and code_of(one.value) == "self")
        for one in of_kinds(tree, ast.Attribute)
    )


def _is_in_init(store: ast.Attribute, tree: ast.Module) -> bool:
    above = parents_of(tree)
    statement = above[store]
    function = above.get(statement)
    return (
        isinstance(statement, ast.Assign)
        and isinstance(function, ast.FunctionDef)
        and function.name == "__init__"
        and isinstance(above.get(function), ast.ClassDef)
        and statement in function.body
        and isinstance(store.value, ast.Name)
        and function.args.args[:1] != []
        and store.value.id == function.args.args[0].arg
    )
