"""What the comments of a statement say when another one stands in its place, in Spark's words for that one.

``# Create a local StreamingContext with two threads and batch interval of 1 second`` says ``# Create a local
SparkSession with two threads`` above the SparkSession. A comment that is code stays as it is. So does prose
of more than two lines, or where a sentence with another word may be false or none: what a reader knows to be
about the old API is better than words that nobody wrote. The report names it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from migrate.plan.code import Makes

_GAP = r"(?:[ \t]|\n[ \t]*\#)+"
"""White space in a comment of several lines."""
_METHOD = re.compile(r"\brdds?\.\w|\b(?:parallelize|textFile)\b|\bsc\.", re.IGNORECASE)
"""Code that RDDs are made by, or a method of theirs."""
_CODE = re.compile(r"\w\([^)\s]|\w\s?=\s?\S|\w\.\w+\(|^\s*#?\s*(?:from\s+[\w.]+\s+import\b|import\s+[\w.]+$)")
_CONTEXT = (
    rf"(?:(?:spark(?:{_GAP})?)?(?:spark|str?eaming|stream)-?(?:{_GAP})?contexts?"
    rf"|contexto{_GAP}(?:de{_GAP})?(?:spark{_GAP})?(?:spark|streaming))"
)
"""In English, and where Romance languages have the words the other way round."""
_STREAMING_CONTEXT = rf"(?:spark(?:{_GAP})?)?(?:str?eaming|stream)-?(?:{_GAP})?contexts?"
_STREAM = rf"(?:d-?|discretized{_GAP})stream"
_EACH = re.compile(
    rf"\b(each|every|the|all|all{_GAP}the)({_GAP})rdds?(?:{_GAP}(?:that{_GAP}(?:is|are){_GAP})?"
    rf"(?:generated|created|produced|contained))?{_GAP}(?:in|by|of|from){_GAP}(?:(?:this|the|each|every|our){_GAP})?"
    rf"(?:\w+{_GAP})?(?:{_STREAM}|stream|interval)s?\b",
    re.IGNORECASE,
)
_EACH_ROMANCE = re.compile(
    rf"\b(cada|todo)({_GAP})rdd(?:{_GAP}(?:gerado|generado|criado|creado))?{_GAP}(?:n[oe]sse|neste|no|do|deste|en|de|del)"
    rf"(?:{_GAP}(?:este|ese|el))?{_GAP}{_STREAM}\b",
    re.IGNORECASE,
)
_ITERATION = re.compile(rf"\b{_STREAM}s?{_GAP}(?:iteration|interval)\b", re.IGNORECASE)
_INTERVAL = re.compile(
    rf"(?:,?{_GAP}(?:and|with)\b(?:{_GAP}(?:an?|the))?)?{_GAP}(?:(?:mini|micro)-?)?batch(?:es)?{_GAP}"
    rf"(?:interval|duration|size|window|time)s?{_GAP}(?:of|is|=|:){_GAP}[\w.]+(?:{_GAP}"
    r"(?:s|secs?|seconds?|ms|milliseconds?|min|minutes?))?\b"
    rf"|,?{_GAP}(?:and|with|at|of){_GAP}(?:an?{_GAP})?(?:latency|interval|duration|window|period)"
    rf"(?:{_GAP}(?:size|length|time))?(?:{_GAP}of)?{_GAP}[\d.]+{_GAP}?(?:s|secs?|seconds?|ms|minutes?)\b",
    re.IGNORECASE,
)
_BRACKETS = re.compile(rf"{_GAP}\(([^()]*)\)")
_ONLY_INTERVAL = re.compile(
    r"#\s*(?:(?:(?:mini|micro)-?\s?)?batch\s(?:interval|duration|size|time)\s?(?:of\s|is\s|[=:]\s?)?)?"
    r"(?:(?:(?:update|refresh|run|execute|trigger|process)(?:s|es)?\s)?(?:once\s)?every\s)?"
    r"\d[\d.]*[ -]?(?:s|secs?|seconds?|ms|milliseconds?|mins?|minutes?)"
    r"(?:\s(?:(?:mini|micro)-?\s?)?(?:batch(?:es)?|windows?|intervals?|durations?)){0,2}\s*\.?",
    re.IGNORECASE,
)
"""``# 5 second window``, ``# update every 3 seconds``: what the trigger says now."""
_TWICE = re.compile(
    rf"\bSparkSession{_GAP}(?:and|with|&){_GAP}(?:an?{_GAP}|the{_GAP})?"
    rf"(?:SparkSession|(?i:(?:spark{_GAP})?sql(?:{_GAP})?contexts?))\b"
)
"""A session is also what a SQLContext was beside a SparkContext."""
_SETTINGS = re.compile(
    rf"{_GAP}(?:with|from|using|by|on){_GAP}(?:the{_GAP})?above{_GAP}(?:conf(?:ig(?:uration)?)?|settings)\b"
    rf"|{_GAP}con{_GAP}la{_GAP}(?:configuraci[oó]n{_GAP}anterior|anterior{_GAP}configuraci[oó]n)\b",
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
    rf"\b(?:singleton{_GAP}(?:instance{_GAP})?(?:of{_GAP})?(?:(?:an?|the){_GAP})?(?:spark|sql)(?:{_GAP})?"
    rf"(?:session|context)|(?:spark{_GAP})?(?:sql{_GAP})?singleton{_GAP}context)\b(?:{_GAP}instance\b)?"
    rf"(?:{_GAP}from{_GAP}the{_GAP}current{_GAP}context\b)?",
    re.IGNORECASE,
)
"""``singleton instance of SQLContext``, which a function of the program made once."""
_START = re.compile(
    r"^#+\W*(?:now\s|then\s|finally,?\s|\d[\d.]*\s)?\s*(?:start|launch|run)(?:s|ing)?\s"
    r"(?:(?:up|the|our|this|whole|local|spark|stream|streaming)\s)*"
    r"(?:program|computation|application|app|job|stream|streaming|spark|process|processing|context)\b"
    r"|\bwait\w*\b.*\b(?:terminat|finish|stop|end)\w*|\buntil\b.*\b(?:terminat|stop|kill|interrupt)\w*",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:interval|window|latency|duration|seconds?|secs?|milliseconds?|minutes?)\b"
    r"|\b\d+\s?(?:s|ms|min)\b|[秒초]|\bsegundos?\b",
    re.IGNORECASE,
)
_ASCII = re.IGNORECASE | re.ASCII  # a word beside letters of other scripts is one by itself
_CONTEXTS = re.compile(rf"\b{_CONTEXT}\b", _ASCII)
_THE_CONTEXT = re.compile(rf"\b((?:using|with|from|by|on){_GAP}(?:this|that|the|our){_GAP})context\b", _ASCII)
"""``Using this context, we can create a DStream``."""
_VARIABLE = re.compile(r"\bssc\b", re.ASCII)
_STREAMING_CONTEXTS = re.compile(rf"\b{_STREAMING_CONTEXT}\b", _ASCII)
_STREAMS = re.compile(rf"\b{_STREAM}(s?)\b", _ASCII)
_RDDS = re.compile(r"\b(an?\s)?rdd(s?)\b", _ASCII)
_CHECKPOINT = re.compile(
    rf"\b(?:from|of|using|by|with){_GAP}(?:(?:a|the|its){_GAP})?check-?points?\b", _ASCII
)
_CLASSES = re.compile(r"\b([Aa]n?\s)?[A-Z]\w*DStreams?\b", re.ASCII)
"""Classes of Spark's: ``a QueueInputDStream``."""
_MADE_CLASS = re.compile(rf"\b(into{_GAP}an?{_GAP})[A-Z]\w*DStream\b", re.ASCII)
"""``Read the Kafka Direct Stream into a TransformedDStream``."""
_METHOD_OF_STREAMS = re.compile(
    rf",?{_GAP}(?:using|via|by|with){_GAP}(?:the{_GAP})?`?(?:updateStateByKey|mapWithState|\w+AndWindow"
    rf"|(?:count|reduce)ByWindow|foreachRDD|pprint)`?(?:\(\))?(?:{_GAP}(?:function|method|transformation))?(?=\.?$)",
)
"""``add it to the last count using updateStateByKey``: by what a stream did it."""
_OTHERWISE = re.compile(r"\b(?:without|avoid\w*|of|like|as)$", re.IGNORECASE)
"""What comes before it where something else does not."""
_SPARK_CONTEXTS = re.compile(rf"\bspark(?:{_GAP})?contexts?\b", _ASCII)
_FRAME = rf"(?:df|data(?:{_GAP})?frames?)"
_OF_FRAME = re.compile(
    rf"\b({_FRAME})({_GAP}(?:from|out{_GAP}of|of|desde|de){_GAP}(?:(?:the|an?|el|un){_GAP})?)(?:row{_GAP})?rdds?\b",
    _ASCII,
)
"""``a DF from the Row RDD``, where a DataFrame is made of the batch itself."""
_TO_FRAME = re.compile(rf"\b(?:row{_GAP})?rdds?({_GAP}(?:in)?to{_GAP}(?:an?{_GAP})?{_FRAME})\b", _ASCII)
_RECEIVER = re.compile(
    r"\bgroup\W?id|\b(?:consumer|kafka)\W?group|\bzoo\W?keeper|\bzk|\bthreads\b|\bpartitions?\b",
    re.IGNORECASE,
)
_SINGLETON = re.compile(r"\bsingleton\b|\b(?:spark|sql)[ _]?(?:session|context)\b", _ASCII)
_FRAMES = re.compile(r"\bdata\s?-?frames?\b|\bdf\b", re.IGNORECASE)
_CONVERSION = re.compile(
    rf"\b(?:convert|turn|transform)s?\b[^.]*?\brdds?\b[^.]*?\b(?:to|into){_GAP}(?:an?{_GAP}|the{_GAP})?"
    rf"(?:spark{_GAP})?data\s?-?frames?{_GAP}(?:and|then|and{_GAP}then){_GAP}(\w)",
    re.IGNORECASE,
)
"""``Convert RDDs to DataFrame and run`` a query: how one becomes the other, before what is done with it."""

