"""The types of parts of values: items, slices, attributes, and what is unpacked into variables."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

from migrate.columns.messages import refusal
from migrate.typed.libraries import of_attribute
from migrate.typed.signatures import ATTRIBUTES, owner, result_of
from migrate.typed.types import (
    ANY_TEXT,
    FOREIGN,
    NEVER,
    NOTHING,
    TEXT,
    DictOf,
    Foreign,
    Instance,
    Items,
    Kind,
    ListOf,
    Match,
    Nothing,
    Opaque,
    Real,
    SetOf,
    Text,
    Truth,
    Type,
    Unset,
    Whole,
    items_of,
    join,
    joined,
    kinds_of,
    one,
)

_OF_ROWS = frozenset({"asDict", "count", "index"})


def item(value: Type, index: ast.expr, at: Type = NEVER) -> Type | None:
    """The type of ``value[index]`` or of a slice; None where it is not known.

    Args:
        value: the type of the value.
        index: the index, or the slice.
        at: the type of the index, if that is known.
    """
    if isinstance(index, ast.Slice):
        found = [_sliced(kind, index) for kind in kinds_of(value)]
    else:
        constant = index.value if isinstance(index, ast.Constant) else _negative(index)
        constant = place_of(at) if constant is None else constant
        found = [_at(kind, constant) for kind in kinds_of(value)]
    return None if None in found else joined(each for each in found if each is not None)


def place_of(found: Type) -> int | None:
    """The one int that a type is of; None for any other."""
    match [*found]:
        case [Whole(low, high)] if low == high:
            return int(low)
    return None


def attribute(value: Type, name: str) -> Type | None:
    """The type of a namedtuple's field or of a library object's attribute; None where it is not known."""
    found: list[Type] = []
    for kind in kinds_of(value):
        if isinstance(kind, Items) and kind.is_row and name in _OF_ROWS:
            return None  # a Row has it as a method, whatever its fields are
        if isinstance(kind, Items | Instance) and name in kind.names:
            found.append(kind.types[kind.names.index(name)])
        elif f"{owner(kind)}.{name}" in ATTRIBUTES:
            found.append(result_of(f"{owner(kind)}.{name}", [one(kind)]) or NEVER)
        elif isinstance(kind, Foreign):
            found.append(of_attribute(kind, name))
        elif not (isinstance(kind, Nothing | Unset) or lacks(kind, name)):
            return None
    return joined(found)


def lacks(kind: Kind, name: str) -> bool:
    """Whether values of a kind have no such method or attribute, so that reading it raises."""
    if isinstance(kind, Items):
        return not (kind.names or kind.is_row or hasattr(tuple, name))
    python = _PYTHON.get(type(kind))
    return python is not None and not hasattr(python, name)


_PYTHON: dict[type[Kind], type] = {
    Text: str,
    Whole: int,
    Real: float,
    Truth: bool,
    ListOf: list,
    DictOf: dict,
    SetOf: set,
}


def unpacked(target: ast.expr, value: Type) -> dict[str, Type]:
    """The types of the variables of an assignment's target.

    Raises:
        Refusal: it is an attribute or the like.
    """
    if isinstance(target, ast.Name):
        return {target.id: value}
    if not isinstance(target, ast.Tuple | ast.List):
        raise refusal(target, "assigning to this is not followed")
    bound: dict[str, Type] = {}
    for part, found in zip(target.elts, spread(target, value, len(target.elts)), strict=True):
        if isinstance(part, ast.Starred):
            raise refusal(part, "a * in an assignment is not followed")
        bound.update(unpacked(part, found))
    return bound


def spread(node: ast.expr, value: Type, count: int) -> list[Type]:
    """The types of the items of a value that has to have `count` of them, and raises else.

    Raises:
        Refusal: it is not known what it gives.
    """
    if any(isinstance(kind, Opaque) for kind in kinds_of(value)):
        raise refusal(node, "it is not known what it is unpacked from")
    items = [_items(kind, count) for kind in kinds_of(value)]
    return [joined(each) for each in zip(*items, strict=True)] if items else [NEVER] * count


def _items(kind: Kind, count: int) -> Sequence[Type]:
    types = kind.types if isinstance(kind, Items) else kind.known if isinstance(kind, ListOf) else ()
    if types or isinstance(kind, Items):
        return types if len(types) == count else [NEVER] * count
    if isinstance(kind, ListOf):
        return [kind.item(place) for place in range(count)]
    return [items_of(kind) or NEVER] * count


def _negative(node: ast.expr | None) -> int | None:
    match node:
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
            return -value
    return None


def _bound(node: ast.expr | None) -> int | Literal[False] | None:
    """A bound of a slice: False for one that is not a constant."""
    value = node.value if isinstance(node, ast.Constant) else _negative(node)
    if node is None:
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else False


def _sliced(kind: Kind, index: ast.Slice) -> Type | None:
    match kind:
        case Text():
            return one(kind)
        case Foreign():
            return FOREIGN
        case ListOf(of):
            return one(_first(kind, index) if kind.at and _bound(index.lower) in (None, 0) else ListOf(of))
        case Items(types):
            bounds = [_bound(bound) for bound in (index.lower, index.upper, index.step)]
            if any(bound is False for bound in bounds):
                return None
            lower, upper, step = (None if bound is False else bound for bound in bounds)
            return one(Items(types[lower:upper:step]))
        case Opaque("bytes"):
            return one(kind)
        case Opaque():
            return None
    return NEVER


def _first(kind: ListOf, index: ast.Slice) -> ListOf:
    """The first items of a list, as ``row[:11]`` has them."""
    upper, step = _bound(index.upper), _bound(index.step)
    if upper is False or (upper is not None and upper < 0) or step not in (None, 1):
        return ListOf(kind.of)
    at = tuple((place, of) for place, of in kind.at if upper is None or place < upper)
    return ListOf(kind.of, at=at, others=kind.others if at else NEVER)


def _at(kind: Kind, constant: object) -> Type | None:
    match kind:
        case Text():
            return one(kind)
        case Foreign():
            return FOREIGN
        case ListOf(of, known) if known and isinstance(constant, int) and not isinstance(constant, bool):
            return known[constant] if -len(known) <= constant < len(known) else NEVER
        case ListOf(of):
            is_place = isinstance(constant, int) and not isinstance(constant, bool) and constant >= 0
            return kind.item(constant) if is_place and isinstance(constant, int) else of
        case DictOf(_, values, known):
            return dict(known).get(constant, values) if isinstance(constant, str) else values
        case Items(types) if isinstance(constant, int) and not isinstance(constant, bool):
            return types[constant] if -len(types) <= constant < len(types) else NEVER
        case Items(is_row=False) if isinstance(constant, str):
            return NEVER  # it raises: a tuple has no keys, which only the dict among the values has
        case Items(types):
            return joined(types)
        case Opaque("bytes"):
            return one(Whole(0, 255))
        case Match(clean=False):
            return join(ANY_TEXT, NOTHING)
        case Opaque("match"):
            return join(TEXT, NOTHING)
        case Opaque():
            return None
    return NEVER
