"""What is known of pairs, of their keys, and of what the program's functions return."""

from __future__ import annotations

import ast

from migrate.columns import Element, Record, Refusal, leaves
from migrate.columns.shapes import Bool, Int, Maybe, Nothing, Shape, Str
from migrate.knowledge.builtins import INTS
from migrate.plan.step import Step
from migrate.proofs.facts import Facts


def pair(element: Element, step: Step) -> tuple[Element, Element]:
    """The key and the value of an element.

    Raises:
        Refusal: the element is not known to be a pair.
    """
    if isinstance(element, Record) and len(element.items) == 2:
        return element.items[0], element.items[1]
    raise Refusal("the elements are not known to be pairs", step.operation.call)


def check_keys(step: Step, key: Element) -> None:
    """See that Spark groups the keys as Python's dict does.

    Raises:
        Refusal: floats, whose NaN and -0.0 differ, lists, or keys of unknown type.
    """
    for leaf in leaves(key):
        shape = leaf.shape.of if isinstance(leaf.shape, Maybe) else leaf.shape
        if not isinstance(shape, Str | Int | Bool | Nothing):
            raise Refusal("the keys are not known to be texts, ints or truth values", step.operation.call)


def value_shape(function: ast.expr, facts: Facts) -> Shape | None:
    """What is known of the values of the pairs that a function of ``map`` returns: ``lambda w: (w, 1)``."""
    return _value(function.body, _own(function, facts)) if isinstance(function, ast.Lambda) else None


def _own(function: ast.Lambda, facts: Facts) -> frozenset[str]:
    """The builtins whose names mean something else in a function."""
    return facts.shadowed | {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}


def _value(pair: ast.expr, own: frozenset[str]) -> Shape | None:
    if isinstance(pair, ast.IfExp):
        return _either(_value(pair.body, own), _value(pair.orelse, own))
    return _shape(pair.elts[1], own) if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else None


def result_shape(function: ast.expr, facts: Facts) -> Shape | None:
    """What is known of what a function returns."""
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
    """What is known of a value that is one of two ints."""
    if isinstance(one, Int) and isinstance(other, Int):
        return Int(min(one.low, other.low), max(one.high, other.high))
    return None
