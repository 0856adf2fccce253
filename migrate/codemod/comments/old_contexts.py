"""Comments on a SparkContext or StreamingContext, in whose place there is a session."""

from __future__ import annotations

import re

from migrate.codemod.comments.old_words import (
    ASCII,
    CONTEXT,
    CONTEXTS,
    GAP,
    STREAM,
    STREAMING_CONTEXT,
    STREAMING_CONTEXTS,
    is_commented_code,
)
from migrate.plan.new_code.code import Makes

_INTERVAL = re.compile(
    rf"(?:(?:,?{GAP}|(?<=[Cc]ontext))(?:and|with)\b(?:{GAP}(?:an?|the))?)?{GAP}(?:(?:mini|micro)-?)?batch(?:es)?{GAP}"
    rf"(?:interv[ae]l|duration|size|window|time)s?{GAP}(?:of|is|=|:){GAP}[\w.]+(?:{GAP}"
    r"(?:s|secs?|seconds?|ms|milliseconds?|min|minutes?))?\b"
    rf"|(?:,{GAP}|,?{GAP}(?:and|with|at|of){GAP}(?:(?:an?|the){GAP})?)(?:latency|interval|duration|window|period)"
    rf"(?:{GAP}(?:size|length|time))?(?:{GAP}of)?{GAP}[\d.]+(?:{GAP}?(?:s|secs?|seconds?|ms|minutes?))?\b(?!{GAP}?\w)"
    rf"|,?{GAP}(?:with|of){GAP}(?:an?{GAP})?[\d.]+[ -]?(?:s|secs?|seconds?|ms|minutes?)"
    rf"(?:{GAP}(?:(?:mini|micro)-?)?batch(?:es)?)?(?:{GAP}(?:window|interval|duration|period)s?)?\b"
    rf"|{GAP}batch-intervall:?{GAP}(?:von{GAP})?[\d.]+[ ]?(?:s|sekunden?)\b"
    rf"|,?{GAP}(?:y|e|et|und|con|com|avec|mit){GAP}(?:(?:una?|uma?|une|einem|el|o|le|il){GAP})?"
    rf"(?:interval(?:o|lo|le|l)?|batch-?intervall){GAP}(?:(?:de|di|von){GAP})?(?:(?:batch|lotes?|procesamiento){GAP}(?:de{GAP})?)?"
    rf"[\d.]+[ ]?(?:s|segundos?|secondes?|second[io]|sekunden?)\b"
    rf"|,?{GAP}and{GAP}sets?{GAP}(?:(?:the|a|its){GAP})?(?:batch{GAP})?(?:interval|duration)"
    rf"(?:{GAP}(?:of|to|as|is|=){GAP}[\w.]+(?:{GAP}(?:s|secs?|seconds?|ms|minutes?))?)?\b",
    re.IGNORECASE,
)
_ENDS = re.compile(rf"(?:{_INTERVAL.pattern}),(?=[ \t]*(?:\Z|\n[ \t]*#[ \t]*(?-i:[A-Z])))", re.IGNORECASE)
"""``with a batch interval of 10 sec,`` where the sentence is over."""
_IS_PART = re.compile(
    rf"(?:\W|\#)*(?:(?:and|with|at|of|y|e|et|und|con|com|avec|mit){GAP})?(?:sets?{GAP})?"
    rf"(?:(?:an?|the|its|una?|uma?|une|einem|el|o|le|il){GAP})?"
    r"(?P<part>(?=.*(?:interv|batch|duration|latency|window|period))(?=.*(?:\d|\b(?:of|is)\b|[=:]))(?!.*\b(?:the|this|our|an?)$).*)",
    re.IGNORECASE | re.DOTALL,
)
"""``and batch interval of 5 seconds``: a part of a sentence that can stand alone."""
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)[ -]?(ms|milli|min)?", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "milli": 0.001, "min": 60.0}
_OWNER = re.compile(
    rf"{GAP}(?:(?:prop(?:erty)?|setting|argument|parameter){GAP})?(?:of|for|in){GAP}(?:the|this|that|our|an?|all|each){GAP}"
    rf"[^,.;]*?(?:\b(?:{STREAM}|streams?)s?\b|\b{CONTEXT}\b|\bcontext\b|\bssc\b)[^,.;]*",
    ASCII,
)
"""``2 is the batch interval of this StreamingContext``: what has that interval no more."""
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
    rf"\bSparkSession(?:(?:{GAP}(?:and|with|&|und|mit|y|e|et|con|com|avec)|,(?:{GAP}and)?){GAP}(?:an?{GAP}|the{GAP})?"
    rf"(?:SparkSession|(?i:(?:spark{GAP})?sql(?:{GAP})?contexts?))\b)+"
)
"""A session is also what a SQLContext was beside a SparkContext."""
_PLAIN = re.compile(
    r"^(#+\s*(?:(?:creat|mak|initiali[sz]|get|set|build)(?:e|es|ing|s)?\s(?:up\s)?(?:an?\s|the\s|our\s)?(?:new\s)?"
    r"|(?:an?\s|the\s|our\s)?new\s))context(?=\s*[.:]?$)",
    re.IGNORECASE,
)
"""``# new context``."""
_BOTH = re.compile(
    rf"\bspark(?:{GAP})?contexts?\b(?:,(?:{GAP}and)?|{GAP}(?:and|&)){GAP}(?:(?:an?|the){GAP})?{STREAMING_CONTEXT}\b",
    ASCII,
)
"""``spark context and streaming context``: the session is both."""
_SETTINGS = re.compile(
    rf"{GAP}(?:with|from|using|by|on){GAP}(?:the{GAP})?above{GAP}(?:conf(?:ig(?:uration)?)?|settings)\b"
    rf"|{GAP}con{GAP}la{GAP}(?:configuraci[oó]n{GAP}anterior|anterior{GAP}configuraci[oó]n)\b",
    re.IGNORECASE,
)
"""The settings of a SparkConf stand in the statement that makes the session."""
_SPARK_CONF = re.compile(
    r"#\s*(?:\d+[.)]\s*)?(?:creat(?:e|ing)|mak(?:e|ing)|build(?:ing)?|defin(?:e|ing)|set(?:ting)?(?:[ ]?up)?"
    r"|init(?:iali[sz](?:e|ing))?)\s"
    r"(?:an?\s|the\s|our\s)?(?:new\s)?"
    r"(?:spark\s?conf(?:ig(?:uration)?)?|configuration)(?:\sobject)?\s*\.?"
    r"|#\s*(?:crea|crear|hacer|definir|define)\s(?:una\s|la\s)?configuraci[oó]n\s(?:de\s)?spark\s*\.?",
    re.IGNORECASE,
)
"""``# create spark configuration``: what became calls of the session's builder."""
_ONE_SESSION = re.compile(
    rf"\b(?:singleton{GAP}(?:instance{GAP})?(?:of{GAP})?(?:(?:an?|the){GAP})?(?:spark|sql)(?:{GAP})?"
    rf"(?:session|context)|(?:spark{GAP})?(?:sql{GAP})?singleton{GAP}context)\b(?:{GAP}(?:instance|object)\b)?"
    rf"(?:{GAP}from{GAP}(?:the{GAP})?(?:current|rdd(?:'s)?){GAP}context\b)?",
    re.IGNORECASE,
)
"""``singleton instance of SQLContext``, which a function of the program made once."""
_RUNNING = re.compile(
    rf"\b((?:start|stop|run|launch|terminat|end)(?:s|es?|ing|ning|ping|ed)?{GAP}(?:(?:up|the|our|a|an|this){GAP})*)"
    rf"{STREAMING_CONTEXT}\b|\b{STREAMING_CONTEXT}(?={GAP}(?:(?:is|has|was|to){GAP})?(?:been{GAP})?(?:start|stop|terminat|end|finish))",
    ASCII,
)
"""``Start Spark streaming context``, ``run the StreamingContext``: what runs is the query."""
_ROMANCE = {"el": "la consulta", "o": "a consulta", "le": "la requête", "il": "la query"}
_STARTED_ROMANCE = re.compile(
    rf"\b((?:inici|arranc|lan[zçc]|comen[zcç]|come[çz]|empez|empiez|ejecut|execut|d[ée]marr|avvi|esper|aguard|att[ei]nd|deten|par)"
    rf"\w*{GAP})(el|o|le|il){GAP}conte(?:xto|xte|sto)\b(?:{GAP}(?:d[eiou]l?{GAP})?(?:spark{GAP})?streaming\b)?",
    re.IGNORECASE,
)
"""``Inicializamos el contexto``: what runs is the query."""
_OF_INTERVAL = re.compile(
    rf"\b((?:(?:micro|mini)-?(?:{GAP})?)?batch{GAP}(?:size|interval|duration|time){GAP}(?:for|of){GAP}(?:(?:the|an?){GAP})?)"
    rf"(?:apache{GAP})?{STREAMING_CONTEXT}\b",
    ASCII,
)
"""``batch size for Apache Spark streaming context``: a session has none."""
_VARIABLE = re.compile(r"\bssc\b", re.ASCII)
_THE_CONTEXT = re.compile(rf"\b((?:using|with|from|by|on){GAP}(?:this|that|the|our){GAP})context\b", ASCII)
"""``Using this context, we can create a DStream``."""


