"""Sets of characters: what a text may hold, or a regular expression may match."""

from __future__ import annotations

from collections.abc import Iterable

from migrate.frozen import dataclass

LAST = 0x10FFFF


@dataclass(frozen=True)
class Characters:
    """A set of characters.

    Attributes:
        ranges: the first and the last code point of each run, in ascending order, with a gap between any two.
    """

    ranges: tuple[tuple[int, int], ...]

    def __contains__(self, character: str) -> bool:
        return any(first <= ord(character) <= last for first, last in self.ranges)

    def __or__(self, other: Characters) -> Characters:
        return self if self == other else of_ranges((*self.ranges, *other.ranges))

    def __and__(self, other: Characters) -> Characters:
        return self if self == other or other == ANY else ~(~self | ~other)

    def __sub__(self, other: Characters) -> Characters:
        return self & ~other

    def __invert__(self) -> Characters:
        starts = [0, *(last + 1 for _, last in self.ranges)]
        ends = [*(first - 1 for first, _ in self.ranges), LAST]
        return Characters(tuple(pair for pair in zip(starts, ends, strict=True) if pair[0] <= pair[1]))

    @property
    def is_ascii(self) -> bool:
        """Whether all of them are ASCII."""
        return not self.ranges or self.ranges[-1][1] < 128


def of_ranges(ranges: Iterable[tuple[int, int]]) -> Characters:
    """The characters of some ranges, in any order."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return Characters(tuple(joined))


def of(text: str) -> Characters:
    """The characters of a text."""
    return of_ranges((ord(character), ord(character)) for character in text)


ANY = Characters(((0, LAST),))
NONE = Characters(())
ASCII = Characters(((0, 127),))
LOWERED_TO_ASCII = ASCII | of("\u212a")
"""What ``lower`` gives a text of ASCII for, in Python and Spark: the sign for kelvins is a k then."""
SPACE = of_ranges(
    [
        *((0x9, 0xD), (0x1C, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A)),
        *((0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
    ]
)
"""What Python takes for white space."""
TERMINATORS = of("\n\r\x85\u2028\u2029")
"""What ends a line for Java's ``.`` and ``$``; for Python's a ``\\n`` alone does."""
LINE = ANY - of("\n\r")
"""What lines hold: those that a socket's receiver makes of a text, and readers of files."""
