"""Comments that do not say any more how a stream did something, what one was, or what it could not do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from migrate.codemod.comments.old_remarks import is_of_old_api, without_age
from migrate.codemod.comments.old_words import CONTRAST, GAP, OF_STOP, STREAM, is_commented_code
from migrate.codemod.comments.prose_lines import renumbered

_KIND = r"(?:transformation|function|method|operation|operator)s?"
_OF_STREAMS = (
    r"updateStateByKey|mapWithState|\w+AndWindow|(?:count|reduce)ByWindow|foreachRDD|pprint|saveAsTextFiles"
)
_OF_RDDS = (
    r"reduceByKey|groupByKey|combineByKey|aggregateByKey|sortByKey|flatMap|mapValues|flatMapValues"
    r"|saveAsTextFile"
)
"""Methods that RDDs have, too."""
_SOURCES = r"socketTextStream|textFileStream|queueStream|binaryRecordsStream|createDirectStream|createStream"
"""Methods that made streams."""
_COMMON = rf"(?:transform|map|filter|reduce|join)(?=(?:{GAP}and{GAP}\w+)?{GAP}{_KIND}\b)"
"""Words that are names of methods beside the word for one."""


def _methods(names: str) -> str:
    """One or several methods: ``the updateStateByKey() function``, ``transform and map transformations``."""
    one = rf"`?(?:{names}|{_COMMON})`?(?:\(\))?"
    more = rf"(?:{GAP}and{GAP}(?:{one}|\w+(?={GAP}{_KIND}\b)))?"
    return rf"(?:the{GAP})?{one}{more}(?:{GAP}{_KIND})?"


_NUMBER = r"(?:(?:line|step)\s*\d+\s*[:.)]\s*|\d[\d.]*\s*[:.)]?\s*)?"
_YOU = r"(?:(?:you|we)\s(?:(?:will|may|might|can|could|must|should|need|have|want|to|also)\s)+)"
_ADVICE = (
    rf"[#\s*-]*(?:\d+\.\s)?{_YOU}(?:use|call|apply|try|run|see|(?:take\sa\s)?look\s(?:at|of|into))\s{{0}}"
    r"(?:\s(?:of|when|for|here|if|with)\b.*)?\.?\s*"
)


_DOES = (
    r"adds?|combines?|computes?|counts?|filters?|gets?|groups?|joins?|keeps?|maintains?|maps?|merges?|prints?"
    r"|returns?|saves?|shows?|splits?|stores?|sums?|updates?|writes?"
)
"""What a method does, as a sentence tells that begins with its name."""


class _Of:
    """The patterns for methods that a program has no use for any more."""

    def __init__(self, names: str) -> None:
        methods = _methods(names)
        by = rf"(?:using|via|by|with|through){GAP}{methods}"
        self.tail = re.compile(rf",?{GAP}{by}(?=[.:]?\s*$)", re.IGNORECASE)
        self.inside = re.compile(
            rf",?{GAP}(?:inside|within|in){GAP}(?:of{GAP})?the{GAP}(?:{names}|transform)(?:\(\))?{GAP}{_KIND}\b",
            re.IGNORECASE,
        )
        self.brackets = re.compile(rf"\s*\((?:please\s)?(?:use\s{methods}|{by})\)", re.IGNORECASE)
        verb = rf"({_YOU}?(?:use|using|run|apply|call)){GAP}{methods}{GAP}"
        self.use = re.compile(
            rf"^([#\s*-]*{_NUMBER}){verb}(?:in{GAP}order{GAP})?(to|and){GAP}(\w)", re.IGNORECASE
        )
        self.advice = re.compile(_ADVICE.format(methods), re.IGNORECASE)
        self.must = re.compile(
            rf"\b(?:must|has{GAP}to|have{GAP}to|needs?{GAP}to){GAP}(?:use{GAP}|be{GAP}used\b)", re.IGNORECASE
        )
        named = rf"(?:the{GAP}(?:{_KIND}{GAP})?)?`?(?:{names})`?(?:\(\))?(?:{GAP}{_KIND})?{GAP}"
        self.does = re.compile(rf"^([#\s*-]*{_NUMBER}){named}(?:will{GAP})?({_DOES}){GAP}", re.IGNORECASE)
        self.definition = re.compile(
            rf"[#\s*-]*{_NUMBER}{named}(?:(?:is|are){GAP}(?:an?|one){GAP}.*\b(?:{STREAM}s?|{_KIND}|actions?)\b.*"
            rf"|(?:should|could|must){GAP}(?:really{GAP})?be{GAP}(?:re-?named|called|named)\b.*)",
            re.IGNORECASE,
        )
        self.name = re.compile(rf"[#\s*-]*{_NUMBER}`?(?:{names})`?(?:\(\))?\s*[:.]?", re.IGNORECASE)
        self.method = re.compile(rf"(?:{methods}|\btransf(?:or|ro)m\b)", re.IGNORECASE)


_TOPICS = (
    "stream",
    "rdd",
    "ssc",
    "bykey",
    "state",
    "window",
    "pprint",
    "transf",
    "map",
    "filter",
    "reduce",
    "join",
    "api",
    "kafkautils",
    "thread",
    "core",
    "textfile",
    "sparkcontext",
    "gracefully",
)
"""Words of which a comment has one if it says how a stream did something: most have none."""
_STREAMS_OWN = _Of(f"{_OF_STREAMS}|{_SOURCES}")
_RDDS_TOO = _Of(f"{_OF_STREAMS}|{_SOURCES}|{_OF_RDDS}")
_OTHERWISE = re.compile(r"\b(?:without|avoid\w*|of|like|as)$", re.IGNORECASE)
"""What comes before it where something else does not."""
_SEQUENCE = re.compile(
    rf",?{GAP}(?:note{GAP}that{GAP})?(?:now{GAP})?this{GAP}is{GAP}(?:now{GAP})?an?{GAP}"
    rf"(?:sequence|series|stream){GAP}of{GAP}rdds?\b",
    re.IGNORECASE,
)
"""``note that now this is a sequence of RDDs``: what a DStream was."""
_WHICH = re.compile(
    rf",?{GAP}(?:which|that){GAP}(?:is|are)(?:,?{GAP}(?:in{GAP}fact|actually|really))?,?{GAP}(?:an?{GAP})?rdds?\b",
    re.IGNORECASE,
)
"""``lines, which are in fact RDDs``."""
_ONLY_SEQUENCE = re.compile(
    r"#\s*\w+\s+(?:is|are|eh|é|es|est)\s+(?:now\s+)?(?:an?|uma?|una?|une)\s+"
    r"(?:sequence|series|stream|sequ[eê]ncia|secuencia|s[eé]rie|flujo|fluxo|s[eé]quence)\s+(?:of|de)\s+rdds?\s*\.?\s*",
    re.IGNORECASE,
)
"""``lines is a sequence of RDDs``, in Romance languages as well."""
_ONLY_KIND = re.compile(
    rf"#\s*(?:\w+\s(?:is|are)\s(?:now\s)?(?:an?\s)?)?(?:{STREAM}s?|(rdds?))(?:\sobjects?)?\s*[.:]?\s*",
    re.IGNORECASE,
)
"""``This is an RDD``, and ``DStreams`` alone."""
_DEFINITION = re.compile(
    rf"[#\s*-]*(?:(?:an?|the)\s)?{STREAM}s?\s(?:is|are|represents?)\s(?:now\s)?(?:an?\s)?(?:continuous\s)?"
    r"(?:seri\w+|sequences?|streams?|collections?)\sof\b.*"
    rf"|[#\s*-]*(?:when\s)?(?:an?|the|your|each|every)\s{STREAM}s?\b.*"
    r"\b(?:creates?|generates?|produces?|contains?|consists?\sof)\s(?:an?\s|many\s|several\s)?rdds?\b.*"
    rf"|[#\s*-]*(?:internally,?\s)?(?:(?:an?|the|each|every)\s)?{STREAM}s?\s(?:is|are)\s(?:internally\s)?"
    r"(?:represented|implemented|built|made\sup|composed)\s.*\brdds?\b.*"
    rf"|[#\s*-]*{STREAM}s?\scan\sbe\screated\s.*|[#\s*-]*any\soperations?\sapplied\s(?:on|to)\san?\s{STREAM}\b.*"
    r"|[#\s*-]*(?:on|in|at|for|after)\s(?:each|every)\s(?:batch\s)?interval,?\s(?:\w+\s){1,2}rdd\s"
    r"(?:is|gets)\s(?:created|generated|made|produced)\b.*"
    rf"|[#\s*-]*spark\sstreaming\sprovides\s(?:an?\s)?.*\babstraction\b.*\b{STREAM}s?\b.*"
    r"|[#\s*-]*(?:in\s)?spark\sstreaming,?\s(?:we\s)?(?:reads?|gets?|gives?|handles?|processes|process|receives?|represents?"
    r"|takes?|treats?|works?)\s.*\brdds?\b.*",
    re.IGNORECASE,
)
"""``DStream is a series of RDDs``, ``when your DStream receives data, it creates an RDD every interval``,
``spark streaming reads data as rdd``."""
_FOREIGN = re.compile(
    rf"(?=.*(?<![A-Za-z])(?:d-?streams?|rdds?)(?![A-Za-z]))(?=.*\b(?:{_OF_STREAMS})(?:\(|\b)).*[^\W\d_a-zA-Z\u00c0-\u024f].*",
    re.IGNORECASE | re.DOTALL,
)
"""What tells how a method of streams works, in another script than Latin: no words can be changed in it."""
_LIMIT = re.compile(
    rf"\b(?:is|are){GAP}not{GAP}(?:ava\w+ble|supported|defined|possible|allowed|implemented){GAP}"
    rf"(?:for|on|in|with|by){GAP}(?:the{GAP})?{STREAM}s?\b"
    rf"|\b(?:is|are){GAP}no{GAP}(?:API|method|function){GAP}(?:(?:called|named|like){GAP})?\.?(?:collect|count|take|first|top)\(\)"
    rf"|\b{STREAM}s?,?{GAP}(?:(?:but|and){GAP})?not?{GAP}(?:an?{GAP})?(?:\w+{GAP})?rdds?\b",
    re.IGNORECASE,
)
"""``distinct() is not available for DStreams``, ``there is no API called count()``, ``DStreams, no RDDs``."""
_ENDS = (".", ":", "!", "?", ";")
_GOES_ON = ("，", "、")  # noqa: RUF001
_BEGINS = re.compile(
    r"(?![A-Z]{2,}s?\b)[^a-z]|\w+(?:\(\)|(?:\(\))?(?:\s(?:and|or)\s\w+(?:\(\))?)?\s(?:is|are)\snot\b)|$"
)
"""How a sentence begins: with a capital letter, but ``RDD``, or the name of a method, ``keys is not``."""
_STARTED = re.compile(
    rf"\b(after|before|until|till|when){GAP}(?:(?:starting|calling){GAP})?(?:the{GAP})?ssc\.start\b(?:\(\))?",
    re.IGNORECASE,
)
"""``executes after ssc.start()``."""
_PAIRED = re.compile(
    r"""(?:(?<=\#)\s*|,?\s*\band\s+|,?\s*\b(?:and\s+)?then\s+)
    (?:maps?\s+(?:(?:each|every|the)\s+)?\w+\s+(?:in)?to\s+(?:be\s+)?(?:an?\s+)?
    (?:(?:pair|tuple)s?\s+)?(?:of\s+)?
    |(?:mak|creat|form)(?:es?|s|ing)?\s+(?:an?\s+)?(?:key[-\s]?value\s+)?(?:pair|tuple)s?\s+(?:(?:like|of|as)\s+)?)\(\s*\w+\s*,\s*1\s*\)
    (?:\s+(?:(?:from|for|of)\s+)?(?:each|every)\s+\w+)?\.?""",
    re.IGNORECASE | re.VERBOSE,
)
"""``, then map each word to a pair of (word, 1)``, ``making pairs like (word, 1)``."""


_ONES = re.compile(
    rf"[#\s]*(?:(?:{STREAM}s?|(?:spark\s)?data\s?frames?|rdds?|pairs?|tuples?)\s(?:of|like)\s)?\(\s*\w+\s*,\s*1\s*\)\s*"
    r"|[#\s]*(?:put|add)(?:s|ting|ing)?\s(?:an?\s)?(?:one|1)\s(?:for|beside|to|next\sto)\s(?:each|every|the|all)\s[\w\s]+",
    re.IGNORECASE,
)
"""``# (word, 1)``, ``# put one for each word``."""
_NO_RDD = re.compile(
    rf"\b(is|are){GAP}(?:not|no){GAP}(?:an?{GAP})?rdds?{GAP}but{GAP}(?:an?{GAP})?"
    rf"(?:sequence|series|stream){GAP}of{GAP}rdds?\b",
    re.IGNORECASE,
)
"""``Lines is not a rdd but a sequence of rdd``."""
_CONVERSION = re.compile(
    r"[#\s]*(?:\d+[.)]\s*)?(?:we\s)?(?:convert|transform|turn|chang)(?:e|s|es|ing)?\s(?:(?:the|this|each|every|an?|our)\s)?"
    r"(?:\w+\s)?rdds?(?:\[\w+\])?(?:\s(?:in)?to\s(?:an?\s)?(?:row\s)?rdds?(?:\[\w+\])?)*"
    r"\s(?:in)?to\s(?:(?:an?|the)\s)?(?:spark\s)?(?:data\s?frames?|dfs?)\s*[.:]?\s*",
    re.IGNORECASE,
)
"""``Convert RDD[String] to RDD[Row] to DataFrame``, where batches are DataFrames."""


def without_ways(block: Sequence[str], *, rdds: bool) -> list[str]:
    """The lines of a comment without what is only about streams; those that go are empty.

    Args:
        block: the lines, each with its ``#``.
        rdds: whether the program has RDDs still.
    """
    spoken = "\n".join(block).lower()
    if not any(word in spoken for word in _TOPICS):
        return [*block]
    told: list[str] = []
    limited = False
    for sentence in sentences(block):
        text = " ".join([sentence[0].strip(), *(line.strip("# \t") for line in sentence[1:])])
        limited = _tells_a_limit(text, after=limited, rdds=rdds)
        converts = not rdds and _CONVERSION.fullmatch(text) is not None
        defines = _defines(text, rdds=rdds) or is_of_old_api(text)
        if limited or converts or defines or is_advice(text, rdds=rdds):
            told += [""] * len(sentence)
        else:
            plain = [line if rdds or is_commented_code(line) else _WHICH.sub("", line) for line in sentence]
            told += [without_method(without_sequence(without_age(line)), rdds=rdds) for line in plain]
    pairs = zip(told, block, strict=True)
    return renumbered(block, [new if new.strip("# \t") or new == line else "" for new, line in pairs])


def sentences(block: Sequence[str]) -> Iterator[list[str]]:
    """The lines of a comment, those of a sentence together; code is a sentence of its own."""
    sentence: list[str] = []
    for line in block:
        begins = _BEGINS.match(line.strip("# \t")) is not None
        is_code = is_commented_code(line)
        goes_on = bool(sentence) and sentence[-1].endswith(_GOES_ON)
        if sentence and (
            (begins and not goes_on)
            or is_code
            or is_commented_code(sentence[-1])
            or sentence[-1].endswith(_ENDS)
        ):
            yield sentence
            sentence = []
        sentence.append(line)
    if sentence:
        yield sentence


def _defines(text: str, *, rdds: bool) -> bool:
    """Whether a sentence says no more than what a DStream or a method of one is, or that something is one."""
    of = _STREAMS_OWN if rdds else _RDDS_TOO
    found = _ONLY_SEQUENCE.fullmatch(text) or _DEFINITION.fullmatch(text)
    found = found or of.definition.fullmatch(text) or of.name.fullmatch(text)
    kind = _ONLY_KIND.fullmatch(text)
    only = kind is not None and not (rdds and kind[1])
    return (only or found is not None or _FOREIGN.fullmatch(text) is not None) and not is_commented_code(text)


def is_advice(text: str, *, rdds: bool = True) -> bool:
    """Whether a sentence tells its reader which method of a stream to use.

    >>> is_advice("# You will need to use the foreachRDD function.")
    True
    """
    of = _STREAMS_OWN if rdds else _RDDS_TOO
    return of.advice.fullmatch(text) is not None and not is_commented_code(text)


def _tells_a_limit(text: str, *, after: bool, rdds: bool) -> bool:
    """Whether a sentence says what DStreams cannot do, or what one must do as they cannot.

    Args:
        text: the sentence.
        after: whether the sentence before it does.
        rdds: whether the program has RDDs still.
    """
    if is_commented_code(text):
        return False
    of = _STREAMS_OWN if rdds else _RDDS_TOO
    must = of.must.search(text) is not None and of.method.search(text) is not None
    limits = _LIMIT.search(text) or OF_STOP.search(text)
    return limits is not None or (must and (after or "stream" in text.lower()))


def without_sequence(text: str) -> str:
    """A comment that does not say any more what a DStream was."""
    new = _NO_RDD.sub(r"\1 a streaming DataFrame", text) if "rdd" in text.lower() else text
    new = _SEQUENCE.sub("", new)
    return text if new == text or is_commented_code(text) else new


def without_method(text: str, *, rdds: bool = True) -> str:
    """A comment that does not say any more by which method of a stream something is done.

    >>> without_method("# add it to the last count using updateStateByKey")
    '# add it to the last count'
    >>> without_method("# 2. Use foreachRDD to save them")
    '# 2. Save them'

    Args:
        text: the comment, or a line of prose.
        rdds: whether the program has RDDs still, and methods of theirs.
    """
    spoken = text.lower()
    if not any(word in spoken for word in _TOPICS):
        return text
    of = _STREAMS_OWN if rdds else _RDDS_TOO
    new = _STARTED.sub(r"\1 the query starts", text)
    new = of.inside.sub("", of.brackets.sub("", new))
    found = of.tail.search(new)
    before = new[: found.start()] if found is not None else ""
    if found is not None and not _OTHERWISE.search(before):
        new = before + new[found.end() :]
    new = of.does.sub(_done, of.use.sub(_used, new))
    return text if is_commented_code(new) or CONTRAST.search(new) else new


_SECOND_VERB = re.compile(
    r"(?:add|apply|change|choose|clean|compute|convert|count|create|drop|extract|filter|get|group|join|keep|make|map"
    r"|parse|pick|print|reduce|remove|rename|save|select|send|show|sort|split|store|sum|take|write)\s",
    re.IGNORECASE,
)
"""``apply map and select columns``: what else is done, not what else is applied."""


def _used(found: re.Match[str]) -> str:
    """What a method is used for, or what else is used."""
    number, verb, word, first = found.groups()
    does_more = _SECOND_VERB.match(found.string, found.start(4)) is not None
    if word.lower() == "and" and not does_more:
        return f"{number}{verb} {first}"
    return number + (first.upper() if verb[0].isupper() else first)


def _done(found: re.Match[str]) -> str:
    """What a method did, as what is done: ``flatMap splits each line`` says ``Split each line``."""
    verb = found[2].lower()
    plain = verb[:-1] if verb.endswith("s") else verb
    return f"{found[1]}{plain.capitalize()} "


_EACH_BATCH = re.compile(
    rf",?{GAP}(?:in|of|for|from|within){GAP}(?:each|every){GAP}(?:micro-?)?batch(?=[\s.:]*$)", re.IGNORECASE
)


def without_each_batch(text: str) -> str:
    """A comment that does not say any more of what goes on over all batches that it is done for each.

    >>> without_each_batch("# Count each word in each batch")
    '# Count each word'
    """
    return text if is_commented_code(text) else _EACH_BATCH.sub("", text)


def without_pairs(lines: Sequence[str]) -> list[str]:
    """A comment that does not say any more that ones were put beside words, as a count needs none.

    Lines that go are empty.

    >>> without_pairs(["# keep the hashtags, then map each hashtag to be a pair of (hashtag,1)"])
    ['# keep the hashtags']
    """
    left = [
        line if is_commented_code(line) else "" if _ONES.fullmatch(line) else _PAIRED.sub("", line)
        for line in lines
    ]
    return [new if new.strip("# \t") or new == line else "" for new, line in zip(left, lines, strict=True)]
