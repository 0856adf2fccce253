"""Queries that are written out: the names of views in them, and what they do with rows."""

from __future__ import annotations

import re
from collections.abc import Collection

from migrate.syntax.wording import Words, other_words

_TOKEN = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|--[^\n]*|/\*.*?\*/|\s+|`(?P<quoted>[^`]*)`|(?P<word>\w+)|.""",
    re.DOTALL,
)
_BEFORE_VIEWS = ("from", "join")
_OTHER_FROM = frozenset({"distinct", "extract", "overlay", "substr", "substring", "trim", "with"})
"""Words of queries in which what stands behind ``FROM`` may be no view."""
_NAMING = frozenset({"into", "table", "view", "describe", "desc", "cache", "uncache", "refresh", "update"})
"""Words before the name of a table or view that is more than read."""
_GROUPS = re.compile(r"\s*select\b[^()]*(?:\((?!\s*select\b)[^()]*\)[^()]*)*\bgroup\s+by\b", re.IGNORECASE)
"""A query whose only ``SELECT`` groups."""
_CALLED = re.compile(r"\b(\w+)\s*\(")
_ORDER_FREE = frozenset({"approx_count_distinct", "count", "count_if", "max", "min"}) | frozenset(
    {"and", "by", "having", "in", "not", "or", "where"}
    | {"cast", "coalesce", "concat", "day", "hour", "length", "lower", "ltrim", "minute", "month", "replace"}
    | {"round", "rtrim", "substr", "substring", "to_date", "trim", "upper", "window", "year"}
)
"""Words before brackets of what is the same in any order: sums are not where there are floats."""
_MORE_QUERIES = re.compile(r"\b(?:over|union|select)\b", re.IGNORECASE)
_COLUMNS = r"[\w.`]+(?:\s*,\s*[\w.`]+)*"
_TAKEN = r"(?:\*|count\s*\(\s*[\w.`*]+\s*\)|[\w.`]+)(?:\s+(?:as\s+)?[\w`]+)?"
_TAKES = re.compile(
    rf"\s*select\s+{_TAKEN}(?:\s*,\s*{_TAKEN})*\s+from\s+[\w.`]+(?:\s+group\s+by\s+{_COLUMNS})?"
    rf"(?:\s+order\s+by\s+[\w.`]+(?:\s+(?:asc|desc))?(?:\s*,\s*[\w.`]+(?:\s+(?:asc|desc))?)*)?"
    rf"(?:\s+limit\s+\d+)?\s*;?\s*",
    re.IGNORECASE,
)
_NAME = r"(?!(?:null|true|false|now|current_\w+)\b)[a-z_]\w*"
_SORTED = re.compile(
    rf"\s*select\s+(?:\*|{_NAME}(?:\s*,\s*{_NAME})*)\s+from\s+(\w+)"
    rf"\s+order\s+by\s+{_NAME}(?:\s+(?:asc|desc))?(?:\s*,\s*{_NAME}(?:\s+(?:asc|desc))?)*"
    r"(?:\s+limit\s+[1-9]\d*)?\s*;?\s*",
    re.IGNORECASE,
)


def global_names(query: str, views: Collection[str], database: str) -> Words | None:
    """What stands in a query for temp views, and what must stand there for global temp views of their names.

    >>> global_names("select word, n from words where words.n > 1", {"words"}, "global_temp")
    (('from words', 'from global_temp.words'),)

    Args:
        query: the query, in SQL.
        views: the names of the views.
        database: the one that global temp views are in.

    Returns:
        The words and their replacements; None where it is not certain which words are names of the views.
    """
    wanted = {view.lower() for view in views}
    found: dict[str, str] = {}
    before, place, words, new = "", 0, set[str](), ""
    for token in _TOKEN.finditer(query):
        new += token[0]
        if token[0].isspace() or token[0].startswith(("--", "/*")):
            continue
        name = (token["quoted"] or token["word"] or "").lower()
        if name in wanted:
            if before in _BEFORE_VIEWS:
                old = query[place : token.end()]
                found[old] = f"{query[place : token.start()]}{database}.{token[0]}"
                new = f"{new.removesuffix(token[0])}{database}.{token[0]}"
            elif before in _NAMING or before == ",":
                return None
        before, place = token[0].lower(), token.start()
        words.add(before)
    replaced = tuple(found.items())
    is_certain = not (replaced and words & _OTHER_FROM) and other_words(query, replaced) == new
    return replaced if is_certain else None


def without_texts(query: str) -> str:
    """A query without what is written out in it, and without comments.

    >>> without_texts("select a / b, 'c/d' from t -- e/f")
    'select a / b,  from t '
    """
    left = (one[0] for one in _TOKEN.finditer(query) if not one[0].startswith(("'", '"', "--", "/*")))
    return "".join(left)


def only_takes(query: str) -> bool:
    """Return whether a query takes columns as they are, or counts rows, and computes nothing else.

    >>> only_takes("select word, count(*) as total from words group by word")
    True
    >>> only_takes("select total / 2 from words")
    False
    """
    return _TAKES.fullmatch(query) is not None


def only_groups(query: str) -> bool:
    """Return whether the result of a query has nothing of the order of the rows that it reads.

    >>> only_groups("select word, count(*) as total from words group by word order by total desc")
    True
    >>> only_groups("select word from words"), only_groups("select w, first(n) from words group by w")
    (False, False)
    """
    begun = _GROUPS.match(query)
    called = {match[1].lower() for match in _CALLED.finditer(query)}
    more = _MORE_QUERIES.search(query.lstrip()[len("select") :])
    return begun is not None and called <= _ORDER_FREE and more is None


def sorted_view(query: str) -> str:
    """Return the name of the one view whose rows, all of them, a query sorts by a column; else an empty text.

    >>> sorted_view("SELECT word, n FROM words ORDER BY n DESC LIMIT 10")
    'words'
    """
    found = _SORTED.fullmatch(query)
    return found[1].lower() if found is not None else ""
