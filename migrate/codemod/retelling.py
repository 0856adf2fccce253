"""What the comments of a statement say when another one stands in its place, in Spark's words for that one.

``# Create a local StreamingContext with two threads and batch interval of 1 second`` says ``# Create a local
SparkSession with two threads`` above the SparkSession. A comment that is code stays as it is. So does prose
of more than two lines, or where a sentence with another word may be false or none: what a reader knows to be
about the old API is better than words that nobody wrote. The report names it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from migrate.codemod.old_words import (
    ASCII,
    CONTEXTS,
    CONTRAST,
    FRAME,
    GAP,
    RDDS,
    SPARK_CONTEXTS,
    STREAM,
    STREAMING_CONTEXTS,
    STREAMS,
    ZOOKEEPER,
    is_commented_code,
)
from migrate.plan.code import Makes

_METHOD = re.compile(r"\brdds?\.\w|\b(?:parallelize|textFile)\b|\bsc\.", re.IGNORECASE)
"""Code that RDDs are made by, or a method of theirs."""
_EACH = re.compile(
    rf"\b(each|every|the|all|all{GAP}the)({GAP})rdds?(?:{GAP}(?:that{GAP}(?:is|are){GAP})?"
    rf"(?:generated|created|produced|contained))?{GAP}(?:in|by|of|from){GAP}(?:(?:this|the|each|every|our){GAP})?"
    rf"(?:\w+{GAP})?(?:{STREAM}|stream|interval)s?\b",
    re.IGNORECASE,
)
_EACH_ROMANCE = re.compile(
    rf"\b(cada|todo)({GAP})rdd(?:{GAP}(?:gerado|generado|criado|creado))?{GAP}(?:n[oe]sse|neste|no|do|deste|en|de|del)"
    rf"(?:{GAP}(?:este|ese|el))?{GAP}{STREAM}\b",
    re.IGNORECASE,
)
_ITERATION = re.compile(rf"\b{STREAM}s?{GAP}(?:iteration|interval)\b", re.IGNORECASE)
_INTERVAL = re.compile(
    rf"(?:,?{GAP}(?:and|with)\b(?:{GAP}(?:an?|the))?)?{GAP}(?:(?:mini|micro)-?)?batch(?:es)?{GAP}"
    rf"(?:interval|duration|size|window|time)s?{GAP}(?:of|is|=|:){GAP}[\w.]+(?:{GAP}"
    r"(?:s|secs?|seconds?|ms|milliseconds?|min|minutes?))?\b"
    rf"|,?{GAP}(?:and|with|at|of){GAP}(?:an?{GAP})?(?:latency|interval|duration|window|period)"
    rf"(?:{GAP}(?:size|length|time))?(?:{GAP}of)?{GAP}[\d.]+{GAP}?(?:s|secs?|seconds?|ms|minutes?)\b",
    re.IGNORECASE,
)
_BRACKETS = re.compile(rf"{GAP}\(([^()]*)\)")
_ONLY_INTERVAL = re.compile(
    r"#\s*(?:(?:(?:mini|micro)-?\s?)?batch\s(?:interval|duration|size|time)\s?(?:of\s|is\s|[=:]\s?)?)?"
    r"(?:(?:(?:update|refresh|run|execute|trigger|process)(?:s|es)?\s)?(?:once\s)?every\s)?"
    r"\d[\d.]*[ -]?(?:s|secs?|seconds?|ms|milliseconds?|mins?|minutes?)"
    r"(?:\s(?:(?:mini|micro)-?\s?)?(?:batch(?:es)?|windows?|intervals?|durations?)){0,2}\s*\.?",
    re.IGNORECASE,
)
"""``# 5 second window``, ``# update every 3 seconds``: what the trigger says now."""
_TWICE = re.compile(
    rf"\bSparkSession{GAP}(?:and|with|&){GAP}(?:an?{GAP}|the{GAP})?"
    rf"(?:SparkSession|(?i:(?:spark{GAP})?sql(?:{GAP})?contexts?))\b"
)
"""A session is also what a SQLContext was beside a SparkContext."""
_SETTINGS = re.compile(
    rf"{GAP}(?:with|from|using|by|on){GAP}(?:the{GAP})?above{GAP}(?:conf(?:ig(?:uration)?)?|settings)\b"
    rf"|{GAP}con{GAP}la{GAP}(?:configuraci[oó]n{GAP}anterior|anterior{GAP}configuraci[oó]n)\b",
    re.IGNORECASE,
)
"""The settings of a SparkConf stand in the statement that makes the session."""
_SPARK_CONF = re.compile(
    r"#\s*(?:creat(?:e|ing)|mak(?:e|ing)|build(?:ing)?|defin(?:e|ing)|set(?:ting)?(?:[ ]?up)?)\s"
    r"(?:an?\s|the\s|our\s)?(?:new\s)?"
    r"(?:spark\s?conf(?:ig(?:uration)?)?|configuration)(?:\sobject)?\s*\.?"
    r"|#\s*(?:crea|crear|hacer|definir|define)\s(?:una\s|la\s)?configuraci[oó]n\s(?:de\s)?spark\s*\.?",
    re.IGNORECASE,
)
"""``# create spark configuration``: what became calls of the session's builder."""
_ONE_SESSION = re.compile(
    rf"\b(?:singleton{GAP}(?:instance{GAP})?(?:of{GAP})?(?:(?:an?|the){GAP})?(?:spark|sql)(?:{GAP})?"
    rf"(?:session|context)|(?:spark{GAP})?(?:sql{GAP})?singleton{GAP}context)\b(?:{GAP}instance\b)?"
    rf"(?:{GAP}from{GAP}the{GAP}current{GAP}context\b)?",
    re.IGNORECASE,
)
"""``singleton instance of SQLContext``, which a function of the program made once."""
_THE_CONTEXT = re.compile(rf"\b((?:using|with|from|by|on){GAP}(?:this|that|the|our){GAP})context\b", ASCII)
"""``Using this context, we can create a DStream``."""
_VARIABLE = re.compile(r"\bssc\b", re.ASCII)
_CLASSES = re.compile(r"\b([Aa]n?\s)?[A-Z]\w*DStreams?\b", re.ASCII)
"""Classes of Spark's: ``a QueueInputDStream``."""
_MADE_CLASS = re.compile(rf"\b(into{GAP}an?{GAP})[A-Z]\w*DStream\b", re.ASCII)
"""``Read the Kafka Direct Stream into a TransformedDStream``."""
_OF_FRAME = re.compile(
    rf"\b({FRAME})({GAP}(?:from|out{GAP}of|of|desde|de){GAP}(?:(?:the|an?|el|un){GAP})?)(?:row{GAP})?rdds?\b",
    ASCII,
)
"""``a DF from the Row RDD``, where a DataFrame is made of the batch itself."""
_TO_FRAME = re.compile(rf"\b(?:row{GAP})?rdds?({GAP}(?:in)?to{GAP}(?:an?{GAP})?{FRAME})\b", ASCII)
_FRAMES = re.compile(r"\bdata\s?-?frames?\b|\bdf\b", re.IGNORECASE)
_CONVERSION = re.compile(
    rf"\b(?:convert|turn|transform)s?\b[^.]*?\brdds?\b[^.]*?\b(?:to|into){GAP}(?:an?{GAP}|the{GAP})?"
    rf"(?:spark{GAP})?data\s?-?frames?{GAP}(?:and|then|and{GAP}then){GAP}(\w)",
    re.IGNORECASE,
)
"""``Convert RDDs to DataFrame and run`` a query: how one becomes the other, before what is done with it."""
_KAFKA = re.compile(r"kafka", re.IGNORECASE)
_PROSE = 2
"""The lines of a comment that gets other words."""
_CHECKED = re.compile(
    r"\b(?:no|not|never|cannot|\w+n't|but|unlike|instead|rather|than|vs|versus|whereas|deprecated)\b"
    r"|\b(?:this|that|these|those|it|which|they)[ \t]+(?:is|are|was|were)\b"
    r"|\b(?:is|are)[ \t]+(?:also[ \t]+)?an?\b"
    r"|\b(?:means?|called|known as|consists? of|transforms?|transformations?|discreti[sz]ed|a\.k\.a|i\.e)\b"
    r"|\b(?:sequence|series|collection) of\b|\bof length\b|\b(?:sequ[eê]ncia|secuencia) de\b|않|없|[不没]",
    re.IGNORECASE,
)
"""What a sentence denies, tells apart or defines: of something else it may not be true."""
_LEFT = re.compile(
    r"\b(?:this|these|that|those|the|both|above)\s+contexts?\b|\brdds?\s+rdds?\b|\brdds?\b|\w*d-?streams?\b"
    r"|\b(?:pprint|foreachrdd)\b|\b(?:transform|map|filter|\w+map|\w+bykey|\w+window|\w+bykeyandwindow)\(",
    ASCII,
)
"""Words of the old API, of which a sentence with one word of the new one makes no sense."""
_OTHER_STREAM = re.compile(r"\bstreams?\b", ASCII)
_OF_STREAMS = (Makes.SOURCE, Makes.FRAME, Makes.RDD)
_NEW = ("SparkSession", "DataFrame", Makes.QUERY.value)
_TOPICS = ("stream", "rdd", "context", "session")
"""Words of which a comment has one if `without_streams` changes it: most comments have none."""
_RETOLD_WORDS = (
    *("rdd", "stream", "context", "session", "ssc", "batch", "latency", "interval", "duration", "window"),
    *("period", "above", "anterior", "zoo"),
)
"""Words of which a comment in ASCII has one if `retold` changes it."""


