"""Queries that group the rows of views: behind them nobody sees the order in which the rows lay.

words.createOrReplaceTempView("words")
spark.sql("select word, count(*) as total from words group by word").show()
"""

from __future__ import annotations

import ast

from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import of_kinds
from migrate.syntax.sql import only_groups

_READING = frozenset({"table", "cacheTable", "tables"})


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
