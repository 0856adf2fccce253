"""The types of what libraries outside of Python's own give."""

from __future__ import annotations

from migrate.knowledge.libraries import LEADING, RESULTS, Value
from migrate.typed.types import (
    ANY_TEXT,
    FOREIGN,
    JSON,
    REAL,
    TEXT,
    WHOLE,
    DictOf,
    Foreign,
    Iterating,
    ListOf,
    Type,
    one,
)

_SCORES = ("compound", "neg", "neu", "pos")
_TYPES: dict[Value, Type] = {
    Value.FLOAT: REAL,
    Value.INT: WHOLE,
    Value.TEXT: ANY_TEXT,  # it may be made of any other
    Value.TEXTS: one(ListOf(ANY_TEXT)),
    Value.EACH: one(Iterating(ANY_TEXT)),
    Value.JSON: JSON,
    Value.SCORES: one(DictOf(TEXT, REAL, tuple((name, REAL) for name in _SCORES))),
}


def of_call(name: str) -> Type:
    """The type of what a function, a method or a class gives, by its qualified name."""
    return _given(name, called=True)


def of_attribute(kind: Foreign, name: str) -> Type:
    """The type of an attribute of what a library gave."""
    return _given(f"{kind.made}.{name}", called=False)


def of_method(receiver: Type, name: str) -> Type:
    """The type of what a method of such values gives."""
    made = {kind.made for kind in receiver if isinstance(kind, Foreign)}
    return of_call(f"{made.pop()}.{name}") if len(made) == 1 else FOREIGN


def _given(name: str, *, called: bool) -> Type:
    row = RESULTS.get(name)
    if row is not None:
        return _TYPES[row.gives] if row.called == called else FOREIGN
    return one(Foreign(name)) if name in LEADING else FOREIGN
