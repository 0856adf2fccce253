"""Comments and docstrings on how a DStream read Kafka, which say how a query does."""

from __future__ import annotations

import re

from migrate.codemod.comments.old_words import is_commented_code

_RESET = re.compile(
    r"""\{?[ \t]*(?P<quote>["'])auto\.offset\.reset(?P=quote)[ \t]*:[ \t]*["'](?P<start>\w+)["'][ \t]*\}?"""
)
"""``{'auto.offset.reset': 'smallest'}``."""
_EARLIEST = frozenset({"smallest", "earliest", "beginning"})
_SOURCE = re.compile(r"(?<![\w.])(?P<owner>KafkaUtils\.)?create(?P<direct>Direct)?Stream\b(?:\(\))?(?!\()")
"""``createStream()``, ``KafkaUtils.createDirectStream``, without arguments."""
_OTHERWISE = re.compile(
    r"receiver|zoo\W?keeper|\b(?:instead|rather|unlike|not|than|versus|vs)\b", re.IGNORECASE
)
"""Words of a sentence that tells one function from another, or is about what only one of them had."""
_OLD_VERSION = re.compile(
    r"#\W*(?:(?:for|using|needs|requires?|with)\s)?(?:apache\s)?kafka(?:\sversion)?[\s:=v-]*0[.-][89][\d.]*"
    r"(?:\s(?:api|version|only))?\W*",
    re.IGNORECASE,
)
"""``# kafka 0.8``."""

_GUIDE = re.compile(
    r"\bspark\.apache\.org/docs/[\w.-]+/streaming-kafka(?:-0-\d+)?-integration\.html(?:#[\w-]*)?"
)
_NEW_GUIDE = "spark.apache.org/docs/latest/streaming/structured-streaming-kafka-integration.html"
_CONNECTOR = re.compile(
    r"(?<![\w./:-])spark-streaming-kafka(?:-0-\d+)?(?=\s(?:jar|pac?kage|library|connector|module)s?\b)"
)
"""What prose calls the connector: "uses the spark-streaming-kafka jar file"."""
_OF_TUPLES = re.compile(r"#[^a-z]*tuple[^a-z]*第[一二12][^a-z]*(?:kafka[^a-z]*)?", re.IGNORECASE)
"""The same in Chinese: ``# 取tuple下的第二个``."""
_OF_PAIRS = re.compile(
    r"#\W*(?:take\s|get\s)?(?:the\s)?(?:2nd|second|1st|first)\s(?:value|element|item|part|field|entry)\s(?:of|in)\s"
    r"(?:(?:the|each|every|a)\s)?(?:kafka\s)?(?:tuple|pair)s?\b[^.,;]*\.?",
    re.IGNORECASE,
)
"""``# 2nd value of tuple is the message``."""
_OF_VALUE = re.compile(
    r"\b(?:keys?|values?|messages?|tuples?|payloads?|contents?|decod\w*|texts?|lines?|data|first|second|2nd|kafka)\b"
    r"|消息|数据",
    re.IGNORECASE,
)
_OF_MORE = re.compile(
    r"\b(?:count\w*|print\w*|pars(?:e|es|ing)|json|split\w*|show\w*|sum\w*|filter\w*|sav(?:e|es|ing)|send\w*"
    r"|writ(?:e|es|ing)|words?)\b|计算|统计|打印",
    re.IGNORECASE,
)


def is_of_message(text: str) -> bool:
    """Whether a comment may be about a message's value alone, and not about what is made of it.

    >>> is_of_message("# the value of each message"), is_of_message("# count the words of each message")
    (True, False)
    """
    return _OF_VALUE.search(text) is not None and _OF_MORE.search(text) is None


def of_queries(text: str) -> str:
    """A comment or docstring that names the functions and settings of a query in place of a stream's.

    >>> of_queries("# add {'auto.offset.reset': 'smallest'} to read all")
    "# add .option('startingOffsets', 'earliest') to read all"
    >>> of_queries("Example of createStream() and a count.")
    'Example of readStream and a count.'
    >>> of_queries("It uses the spark-streaming-kafka jar file.")
    'It uses the spark-sql-kafka-0-10 jar file.'
    >>> of_queries("https://spark.apache.org/docs/1.6.0/streaming-kafka-integration.html")
    'https://spark.apache.org/docs/latest/streaming/structured-streaming-kafka-integration.html'
    """
    if "kafka" not in text and "create" not in text and "auto.offset.reset" not in text:
        return text  # the patterns need one of these, and most texts have none
    new = text if is_commented_code(text) else _RESET.sub(_starting, text)
    new = _CONNECTOR.sub("spark-sql-kafka-0-10", _GUIDE.sub(_NEW_GUIDE, new))
    without = _SOURCE.sub("readStream", new)
    named = {found["direct"] for found in _SOURCE.finditer(new)}
    is_one = len(named) == 1 and not _OTHERWISE.search(new) and not is_commented_code(without)
    return without if is_one else new


def _starting(found: re.Match[str]) -> str:
    start, quote = "earliest" if found["start"] in _EARLIEST else "latest", found["quote"]
    return f".option({quote}startingOffsets{quote}, {quote}{start}{quote})"


def is_of_old_kafka(text: str) -> bool:
    """Whether a comment says only what was true of a stream: the version of Kafka, or what its pairs have.

    >>> is_of_old_kafka("# kafka 0.8"), is_of_old_kafka("# 2nd value of tuple is the message")
    (True, True)
    """
    return any(words.fullmatch(text) for words in (_OLD_VERSION, _OF_PAIRS, _OF_TUPLES))
