"""The places in which two texts differ, as they are found in the source of the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator

Words = tuple[tuple[str, str], ...]
_APART = re.compile(r"\s{2,}|\n")
_LONG = 20
"""The letters of a word that is no part of another one by chance, as the name of a package."""


def changed_words(old: str, new: str) -> Words:
    r"""The parts of a text that another one has otherwise.

    In a text of several lines, or whose lines are continued by backslashes, the words beside them say which
    ones are meant, unless they are long and stand nowhere else: a line may go on between any two words. A
    text of a single line may be written as several strings, so that its words stand alone.

    >>> changed_words("Usage:\n a.py <zk>\n", "Usage:\n a.py <brokers>\n")
    (('a.py <zk>', 'a.py <brokers>'),)

    Args:
        old: the text as it is.
        new: the same text with other words.
    """
    lines, others, alone = _APART.split(old), _APART.split(new), changed_alone(old, new)
    if len(lines) > 1 and len(lines) == len(others):
        if all(len(word) >= _LONG for word, _ in alone) and other_words(old, alone) == new:
            return alone
        pairs = zip(lines, others, strict=True)
        return tuple(dict.fromkeys(words for pair in pairs for words in _of_line(*pair)))
    return alone


def changed_alone(old: str, new: str) -> Words:
    """The parts of a line that another one has otherwise, without the words beside them."""
    parts, changed = old.split(), new.split()
    if len(parts) == len(changed):
        pairs = zip(parts, changed, strict=True)
        return tuple(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))
    middle = _middle(old, new, beside=0)
    # where words are only added or go, those beside them say where
    return (middle if all(middle) else _middle(old, new, beside=1),)


def other_words(text: str, words: Words) -> str:
    """A text with other words in the places of some."""
    for old, new in words:
        text = text.replace(old, new)
    return text


def _of_line(old: str, new: str) -> Iterator[tuple[str, str]]:
    """The parts of a line that differ, each with a word before it and one behind it."""
    if old == new:
        return
    words, others = old.split(" "), new.split(" ")
    if len(words) != len(others):
        yield _middle(old, new, beside=1)
        return
    differ = [place for place, word in enumerate(words) if word != others[place]]
    runs: list[list[int]] = []
    for place in differ:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    for run in runs:
        span = slice(max(run[0] - 1, 0), run[-1] + 2)
        yield " ".join(words[span]), " ".join(others[span])


def _middle(old: str, new: str, beside: int) -> tuple[str, str]:
    """The part between the words that two texts begin and end with, with some of these on both sides."""
    words, others = re.split(r"(\s+)", old), re.split(r"(\s+)", new)
    start = end = 0
    while words[start] == others[start]:
        start += 1
    while words[-1 - end] == others[-1 - end]:
        end += 1
    start, end = max(start - 2 * beside, 0), max(end - 2 * beside, 0)
    return "".join(words[start : len(words) - end]), "".join(others[start : len(others) - end])
