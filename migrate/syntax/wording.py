"""The places in which two texts differ, as they are found in the source of the first one."""

from __future__ import annotations

import re

Words = tuple[tuple[str, str], ...]
_APART = re.compile(r"\s{2,}|\n")


def changed_words(old: str, new: str) -> Words:
    r"""The parts of a text that another one has otherwise.

    A text of several lines, or whose lines are continued by backslashes, is taken apart where its lines end,
    so that each part is found in the source as it is. One of a single line may be written as several strings,
    and is taken apart into words.

    >>> changed_words("Usage:\n a.py <zk>\n", "Usage:\n a.py <brokers>\n")
    (('a.py <zk>', 'a.py <brokers>'),)

    Args:
        old: the text as it is.
        new: the same text with other words.
    """
    lines = _pairs(_APART.split(old), _APART.split(new)) if _APART.search(old) else None
    if lines is not None:
        return lines
    words = _pairs(old.split(), new.split())
    if words is not None:
        return words
    parts, others = re.split(r"(\s+)", old), re.split(r"(\s+)", new)
    while parts[0] == others[0]:
        del parts[0], others[0]
    while parts[-1] == others[-1]:
        del parts[-1], others[-1]
    return (("".join(parts), "".join(others)),)


def _pairs(parts: list[str], others: list[str]) -> Words | None:
    """The parts that differ; None where there are more in one of the texts."""
    if len(parts) != len(others):
        return None
    pairs = zip(parts, others, strict=True)
    return tuple(dict.fromkeys((one.strip(), other.strip()) for one, other in pairs if one != other))
