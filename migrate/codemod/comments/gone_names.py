"""Comments that speak of functions, classes and parameters that a program does not have any more."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from migrate.codemod.comments.old_words import GAP, is_commented_code
from migrate.codemod.comments.ways import sentences

_WORD = re.compile(r"\w+")
_ITEM = re.compile(r"\b([A-Za-z_]\w*)\[\d+\]")
_SIZE = r"(?:window|batch|sliding|slide)(?:\s?(?:size|length|duration|interval|time))?"
_FUNCTION = r"(?:the\s)?(?:reduce|reducing|summary|sum|inverse|inv|reverse)\s?(?:reduce\s)?func(?:tion)?"
_ARGUMENT = rf"(?:{_SIZE}|{_FUNCTION})"
_ARGUMENTS = re.compile(
    rf"[#\s(\[]*{_ARGUMENT}(?:\s*(?:,|/|&|\band\b)+\s*{_ARGUMENT})*[\s)\].:]*", re.IGNORECASE
)
"""``# (window size, sliding interval)``, ``# reverse function``."""


def is_of_arguments(text: str) -> bool:
    """Whether a comment says no more than what the arguments of a window are, which it has not any more."""
    return _ARGUMENTS.fullmatch(text) is not None


def without_gone(block: Sequence[str], names: Collection[str], given: Collection[str]) -> list[str]:
    """The lines of a comment without what speaks of code that is gone; those that go are empty.

    >>> without_gone(["# add them up with updateCount"], {"updateCount"}, ())
    ['# add them up']

    Args:
        block: the lines, each with its ``#``.
        names: functions and classes that the program does not have any more.
        given: the same of parameters of its lambdas, of which a comment shows an item: ``x[1][0]``.
    """
    if not _speaks("\n".join(block), names, given):
        return [*block]
    told: list[str] = []
    for sentence in sentences(block):
        lines = [_without_tail(line, names) for line in sentence]
        text = "\n".join(lines)
        goes = not is_commented_code(text) and _speaks(text, names, given)
        told += [""] * len(lines) if goes else lines
    return told


def _speaks(text: str, names: Collection[str], given: Collection[str]) -> bool:
    """Whether a text has one of some names, where it is no common word."""
    if any(item in given for item in _ITEM.findall(text)):
        return True
    return any(
        found[0] in names and is_name(found[0], starts=not text[: found.start()].strip("# \t\n"))
        for found in _WORD.finditer(text)
    )


def is_name(word: str, *, starts: bool) -> bool:
    """Whether a word is a name in prose: ``updateCount``, ``split_words``, ``Tweet`` within a sentence."""
    inner = word[1:]
    if "_" in inner or (word.isupper() and inner):
        return "_" in inner  # ``RDD`` is a word
    return any(c.isdigit() or c.isupper() for c in inner) or (word[0].isupper() and not starts)


def _without_tail(line: str, names: Collection[str]) -> str:
    """A line that does not say any more with which function something is done."""
    found = re.search(
        rf",?{GAP}(?:using|via|by|with|through){GAP}(?:the{GAP})?`?(\w+)(?:\(\))?`?(?:{GAP}(?:function|method))?(?=[.:]?$)",
        line,
    )
    if found is None or found[1] not in names or not is_name(found[1], starts=False):
        return line
    return line[: found.start()] + line[found.end() :]
