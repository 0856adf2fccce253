"""Elements of streams in Python, and the rows of columns that stand for them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from migrate.columns import Element, Record, Scalar, leaves, shape_of
from migrate.columns.shapes import Json, List, Maybe, Shape, Struct


def has_json(element: Element) -> bool:
    """Whether JSON of unknown type is a part of an element."""
    return any(isinstance(shape, Json) for shape in _inner_shapes(element))


def has_objects(element: Element) -> bool:
    """Whether a JSON object is a part of an element."""
    return any(isinstance(shape, Struct | Json) for shape in _inner_shapes(element))


def _inner_shapes(element: Element) -> Iterator[Shape]:
    for leaf in leaves(element):
        shape = leaf.shape
        while isinstance(shape, Maybe | List):
            shape = shape.of
        yield shape


def is_flat(element: Element) -> bool:
    """Whether an element is a tuple without tuples in it, as a row of its columns is."""
    return isinstance(element, Record) and all(isinstance(item, Scalar) for item in element.items)


def tuple_of(element: Element, columns: itertools.count[int], row: str = "row") -> str:
    """The code of an element in Python, from a variable that holds a row of its columns."""
    if isinstance(element, Scalar):
        return f"{row}[{next(columns)}]"
    items = [tuple_of(item, columns, row) for item in element.items]
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def value_shape(element: Element) -> Shape | None:
    """The shape of the values of pairs, if it is known."""
    return shape_of(element.items[1]) if isinstance(element, Record) and len(element.items) == 2 else None
