"""Shapes of values, and values of shapes, where only the types of a function count and not its columns."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns.element import (
    Display,
    Element,
    Record,
    Refusal,
    Scalar,
    Value,
    shape_of,
)
from migrate.columns.shapes import Bool, Float, Int, List, Shape, Str, Tuple, Unknown, join
from migrate.columns.signatures import Opaque, given


def shapes_of(values: Sequence[Value]) -> list[Shape]:
    """The shapes of values; none where one is not known."""
    try:
        return [type_of(value) for value in values]
    except Refusal:
        return []


def type_of(value: Value) -> Shape:
    """The shape of a value.

    Raises:
        Refusal: it is not of one known type.
    """
    shape: Shape | None
    if isinstance(value, Display) and value.kind is list and value.items:
        items = [type_of(item) for item in value.items]
        shape = items[0]
        for item in items[1:]:
            shape = join(shape, item) if shape is not None else None
        shape = List(shape) if shape is not None else None
    elif isinstance(value, Display):
        known = value.kind is dict and [type_of(item) for item in value.items]
        shape = Opaque("dict") if known is not False else None
    elif isinstance(value, Record):
        shape = Tuple(tuple(type_of(item) for item in value.items))
    else:
        shape = shape_of(value)
    if shape is None or isinstance(shape, Unknown):
        raise Refusal("its type is not known", ast.Constant(None))
    return shape


def value_of_shape(shape: Shape, like: Value | None = None) -> Element:
    """A value of a shape, under the name of another."""
    if isinstance(shape, Tuple):
        return Record(tuple(map(value_of_shape, shape.items)))
    name = getattr(like, "name", None)
    return Scalar("F.lit(None)", shape, name=name if name != "value" else None, columns=frozenset())


def arithmetic_type(operator: ast.operator, left: Shape, right: Shape, exponent: ast.expr) -> Shape | None:
    """The result type of an operator; https://docs.python.org/3/library/stdtypes.html#numeric-types-int-float-complex."""
    left, right = given(left), given(right)
    if isinstance(operator, ast.Mod) and isinstance(left, Str):
        return Str()
    if isinstance(operator, ast.Add) and isinstance(left, Str | List):
        return join(left, right) if type(left) is type(right) else None
    if isinstance(operator, ast.Mult) and isinstance(left, Str | List) and isinstance(right, Int | Bool):
        return left if isinstance(left, Str) else List(left.of)
    numbers = (number_type(left), number_type(right))
    if None in numbers:
        return None
    whole = numbers == (Int(), Int())
    match operator:
        case ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Mod():
            return Int() if whole else Float()
        case ast.Div():
            return Float()
        case ast.Pow():
            literal = exponent.value if isinstance(exponent, ast.Constant) else None
            if isinstance(literal, int) and literal >= 0:
                return numbers[0]
        case ast.LShift() | ast.RShift() if whole:
            return Int()
        case ast.BitAnd() | ast.BitOr() | ast.BitXor() if isinstance(left, Int) and isinstance(right, Int):
            return Int()
    return None


def number_type(shape: Shape) -> Shape | None:
    """The type of a number in arithmetic: int for a bool, too; None for anything else."""
    shape = given(shape)
    if isinstance(shape, Int | Bool):
        return Int()
    return Float() if isinstance(shape, Float) else None
