"""Variables of functions that are read before they have a value: ``n = n + 1`` without ``global n``."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from migrate.model import Module
from migrate.syntax.bindings import BINDING, bound_by
from migrate.syntax.nodes import children, code_of, of_kinds, parents_of, position, walk
from migrate.syntax.tree import declared_among, goes_on_after, own_nodes

UNBOUND = (
    "{}: `{}` reads what it makes a variable of its own before that has a value ({}): an UnboundLocalError"
    " where this runs; declare it `global`, or give what is made here another name"
)
_SHOWN = 3
_PERHAPS = (
    *(ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda),
    *(ast.DictComp, ast.GeneratorExp, ast.ListComp, ast.SetComp),
)
"""Expressions of which a part may not be evaluated."""


def unbound_locals(module: Module) -> Iterator[str]:
    """What the report says of variables that each statement reads which binds them.

    Args:
        module: the module.
    """
    above = parents_of(module.tree)
    for function in of_kinds(module.tree, ast.FunctionDef):
        found = [one for one in _never_bound(function) if not _is_caught(one, above)]
        if found:
            codes = ", ".join(f"`{code_of(one)}`" for one in found[:_SHOWN])
            codes += f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            yield UNBOUND.format(module.where(found[0].lineno), function.name, codes)


def _is_caught(statement: ast.stmt, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a function goes on after such an error."""
    return any(goes_on_after(statement, above, error) for error in ("NameError", "UnboundLocalError"))


def _never_bound(function: ast.FunctionDef) -> list[ast.stmt]:
    """The first statements that bind the variables of a function that need a value for their first one."""
    own = [node for statement in function.body for node in own_nodes(statement)]
    binding = [(name, node) for node in own if isinstance(node, ast.stmt) for name in _bound_by_itself(node)]
    if not binding:
        return []
    inside = walk(function)
    stored = Counter(one.id for one in inside if isinstance(one, ast.Name) and not _is_load(one))
    others = declared_among(inside) | {bound_by(node) for node in inside if isinstance(node, BINDING)}
    others |= {node.rest for node in inside if isinstance(node, ast.MatchMapping)}
    number = Counter(name for name, _ in binding)
    first = dict(reversed(binding))
    never = [name for name in first if stored[name] == number[name] and name not in others]
    return sorted((first[name] for name in never), key=position)


def _bound_by_itself(statement: ast.stmt) -> Iterator[str]:
    """The name that a statement binds and surely reads before: ``n += 1``, ``n = n + 1``."""
    match statement:
        case ast.AugAssign(ast.Name(name)):
            yield name
        case ast.Assign([ast.Name(name)], value) if name in _surely_read(value):
            yield name


def _surely_read(value: ast.expr) -> set[str]:
    """The names that an expression reads whatever its values are."""
    found, pending = set[str](), list[ast.AST]([value])
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif not isinstance(node, _PERHAPS):
            pending += children(node)
    return found


def _is_load(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)
