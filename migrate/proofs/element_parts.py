"""The parts of the elements of a stream or an RDD, by the last functions that made them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from migrate.graph.program import Operation
from migrate.knowledge import builtins, rdd
from migrate.proofs.called_functions import called_function
from migrate.proofs.facts import Facts
from migrate.proofs.roles import Callback
from migrate.syntax.tree import own_nodes, parameter_names

Parts = bool | tuple["Parts", ...]
"""Whether a value is certainly no float and holds none; of a tuple that is written out, for each item."""
_BINDING_OTHERWISE = (
    *(ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal),
    *(ast.ExceptHandler, ast.Match, ast.AsyncFunctionDef),
)
"""Nodes that bind a variable without a ``Name`` node, or bind that of another function."""
_WHOLE = ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod
_PAIR = 2


def elements_of(operation: Operation, facts: Facts) -> Parts:
    """The parts of the elements of a stream."""
    if operation.is_source or len(operation.parents) != 1:
        return False
    return _after(operation.operator, operation.call, lambda: elements_of(operation.parents[0], facts), facts)


def reduced_by(call: ast.Call, operation: Operation, callback: Callback, facts: Facts) -> Parts:
    """The parts of the elements that a callback's own call on its RDD reduces."""
    assert isinstance(call.func, ast.Attribute)
    given = _of_rdd(call.func.value, operation, callback, facts)
    return value_of(given) if call.func.attr == "reduceByKey" else given


def _of_rdd(node: ast.expr, operation: Operation, callback: Callback, facts: Facts) -> Parts:
    if isinstance(node, ast.Name):
        read = any(name is node for name in callback.reads(callback.rdd))
        own = read and not callback.rebound and len(operation.parents) == 1
        return elements_of(operation.parents[0], facts) if own else False
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    before = node.func.value
    return _after(node.func.attr, node, lambda: _of_rdd(before, operation, callback, facts), facts)


def value_of(parts: Parts) -> Parts:
    """The parts of the values of pairs."""
    return parts[1] if isinstance(parts, tuple) and len(parts) == _PAIR else False


def has_no_floats(parts: Parts) -> bool:
    """Whether there are certainly no floats in a value."""
    return all(map(has_no_floats, parts)) if isinstance(parts, tuple) else parts


def _after(operator: str, call: ast.Call, before: Callable[[], Parts], facts: Facts) -> Parts:
    """The parts of the elements after an operator."""
    if operator in rdd.SAME_ELEMENTS:
        return before()
    if operator not in ("map", "mapValues") or len(call.args) != 1 or call.keywords:
        return False
    function = call.args[0]
    if isinstance(function, ast.Name) and _makes_none(function, facts):
        return True if operator == "map" else (_key_of(before()), True)
    called = called_function(function, facts)
    node = called.node if called is not None and not called.bound else function
    if not isinstance(node, ast.Lambda | ast.FunctionDef):
        return False
    given = before()
    if operator == "map":
        return _result(node, given, facts)
    return (_key_of(given), _result(node, value_of(given), facts))


def _makes_none(name: ast.Name, facts: Facts) -> bool:
    """Whether a name is that of a builtin that makes no floats, and of no parameter."""
    return name.id in builtins.NEVER_FLOATS - facts.shadowed and facts.home(name) is None


def _result(
    function: ast.Lambda | ast.FunctionDef,
    given: Parts,
    facts: Facts,
    open_: frozenset[ast.AST] = frozenset(),
) -> Parts:
    """The parts of the result of a function of one value; unknown for the recursive ones in `open_`."""
    if function in open_:
        return False
    facts, open_ = facts.of(function), open_ | {function}
    names = [node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)]
    if len(names) != 1 or parameter_names(function) != names:
        return False
    if isinstance(function, ast.Lambda):
        return _parts(function.body, {names[0]: given}, facts, open_)
    if any(isinstance(node, _BINDING_OTHERWISE) for part in function.body for node in ast.walk(part)):
        return False
    nodes = [node for statement in function.body for node in own_nodes(statement)]
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known = {names[0]: given, **dict.fromkeys(stored, False)}
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
        return False
    returned = [node.value for node in nodes if isinstance(node, ast.Return)]
    found = [True if value is None else _parts(value, known, facts, open_) for value in returned]
    return found[0] if found and all(parts == found[0] for parts in found) else all(map(has_no_floats, found))


def _key_of(parts: Parts) -> Parts:
    return parts[0] if isinstance(parts, tuple) and len(parts) == _PAIR else False


def _parts(node: ast.expr, known: Mapping[str, Parts], facts: Facts, open_: frozenset[ast.AST]) -> Parts:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int | str | bytes | None)
        case ast.Name(id=name):
            return known.get(name, False)
        case ast.Tuple(elts=items) if not any(isinstance(item, ast.Starred) for item in items):
            return tuple(_parts(item, known, facts, open_) for item in items)
        case ast.Subscript(value=value, slice=ast.Constant(value=int(place))):
            parts = _parts(value, known, facts, open_)
            return parts[place] if isinstance(parts, tuple) and 0 <= place < len(parts) else False
        case ast.Call(func=ast.Name(id=name) as builtin) if name in builtins.NEVER_FLOATS:
            return name not in known and _makes_none(builtin, facts)
        case ast.Call(func=ast.Name() as name, args=[argument], keywords=[]):
            called = called_function(name, facts)
            if called is None or called.bound:
                return False
            return _result(called.node, _parts(argument, known, facts, open_), facts, open_)
        case ast.JoinedStr():
            return True
        case ast.IfExp(body=one, orelse=other):
            first, second = _parts(one, known, facts, open_), _parts(other, known, facts, open_)
            return first if first == second else has_no_floats(first) and has_no_floats(second)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return _parts(operand, known, facts, open_) is True
        case ast.BinOp(left=left, op=operator, right=right) if isinstance(operator, _WHOLE):
            return all(_parts(part, known, facts, open_) is True for part in (left, right))
    return False
