"""The shapes of the results of lambdas in RDD code: ints, with their bounds."""

from __future__ import annotations

import ast

from migrate.columns.shapes import Int, Shape
from migrate.knowledge.builtins import INTS
from migrate.proofs.facts import Facts
from migrate.syntax.nodes import walk


def value_shape(function: ast.expr, facts: Facts) -> Shape | None:
    """The shape of the values of pairs that a function returns: of ``1``, for ``lambda w: (w, 1)``."""
    return _value(function.body, _own(function, facts)) if isinstance(function, ast.Lambda) else None


def _own(function: ast.Lambda, facts: Facts) -> frozenset[str]:
    """The builtins whose names mean something else in a function."""
    return facts.shadowed | {node.arg for node in walk(function.args) if isinstance(node, ast.arg)}


def _value(pair: ast.expr, own: frozenset[str]) -> Shape | None:
    if isinstance(pair, ast.IfExp):
        return _either(_value(pair.body, own), _value(pair.orelse, own))
    return _shape(pair.elts[1], own) if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else None


def result_shape(function: ast.expr, facts: Facts) -> Shape | None:
    """The shape of the result of a function, or None."""
    return _shape(function.body, _own(function, facts)) if isinstance(function, ast.Lambda) else None


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
