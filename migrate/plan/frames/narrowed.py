"""Two selects of plain columns as one: ``select("key", "state.sum", "state.n").select("key", "sum")``."""

from __future__ import annotations

import re

from migrate.frozen import replace
from migrate.plan.new_code.code import Call

_PLAIN = re.compile(r'"\w+(?:\.\w+)*"(?:, "\w+(?:\.\w+)*")*')


def narrowed(before: Call, after: Call) -> Call | None:
    """The select that does what two do, one on the other; None where one makes a column.

    Args:
        before: the last call of a chain.
        after: the next one.
    """
    own, wanted = before.arguments or "", after.arguments or ""
    if before.method != "select" or after.method != "select" or before.comment:
        return None
    if not (_PLAIN.fullmatch(own) and _PLAIN.fullmatch(wanted)):
        return None
    columns = {path.strip('"').rpartition(".")[2]: path for path in own.split(", ")}
    names = [name.strip('"') for name in wanted.split(", ")]
    if not columns.keys() >= {*names} or len(columns) != len(own.split(", ")):
        return None
    return replace(after, arguments=", ".join(columns[name] for name in names))