def of_session(text: str, session: str) -> str:
    """A comment on a context that is about the session, which has no time between batches.

    Args:
        text: the comment.
        session: the variable of the session.
    """
    new = _BRACKETS.sub(lambda found: "" if _INTERVAL.fullmatch(f" {found[1]}") else found[0], text)
    new = _PLAIN.sub(r"\1SparkSession", _without_interval(new))
    new = _TWICE.sub("SparkSession", CONTEXTS.sub("SparkSession", new))
    return in_its_case(_VARIABLE.sub(session, _SETTINGS.sub("", new)), text)


def in_its_case(new: str, old: str) -> str:
    """A comment in capital letters, where it had no others.

    >>> in_its_case("# MANAGING query", "# MANAGING SPARK STREAMING CONTEXT")
    '# MANAGING QUERY'
    """
    return new.upper().replace("SPARKSESSION", "SPARK SESSION") if old.isupper() else new


def _without_interval(text: str) -> str:
    """A comment without the time between batches."""
    return _INTERVAL.sub("", _ENDS.sub("", text))


_ARGUMENT = re.compile(
    r"^(#+\s*)(?:the\s)?(?:\d(?:nd|rd|st|th)|second|last)\s(?:arg(?:ument)?|param(?:eter)?)\s?(?:is|=|:|->)\s?"
    r"(?:the\s)?",
    re.IGNORECASE,
)
"""``2nd argument is``: it was one of the StreamingContext."""


