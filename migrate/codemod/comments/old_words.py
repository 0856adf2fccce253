"""Patterns of the words that comments have for the old API."""

from __future__ import annotations

import re
from functools import lru_cache
from keyword import iskeyword

GAP = r"(?:[ \t]|\n[ \t]*\#)+"
"""White space in a comment of several lines."""
CODE = re.compile(
    r"\w\([^)\s]|\w\s?=(?!>)\s?\S|\w\.\w+\(|^\s*#?\s*(?:from\s+[\w.]+\s+import\b|import\s+[\w.]+$)"
)
CONTEXT = (
    rf"(?:(?:spark(?:{GAP})?)?(?:streaming{GAP})?(?:spark|str?eaming|stream)-?(?:{GAP})?contexts?"
    rf"|context[eo]{GAP}(?:d[eou]l?{GAP})?(?:spark{GAP})?(?:spark|streaming))"
)
"""In English, and where Romance languages have the words the other way round."""
STREAMING_CONTEXT = (
    rf"(?:(?:spark(?:{GAP})?)?(?:str?eaming|stream)-?(?:{GAP})?|streaming{GAP}spark{GAP})contexts?"
)
STREAM = rf"(?:d-?|discretized{GAP})stream"
ASCII = re.IGNORECASE | re.ASCII  # a word beside letters of other scripts is one by itself
_END = r"(?:\b|(?=with\b))"  # `StreamingContextwith batch interval of 1 second`
CONTEXTS = re.compile(rf"\b{CONTEXT}{_END}", ASCII)
STREAMING_CONTEXTS = re.compile(rf"\b{STREAMING_CONTEXT}{_END}", ASCII)
SPARK_CONTEXTS = re.compile(rf"\bspark(?:{GAP})?contexts?\b", ASCII)
STREAMS = re.compile(rf"\b{STREAM}(s?)\b", ASCII)
GLOSS = rf"(?:\[\w+\]|(?:{GAP})?\(resilient{GAP}distributed{GAP}datasets?\))?"
"""What stands behind the word: ``RDD[String]``."""
RDDS = re.compile(rf"\b(an?\s)?rdd(s?)\b{GLOSS}", ASCII)
FRAME = rf"(?:df|data(?:{GAP})?frames?)"
ZOOKEEPER = re.compile(r"\bzoo\W?keeper(?:'?s\b)?", re.IGNORECASE)
CONTRAST = re.compile(r"\b(?:but|not|no|unlike|instead|rather|than|vs|versus|while|whereas|only)\b", ASCII)


_MADE_BY = re.compile(r"(?<=stream)\s?\(\w+stream\)|(?<=rdd)\(resilient distributed datasets?\)", ASCII)
"""``DStream(textFileStream)``, ``RDD(resilient distributed dataset)``: prose."""
_DONE_BY = re.compile(r"^(\#\W*(?:\w+[ ,]+){3,}\w+)[ \t]*:[ \t]*\.?pprint\([\w= ]*\)[ \t]*$", re.MULTILINE)
"""``Print the first elements of the DStream: pprint(num=10)``."""

_SENTENCE = re.compile(r"#+\s*([A-Za-z][a-z]* [a-z]+(?: [a-z]+)?)(?= [a-z])")
"""Words that no code of Python begins with."""
_CALL = re.compile(r"\w+\([\w.]*\)")
_OLD_CALL = re.compile(r"stream|context|rdd|ssc|print|key|kafka", re.IGNORECASE)


OF_STOP = re.compile(
    r"(?<!\()(?<!,)(?<!, )\bstop(?:SparkContext|GraceFully)\b(?: ?= ?(?:True|False))?", re.IGNORECASE
)
"""``you need stopSparkContext=False, otherwise your driver will die``: a query has no such arguments."""


@lru_cache(maxsize=256)  # several readers ask for each comment, and many files begin with the same ones
def is_commented_code(text: str) -> bool:
    """Whether a comment holds code: a call in a sentence, ``We use coalesce(1) to have one``, is none."""
    if CODE.search(_plain(text)) is None:
        return False
    return any(map(_is_code, text.split("\n")))


def _is_code(line: str) -> bool:
    plain = _plain(line)
    if CODE.search(plain) is None:
        return False
    words = _SENTENCE.match(plain)
    if words is None or any(map(iskeyword, words[1].lower().split())):
        return True
    return (
        CODE.search(_CALL.sub(lambda found: found[0] if _OLD_CALL.search(found[0]) else "", plain))
        is not None
    )


def _plain(text: str) -> str:
    """A comment without what a sentence has of code."""
    return OF_STOP.sub("", without_maker(text))


def without_maker(text: str) -> str:
    """A comment without what glosses a word, ``DStream(textFileStream)``, or all of it: ``: pprint(10)``."""
    return _MADE_BY.sub("", _DONE_BY.sub(r"\1", text) if "pprint" in text else text)
