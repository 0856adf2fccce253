"""What the only reader of ``groupByKey`` makes of a key's values: how many there are, or their sum."""

from __future__ import annotations

import ast

from migrate.graph.program import Operation
from migrate.plan.step import Step

_MAKES = frozenset({"len", "sum"})
_GROUPS = "groupByKey"


def made_of_values(grouping: Operation, step: Step) -> str:
    """``len`` or ``sum``, which gives the same in any order of the values; empty for any other reader."""
    readers = grouping.consumers
    reader = readers[0] if len(readers) == 1 else None
    if reader is None or len(reader.call.args) != 1 or reader.call.keywords:
        return ""
    if reader.call in step.choices.as_rdd:
        return ""
    (function,) = reader.call.args
    match reader.operator, function:
        case "mapValues", ast.Name(name):
            found = name
        case "mapValues", ast.Lambda(
            ast.arguments([], [ast.arg(given)], None, [], [], None, []),
            ast.Call(ast.Name(name), [ast.Name(values)], []),
        ) if values == given:
            found = name
        case "map", ast.Lambda(
            ast.arguments([], [ast.arg(given)], None, [], [], None, []),
            ast.Tuple([key, ast.Call(ast.Name(name), [values], [])]),
        ) if _is_part(key, given, 0) and _is_part(values, given, 1):
            found = name
        case _:
            return ""
    return found if found in _MAKES and found not in step.facts.shadowed else ""


def is_made_already(operation: Operation, step: Step) -> bool:
    """Whether a reader of ``groupByKey`` has nothing left to do: what it makes of the values is there."""
    parents = operation.parents
    return len(parents) == 1 and parents[0].operator == _GROUPS and bool(made_of_values(parents[0], step))


def _is_part(node: ast.expr, name: str, place: int) -> bool:
    """``pair[0]``."""
    match node:
        case ast.Subscript(ast.Name(read), ast.Constant(int(number))):
            return read == name and number == place
    return False
