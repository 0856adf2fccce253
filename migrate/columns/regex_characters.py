"""Which characters a text can hold that a regular expression matches, and which ones ``re.sub`` takes out."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from migrate.columns.characters import ANY, NONE, SPACE, TERMINATORS, Characters, of, of_ranges

if sys.version_info >= (3, 11):
    from re import _constants as constants  # type: ignore[attr-defined]
else:
    import sre_constants as constants

Items = Iterable[tuple[Any, Any]]
BEYOND = ~of_ranges([(0, 127), *SPACE.ranges, *TERMINATORS.ranges])
"""What is beyond ASCII, but for white space and what ends a line."""
_SPACES = {constants.CATEGORY_SPACE: SPACE, constants.CATEGORY_NOT_SPACE: ~SPACE}
_DIGITS, _WORDS = of_ranges([(48, 57)]), of_ranges([(48, 57), (65, 90), (95, 95), (97, 122)])
_OF_ASCII = {
    constants.CATEGORY_SPACE: of(" \t\n\r\f\v"),
    constants.CATEGORY_NOT_SPACE: ~of(" \t\n\r\f\v"),
    constants.CATEGORY_DIGIT: _DIGITS,
    constants.CATEGORY_NOT_DIGIT: ~_DIGITS,
    constants.CATEGORY_WORD: _WORDS,
    constants.CATEGORY_NOT_WORD: ~_WORDS,
}
"""What classes of characters hold under the flag ``re.ASCII``."""


def matched(items: Items, flags: int) -> Characters:
    """The characters that a text can hold which the parts of a pattern match."""
    return _union(ANY if single is None else single for single in _singles(items, flags))


def alike_beyond_ascii(items: Items, flags: int) -> bool:
    """Whether each part of a pattern takes all characters of `BEYOND`, or none of them."""
    return all(single is not None and single & BEYOND in (NONE, BEYOND) for single in _singles(items, flags))


def _singles(items: Items, flags: int) -> Iterator[Characters | None]:
    """What each part of a pattern matches that stands for one character; None where that is not known."""
    for kind, value in items:
        match kind:
            case constants.MAX_REPEAT | constants.MIN_REPEAT:
                yield from _singles(value[2], flags)
            case constants.BRANCH:
                for branch in value[1]:
                    yield from _singles(branch, flags)
            case constants.SUBPATTERN if not value[2]:
                yield from _singles(value[3], flags | value[1])
            case constants.AT:
                pass
            case _:
                yield _of_one(kind, value, flags)


def removed(items: Items, flags: int) -> Characters:
    """The characters that are gone from each text where all that a pattern matches is: ``[^a-z]+``."""
    parts = list(items)
    if len(parts) != 1:
        return NONE
    ((kind, value),) = parts
    match kind:
        case constants.MAX_REPEAT if value[0] <= 1:
            return removed(value[2], flags)
        case constants.BRANCH:
            return _union(removed(branch, flags) for branch in value[1])
        case constants.SUBPATTERN if not value[1] and not value[2]:
            return removed(value[3], flags)
    return _of_one(kind, value, flags) or NONE


def _of_one(kind: Any, value: Any, flags: int) -> Characters | None:
    """The characters that a part of a pattern matches, one at a time; None where they are not known."""
    if flags & re.IGNORECASE:  # a k stands for the sign of Kelvin, too
        return None
    match kind:
        case constants.LITERAL:
            return of_ranges([(value, value)])
        case constants.NOT_LITERAL:
            return ~of_ranges([(value, value)])
        case constants.ANY:
            return ANY if flags & re.DOTALL else ~of("\n")
        case constants.IN:
            return _of_class(value, _OF_ASCII if flags & re.ASCII else _SPACES)
    return None


def _of_class(members: list[tuple[Any, Any]], classes: Mapping[Any, Characters]) -> Characters | None:
    ranges: list[tuple[int, int]] = []
    for kind, value in members:
        match kind:
            case constants.LITERAL:
                ranges.append((value, value))
            case constants.RANGE:
                ranges.append(value)
            case constants.CATEGORY if value in classes:
                ranges += classes[value].ranges
            case constants.CATEGORY:
                return None
    found = of_ranges(ranges)
    return ~found if members[0][0] is constants.NEGATE else found


def _union(found: Iterable[Characters]) -> Characters:
    return of_ranges(pair for characters in found for pair in characters.ranges)
