"""The names of views in queries that are written out."""

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
