"""What comments say of the old API itself: how old it is, what it is made of, which threads it takes."""

from __future__ import annotations

import re

from migrate.codemod.comments.old_words import STREAM, STREAMING_CONTEXT

_OLD = (
    r"(?:\b(?:old(?:er)?|legacy|deprecated|obsolete|outdated|classic"
    r"|alte[nrs]?|ältere[nrs]?|veraltete?[nrs]?"
    r"|antigu[ao]s?|viej[ao]s?|antig[ao]s?|velh[ao]s?|obsolet[aoe]s?"
    r"|anciennes?|vieux|vieilles?|obsolètes?|vecchi[ao]?|vecchie|deprecat[aoie])\b"
    r"|[旧老]|过时|弃用|废弃|古い|非推奨|오래된|이전|예전)"
)
"""In English, German, Spanish, Portuguese, French, Italian, Chinese, Japanese and Korean."""
_BASED = (
    r"(?:\b(?:based|basiert|basierend|basad[ao]s?|basead[ao]s?|bas[ée]{1,2}s?|basat[aoie])\b"
    r"|-based\b|基于|基於|ベース|기반)"
)
_API = re.compile(r"(?<![a-z])apis?(?![a-z])|\b(?:schnittstelle|interface)\b", re.IGNORECASE)
_NAMES = re.compile(rf"(?<![a-z])(?:{STREAM}s?|rdds?)(?![a-z])", re.IGNORECASE)
_AGE = re.compile(_OLD, re.IGNORECASE)
_BASIS = re.compile(_BASED, re.IGNORECASE)
_ASIDE = re.compile(r"\s*[(（]([^()（）]*)[)）]|\s+[-–—]{1,2}\s+([^()]*?)(?=[.:]?\s*$)")  # noqa: RUF001
"""What stands in brackets, or behind a dash: ``Kafka stream (old API, based on RDDs)``."""
_SPARK = re.compile(r"stream|spark|kafka|context|rdd", re.IGNORECASE)
_DEPRECATED = re.compile(
    r"[#\s*-]*(?:(?:note|warning|attention|hinweis|nota)\b[:,\s]+)?(?:that\s)?(?:the\s|der\s|el\s|o\s|le\s|la\s)?(?:\w+\s)?"
    rf"(?:{STREAM}s?|{STREAMING_CONTEXT}s?|KafkaUtils|spark\s?streaming|pyspark\.streaming)\b[^.]*"
    r"(?:\b(?:is|are|was|were|been|being|now|ist|sind|wurde|es|est[áã]o?|são|foi|est|sont|è|sono)\s(?:\w+\s){0,2}"
    r"(?:deprecat\w*|legacy|obsolete|outdated|veraltet\w*"
    r"|(?:no longer|not)\s(?:supported|maintained|developed|recommended)"
    r"|obsolet[aoe]s?|obsolètes?|dépréciée?s?)\b|过时|弃用|废弃|非推奨).*",
    re.IGNORECASE,
)
"""``DStream is deprecated as of Spark 3.4``."""
_STRUCTURED = re.compile(
    r"(?=.*\bstructured[ -]?streaming\b)"
    r".*\b(?:migrat\w+|instead|should|recommend\w*|consider|prefer\w*|newer|switch|upgrade|replaced by)\b.*",
    re.IGNORECASE,
)
"""``Migrate to Structured Streaming.``, ``newer programs should use Structured Streaming``."""
_PURPOSE = re.compile(
    rf"[#\s*-]*(?:(?:the|an?)\s)?{STREAMING_CONTEXT}\s(?:(?:is|was|will be)\s)?(?:the\s)?(?:main\s)?"
    r"(?:entry\s?-?point|used|needed|required|responsible)\b.*",
    re.IGNORECASE,
)
"""``streaming context used to create DStreams``."""
_SEVERAL = r"(?:2|two|more than (?:1|one)|multiple|several)\s(?:\w+\s)?(?:threads?|cores?)"
_THREADS = re.compile(
    r"(?=.*(?:stream|receiver|local\W*\[))"
    rf".*(?:\b{_SEVERAL}\s(?:are\s|is\s)?(?:required|needed|necessary)\b"
    rf"|\b(?:needs?|requires?|must have)\s(?:at least\s)?{_SEVERAL}\b).*",
    re.IGNORECASE,
)
"""``local[1] would not work with streaming, as 2 threads are required``: a receiver took one."""


def without_age(text: str) -> str:
    """A comment that does not say beside something else that the API is old, or based on RDDs.

    >>> without_age("# Kafka stream (old API, based on RDDs)")
    '# Kafka stream'
    """
    new = _ASIDE.sub(lambda found: "" if _is_of_api(found[1] or found[2] or "") else found[0], text)
    return new if new != text and _SPARK.search(new) else text


def is_of_old_api(text: str) -> bool:
    """Whether a sentence says no more than that the old API is old, for what its context is, or its threads.

    >>> is_of_old_api("# DStream is deprecated as of Spark 3.4. Migrate to Structured Streaming.")
    True
    """
    return any(one.fullmatch(text) for one in (_DEPRECATED, _STRUCTURED, _PURPOSE, _THREADS))


def _is_of_api(aside: str) -> bool:
    """Whether an aside says that an API is old, what it is called, or what it is based on."""
    names, old = _NAMES.search(aside) is not None, _AGE.search(aside) is not None
    if _API.search(aside):
        return old or names
    return names and (old or _BASIS.search(aside) is not None)