_SEQUENCE = re.compile(
    rf",?{_GAP}(?:note{_GAP}that{_GAP})?(?:now{_GAP})?this{_GAP}is{_GAP}(?:now{_GAP})?an?{_GAP}"
    rf"(?:sequence|series|stream){_GAP}of{_GAP}rdds?\b",
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
_ZOOKEEPER = re.compile(r"\bzoo\W?keeper(?:'?s\b)?", re.IGNORECASE)
_KAFKA = re.compile(r"kafka", re.IGNORECASE)
_ADDRESS = re.compile(r":\d{4}|\b(?:address|host|port|quorum)\b", re.IGNORECASE)
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
    _ASCII,
)
"""Words of the old API, of which a sentence with one word of the new one makes no sense."""
_OTHER_STREAM = re.compile(r"\bstreams?\b", _ASCII)
_OF_STREAMS = (Makes.SOURCE, Makes.FRAME, Makes.RDD)
_NEW = ("SparkSession", "DataFrame", Makes.QUERY.value)
_OLD = re.compile(
    rf"dstreams?\b|\bdiscretized{_GAP}streams?\b|\b{_STREAMING_CONTEXT}\b|\bssc\b"
    r"|\b(?:pprint|foreachRDD|kafkautils|updatestatebykey|\w+byKeyAndWindow)\b",
    _ASCII,
)
"""What no program has that is rewritten."""
_OLD_BATCHES = re.compile(rf"\brdds?\b|\bspark(?:{_GAP})?contexts?\b", _ASCII)
"""What some have still."""
_CONTRAST = re.compile(r"\b(?:but|not|no|unlike|instead|rather|than|vs|versus|while|whereas|only)\b", _ASCII)
_TOPICS = ("stream", "rdd", "context", "session")
"""Words of which a comment has one if `without_streams` changes it: most comments have none."""
_OLD_WORDS = ("stream", "context", "ssc", "rdd", "pprint", "kafkautils", "bykey")
"""Words of which a comment has one if it speaks of the old API."""
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
        new = _TWICE.sub("SparkSession", _CONTEXTS.sub("SparkSession", _INTERVAL.sub("", new)))
        new = _SETTINGS.sub("", new)
        new = _VARIABLE.sub(session, new)
    elif makes is Makes.QUERY:
        new = _CONTEXTS.sub(makes.value, new)
    else:
        new = _of_session(_STREAMS.sub(lambda found: makes.value + found[1], new), text)
        if makes is Makes.SOURCE and not _KAFKA.search(text):
            new = _ZOOKEEPER.sub("Kafka", new)
    if makes is Makes.FRAME and _RDDS.search(new) and not _METHOD.search(text):
        if (conversion := _CONVERSION.search(text)) is not None:
            first = conversion[1].upper() if conversion[0][0].isupper() else conversion[1]
            new = text[: conversion.start()] + first + text[conversion.end() :]
        elif _FRAMES.search(text):
            return []  # how one becomes the other
        new = _RDDS.sub(lambda found: f"{'a ' if found[1] else ''}{makes.value}{found[2]}", new)
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
    spoken = _STREAMS.sub("", old)
    if _CHECKED.search(spoken) or (_CLASSES.search(old) and _OTHER_STREAM.search(spoken)):
        return False
    left = (found[0] for found in _LEFT.finditer(new))
    return all(rdds and _RDDS.fullmatch(word) for word in left) and all(
        new.count(word) - old.count(word) <= 1 for word in _NEW
    )


