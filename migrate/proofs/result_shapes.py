"""The shapes of the results of functions in RDD code: ints, with their bounds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from migrate.columns.shapes import Int, Shape
from migrate.knowledge.builtins import INTS
from migrate.proofs.called_functions import called_function
from migrate.proofs.facts import Facts
from migrate.syntax.nodes import walk
from migrate.syntax.tree import is_none, own_nodes

_DEPTH = 5
_Read = Callable[[ast.expr, frozenset[str]], Shape | None]


def value_shape(function: ast.expr, facts: Facts) -> Shape | None:
    """The shape of the values of pairs that a function returns: of ``1``, for ``lambda w: (w, 1)``.

    None instead of a pair has no value: what reads the pairs fails at it, or has left it out before.
    """
    return _of_results(function, facts, _value, _DEPTH)


def result_shape(function: ast.expr, facts: Facts) -> Shape | None:
    """The shape of the result of a function, or None."""
    return _shape(function.body, _own(function, facts)) if isinstance(function, ast.Lambda) else None


def _of_results(function: ast.expr, facts: Facts, read: _Read, depth: int) -> Shape | None:
    """The shape of all that a lambda, or a function of the program, returns."""
    if isinstance(function, ast.Lambda):
        if isinstance(function.body, ast.Call) and not _named(function.body.func, _own(function, facts)):
            return _of_results(function.body.func, facts, read, depth)
        return read(function.body, _own(function, facts))
    called = called_function(function, facts) if depth else None
    if called is None or called.node not in facts.above or called.node.decorator_list:
        return None
    returned = list(_returned(called.node))
    if not returned or any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk(called.node)):
        return None
    shapes = [read(node, _own(called.node, facts)) for node in returned]
    shape = shapes[0]
    for other in shapes[1:]:
        shape = _either(shape, other)
    return shape


def _returned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a function returns, but for None."""
    for node in (node for statement in function.body for node in own_nodes(statement)):
        if isinstance(node, ast.Return) and not is_none(node.value):
            assert node.value is not None
            yield node.value


def _named(node: ast.expr, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _own(function: ast.Lambda | ast.FunctionDef, facts: Facts) -> frozenset[str]:
    """The builtins whose names mean something else in a function."""
    own = {node.arg for node in walk(function.args) if isinstance(node, ast.arg)}
    if isinstance(function, ast.FunctionDef):
        names = (node for node in walk(function) if isinstance(node, ast.Name))
        own |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return facts.shadowed | own


def _value(pair: ast.expr, own: frozenset[str]) -> Shape | None:
    if isinstance(pair, ast.IfExp):
        pairs = [one for one in (pair.body, pair.orelse) if not is_none(one)]
        values = [_value(one, own) for one in pairs]
        return values[0] if len(values) == 1 else _either(*values) if values else None
    return _shape(pair.elts[1], own) if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else None


def _shape(node: ast.expr, own: frozenset[str]) -> Shape | None:
    if isinstance(node, ast.Constant):
        value = node.value
        return Int(value, value) if isinstance(value, int) and not isinstance(value, bool) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        shape = _shape(node.operand, own)
        return Int(-shape.high, -shape.low) if isinstance(shape, Int) and shape.low == shape.high else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in INTS - own:
        return Int()
    if isinstance(node, ast.IfExp):
        return _either(_shape(node.body, own), _shape(node.orelse, own))
    return None


def _either(one: Shape | None, other: Shape | None) -> Shape | None:
    """The shape of a value that is one of two ints."""
    if isinstance(one, Int) and isinstance(other, Int):
        return Int(min(one.low, other.low), max(one.high, other.high))
    return None