def interval_in(text: str) -> str:
    """What a comment on a context says of the time between batches; empty if nothing can stand alone.

    >>> interval_in("# Create a StreamingContext with two threads and batch interval of 5 seconds")
    'batch interval of 5 seconds'
    """
    found = _INTERVAL.search(re.sub(r"[()]", " ", text))
    part = _IS_PART.fullmatch(found[0]) if found is not None else None
    return "" if part is None else re.sub(GAP, " ", part["part"])


def seconds_in(text: str) -> float | None:
    """The time that a comment names in figures, in seconds; None for none.

    >>> seconds_in("interval size of 1 minute")
    60.0
    """
    found = _LENGTH.search(text)
    return None if found is None else float(found[1]) * _SECONDS.get((found[2] or "").lower(), 1)


def without_owner(text: str) -> str:
    """A comment on the time between batches that does not say whose it is.

    >>> without_owner("# 2 is the batch interval of the DStreams of this StreamingContext")
    '# 2 is the batch interval'
    >>> without_owner("# 2nd argument is batch duration")
    '# batch duration'
    """
    return _ARGUMENT.sub(r"\1", _OWNER.sub("", text))


def of_started(text: str) -> str:
    """A comment in a Romance language in which a context that starts is the query."""
    return _STARTED_ROMANCE.sub(lambda found: found[1] + _ROMANCE[found[2].lower()], text)


def without_context(text: str) -> str:
    """A comment in which a StreamingContext is the query that runs, or the session, which has no interval."""
    new = _RUNNING.sub(lambda found: f"{found[1] or ''}{Makes.QUERY.value}", text)
    new = _OF_INTERVAL.sub(rf"\1{Makes.QUERY.value}", new)
    new = STREAMING_CONTEXTS.sub("SparkSession", _BOTH.sub("SparkSession", new))
    return text if new == text else in_its_case(_without_interval(new), text)


def once(text: str) -> str:
    """A comment that names the session once, where it named two contexts."""
    return _TWICE.sub("SparkSession", text)


def this_session(new: str, old: str) -> str:
    """A comment that has other words already, in which the context that makes a stream is the session."""
    return new if new == old else _THE_CONTEXT.sub(r"\1session", new)


def is_of_settings(text: str) -> bool:
    """Whether a comment is about a SparkConf alone: ``# create spark configuration``."""
    return _SPARK_CONF.fullmatch(text) is not None


def is_interval_alone(text: str) -> bool:
    """Whether a comment says only how long the time between batches is."""
    return _ONLY_INTERVAL.fullmatch(text) is not None


def of_found_session(text: str) -> str:
    """What a comment says of a session that a function of the program made once, where a DataFrame has it."""
    return text if is_commented_code(text) else _ONE_SESSION.sub("SparkSession", text)
