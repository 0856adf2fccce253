"""What the comments of a statement say when another one stands in its place, in Spark's words for that one.

``# Create a local StreamingContext with two threads and batch interval of 1 second`` says ``# Create a local
SparkSession with two threads`` above the SparkSession. A comment that is code stays as it is. So does prose
where a sentence with another word may be false or none, and all of it where it has more than two lines: what
a reader knows to be about the old API is better than words that nobody wrote. The report names it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import wrap

from migrate.codemod.comments.old_batches import each_rdd, of_batches
from migrate.codemod.comments.old_contexts import (
    in_its_case,
    is_interval_alone,
    is_of_settings,
    of_session,
    of_started,
    once,
    this_session,
    without_context,
)
from migrate.codemod.comments.old_remarks import without_age
from migrate.codemod.comments.old_words import (
    ASCII,
    CONTEXTS,
    CONTRAST,
    FRAME,
    GAP,
    GLOSS,
    RDDS,
    SPARK_CONTEXTS,
    STREAM,
    STREAMS,
    ZOOKEEPER,
    is_commented_code,
    without_maker,
)
from migrate.codemod.comments.subjects import speaks_of_old
from migrate.codemod.comments.ways import sentences, without_method, without_ways
from migrate.plan.new_code.code import Makes

_METHOD = re.compile(r"\brdds?\.\w|\b(?:parallelize|textFile)\b|\bsc\.", re.IGNORECASE)
"""Code that RDDs are made by, or a method of theirs."""
_RECEIVER = re.compile(
    rf"(?:\(receiver\)|\breceiver(?:-based)?){GAP}(?=(?:input{GAP})?(?:{STREAM}|stream)\b)", ASCII
)
_CLASSES = re.compile(r"\b([Aa]n?\s)?[A-Z]\w*DStreams?\b", re.ASCII)
"""Classes of Spark's: ``a QueueInputDStream``."""
_MADE_CLASS = re.compile(rf"\b(into{GAP}an?{GAP})[A-Z]\w*DStream\b", re.ASCII)
"""``Read the Kafka Direct Stream into a TransformedDStream``."""
_OF_FRAME = re.compile(
    rf"\b({FRAME}(?:{GAP}objects?)?)({GAP}(?:from|out{GAP}of|of|desde|de){GAP}(?:(?:the|an?|el|un){GAP})?)(?:row{GAP})?rdds?\b(?:{GAP}objects?\b)?",
    ASCII,
)
"""``a DF from the Row RDD``, where a DataFrame is made of the batch itself."""
_TO_FRAME = re.compile(
    rf"\b((?:the|an?|each){GAP})?(?:row{GAP})?rdds?\b{GLOSS}({GAP}(?:in)?to{GAP}(?:an?{GAP})?(?:json{GAP})?{FRAME})\b",
    ASCII,
)
_STEPS = re.compile(rf"\brdds?\b{GLOSS}{GAP}to{GAP}(?=(?:row{GAP})?rdds?\b)", ASCII)
"""``RDD[String] to RDD[Row] to DataFrame``, of which the first RDD is what becomes of it."""
_STARTED = re.compile(
    rf"\b((?:start|stop|run)(?:s|ning|ping|ing)?{GAP}(?:the|our|this){GAP})context\b", ASCII
)
_OF_CONTEXT = re.compile(
    rf"(?<=\bthe)(?:{GAP}\w+)?{GAP}contexts?(?={GAP}streaming{GAP}(?:computation|application|job|process)\b)",
    ASCII,
)
"""``starts the context streaming computation``, which is that of the query."""
_STARTED_VARIABLE = re.compile(
    rf"\b((?:start|stop|run)(?:s|ning|ping|ing)?{GAP})(?:the{GAP})?ssc\b(?!\.)", ASCII
)
_A_RDD = re.compile(r"\b([Aa]) RDD\b")
_FRAMES = re.compile(r"\bdata\s?-?frames?\b|\bdf\b", re.IGNORECASE)
_CONVERSION = re.compile(
    rf"\b(?:convert|turn|transform)s?\b[^.]*?\brdds?\b[^.]*?\b(?:to|into){GAP}(?:an?{GAP}|the{GAP})?"
    rf"(?:spark{GAP})?data\s?-?frames?{GAP}(?:and|then|and{GAP}then){GAP}(\w)",
    re.IGNORECASE,
)
"""``Convert RDDs to DataFrame and run`` a query: how one becomes the other, before what is done with it."""
_CONVERTED = re.compile(
    rf"{GAP}to{GAP}(?:convert|turn|transform){GAP}(?:them|it){GAP}(?:in)?to{GAP}(?:an?{GAP})?"
    rf"(?:spark{GAP})?data\s?-?frames?{GAP}and{GAP}",
    re.IGNORECASE,
)
"""``process RDDs to convert them to DataFrame and run queries``: so they are processed, and queries run."""
_SERVER = re.compile(rf"{ZOOKEEPER.pattern}{GAP}(?:server|host|node|quorum|ensemble)s?\b", re.IGNORECASE)
_KAFKA = re.compile(r"kafka", re.IGNORECASE)
_DIRECT = re.compile(rf"\bdirect{GAP}stream\b(?!ing)", re.IGNORECASE)
"""``create a direct stream of Kafka``: there is no other one in a query."""
_PROSE = 2
"""The lines of a comment that gets other words."""
_CHECKED = re.compile(
    r"\b(?:no(?!\. of\b)|not|never|cannot"
    r"|\w+n't|but|unlike|instead|rather|than|vs|versus|whereas|deprecated)\b"
    r"|(?<!until )\b(?:this|that|these|those|it|which|they)[ \t]+(?:is|are|was|were)\b"
    r"|\b(?:is|are)[ \t]+(?:also[ \t]+)?an?\b"
    r"|\b(?:means?|called|known as|consists? of|discreti[sz]ed|a\.k\.a|i\.e)\b"
    r"|\b(?:transforms?(?!\s(?:un)?(?:ordered|sorted)\b)|transformations?(?!\s(?:applied|on)\b))\b"
    r"|\b(?:sequence|series|collection) of\b|\bof length\b|\b(?:sequ[eê]ncia|secuencia) de\b|않|없|호출"
    r"|[不没]|调用",
    re.IGNORECASE,
)
"""What a sentence denies, tells apart or defines: of something else it may not be true."""
_LEFT = re.compile(
    r"\b(?:this|these|that|those|the|both|above)\s+contexts?\b|\brdds?\s+rdds?\b|\brdds?\b|(?<!\w)(?!readstream)\w*d-?streams?\b"
    r"|\bstreaming[ \t]?contexts?\b"
    r"|\b(?:pprint|foreachrdd)\b|\b(?:transform|map|filter|\w+map|\w+bykey|\w+window|\w+bykeyandwindow)\(",
    ASCII,
)
"""Words of the old API, of which a sentence with one word of the new one makes no sense."""
_SAME = re.compile(
    r"\b(SparkSession|DataFrame)s?[ \t]*(?:/|,|\b(?:or|o|ou|oder|y|e|et|und))[ \t]*\1\b", ASCII
)
_HELD = re.compile(
    rf"^(#\s*)(?:(\w+){GAP}(?:is|are){GAP}(?:an?{GAP})?(?=(?:input{GAP})?{STREAM}s?{GAP}(?:of|with|that|which)\b)"
    rf"|each{GAP}(?:record|element|item|row){GAP}(?:of|in){GAP}(?:the|this){GAP}{STREAM}{GAP}is{GAP}an?\b)",
    ASCII,
)
"""``lines is a DStream of texts``, ``Each record in this DStream is a line``: true of a DataFrame, too."""
_HEADING = re.compile(rf"#+[\s*=-]*{STREAM}s?[\s:.*=-]*", ASCII)
"""``# DStreams``."""
_DANGLING = re.compile(r"\b(?:an?|the|of|with|is|sets?|specif(?:y|ies)|defines?)\s*[.,:]?$", re.IGNORECASE)
"""``and 1 specifies a``, without the interval that the sentence ended in."""
_OTHER_STREAM = re.compile(r"\bstreams?\b", ASCII)
_OF_STREAMS = (Makes.SOURCE, Makes.FRAME, Makes.RDD)
_NAME_ALONE = re.compile(r"#[\s#*-]*(?:the\s)?SparkSession\b[\s.:*-]*", re.IGNORECASE)
"""What is left of ``# Streaming context with interval 10 s``, and says nothing."""
_WRAPPED = 50
"""The letters of a line that goes on in the next one for want of room."""
_MARGIN = re.compile(r"#+[ \t]*")
_SET_OFF = re.compile(r"#[\s#]*([-*#]{2,})\s.*\s\1[-*#]*")
"""``# --- Spark context ---``, a heading of what is below."""
_NEW = ("SparkSession", "DataFrame", Makes.QUERY.value)
_TOPICS = ("stream", "rdd", "context", "session")
"""Words of which a comment has one if `without_streams` changes it: most comments have none."""
_RETOLD_WORDS = (
    *("rdd", "stream", "context", "session", "ssc", "batch", "latency", "interval", "duration", "window"),
    *("period", "above", "anterior", "zoo", "contest"),
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
        block = [one for one in block if not is_of_settings(one)] or block
    left = None if len(block) == len(whole) else [*block]
    text = "\n".join(block)
    if is_commented_code(text):
        return None
    if makes is Makes.SESSION and (is_of_settings(text) or is_interval_alone(text)):
        return []
    if text.isascii() and not any(word in text.lower() for word in _RETOLD_WORDS):
        return left
    if len(block) > _PROSE:
        return _long_retold(block, makes, session) or left
    told = _sentence(block, makes, session)
    if told is None:  # ``pprint() prints each RDD``
        of_method = [without_method(line, rdds=makes is Makes.RDD) for line in block]
        told = _sentence(of_method, makes, session) if of_method != [*block] else None
    return told if told is not None else _each_retold(block, makes, session) or left


def _sentence(block: Sequence[str], makes: Makes, session: str) -> list[str] | None:
    """The lines of a sentence with other words; None where it has none, or may not be true with them."""
    text = "\n".join(block)
    plain = _MADE_CLASS.sub(rf"\1{makes.value}", text) if makes in _OF_STREAMS else text
    new = of_batches(without_maker(without_age(plain)))
    if makes is Makes.SESSION:
        new = of_session(new, session)
    elif makes is Makes.QUERY:
        new = _STARTED.sub(r"\1query", CONTEXTS.sub(makes.value, of_started(_OF_CONTEXT.sub("", new))))
        new = in_its_case(_STARTED_VARIABLE.sub(r"\1the query", new), text)
    else:
        new = _RECEIVER.sub("", new)
        new = this_session(STREAMS.sub(lambda found: makes.value + found[1], new), text)
        if makes is Makes.SOURCE:
            new = _DIRECT.sub("stream", _without_classes(new))
            new = _SERVER.sub("Kafka brokers", new) if _KAFKA.search(text) else ZOOKEEPER.sub("Kafka", new)
    if makes is Makes.FRAME and RDDS.search(text):
        new = _CONVERTED.sub(" and ", new)
    if makes is Makes.FRAME and RDDS.search(new) and not _METHOD.search(text):
        if (conversion := _CONVERSION.search(text)) is not None:
            first = conversion[1].upper() if conversion[0][0].isupper() else conversion[1]
            new = text[: conversion.start()] + first + text[conversion.end() :]
        elif _FRAMES.search(text):
            return []  # how one becomes the other
        new = each_rdd(new)
        new = RDDS.sub(lambda found: f"{'a ' if found[1] else ''}{makes.value}{found[2]}", new)
    if makes is Makes.SESSION and _DANGLING.search(new) and not _DANGLING.search(text):
        return []  # it was about the interval
    if new == text or not _is_certain(plain, new, rdds=makes is Makes.RDD):
        return None
    lines = [line.rstrip() for line in new.split("\n")]
    kept = (_NAME_ALONE.fullmatch(line) is None or _SET_OFF.fullmatch(line) for line in lines)
    lines = [line for line, stays in zip(lines, kept, strict=True) if stays or line in block]
    return _filled([line for line in lines if line.strip("# \t") or line in block], block)


def _filled(lines: list[str], block: Sequence[str]) -> list[str]:
    """The lines of one sentence, each as long as they were: a shorter word draws the next line up."""
    margin = _MARGIN.match(lines[0]) if len(lines) > 1 else None
    if margin is None or lines == [*block] or max(map(len, block[:-1])) < _WRAPPED:
        return lines
    start = margin[0]
    texts = [line.removeprefix(start) for line in lines]
    goes_on = all(line.startswith(start) for line in lines) and all(text[:1].islower() for text in texts[1:])
    width = max(map(len, block))
    filled = wrap(
        " ".join(texts), width, initial_indent=start, subsequent_indent=start, break_long_words=False
    )
    return filled if goes_on and len(filled) <= len(lines) else lines


def _long_retold(block: Sequence[str], makes: Makes, session: str) -> list[str] | None:
    """The lines of a long comment, if no sentence of it speaks of the old API then; None if one does."""
    rdds = makes is Makes.RDD
    told = [
        (sentence, _sentence([without_method(line, rdds=rdds) for line in sentence], makes, session))
        for sentence in sentences(block)
    ]
    lines = [line for old, new in told for line in (old if new is None else new)]
    left = without_ways(lines, rdds=rdds)
    stays = lines == [*block] or any(speaks_of_old(line, rdds=rdds) for line in left)
    return None if stays or _is_left("\n".join(left), rdds=rdds) else lines


def _each_retold(block: Sequence[str], makes: Makes, session: str) -> list[str]:
    """The lines of a comment each by itself, if each is a sentence; empty if they are one or stay."""
    if len(block) == 1 or not all(line.lstrip("# \t")[:1].isupper() for line in block):
        return []
    told = [retold([line], makes, session) for line in block]
    lines = [text for old, new in zip(block, told, strict=True) for text in ([old] if new is None else new)]
    return lines if lines != [*block] else []


def _is_certain(old: str, new: str, *, rdds: bool) -> bool:
    """Whether a sentence is true and English with the words of the new API.

    Args:
        old: the sentence as it was.
        new: the one with other words.
        rdds: whether it may speak of RDDs still.
    """
    if _HEADING.fullmatch(old):
        return False
    spoken = _HELD.sub("", STREAMS.sub("", old) if not _HELD.search(old) else old)
    if _CHECKED.search(spoken) or (_CLASSES.search(old) and _OTHER_STREAM.search(spoken)):
        return False
    # one word for two things, or an RDD of what is a DataFrame
    if _SAME.search(new) or (STREAMS.search(old) and RDDS.search(old) and RDDS.search(new)):
        return False
    once = all(new.count(word) - old.count(word) <= 1 for word in _NEW)
    return once and not _is_left(new, rdds=rdds)


def _is_left(new: str, *, rdds: bool) -> bool:
    """Whether a word of the old API is left."""
    left = (found[0] for found in _LEFT.finditer(new))
    return not all(rdds and RDDS.fullmatch(word) for word in left)


def retold_anywhere(
    block: Sequence[str], *, rdds: bool = True, stream: Makes = Makes.SOURCE
) -> list[str] | None:
    """The lines of a comment of a program that has no DStreams any more, wherever it stands.

    Args:
        block: the lines, each with its ``#``.
        rdds: whether the program has RDDs or a SparkContext still.
        stream: what it has for each DStream there.

    Returns:
        the lines, as many as there were; None where it stays as it is.
    """
    if is_commented_code("\n".join(block)):
        return None
    parts = [[*block]] if len(block) <= _PROSE else [*sentences(block)]
    told = [without_streams("\n".join(part), rdds=rdds, stream=stream).split("\n") for part in parts]
    lines = [line for part in told for line in part]
    left = without_ways(lines, rdds=rdds) if len(block) > _PROSE else ()
    if any(speaks_of_old(line, rdds=rdds) for line in left):
        return None
    return [line.rstrip() for line in lines] if lines != [*block] and len(lines) == len(block) else None


def without_streams(text: str, *, rdds: bool, stream: Makes = Makes.SOURCE) -> str:
    """Prose of a program that has a `stream` for each DStream, and RDDs or a SparkContext only if `rdds`.

    What tells the one from the other stays: they have one name now. So does what may not be true of that.
    """
    spoken = text.lower()
    if not any(word in spoken for word in _TOPICS):
        return text
    new = of_batches(without_maker(without_age(text)))
    if STREAMS.search(new) and RDDS.search(new) and CONTRAST.search(new):
        return text
    new = without_context(_without_classes(new))
    new = this_session(STREAMS.sub(lambda found: stream.value + found[1], new), text)
    if stream is Makes.RDD:
        new = _A_RDD.sub(r"\1n RDD", new)
    if not rdds:
        new = SPARK_CONTEXTS.sub("SparkSession", new)
        new = _STEPS.sub("", new)
        new = _OF_FRAME.sub(lambda found: f"{found[1]}{found[2]}batch", new)
        new = _TO_FRAME.sub(lambda found: f"{_the(found[1])}batch{found[2]}", new)
        new = each_rdd(new)
        new = RDDS.sub(lambda found: f"{'a ' if found[1] else ''}{Makes.FRAME.value}{found[2]}", new)
    new = once(new)
    return new if _is_certain(text, new, rdds=rdds) else text


def _without_classes(text: str) -> str:
    """Prose without the classes of Spark's streams: ``create the QueueInputDStream``."""
    return _CLASSES.sub(lambda found: "a stream" if found[1] else "stream", text)


def _the(article: str | None) -> str:
    """The article of a batch: there is only one."""
    return article if article and not article.lower().startswith("a") else "the "
