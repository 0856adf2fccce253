"""Loops over constants, each turn with its own: ``for place in (2, 5): row[place] = float(row[place])``."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from migrate.columns.element import Scope
from migrate.frozen import dataclass
from migrate.syntax.nodes import walk
from migrate.typed.asking import Names
from migrate.typed.types import Type, of_constant

MOST = 20
"""How many turns are followed one by one."""
_LATER = (ast.Lambda, ast.GeneratorExp, ast.FunctionDef)


@dataclass(frozen=True)
class Turn:
    """One turn of a loop.

    Attributes:
        type: that of the loop's variable.
        body: the statements, with the constant wherever they read the variable.
    """

    type: Type
    body: Sequence[ast.stmt]


def turns_of(
    variable: str, iterated: ast.expr, body: Sequence[ast.stmt], names: Names, scope: Scope
) -> list[Turn] | None:
    """The turns of a loop over constants that finds items of a list by them; None for any other loop."""
    nodes = [node for statement in body for node in walk(statement)]
    own = [node for node in nodes if isinstance(node, ast.Name) and node.id == variable]
    if not any(_is_place(node, variable) for node in nodes) or any(isinstance(one, _LATER) for one in nodes):
        return None
    if not all(isinstance(one.ctx, ast.Load) for one in own):
        return None
    constants = _constants(iterated, names, scope)
    types = [of_constant(one.value) for one in constants or ()]
    if constants is None or len(constants) > MOST or None in types:
        return None
    return [
        Turn(type_, [_with(statement, variable, constant) for statement in body])
        for constant, type_ in zip(constants, types, strict=True)
        if type_ is not None
    ]


def _is_place(node: ast.AST, variable: str) -> bool:
    """Whether an item is set at a place that the variable says: ``row[place] = value``."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)):
        return False
    return any(isinstance(one, ast.Name) and one.id == variable for one in (node.slice, *walk(node.slice)))


def _constants(iterated: ast.expr, names: Names, scope: Scope) -> list[ast.Constant] | None:
    match iterated:
        case ast.List(items) | ast.Tuple(items):
            found = [item for item in items if isinstance(item, ast.Constant)]
            return found if len(found) == len(items) else None
        case ast.Name(name) if name not in names:
            values = scope.constants.get(name)
            if isinstance(values, list | tuple):
                return [ast.copy_location(ast.Constant(value), iterated) for value in values]
    return None


def _with(node: ast.stmt, variable: str, constant: ast.Constant) -> ast.stmt:
    """A statement with a constant in the place of a variable; its other parts are the same nodes."""
    made = _replaced(node, variable, constant)
    assert isinstance(made, ast.stmt)
    return made


def _replaced(node: ast.AST, variable: str, constant: ast.Constant) -> ast.AST:
    if isinstance(node, ast.Name):
        return constant if node.id == variable else node
    changed: dict[str, object] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            made = _replaced(value, variable, constant)
            if made is not value:
                changed[name] = made
        elif isinstance(value, list):
            parts = [_replaced(one, variable, constant) if isinstance(one, ast.AST) else one for one in value]
            if any(one is not other for one, other in zip(parts, value, strict=True)):
                changed[name] = parts
    if not changed:
        return node
    copied = copy.copy(node)
    for name, value in changed.items():
        setattr(copied, name, value)
    return copied
