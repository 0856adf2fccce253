"""DataFrames that have columns of the same types."""

from __future__ import annotations

from migrate.columns import Element, Record, Scalar
from migrate.columns.shapes import Bool, Bytes, Float, Int, List, Maybe, Shape, Str, Tuple, join
from migrate.frozen import replace

_WITHOUT_BOUNDS = (Str, Float, Bool, Bytes)


def joined(left: Element, right: Element) -> Element | None:
    """The element of both: columns of one type; a union of `int` and `bigint` is `bigint`."""
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        shape = join(left.shape, right.shape)
        if shape is None or type(left.shape) is not type(right.shape):
            return None
        return replace(left, shape=shape, tokens=left.tokens | right.tokens)
    if isinstance(left, Record) and isinstance(right, Record) and len(left.items) == len(right.items):
        items = [joined(one, other) for one, other in zip(left.items, right.items, strict=True)]
        return (
            None if None in items else replace(left, items=tuple(item for item in items if item is not None))
        )
    return None


def are_alike(one: Element, other: Element) -> bool:
    """Whether two elements have columns at the same places."""
    if isinstance(one, Record) and isinstance(other, Record):
        same = len(one.items) == len(other.items)
        return same and all(map(are_alike, one.items, other.items))
    return isinstance(one, Scalar) and isinstance(other, Scalar) and one.unread == other.unread


def column_type(shape: Shape) -> object:
    """The type of a column, which two shapes with other bounds share: ``int`` is not ``bigint``."""
    match shape:
        case Int(width=width):
            return Int, width
        case List(of) | Maybe(of):
            return type(shape), column_type(of)
        case Tuple(items):
            return Tuple, *map(column_type, items)
    return type(shape) if isinstance(shape, _WITHOUT_BOUNDS) else shape