def retold(block: Sequence[str], makes: Makes, session: str) -> list[str] | None:
    """The lines of a comment above or beside what stands in the place of a statement now.

    Args:
        block: the lines, each with its ``#``.
        makes: what the statement makes now.
        session: the variable of the SparkSession.

    Returns:
        the lines, at most as many as there were; none where the comment is only about what is gone; None
        where it stays as it is.
    """
    whole = block
    if makes is Makes.SESSION:
        block = [one for one in block if not _SPARK_CONF.fullmatch(one)] or block
    left = None if len(block) == len(whole) else [*block]
    text = "\n".join(block)
    if is_commented_code(text):
        return None
    if makes is Makes.SESSION and (_SPARK_CONF.fullmatch(text) or _ONLY_INTERVAL.fullmatch(text)):
        return []
    spoken = text.lower()
    if len(block) > _PROSE or (text.isascii() and not any(word in spoken for word in _RETOLD_WORDS)):
        return left
    plain = _MADE_CLASS.sub(rf"\1{makes.value}", text) if makes in _OF_STREAMS else text
    new = _EACH.sub(lambda found: f"{_one(found[1])}{found[2]}{_batch(found[1])}", plain)
    new = _EACH_ROMANCE.sub(r"\1\2batch", _ITERATION.sub("batch", new))
    if makes is Makes.SESSION:
        new = _BRACKETS.sub(lambda found: "" if _INTERVAL.fullmatch(f" {found[1]}") else found[0], new)
        new = _TWICE.sub("SparkSession", CONTEXTS.sub("SparkSession", _INTERVAL.sub("", new)))
        new = _SETTINGS.sub("", new)
        new = _VARIABLE.sub(session, new)
    elif makes is Makes.QUERY:
        new = CONTEXTS.sub(makes.value, new)
    else:
        new = _of_session(STREAMS.sub(lambda found: makes.value + found[1], new), text)
        if makes is Makes.SOURCE and not _KAFKA.search(text):
            new = ZOOKEEPER.sub("Kafka", new)
    if makes is Makes.FRAME and RDDS.search(new) and not _METHOD.search(text):
        if (conversion := _CONVERSION.search(text)) is not None:
            first = conversion[1].upper() if conversion[0][0].isupper() else conversion[1]
            new = text[: conversion.start()] + first + text[conversion.end() :]
        elif _FRAMES.search(text):
            return []  # how one becomes the other
        new = RDDS.sub(lambda found: f"{'a ' if found[1] else ''}{makes.value}{found[2]}", new)
    if new == text:
        return left
    if not _is_certain(plain, new, rdds=makes is Makes.RDD):
        return _each_retold(block, makes, session) or left
    lines = [line.rstrip() for line in new.split("\n")]
    return [line for line in lines if line.strip("# \t") or line in block]


