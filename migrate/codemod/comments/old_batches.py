"""Comments on the RDDs that a DStream is made of, which are batches."""

from __future__ import annotations

import re

from migrate.codemod.comments.old_words import ASCII, GAP, GLOSS, STREAM

_EACH = re.compile(
    rf"\b(each|every|the|all|all{GAP}the)({GAP})rdds?(?:{GAP}(?:that{GAP}(?:is|are){GAP})?"
    rf"(?:generated|created|produced|contained))?{GAP}(?:in|by|of|from){GAP}(?:(?:this|the|each|every|our){GAP})?"
    rf"(?:\w+{GAP})?(?:{STREAM}|stream|interval)s?\b",
    re.IGNORECASE,
)
_PROCESSED = re.compile(
    rf"\b((?:process|handl)(?:e|es|ing)?{GAP})rdds{GAP}(?:in|by|of|from){GAP}(?:the|this|our){GAP}(?:\w+{GAP})?{STREAM}\b",
    re.IGNORECASE,
)
"""``process RDDs of the DStream``."""
_EACH_ROMANCE = re.compile(
    rf"\b(cada|todo)({GAP})rdd(?:{GAP}(?:gerado|generado|criado|creado))?{GAP}(?:n[oe]sse|neste|no|do|deste|en|de|del)"
    rf"(?:{GAP}(?:este|ese|el))?{GAP}{STREAM}\b",
    re.IGNORECASE,
)
_EACH_RDD = re.compile(rf"\b(each|every|cada)({GAP})rdd\b{GLOSS}", re.IGNORECASE)
_OVER_ALL = re.compile(
    rf"\b((?:loop|iterat|go|run)(?:s|es|ing|e)?{GAP}(?:over|through){GAP}(?:all{GAP})?(?:the{GAP})?)rdds\b",
    re.IGNORECASE,
)
"""``loop over RDDs``, as the query does over batches."""
_CURRENT = re.compile(rf"\b(current{GAP})rdd\b{GLOSS}", re.IGNORECASE)
_LAST = re.compile(
    rf"\b(the{GAP}(?:last|latest|lastest|newest|first|current){GAP})rdd{GAP}(?:in|of|from){GAP}"
    rf"(?:(?:the|this|each|our){GAP})?(?:\w+{GAP})?{STREAM}\b",
    re.IGNORECASE,
)
_STREAM_RDD = re.compile(rf"\b(?:{STREAM}(?:'?s)?|streaming){GAP}rdd(s?)\b", ASCII)
"""``the rows of the DStream RDD``, ``by joining the streaming RDD``."""
_CONTENT = re.compile(
    rf"\b(contents?{GAP}of{GAP}(?:the|this|each|our){GAP}|current{GAP}){STREAM}\b(?!{GAP}rdd)", ASCII
)
"""``the content of the DStream``, ``the current DStream``."""
_SORTED = re.compile(
    rf"\b((?:un)?(?:ordered|sorted){GAP}){STREAM}({GAP}(?:in)?to{GAP}an?{GAP}(?:un)?(?:ordered|sorted){GAP}){STREAM}\b",
    ASCII,
)
_OF_TIME = re.compile(
    rf"\b(?:d-?)?rdds(?={GAP}of{GAP}\d[\d.]*{GAP}?(?:s|secs?|seconds?|ms|milliseconds?|min|minutes?)\b)",
    re.IGNORECASE,
)
"""``RDDs of 2 seconds``, ``DRDDs of 1 sec``."""
_ITERATION = re.compile(rf"\b{STREAM}s?{GAP}(?:iteration|interval)\b", re.IGNORECASE)


def of_batches(text: str) -> str:
    """A comment in which the RDDs that a DStream is made of are batches."""
    spoken = text.lower()
    if "stream" not in spoken and "rdd" not in spoken:
        return text
    new = text
    if "rdd" in spoken:
        new = _EACH.sub(lambda found: f"{_one(found[1])}{found[2]}{_batch(found[1])}", new)
        new = _PROCESSED.sub(r"\1batches", new)
        new = _LAST.sub(r"\1batch", _EACH_ROMANCE.sub(r"\1\2batch", new))
        new = _OF_TIME.sub("batches", new)
        new = _STREAM_RDD.sub(lambda found: "batches" if found[1] else "batch", new)
    new = _SORTED.sub(r"\1batch\2batch", new)
    return _CONTENT.sub(r"\1batch", _ITERATION.sub("batch", new))


def each_rdd(text: str) -> str:
    """A comment in which each RDD is a batch."""
    new = _CURRENT.sub(r"\1batch", _OVER_ALL.sub(r"\1batches", text))
    return _EACH_RDD.sub(lambda found: f"{_one(found[1])}{found[2]}batch", new)


def _one(word: str) -> str:
    return word if word.lower() != "every" else "each"


def _batch(word: str) -> str:
    return "batches" if word.lower().startswith("all") else "batch"
