"""The ``global`` and ``nonlocal`` of functions that bind variables outside of them."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 72
"""The letters of a line, so that there is room for its indentation."""


def declaring(word: str, names: Iterable[str]) -> list[str]:
    """The statements that declare variables: several where one would be too long, as it cannot be broken.

    >>> declaring("global", ("sums", "counts"))
    ['global sums, counts']
    >>> declaring("nonlocal", ("sums_of_all_words_since_the_start", "counts_of_all_words_since_the_start"))
    ['nonlocal sums_of_all_words_since_the_start', 'nonlocal counts_of_all_words_since_the_start']
    """
    found: list[str] = []
    for name in names:
        if found and len(found[-1]) + len(name) + 2 <= _LONGEST:
            found[-1] += f", {name}"
        else:
            found.append(f"{word} {name}")
    return found