def _each_retold(block: Sequence[str], makes: Makes, session: str) -> list[str]:
    """The lines of a comment each by itself, if each is a sentence; empty if they are one or stay."""
    if len(block) == 1 or not all(line.lstrip("# \t")[:1].isupper() for line in block):
        return []
    told = [retold([line], makes, session) for line in block]
    return [text for line, new in zip(block, told, strict=True) for text in ([line] if new is None else new)]


def _is_certain(old: str, new: str, *, rdds: bool) -> bool:
    """Whether a sentence is true and English with the words of the new API.

    Args:
        old: the sentence as it was.
        new: the one with other words.
        rdds: whether it may speak of RDDs still.
    """
    spoken = STREAMS.sub("", old)
    if _CHECKED.search(spoken) or (_CLASSES.search(old) and _OTHER_STREAM.search(spoken)):
        return False
    left = (found[0] for found in _LEFT.finditer(new))
    return all(rdds and RDDS.fullmatch(word) for word in left) and all(
        new.count(word) - old.count(word) <= 1 for word in _NEW
    )


def retold_anywhere(block: Sequence[str], *, rdds: bool = True) -> list[str] | None:
    """The lines of a comment of a program that has no DStreams any more, wherever it stands.

    Args:
        block: the lines, each with its ``#``.
        rdds: whether the program has RDDs or a SparkContext still.

    Returns:
        the lines, as many as there were; None where it stays as it is.
    """
    text = "\n".join(block)
    if len(block) > _PROSE or is_commented_code(text):
        return None
    new = without_streams(text, rdds=rdds)
    lines = new.split("\n")
    return [line.rstrip() for line in lines] if new != text and len(lines) == len(block) else None


