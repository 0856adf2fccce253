"""Text against text, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from migrate.verify.result import Difference
from migrate.verify.rows import first_difference

_SHOWN = 6
_OF_STREAMS = re.compile(r"<(pyspark|compat)\.streaming\.[\w.]+ object at 0x\w*>")
"""A stream that is printed itself, which says nothing but where it lies in memory; new code has none."""

PRINTED = "printed line"
"""How differences of printed text begin."""


def compare_text(old: str, new: str) -> Iterator[Difference]:
    """The first line that differs, if one does."""
    left, right = old.split("\n"), new.split("\n")
    if not any(map(_OF_STREAMS.search, right)):
        left = [line for line in left if not _OF_STREAMS.search(line)]
    place = first_difference(left, right)
    if place is not None:
        yield Difference(f"{PRINTED} {place + 1}", excerpt(left, place), excerpt(right, place))


def excerpt(lines: Sequence[str], start: int) -> str:
    """Some lines from there on, for a report."""
    shown = list(lines[start : start + _SHOWN])
    if shown and start + len(shown) == len(lines) and not shown[-1]:
        shown.pop()  # what follows the last line end is no line
    more = ["..."] if len(lines) > start + _SHOWN else []
    return "\n".join(shown + more) if shown else "(nothing more)"
