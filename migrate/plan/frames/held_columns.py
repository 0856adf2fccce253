"""Elements whose columns are held by variables: their code, and where functions read parts of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from migrate.columns import Element, Scalar
from migrate.proofs.analysis.facts import Facts

Way = tuple[int, ...]
"""The way to a part of an element: ``(1, 0)`` for ``pair[1][0]``."""


def element_code(element: Element, names: Iterator[str]) -> str:
    """The code of an element, from the variables of its columns."""
    if isinstance(element, Scalar):
        return next(names)
    items = [element_code(item, names) for item in element.items]
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def places_of(element: Element, names: Iterator[str], way: Way) -> Iterator[tuple[Way, str]]:
    """The columns of an element that is a part of another one, each with the way there and its variable."""
    if isinstance(element, Scalar):
        yield way, next(names)
        return
    for place, item in enumerate(element.items):
        yield from places_of(item, names, (*way, place))


def place_read(read: ast.Name, facts: Facts, places: Mapping[Way, str]) -> tuple[ast.AST, str] | None:
    """The part that a read of an element takes of it, with the code of that; None if it takes more."""
    node: ast.AST = read
    way: Way = ()
    while way not in places:
        match above := facts.above.get(node):
            case ast.Subscript(slice=ast.Constant(int(place)), ctx=ast.Load()) if above.value is node:
                node, way = above, (*way, int(place))
            case _:
                return None
    return node, places[way]