def without_streams(text: str, *, rdds: bool, stream: Makes = Makes.SOURCE) -> str:
    """Prose of a program that has a `stream` for each DStream, and RDDs or a SparkContext only if `rdds`.

    What tells the one from the other stays: they have one name now. So does what may not be true of that.
    """
    spoken = text.lower()
    if not any(word in spoken for word in _TOPICS):
        return text
    if STREAMS.search(text) and RDDS.search(text) and CONTRAST.search(text):
        return text
    new = _EACH.sub(lambda found: f"{_one(found[1])}{found[2]}{_batch(found[1])}", text)
    new = _CLASSES.sub(lambda found: "a stream" if found[1] else "stream", new)
    new = STREAMING_CONTEXTS.sub("SparkSession", new)
    new = _of_session(STREAMS.sub(lambda found: stream.value + found[1], new), text)
    if not rdds:
        new = SPARK_CONTEXTS.sub("SparkSession", new)
        new = _OF_FRAME.sub(lambda found: f"{found[1]}{found[2]}batch", new)
        new = _TO_FRAME.sub(lambda found: f"batch{found[1]}", new)
        new = RDDS.sub(lambda found: f"{'a ' if found[1] else ''}{Makes.FRAME.value}{found[2]}", new)
    new = _TWICE.sub("SparkSession", new)
    return new if _is_certain(text, new, rdds=rdds) else text


def _of_session(new: str, old: str) -> str:
    """A comment that has other words already, in which the context that makes a stream is the session."""
    return new if new == old else _THE_CONTEXT.sub(r"\1session", new)


def of_found_session(text: str) -> str:
    """What a comment says of a session that a function of the program made once, where a DataFrame has it."""
    return text if is_commented_code(text) else _ONE_SESSION.sub("SparkSession", text)


def _one(word: str) -> str:
    return word if word.lower() != "every" else "each"


def _batch(word: str) -> str:
    return "batches" if word.lower().startswith("all") else "batch"