def speaks_of_old(text: str, *, rdds: bool) -> bool:
    """Whether a comment names what a program does not have any more, which has RDDs only if `rdds`."""
    spoken = text.lower()
    if not any(word in spoken for word in _OLD_WORDS):
        return False
    return _OLD.search(text) is not None or (not rdds and _OLD_BATCHES.search(text) is not None)


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
    if _STREAMS.search(text) and _RDDS.search(text) and _CONTRAST.search(text):
        return text
    new = _EACH.sub(lambda found: f"{_one(found[1])}{found[2]}{_batch(found[1])}", text)
    new = _CLASSES.sub(lambda found: "a stream" if found[1] else "stream", new)
    new = _STREAMING_CONTEXTS.sub("SparkSession", new)
    new = _of_session(_STREAMS.sub(lambda found: stream.value + found[1], new), text)
    if not rdds:
        new = _SPARK_CONTEXTS.sub("SparkSession", new)
        new = _OF_FRAME.sub(lambda found: f"{found[1]}{found[2]}batch", new)
        new = _TO_FRAME.sub(lambda found: f"batch{found[1]}", new)
        new = _RDDS.sub(lambda found: f"{'a ' if found[1] else ''}{Makes.FRAME.value}{found[2]}", new)
    new = _TWICE.sub("SparkSession", new)
    return new if _is_certain(text, new, rdds=rdds) else text


