"""How long the statement is that starts a query."""

from __future__ import annotations

import ast

from migrate.graph.program import Operation
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.duration import duration
from migrate.syntax.lexical import pieces

_LINE = 100
"""The columns that it may have."""


def grows_too_long(draft: Draft, name: str, target: str) -> bool:
    """Whether the statement that starts the query stands on one line with one name, and not with another."""
    basis, start = draft.basis, draft.basis.program.start
    if start is None or basis.interval is None or not basis.has_batches:
        return False
    made = basis.program.construction
    comments = (one for one in pieces(basis.program.module_of(made).source) if one.is_comment)
    if any(one.line == made.end_lineno for one in comments):
        return False  # as what is said of the interval stands beside the trigger, on a line of its own
    names = basis.names
    each = duration(basis.interval, ast.unparse(basis.interval))
    function = _callback(draft) or names.function
    calls = f"writeStream.trigger(processingTime={each}).foreachBatch({function}).start()"
    column = basis.program.tree.statement_of(start.node).col_offset
    used = column + len(f"{names.query} = .{calls}")
    return used + len(name) <= _LINE < used + len(target)


def _callback(draft: Draft) -> str:
    """The name of the only output's function, which may take the batches itself; empty if it has none."""
    match draft.basis.program.outputs:
        case [Operation(operator="foreachRDD", call=ast.Call(args=[ast.Name(name)]))]:
            return name
    return ""
