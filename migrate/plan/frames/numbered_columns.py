"""Columns that differ in a number alone, as a comprehension: those of ``[int(x) for x in parts]``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from migrate.columns import Element, Scalar, leaves, projection
from migrate.columns.code import column, quote
from migrate.columns.element import Written
from migrate.frozen import dataclass

_SEVERAL = 4
"""How many of them there are in a comprehension, at least."""


@dataclass(frozen=True)
class _Numbered:
    """A column made of an item of an array, with a number in its name: ``"field2"`` of ``parts[1]``."""

    before: str
    """The code before the item's place."""
    place: int
    after: str
    stem: str
    """The name without its number."""
    number: int

    def kind(self, position: int) -> object:
        """What columns next to each other share if both of their numbers go up with their position."""
        return self.before, self.place - position, self.after, self.stem, self.number - position


def arguments(element: Element, kept: Sequence[str] = ()) -> str:
    """The arguments of a ``select``, of which a run of numbered columns is one.

    Args:
        element: an element whose columns have names.
        kept: the names of columns before those of the element.
    """
    written = [*map(quote, kept), *projection(element)]
    numbered = [*(None for _ in kept), *map(_numbered, leaves(element))]
    kinds = [position if one is None else one.kind(position) for position, one in enumerate(numbered)]
    made: list[str] = []
    for _, group in groupby(range(len(written)), kinds.__getitem__):
        run = [*group]
        first = numbered[run[0]]
        if first is None or len(run) < _SEVERAL:
            made += [written[position] for position in run]
        elif len(run) == len(written):
            return _comprehension(first, len(run))
        else:
            made.append(f"*{_comprehension(first, len(run))}")
    return ", ".join(made)


def _numbered(leaf: Scalar) -> _Numbered | None:
    """The numbers of a column, if it has two and its code reads no name that a loop's variable may hide."""
    name = leaf.name or ""
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    if not digits or str(int(digits)) != digits or not stem.isidentifier():
        return None
    around = _around(leaf)
    return None if around is None else _Numbered(*around, stem, int(digits))


def _around(item: Scalar) -> tuple[str, int, str] | None:
    """The place of the item of an array that a column is made of, with the code before and after it."""
    match item.written:
        case Written("[]", (array,), place):
            return None if array.names else (f"{column(array)}[", place, "]")
        case Written("cast", (text,), type=type_) if (inner := _around(text)) is not None:
            before, place, after = inner
            return before, place, f'{after}.cast("{type_}")'
    return None


def _comprehension(first: _Numbered, length: int) -> str:
    """A run of columns that begins with one."""
    more = first.number - first.place
    shown = f"i {'+' if more > 0 else '-'} {abs(more)}" if more else "i"
    numbers = f"{first.place}, {first.place + length}" if first.place else f"{length}"
    named = f'alias(f"{first.stem}{{{shown}}}")'
    return f"[{first.before}i{first.after}.{named} for i in range({numbers})]"
