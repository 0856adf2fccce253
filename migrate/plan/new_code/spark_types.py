"""The names of Spark's types: ``struct<word string, count bigint>``."""

from __future__ import annotations

from migrate.columns import Element, Record, Scalar
from migrate.columns.shapes import Bool, Bytes, Date, Float, Int, List, Maybe, Shape, Timestamp


def inner_name(outer: Record, place: int) -> str:
    """The name of a tuple inside of another, as a field of its struct: in a pair its key or its value."""
    name = ("key", "value")[place] if len(outer.items) == 2 else f"part{place + 1}"
    taken = {item.name for item in outer.items if isinstance(item, Scalar)}
    return f"part{place + 1}" if name in taken else name


def type_of(element: Element) -> str:
    """Spark's name of a tuple's type."""
    if isinstance(element, Scalar):
        return type_name(element.shape)
    assert isinstance(element, Record)
    parts = [
        f"{item.name if isinstance(item, Scalar) else inner_name(element, place)} {type_of(item)}"
        for place, item in enumerate(element.items)
    ]
    return f"struct<{', '.join(parts)}>"


def type_name(shape: Shape) -> str:
    """Spark's name of a column's type."""
    match shape:
        case Maybe(of):
            return type_name(of)
        case List(of):
            return f"array<{type_name(of)}>"
        case Int():
            return "bigint"
        case Float():
            return "double"
        case Bool():
            return "boolean"
        case Bytes():
            return "binary"
        case Date():
            return "date"
        case Timestamp():
            return "timestamp_ntz"
    return "string"
