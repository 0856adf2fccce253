"""The parts of the elements of a stream or an RDD, by the last functions that made them."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Collection, Mapping

from migrate.graph.program import Operation
from migrate.knowledge import rdd
from migrate.knowledge.builtins import BUILTINS, Floats, Gives
from migrate.proofs.called_functions import called_function
from migrate.proofs.facts import Facts
from migrate.proofs.roles import Callback
from migrate.syntax.nodes import walk
from migrate.syntax.tree import own_nodes, parameter_names


class Kind(enum.Enum):
    """What is known of a value."""

    UNKNOWN = "unknown"
    NO_FLOAT = "no float, and none in it"
    WHOLE = "a whole number"
    NUMBER = "a number, which may be a float"


Parts = Kind | tuple["Parts", ...]
"""The kind of a value; of a tuple that is written out, that of each item."""
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


def has_no_floats(parts: Parts) -> bool:
    """Whether there are certainly no floats in a value."""
    if isinstance(parts, tuple):
        return all(map(has_no_floats, parts))
    return parts in {Kind.NO_FLOAT, Kind.WHOLE}


def are_numbers(parts: Parts) -> bool:
    """Whether a value certainly is a number, or a tuple of numbers."""
    return all(map(are_numbers, parts)) if isinstance(parts, tuple) else parts in {Kind.WHOLE, Kind.NUMBER}


def _after(operator: str, call: ast.Call, before: Callable[[], Parts], facts: Facts) -> Parts:
    """The parts of the elements after an operator."""
    if operator in rdd.SAME_ELEMENTS:
        return before()
    if operator not in ("map", "mapValues") or len(call.args) != 1 or call.keywords:
        return Kind.UNKNOWN
    function = call.args[0]
    if isinstance(function, ast.Name) and (kind := _made_by(function, facts)) is not Kind.UNKNOWN:
        return kind if operator == "map" else (_key_of(before()), kind)
    called = called_function(function, facts)
    node = called.node if called is not None and not called.bound else function
    if not isinstance(node, ast.Lambda | ast.FunctionDef):
        return Kind.UNKNOWN
    given = before()
    if operator == "map":
        return _result(node, given, facts)
    return (_key_of(given), _result(node, value_of(given), facts))


def _made_by(name: ast.Name, facts: Facts) -> Kind:
    """What a builtin makes; unknown for other functions, and for parameters."""
    known = BUILTINS.get(name.id)
    if known is None or name.id in facts.shadowed or facts.home(name) is not None:
        return Kind.UNKNOWN
    if known.floats is Floats.NEVER:
        return Kind.WHOLE if known.gives in {Gives.INT, Gives.BOOL} else Kind.NO_FLOAT
    return Kind.NUMBER if known.gives is Gives.FLOAT else Kind.UNKNOWN


def _result(
    function: ast.Lambda | ast.FunctionDef,
    given: Parts,
    facts: Facts,
    open_: frozenset[ast.AST] = frozenset(),
) -> Parts:
    """The parts of the result of a function of one value; unknown for the recursive ones in `open_`."""
    if function in open_:
        return Kind.UNKNOWN
    facts, open_ = facts.of(function), open_ | {function}
    names = [node.arg for node in walk(function.args) if isinstance(node, ast.arg)]
    if len(names) != 1 or parameter_names(function) != names:
        return Kind.UNKNOWN
    if isinstance(function, ast.Lambda):
        return _parts(function.body, {names[0]: given}, facts, open_)
    if any(isinstance(node, _BINDING_OTHERWISE) for part in function.body for node in walk(part)):
        return Kind.UNKNOWN
    nodes = [node for statement in function.body for node in own_nodes(statement)]
    stores = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    known = {names[0]: given, **dict.fromkeys(stores, Kind.UNKNOWN)}
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
        return Kind.UNKNOWN
    for node in nodes:  # a variable with one value has its kind, from there on
        match node:
            case ast.Assign([ast.Name(name)], value) if stores.count(name) == 1 and name != names[0]:
                known[name] = _parts(value, known, facts, open_)
    returned = [node.value for node in nodes if isinstance(node, ast.Return)]
    return _one_of(
        [Kind.NO_FLOAT if value is None else _parts(value, known, facts, open_) for value in returned]
    )


def _one_of(found: Collection[Parts]) -> Parts:
    """The parts of a value that is one of several."""
    first, *others = found or [Kind.NO_FLOAT]
    if all(parts == first for parts in others):
        return first
    tuples = [parts for parts in found if isinstance(parts, tuple)]
    if len(tuples) == len(found) and len(set(map(len, tuples))) == 1:
        return tuple(map(_one_of, zip(*tuples, strict=True)))
    if all(map(has_no_floats, found)):
        return Kind.NO_FLOAT
    return Kind.NUMBER if all(parts in {Kind.WHOLE, Kind.NUMBER} for parts in found) else Kind.UNKNOWN


def _key_of(parts: Parts) -> Parts:
    return parts[0] if isinstance(parts, tuple) and len(parts) == _PAIR else Kind.UNKNOWN


def _parts(node: ast.expr, known: Mapping[str, Parts], facts: Facts, open_: frozenset[ast.AST]) -> Parts:
    match node:
        case ast.Constant(value=int()):
            return Kind.WHOLE
        case ast.Constant(value=float()):
            return Kind.NUMBER
        case ast.Constant(value=str() | bytes() | None) | ast.JoinedStr():
            return Kind.NO_FLOAT
        case ast.Name(id=name):
            return known.get(name, Kind.UNKNOWN)
        case ast.Tuple(elts=items) if not any(isinstance(item, ast.Starred) for item in items):
            return tuple(_parts(item, known, facts, open_) for item in items)
        case ast.Subscript(value=value, slice=ast.Constant(value=int(place))):
            parts = _parts(value, known, facts, open_)
            inside = isinstance(parts, tuple) and 0 <= place < len(parts)
            return parts[place] if isinstance(parts, tuple) and inside else Kind.UNKNOWN
        case ast.Call(func=ast.Name(id=name) as builtin) if name in BUILTINS.keys() - facts.shadowed:
            return Kind.UNKNOWN if name in known else _made_by(builtin, facts)
        case ast.Call(func=ast.Name() as name, args=[argument], keywords=[]):
            called = called_function(name, facts)
            if called is None or called.bound:
                return Kind.UNKNOWN
            return _result(called.node, _parts(argument, known, facts, open_), facts, open_)
        case ast.IfExp(body=one, orelse=other):
            return _one_of([_parts(one, known, facts, open_), _parts(other, known, facts, open_)])
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            parts = _parts(operand, known, facts, open_)
            return parts if isinstance(parts, Kind) else Kind.UNKNOWN
        case ast.BinOp(left=left, op=operator, right=right):
            return _operated(operator, [_parts(side, known, facts, open_) for side in (left, right)])
    return Kind.UNKNOWN


def _operated(operator: ast.operator, sides: Collection[Parts]) -> Kind:
    """The kind of what an operator makes of two values."""
    if isinstance(operator, _WHOLE):
        if all(side is Kind.WHOLE for side in sides):
            return Kind.WHOLE
        if all(isinstance(side, Kind) and has_no_floats(side) for side in sides):
            return Kind.NO_FLOAT
    elif not isinstance(operator, ast.Div):
        return Kind.UNKNOWN
    return Kind.NUMBER if all(side in {Kind.WHOLE, Kind.NUMBER} for side in sides) else Kind.UNKNOWN
