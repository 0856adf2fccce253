"""The result of a function that stays Python: what is known of it, or was learnt."""

from __future__ import annotations

import re

from migrate.columns.element import Element, Record, Scalar
from migrate.columns.names import is_telling
from migrate.columns.shapes import Bool, Float, Int, List, Maybe, Shape, Str
from migrate.facts.learnt import Learnt
from migrate.frozen import dataclass


@dataclass(frozen=True)
class Result:
    """What a function returns.

    Attributes:
        element: the columns that it becomes; their code means nothing.
        fits: whether a column holds every value: no int is beyond 64 bits, no text has lone surrogates.
        exact: whether it is a bool or None for a condition, a list for a flatMap, as it is.
        checked: the class that an annotation names, or the type that was learnt, as code, where nothing
            proves it; it is to be checked.
        learnt: whether it was learnt.
        fact: the name of the fact then.
        reads_clock: whether another call may give something else, so that Spark must not move or repeat it.
        prints: whether it prints, on the executor that calls it.
        stays: whether Spark must not move it, as it prints for the rows that earlier conditions leave.
        schema: code of the type by which Spark is to convert it as it does elements of an RDD, not over
            Arrow; empty otherwise.
        several: whether that is the type of a list of rows.
    """

    element: Element
    fits: bool
    exact: bool = True
    checked: str = ""
    learnt: bool = False
    fact: str = ""
    reads_clock: bool = False
    prints: bool = False
    stays: bool = False
    schema: str = ""
    several: bool = False


_PLAIN: dict[str, tuple[str, Shape]] = {
    "str": ("str", Str()),
    "bool": ("bool", Bool()),
    "int53": ("int", Int()),
    "int64": ("int", Int()),
    "float": ("float", Float()),
}
_TUPLE = re.compile(r"tuple (\d+)")
_FIELDS = re.compile(r"\w+\((\w+(?:, \w+)*)\)")


def as_learnt(learnt: Learnt | None) -> Result | None:
    """The result that was learnt; None if it is of several types, or of one that no column holds."""
    made = _of(learnt) if learnt is not None else None
    if made is None or learnt is None:
        return None
    return Result(made[0], True, checked=made[1], learnt=True, fact=learnt.fact)


def _of(learnt: Learnt) -> tuple[Element, str] | None:
    """The columns, and the type as the code that checks it takes it."""
    kind = learnt.kind
    if kind is None:
        return None
    if match := _TUPLE.fullmatch(kind):
        return _tuple(learnt, (None,) * int(match[1]), ())
    if match := _FIELDS.fullmatch(kind):
        names = tuple(match[1].split(", "))
        return _tuple(learnt, names, names)
    made = _column(learnt)
    return None if made is None else (Scalar("F.lit(None)", made[0]), made[1])


def _tuple(
    learnt: Learnt, names: tuple[str | None, ...], fields: tuple[str, ...]
) -> tuple[Element, str] | None:
    if learnt.may_be_none or not names:
        return None
    items, codes = [], []
    for place, name in enumerate(names):
        made = _of(learnt.place(place))
        if made is None:
            return None
        item, code = made
        named = isinstance(item, Scalar) and is_telling(name)
        items.append(Scalar(item.code, item.shape, name) if named and isinstance(item, Scalar) else item)
        codes.append(code)
    return Record(tuple(items), fields=fields), f"({', '.join(codes)}{',' if len(codes) == 1 else ''})"


def _column(learnt: Learnt) -> tuple[Shape, str] | None:
    """The shape of one column, and the type as code."""
    found: tuple[str, Shape] | None = _PLAIN.get(learnt.kind or "")
    if learnt.kind == "list":
        item = _PLAIN.get(learnt.items.kind or "")
        found = None if item is None or learnt.items.may_be_none else (f"[{item[0]}]", List(item[1]))
    if found is None:
        return None
    code, shape = found
    if not learnt.may_be_none:
        return shape, code
    return None if isinstance(shape, List) else (Maybe(shape), f"{{{code}, None}}")
