"""Headings and numbered lists in prose of which some lines go."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

_ITEM = re.compile(r"([# \t]*)(\d+)\. ")


def heads_nothing(lines: Sequence[str], heading: int, gone: Collection[int]) -> bool:
    """Whether a line is the heading of lines that go, and of no others: ``Hints:``.

    Args:
        lines: the lines of the prose.
        heading: the position of the line.
        gone: the positions of those that go.
    """
    depth = _depth(lines[heading])
    if not lines[heading].rstrip().endswith(":") or heading + 1 not in gone:
        return False
    rest = range(heading + 1, len(lines))
    below = takewhile(lambda n: not lines[n].strip() or _depth(lines[n]) > depth, rest)
    return all(n in gone or not lines[n].strip() for n in below)


def renumbered(lines: Sequence[str], told: Sequence[str]) -> list[str]:
    """Lines with other words, of which some are empty now, with the numbers that lists have then.

    Args:
        lines: the lines as they were.
        told: the same lines with other words.
    """
    found = [*told]
    for n, line in enumerate(lines):
        first = _ITEM.match(line)
        if first is None or told[n]:
            continue
        number = int(first[2])
        for other in range(n + 1, len(lines)):
            item = _ITEM.match(lines[other])
            if item is None and _depth(lines[other]) <= len(first[1]):
                break
            if item is not None and item[1] == first[1] and told[other]:
                found[other] = f"{item[1]}{number}{told[other][item.end(2) :]}"
                number += 1
    return found


def runs(numbers: Collection[int]) -> Iterator[range]:
    """The numbers that follow each other, together."""
    for n in sorted(numbers):
        if n - 1 not in numbers:
            stop = n + 1
            while stop in numbers:
                stop += 1
            yield range(n, stop)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip("# \t"))
