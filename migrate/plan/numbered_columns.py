"""Columns that differ in a number alone, as a comprehension: those of ``[int(x) for x in parts]``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

_SEVERAL = 4
"""How many of them there are in a comprehension, at least."""
_NUMBERED = re.compile(r'(.*)\[(\d+)\](.*\.alias\("[^\W\d]+)(\d+)("\))')
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")


def arguments(columns: Sequence[str]) -> str:
    """The arguments of a ``select``, of which a run of numbered columns is one.

    Args:
        columns: code of each column.
    """
    if len(columns) < _SEVERAL:
        return ", ".join(columns)
    made: list[str] = []
    for _, run in itertools.groupby(enumerate(columns), _alike):
        texts = [text for _, text in run]
        if len(texts) < _SEVERAL or _NUMBERED.fullmatch(texts[0]) is None:
            made += texts
        elif len(texts) == len(columns):
            return _comprehension(texts)
        else:
            made.append(f"*{_comprehension(texts)}")
    return ", ".join(made)


def _alike(numbered: tuple[int, str]) -> object:
    """A key that columns next to each other share if both of their numbers go up with their place."""
    place, text = numbered
    found = _NUMBERED.fullmatch(text)
    if found is None or any(_names(text)):
        return place
    before, index, between, number, after = found.groups()
    return before, int(index) - place, between, int(number) - place, after


def _names(text: str) -> Iterator[str]:
    """The names in code that may be the variable of a comprehension."""
    return (name for name in _NAME.findall(_TEXT.sub("", text)) if name != "F")


def _comprehension(texts: Sequence[str]) -> str:
    found = _NUMBERED.fullmatch(texts[0])
    assert found is not None
    before, index, between, number, after = found.groups()
    column, stem = between.rsplit('"', 1)
    first, more = int(index), int(number) - int(index)
    shown = f"i {'+' if more > 0 else '-'} {abs(more)}" if more else "i"
    numbers = f"{first}, {first + len(texts)}" if first else f"{len(texts)}"
    return f'[{before}[i]{column}f"{stem}{{{shown}}}{after} for i in range({numbers})]'
