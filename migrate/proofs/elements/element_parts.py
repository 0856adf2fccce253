"""The parts of the elements of a stream or an RDD, by the last functions that made them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.graph.program import Operation
from migrate.knowledge import functions, rdd, streaming
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.elements.value_parts import (
    Fields,
    Kind,
    Parts,
    is_subscripted,
    made_by,
    one_of,
    result_of,
)
from migrate.syntax.tree import parameter_names

_PAIR = 2


def elements_of(operation: Operation, facts: Facts) -> Parts:
    """The parts of the elements of a stream."""
    if (operation.operator == "union" or operation.is_chosen) and operation.parents:
        return one_of([elements_of(parent, facts) for parent in operation.parents])
    if operation.is_source or len(operation.parents) != 1:
        return Kind.UNKNOWN
    return _after(operation.operator, operation.call, lambda: elements_of(operation.parents[0], facts), facts)


def reduced_by(call: ast.Call, operation: Operation, callback: Callback, facts: Facts) -> Parts:
    """The parts of the elements that a callback's own call on its RDD reduces."""
    assert isinstance(call.func, ast.Attribute)
    given = _of_rdd(call.func.value, operation, callback, facts)
    return value_of(given) if call.func.attr == "reduceByKey" else given


def _of_rdd(node: ast.expr, operation: Operation, callback: Callback, facts: Facts) -> Parts:
    made = callback.made_as(node)
    if made is not None:
        return _of_rdd(made, operation, callback, facts)
    if isinstance(node, ast.Name):
        read = any(name is node for name in callback.reads(callback.rdd))
        own = read and not callback.rebound and len(operation.parents) == 1
        return elements_of(operation.parents[0], facts) if own else Kind.UNKNOWN
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return Kind.UNKNOWN
    before = node.func.value
    return _after(node.func.attr, node, lambda: _of_rdd(before, operation, callback, facts), facts)


def value_of(parts: Parts) -> Parts:
    """The parts of the values of pairs."""
    return parts[1] if isinstance(parts, tuple) and len(parts) == _PAIR else Kind.UNKNOWN


def _after(operator: str, call: ast.Call, before: Callable[[], Parts], facts: Facts) -> Parts:
    """The parts of the elements after an operator."""
    if operator in rdd.SAME_ELEMENTS or operator == "window":
        parts = before()
        arguments = (*call.args, *(word.value for word in call.keywords))
        changes = isinstance(parts, Fields) and not all(_only_reads(one, facts) for one in arguments)
        return Kind.UNKNOWN if changes else parts
    if operator in streaming.REDUCING and call.args:
        by_key = operator in streaming.GROUPED_BY_KEY
        value = value_of(before()) if by_key else before()
        made = _reduced(call.args[0], value, facts)
        return (_key_of(before()), made) if by_key else made
    if operator not in ("map", "mapValues", "flatMap") or len(call.args) != 1 or call.keywords:
        return Kind.UNKNOWN
    function = call.args[0]
    if isinstance(function, ast.Name) and (kind := made_by(function, facts)) is not Kind.UNKNOWN:
        made = Kind.UNKNOWN if operator == "flatMap" else kind
        return (_key_of(before()), made) if operator == "mapValues" else made
    node = _function(function, facts)
    if node is None:
        return Kind.UNKNOWN
    given = before()
    if operator == "mapValues":
        return (_key_of(given), result_of(node, [value_of(given)], facts))
    return result_of(node, [given], facts, of_list=operator == "flatMap")


def _function(node: ast.expr, facts: Facts) -> ast.Lambda | ast.FunctionDef | None:
    """The code of a function that is no method."""
    called = called_function(node, facts)
    code = called.node if called is not None and not called.bound else node
    return code if isinstance(code, ast.Lambda | ast.FunctionDef) else None


def _reduced(function: ast.expr, value: Parts, facts: Facts) -> Kind:
    """What a reduce function makes of two values of a kind: whole numbers of whole numbers, or unknown."""
    if value is not Kind.WHOLE:
        return Kind.UNKNOWN
    if facts.qualified(function) in functions.JOINS:
        return Kind.WHOLE
    node = _function(function, facts)
    made = Kind.UNKNOWN if node is None else result_of(node, [value, value], facts)
    return Kind.WHOLE if made is Kind.WHOLE else Kind.UNKNOWN


def _only_reads(function: ast.expr, facts: Facts) -> bool:
    """Whether a function reads items of its only argument by their names, and does nothing else with it."""
    node = _function(function, facts)
    if node is None:
        return isinstance(function, ast.Constant)
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    names = parameter_names(node)
    return len(names) == 1 and is_subscripted(names[0], body)


def _key_of(parts: Parts) -> Parts:
    return parts[0] if isinstance(parts, tuple) and len(parts) == _PAIR else Kind.UNKNOWN
