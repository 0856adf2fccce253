"""Patterns of the words that comments have for the old API."""

from __future__ import annotations

import re
from functools import lru_cache

GAP = r"(?:[ \t]|\n[ \t]*\#)+"
"""White space in a comment of several lines."""
CODE = re.compile(
    r"\w\([^)\s]|\w\s?=(?!>)\s?\S|\w\.\w+\(|^\s*#?\s*(?:from\s+[\w.]+\s+import\b|import\s+[\w.]+$)"
)
CONTEXT = (
    rf"(?:(?:spark(?:{GAP})?)?(?:spark|str?eaming|stream)-?(?:{GAP})?contexts?"
    rf"|contexto{GAP}(?:de{GAP})?(?:spark{GAP})?(?:spark|streaming))"
)
"""In English, and where Romance languages have the words the other way round."""
STREAMING_CONTEXT = rf"(?:spark(?:{GAP})?)?(?:str?eaming|stream)-?(?:{GAP})?contexts?"
STREAM = rf"(?:d-?|discretized{GAP})stream"
ASCII = re.IGNORECASE | re.ASCII  # a word beside letters of other scripts is one by itself
CONTEXTS = re.compile(rf"\b{CONTEXT}\b", ASCII)
STREAMING_CONTEXTS = re.compile(rf"\b{STREAMING_CONTEXT}\b", ASCII)
SPARK_CONTEXTS = re.compile(rf"\bspark(?:{GAP})?contexts?\b", ASCII)
STREAMS = re.compile(rf"\b{STREAM}(s?)\b", ASCII)
GLOSS = rf"(?:\[\w+\]|(?:{GAP})?\(resilient{GAP}distributed{GAP}datasets?\))?"
"""What stands behind the word: ``RDD[String]``."""
RDDS = re.compile(rf"\b(an?\s)?rdd(s?)\b{GLOSS}", ASCII)
FRAME = rf"(?:df|data(?:{GAP})?frames?)"
ZOOKEEPER = re.compile(r"\bzoo\W?keeper(?:'?s\b)?", re.IGNORECASE)
CONTRAST = re.compile(r"\b(?:but|not|no|unlike|instead|rather|than|vs|versus|while|whereas|only)\b", ASCII)


_MADE_BY = re.compile(r"(?<=stream)\s?\(\w+stream\)", ASCII)
"""``DStream(textFileStream)``: prose."""
_OLD_API = re.compile(
    r"[ \t]*\([^()]*\b(?:old|legacy|former|alte|antigua|antiga|ancienne|vecchia)[ \t]+APIs?\b[^()]*\)",
    re.IGNORECASE,
)
"""``Kafka stream (old API, based on RDDs)``, which is not old any more."""


@lru_cache(maxsize=256)  # several readers ask for each comment, and many files begin with the same ones
def is_commented_code(text: str) -> bool:
    """Whether a comment holds code."""
    return CODE.search(without_maker(text)) is not None


def without_maker(text: str) -> str:
    """A comment that does not say any more how a stream was made: ``DStream(textFileStream) (old API)``."""
    return _OLD_API.sub("", _MADE_BY.sub("", text))
