"""What the only reader of ``groupByKey`` makes of a key's values: a list, their number, sum or greatest."""

from __future__ import annotations

import ast

from migrate.graph.program import Operation
from migrate.plan.draft.step import Step
from migrate.proofs.elements.any_order import takes_any_order
from migrate.syntax.nodes import parents_of, walk

_MAKES = frozenset({"len", "list", "max", "min", "sum"})
_READING = frozenset({"len", "list", "max", "min", "set", "sorted", "sum", "tuple"})
_GROUPS = "groupByKey"


def made_of_values(grouping: Operation, step: Step) -> str:
    """The builtin that it gives the values, one of `_MAKES`; empty for any other reader."""
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


def reads_a_list(grouping: Operation, step: Step) -> bool:
    """Whether the only reader of ``groupByKey`` does with a key's values what lists bear, too."""
    readers = grouping.consumers
    if len(readers) != 1 or readers[0].call in step.choices.as_rdd:
        return False
    match readers[0].operator, readers[0].call:
        case "mapValues", ast.Call(
            args=[ast.Lambda(ast.arguments(args=[given], defaults=[]), body)], keywords=[]
        ):
            above = parents_of(body)
            reads = [node for node in walk(body) if isinstance(node, ast.Name) and node.id == given.arg]
            return bool(reads) and all(_is_gone_through(read, above.get(read), step) for read in reads)
    return False


def takes_values_in_any_order(grouping: Operation, step: Step, *, of_ints: bool, of_texts: bool) -> bool:
    """Whether the only reader of ``groupByKey`` makes the same of a key's values in any order."""
    match grouping.consumers:
        case [Operation(operator="mapValues", call=ast.Call(args=[ast.Lambda(args=given) as function]))]:
            name = given.args[0].arg
            return takes_any_order(function, name, step.facts, of_ints=of_ints, of_texts=of_texts)
    return False


def _is_gone_through(read: ast.Name, above: ast.AST | None, step: Step) -> bool:
    """Whether a builtin is given the values, or a comprehension goes through them."""
    match above:
        case ast.Call(ast.Name(name), arguments):
            return read in arguments and name in _READING - step.facts.shadowed
        case ast.comprehension(iter=iterated):
            return iterated is read
    return False


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
