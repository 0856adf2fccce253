"""Values known before the program runs: captured constants, literals, and calls on nothing but these."""

from __future__ import annotations

import ast
import math
import operator
import string
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from migrate.columns import code
from migrate.columns.element import NOT_CONSTANT, Display, Record, Refusal, Scalar, Value
from migrate.frozen import replace

if TYPE_CHECKING:
    from migrate.columns.compiler import Compiler

LIBRARY = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module, names in (
        (math, ("e", "pi", "tau")),
        (
            string,
            (
                *("ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "hexdigits"),
                *("octdigits", "printable", "punctuation", "whitespace"),
            ),
        ),
    )
    for name in names
}
"""Constants of Python's modules that are texts and numbers, by their qualified names."""
LONGEST = 10_000
"""The longest text and the longest result of arithmetic, in digits or characters, that is computed here."""

_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def constant_value(value: object, node: ast.AST) -> Value:
    """Return a Python constant as a value.

    Raises:
        Refusal: no Column holds it: an int beyond 64 bits, bytes, an infinite float, a lone surrogate.
    """
    match value:
        case tuple():
            return Record(tuple(_element(item, node) for item in value))
        case list():
            return Display(list, tuple(_element(item, node) for item in value))
        case set() | frozenset():
            return Display(set, tuple(_element(item, node) for item in sorted(value, key=repr)))
        case dict():
            return Display(dict, tuple(_element(item, node) for item in value.values()), tuple(value))
    scalar = code.constant(value)
    if scalar is None:
        raise Refusal(f"`{value!r:.60}`: no column holds this value", node)
    return scalar


def library_constant(
    compiler: Compiler, node: ast.Name | ast.Attribute, names: Mapping[str, Value]
) -> Scalar | None:
    """A constant of a module of Python's, ``string.punctuation``; None for anything else.

    New code reads it by its name where the program's module is there.
    """
    value = LIBRARY.get(compiler.qualified(node, names) or "")
    if value is None:
        return None
    found, name = constant_value(value, node), ast.unparse(node)
    assert isinstance(found, Scalar)
    is_readable = name.partition(".")[0] in compiler.scope.readable
    return replace(found, code=f"F.lit({name})", variable=name) if is_readable else found


def _element(value: object, node: ast.AST) -> Scalar | Record:
    result = constant_value(value, node)
    if not isinstance(result, Scalar | Record):
        raise Refusal("a list, set or dict inside another has no Column form", node)
    return result


def python_value(value: Value) -> object:
    """Return the Python value of a constant, or `NOT_CONSTANT`."""
    match value:
        case Scalar():
            return value.constant
        case Record(items):
            found = [python_value(item) for item in items]
            return NOT_CONSTANT if NOT_CONSTANT in found else tuple(found)
        case Display(kind, items, keys):
            found = [python_value(item) for item in items]
            if NOT_CONSTANT in found:
                return NOT_CONSTANT
            if kind is dict:
                return dict(zip(keys, found, strict=True))
            return list(found) if kind is list else set(found)
    return NOT_CONSTANT


def fold(node: ast.AST, compute: Callable[..., object], *values: Value) -> Value | None:
    """Compute what consists of constants; None if any of the values is not constant.

    Raises:
        Refusal: the computation fails in Python, as it would for every element, or its result is no column.
    """
    found = [python_value(value) for value in values]
    if NOT_CONSTANT in found or sum(_size(value) for value in found) > LONGEST:
        return None
    try:
        result = compute(*found)
    except Exception as error:
        raise Refusal(f"`{ast.unparse(node)}` always raises {type(error).__name__}: {error}", node) from None
    return constant_value(result, node)


def fold_operator(node: ast.AST, kind: type[ast.AST], left: Value, right: Value) -> Value | None:
    """Compute an operator between constants."""
    if kind not in _OPERATORS or _explodes(kind, left, right):
        return None
    return fold(node, _OPERATORS[kind], left, right)


def _explodes(kind: type[ast.AST], left: Value, right: Value) -> bool:
    if kind is not ast.Mult:
        return False
    sizes = [value for value in map(python_value, (left, right)) if isinstance(value, int)]
    return len(sizes) < 2 and any(abs(size) > LONGEST for size in sizes)


def fold_method(node: ast.AST, name: str, receiver: Value, arguments: Sequence[Value]) -> Value | None:
    """Call a method of a constant text with constant arguments."""
    if not isinstance(receiver, Scalar) or not isinstance(receiver.constant, str):
        return None
    return fold(node, lambda text, *rest: getattr(text, name)(*rest), receiver, *arguments)


def _size(value: object) -> int:
    return len(value) if isinstance(value, str | list | tuple | set | dict) else 1
