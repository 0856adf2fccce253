"""What a comment is about: the start of the program, the time between batches, what is gone."""

from __future__ import annotations

import re

from migrate.codemod.comments.old_words import (
    ASCII,
    CONTEXTS,
    GAP,
    RDDS,
    STREAM,
    STREAMING_CONTEXT,
    ZOOKEEPER,
    is_commented_code,
)

_START = re.compile(
    r"^#+\W*(?:now\s|then\s|finally,?\s|\d[\d.]*\s)?\s*(?:start|launch|run)(?:s|ing)?\s"
    r"(?:(?:up|the|our|this|whole|local|spark|stream|streaming)\s)*"
    r"(?:program|computation|application|app|job|stream|streaming|spark|process|processing|context)\b"
    r"|\bwait\w*\b.*\b(?:terminat|finish|stop|end)\w*|\buntil\b.*\b(?:terminat|stop|kill|interrupt)\w*",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:interval|window|latency|duration|seconds?|secs?|milliseconds?|minutes?)\b"
    r"|\b\d+\s?(?:s|ms|min)\b|[秒초]|批次|间隔|배치|간격|\bsegundos?\b|\bintervalos?\b|\bsecond[io]\b",
    ASCII,
)
_BATCH_INTERVAL = re.compile(rf"\bbatch(?:ing)?(?:{GAP})?(?:interval|duration)\b", ASCII)
_DEPRECATED = re.compile(r"\bdeprecat(?:ed|ions?)\b", ASCII)
_CHECKPOINT = re.compile(rf"\b(?:from|of|using|by|with){GAP}(?:(?:a|the|its){GAP})?check-?points?\b", ASCII)
_OR_RECOVERED = re.compile(
    rf",?{GAP}or{GAP}(?:re(?:store|cover|load|create|build)|load|get|read)(?:{GAP}(?:it|one|(?:(?:an?|the){GAP})?\w+))?"
    rf"{GAP}(?:from|out{GAP}of){GAP}(?:(?:an?|the|its|existing|last|saved){GAP})*check-?points?"
    rf"(?:{GAP}(?:data|dir(?:ectory)?|file|folder)s?)?\b",
    ASCII,
)
"""``create a new context or restore it from the checkpoint``."""
_ARGUMENTS = re.compile(
    r"#\W*(?:spark_?context|sc)\s*,\s*(?:batch_?)?(?:duration|interval|seconds)\W*", re.IGNORECASE
)
"""``# (sparkContext, batchDuration)``: what a StreamingContext is given."""
_RECEIVER = re.compile(
    r"\bgroup\W?id|\b(?:consumer|kafka)\W?group|\bzoo\W?keeper|\bzk|\bthreads\b|\bpartitions?\b",
    re.IGNORECASE,
)
_SINGLETON = re.compile(r"\bsingleton\b|\b(?:spark|sql)[ _]?(?:session|context)\b", ASCII)
_ADDRESS = re.compile(r":\d{4}|\b(?:address|host|port|quorum)\b", re.IGNORECASE)
_STREAM = re.compile(rf"(?<!rea){STREAM}s?\b", ASCII)
_OLD = re.compile(
    rf"(?<!rea)dstreams?\b|\bdiscretized{GAP}streams?\b|\b{STREAMING_CONTEXT}\b|\bssc\b"
    r"|\b(?:pprint|foreachRDD|kafkautils|create(?:direct)?stream|updatestatebykey|\w+byKeyAndWindow|saveAsTextFiles)\b",
    ASCII,
)
"""What no program has that is rewritten."""
_OLD_BATCHES = re.compile(
    rf"\brdds?\b|\bspark(?:{GAP})?contexts?\b|\.(?:map|flatMap|mapValues|\w+ByKey)\("
    rf"|\bcontext[oe]{GAP}(?:de{GAP})?(?:spark|sql)\b|\bmap(?:ea\w*|pe[rz]?|pa)\b.*\(\s*\w+\s*,\s*1\s*\)",
    ASCII,
)
"""What some have still: RDDs, contexts, functions of pairs. Of other languages those that readers met."""
_OLD_WORDS = ("stream", "context", "ssc", "rdd", "pprint", "kafkautils", "bykey", "map", "files")
"""Words of which a comment has one if it speaks of the old API."""


def speaks_of_old(text: str, *, rdds: bool) -> bool:
    """Whether a comment names what a program does not have any more, which has RDDs only if `rdds`."""
    spoken = text.lower()
    if not any(word in spoken for word in _OLD_WORDS):
        return False
    return _OLD.search(text) is not None or (not rdds and _OLD_BATCHES.search(text) is not None)


def is_of_recovery(text: str) -> bool:
    """Whether a comment is about a StreamingContext that is made again from a checkpoint."""
    about = CONTEXTS.search(text) is not None and _CHECKPOINT.search(text) is not None
    return about and not is_commented_code(text)


def without_recovery(text: str) -> str:
    """A comment that does not say any more that a context may be made again from a checkpoint."""
    return text if is_commented_code(text) else _OR_RECOVERED.sub("", text)


def is_of_arguments_of_context(text: str) -> bool:
    """Whether a comment says no more than what the arguments of a StreamingContext are."""
    return _ARGUMENTS.fullmatch(text) is not None


def is_of_start(text: str) -> bool:
    """Whether a comment is about the start of the program, or how long it runs."""
    return _START.search(text) is not None and not is_commented_code(text)


def is_of_interval(text: str) -> bool:
    """Whether a comment is about the time between batches."""
    said = _TIME.search(text) or _BATCH_INTERVAL.search(text)
    return said is not None and not is_commented_code(text)


def names_interval(text: str) -> bool:
    """Whether a comment names the time between batches, wherever it stands."""
    return _BATCH_INTERVAL.search(text) is not None and not is_commented_code(text)


def warns_of_deprecation(text: str) -> bool:
    """Whether a comment says that something is deprecated, or warns that it is."""
    return _DEPRECATED.search(text) is not None and not is_commented_code(text)


def is_of_receiver(text: str) -> bool:
    """Whether a comment is about an argument of a receiver of Kafka that a query does not have."""
    return _RECEIVER.search(text) is not None and not is_commented_code(text)


def names_session(text: str) -> bool:
    """Whether a comment is about a session that a callback found, or made once."""
    return _SINGLETON.search(text) is not None and not is_commented_code(text)


def names_context(text: str) -> bool:
    """Whether a comment is about a SparkContext or a StreamingContext."""
    return CONTEXTS.search(text) is not None and not is_commented_code(text)


def names_zookeeper(text: str) -> bool:
    """Whether a comment says where ZooKeeper is."""
    return ZOOKEEPER.search(text) is not None and _ADDRESS.search(text) is not None and "(" not in text


def names_stream(text: str) -> bool:
    """Whether a comment names a DStream, or one of its classes: ``a TransformedDStream``."""
    return _STREAM.search(text) is not None


def names_rdd(text: str) -> bool:
    """Whether a comment is about an RDD."""
    return RDDS.search(text) is not None and not is_commented_code(text)
