"""Queries that group the rows of views: behind them nobody sees the order in which the rows lay.

words.createOrReplaceTempView("words")
spark.sql("select word, count(*) as total from words group by word").show()
"""

from __future__ import annotations

import ast
import re

from migrate.proofs.facts import Facts
from migrate.syntax.nodes import of_kinds

_GROUPS = re.compile(r"\s*select\b[^()]*(?:\((?!\s*select\b)[^()]*\)[^()]*)*\bgroup\s+by\b", re.IGNORECASE)
"""A query whose only ``SELECT`` groups."""
_SHOWS_ORDER = re.compile(
    r"\b(?:first|last|first_value|last_value|any_value|collect_list|collect_set|array_agg|listagg|string_agg"
    r"|over|sum|avg|mean|std\w*|var\w*|union|select)\b",
    re.IGNORECASE,
)
"""Words of what depends on the order of rows: sums do if there are floats."""
_READING = frozenset({"table", "cacheTable", "tables"})


def only_groups(query: str) -> bool:
    """Whether the result of a query has nothing of the order of the rows that it reads.

    >>> only_groups("select word, count(*) as total from words group by word order by total desc")
    True
    >>> only_groups("select word from words"), only_groups("select w, first(n) from words group by w")
    (False, False)
    """
    begun = _GROUPS.match(query)
    return begun is not None and _SHOWS_ORDER.search(query.lstrip()[len("select") :]) is None


def views_are_only_grouped(facts: Facts) -> bool:
    """Whether all that a module reads of views is by such queries, which are written out."""
    calls = [call for call in of_kinds(facts.tree, ast.Call) if isinstance(call.func, ast.Attribute)]
    queries = [call for call in calls if call.func.attr == "sql"]  # type: ignore[attr-defined]
    if any(call.func.attr in _READING for call in calls):  # type: ignore[attr-defined]
        return False
    return bool(queries) and all(
        len(call.args) == 1
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
        and only_groups(call.args[0].value)
        for call in queries
    )
