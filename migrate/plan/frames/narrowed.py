"""Two selects of plain columns as one: ``select("key", "state.sum", "state.n").select("key", "sum")``."""

from __future__ import annotations

from migrate.frozen import replace
from migrate.plan.new_code.code import Call


def narrowed(before: Call, after: Call) -> Call | None:
    """The select that does what two do, one on the other; None where one makes a column.

    Args:
        before: the last call of a chain.
        after: the next one.
    """
    if before.method != "select" or after.method != "select" or before.comment:
        return None
    own, wanted = before.texts, after.texts
    if not all(part.isidentifier() for path in (*own, *wanted) for part in path.split(".")):
        return None
    columns = {path.rpartition(".")[2]: path for path in own}
    if not (wanted and columns.keys() >= {*wanted}) or len(columns) != len(own):
        return None
    return replace(after, arguments=", ".join(f'"{columns[name]}"' for name in wanted))