def _of_session(new: str, old: str) -> str:
    """A comment that has other words already, in which the context that makes a stream is the session."""
    return new if new == old else _THE_CONTEXT.sub(r"\1session", new)


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
    if found is None or _OTHERWISE.search(before) or _CONTRAST.search(before) or is_commented_code(before):
        return text
    return before + text[found.end() :]


def without_pairs(lines: Sequence[str]) -> list[str]:
    """A comment that does not say any more that ones were put beside words, as a count needs none.

    >>> without_pairs(["# keep the hashtags, then map each hashtag to be a pair of (hashtag,1)"])
    ['# keep the hashtags']
    """
    left = [_PAIRED.sub("", line) if not is_commented_code(line) else line for line in lines]
    return [new for new, line in zip(left, lines, strict=True) if new.strip("# \t") or new == line]


def of_found_session(text: str) -> str:
    """What a comment says of a session that a function of the program made once, where a DataFrame has it."""
    return text if is_commented_code(text) else _ONE_SESSION.sub("SparkSession", text)


def _one(word: str) -> str:
    return word if word.lower() != "every" else "each"


def _batch(word: str) -> str:
    return "batches" if word.lower().startswith("all") else "batch"


def is_of_recovery(text: str) -> bool:
    """Whether a comment is about a StreamingContext that is made again from a checkpoint."""
    about = _CONTEXTS.search(text) is not None and _CHECKPOINT.search(text) is not None
    return about and not is_commented_code(text)


def is_of_start(text: str) -> bool:
    """Whether a comment is about the start of the program, or how long it runs."""
    return _START.search(text) is not None and not is_commented_code(text)


def is_of_interval(text: str) -> bool:
    """Whether a comment is about the time between batches."""
    return _TIME.search(text) is not None and not is_commented_code(text)


def is_of_receiver(text: str) -> bool:
    """Whether a comment is about an argument of a receiver of Kafka that a query does not have."""
    return _RECEIVER.search(text) is not None and not is_commented_code(text)


@lru_cache(maxsize=256)  # several readers ask for each comment, and many files begin with the same ones
def is_commented_code(text: str) -> bool:
    """Whether a comment holds code."""
    return _CODE.search(text) is not None


def names_session(text: str) -> bool:
    """Whether a comment is about a session that a callback found, or made once."""
    return _SINGLETON.search(text) is not None and not is_commented_code(text)


def names_context(text: str) -> bool:
    """Whether a comment is about a SparkContext or a StreamingContext."""
    return _CONTEXTS.search(text) is not None and not is_commented_code(text)


def names_zookeeper(text: str) -> bool:
    """Whether a comment says where ZooKeeper is."""
    return _ZOOKEEPER.search(text) is not None and _ADDRESS.search(text) is not None and "(" not in text


def names_rdd(text: str) -> bool:
    """Whether a comment is about an RDD."""
    return _RDDS.search(text) is not None and not is_commented_code(text)
