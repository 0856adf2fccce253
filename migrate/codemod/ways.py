"""Comments that do not say any more how a stream did something, or what one was."""

from __future__ import annotations

import re
from collections.abc import Sequence

from migrate.codemod.old_words import CONTRAST, GAP, is_commented_code

_METHOD_OF_STREAMS = re.compile(
    rf",?{GAP}(?:using|via|by|with){GAP}(?:the{GAP})?`?(?:updateStateByKey|mapWithState|\w+AndWindow"
    rf"|(?:count|reduce)ByWindow|foreachRDD|pprint)`?(?:\(\))?(?:{GAP}(?:function|method|transformation))?(?=\.?$)",
)
"""``add it to the last count using updateStateByKey``: by what a stream did it."""
_OTHERWISE = re.compile(r"\b(?:without|avoid\w*|of|like|as)$", re.IGNORECASE)
"""What comes before it where something else does not."""
_SEQUENCE = re.compile(
    rf",?{GAP}(?:note{GAP}that{GAP})?(?:now{GAP})?this{GAP}is{GAP}(?:now{GAP})?an?{GAP}"
    rf"(?:sequence|series|stream){GAP}of{GAP}rdds?\b",
    re.IGNORECASE,
)
"""``note that now this is a sequence of RDDs``: what a DStream was."""
_PAIRED = re.compile(
    r"""(?:(?<=\#)\s*|,?\s*\band\s+|,?\s*\b(?:and\s+)?then\s+)
    (?:maps?\s+(?:(?:each|every|the)\s+)?\w+\s+(?:in)?to\s+(?:be\s+)?(?:an?\s+)?
    (?:(?:pair|tuple)s?\s+)?(?:of\s+)?
    |(?:mak|creat|form)(?:es?|s|ing)?\s+(?:an?\s+)?(?:key[-\s]?value\s+)?(?:pair|tuple)s?\s+(?:(?:like|of|as)\s+)?)\(\s*\w+\s*,\s*1\s*\)\.?""",
    re.IGNORECASE | re.VERBOSE,
)
"""``, then map each word to a pair of (word, 1)``, ``making pairs like (word, 1)``."""


def without_sequence(text: str) -> str:
    """A comment that does not say any more what a DStream was."""
    new = _SEQUENCE.sub("", text) if "rdd" in text.lower() else text
    return text if new == text or is_commented_code(text) else new


def without_method(text: str) -> str:
    """A comment that does not say any more by which method of a stream something is done.

    >>> without_method("# add it to the last count using updateStateByKey")
    '# add it to the last count'
    """
    found = _METHOD_OF_STREAMS.search(text)
    before = text[: found.start()] if found is not None else ""
    if found is None or _OTHERWISE.search(before) or CONTRAST.search(before) or is_commented_code(before):
        return text
    return before + text[found.end() :]


def without_pairs(lines: Sequence[str]) -> list[str]:
    """A comment that does not say any more that ones were put beside words, as a count needs none.

    >>> without_pairs(["# keep the hashtags, then map each hashtag to be a pair of (hashtag,1)"])
    ['# keep the hashtags']
    """
    left = [_PAIRED.sub("", line) if not is_commented_code(line) else line for line in lines]
    return [new for new, line in zip(left, lines, strict=True) if new.strip("# \t") or new == line]
