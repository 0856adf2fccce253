"""Types of which JSON holds the values: its parts, of types that nobody knows, and tuples of them."""

from __future__ import annotations

from migrate.typed import Type
from migrate.typed.types import JSON, Items, Json, Nothing, Real, Text, Truth, Whole

_PLAIN = Json | Nothing | Real | Text | Truth | Whole


def is_json(found: Type) -> bool:
    """Whether values of a type are parts of JSON, at least one of a type that nobody knows."""
    return not JSON.isdisjoint(found) and all(isinstance(kind, _PLAIN) for kind in found)


def is_tuple(found: Type) -> bool:
    """Whether values of a type are tuples of such parts of JSON, and of texts and whole numbers."""
    match [*found]:
        case [Items(types, (), False, False)]:
            parts = all(isinstance(kind, Json | Nothing | Text | Whole) for of in types for kind in of)
            return parts and any(map(is_json, types))
    return False
