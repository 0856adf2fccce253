"""What the only reader of ``groupByKey`` makes of a key's values: a list, their number, sum or greatest."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.graph.program import Operation
from migrate.plan.draft.step import Step
from migrate.proofs.analysis.aliases import parameter_of
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.elements.any_order import takes_any_order
from migrate.proofs.elements.places_read import KEY, VALUE
from migrate.syntax.nodes import parents_of, walk
from migrate.syntax.tree import parameter_names

_MAKES = frozenset({"len", "list", "max", "min", "sum"})
_READING = frozenset(
    {"len", "list", "max", "min", "set", "sorted", "sum", "tuple"}
    | {"all", "any", "enumerate", "filter", "frozenset", "iter", "map", "zip"}
)
"""Builtins that take anything that one can go through."""
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
        case "mapValues", ast.Call(args=[function], keywords=[]):
            return _goes_through(function, step.facts, frozenset())
        case "map", ast.Call(
            args=[ast.Lambda(ast.arguments([], [ast.arg(pair)], None, [], [], None, []), body)], keywords=[]
        ):
            above = parents_of(body)
            reads = [above.get(node) for node in walk(body) if isinstance(node, ast.Name) and node.id == pair]
            parts = [read for read in reads if _is_part(read, pair, KEY) or _is_part(read, pair, VALUE)]
            values = [
                read for read in parts if isinstance(read, ast.Subscript) and _is_part(read, pair, VALUE)
            ]
            through = (_is_gone_through(read, above.get(read), step.facts, frozenset()) for read in values)
            return len(parts) == len(reads) and bool(values) and all(through)
    return False


def takes_values_in_any_order(grouping: Operation, step: Step, *, of_ints: bool, of_texts: bool) -> bool:
    """Whether the only reader of ``groupByKey`` makes the same of a key's values in any order."""
    match grouping.consumers:
        case [Operation(operator="mapValues", call=ast.Call(args=[ast.Lambda(args=given) as function]))]:
            name = given.args[0].arg
            return takes_any_order(function, name, step.facts, of_ints=of_ints, of_texts=of_texts)
    return False


def _goes_through(function: ast.expr, facts: Facts, inside: frozenset[ast.AST]) -> bool:
    """Whether a function of a key's values only goes through them, or hands them to one that does.

    Args:
        function: the function, as the program names it.
        facts: the names of its module.
        inside: the functions that lead to it.
    """
    if isinstance(function, ast.Lambda):
        given, body, above = function.args, [function.body], parents_of(function.body)
        plain = len(given.args) == 1 and not (given.defaults or given.vararg or given.kwarg)
        return plain and _is_read_so(given.args[0].arg, body, above, facts, inside)
    if isinstance(function, ast.Name) and function.id in _READING - facts.shadowed:
        return True
    called = called_function(function, facts)
    if called is None or called.bound or len(parameter_names(called.node)) != 1:
        return False
    return _is_gone_through_in(called.node, parameter_names(called.node)[0], facts, inside)


def _is_gone_through_in(
    function: ast.FunctionDef, name: str, facts: Facts, inside: frozenset[ast.AST]
) -> bool:
    """Whether a function of the program only goes through one of its parameters."""
    if function in inside or function.decorator_list:
        return False
    own = facts.of(function)
    return _is_read_so(name, function.body, own.above, own, inside | {function})


def _is_read_so(
    name: str,
    body: Sequence[ast.AST],
    above: Mapping[ast.AST, ast.AST],
    facts: Facts,
    inside: frozenset[ast.AST],
) -> bool:
    """Whether all reads of a parameter in a body go through its values, and there are any."""
    nodes = (node for part in body for node in walk(part))
    reads = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
    return bool(reads) and all(
        isinstance(read.ctx, ast.Load) and _is_gone_through(read, above.get(read), facts, inside)
        for read in reads
    )


def _is_gone_through(read: ast.expr, above: ast.AST | None, facts: Facts, inside: frozenset[ast.AST]) -> bool:
    """Whether a builtin is given the values, or a loop or a comprehension goes through them."""
    match above:
        case ast.Call(ast.Name(name), arguments) if name in _READING - facts.shadowed:
            return read in arguments
        case ast.Call(function):
            called = called_function(function, facts)
            if called is None:
                return False
            name = parameter_of(read, above, parameter_names(called.node)[called.bound :]) or ""
            return bool(name) and _is_gone_through_in(called.node, name, facts, inside)
        case ast.comprehension(iter=iterated) | ast.For(iter=iterated):
            return iterated is read
    return False


def is_made_already(operation: Operation, step: Step) -> bool:
    """Whether a reader of ``groupByKey`` has nothing left to do: what it makes of the values is there."""
    parents = operation.parents
    return len(parents) == 1 and parents[0].operator == _GROUPS and bool(made_of_values(parents[0], step))


def _is_part(node: ast.AST | None, name: str, place: int) -> bool:
    """``pair[0]``."""
    match node:
        case ast.Subscript(ast.Name(read), ast.Constant(int(number))):
            return read == name and number == place
    return False
