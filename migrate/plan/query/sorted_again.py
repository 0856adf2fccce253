"""Sorts of a DataFrame that a variable of the batch function holds sorted already.

``ranked = counts.orderBy(F.desc("count"))``, and below it ``ranked.limit(5)``: the first rows of a sort are
those of its plan, which a variable holds as long as nothing persists it.
"""

from __future__ import annotations

from collections.abc import Sequence

from migrate.frozen import replace
from migrate.plan.new_code.code import Call, Chain, Written

SORT = "orderBy"


def sorted_once(statements: Sequence[Written]) -> list[Written]:
    """The statements of a batch function, of which none sorts again what it reads sorted alike."""
    found: list[Written] = []
    last: dict[str, Call] = {}
    """The last method call of what each variable holds."""
    for one in statements:
        code = one.code
        if isinstance(code, Chain) and code.calls and _is_same(last.get(code.base), code.calls[0]):
            first, *others = code.calls
            if others:
                left = (replace(others[0], origin=(*first.origin, *others[0].origin)), *others[1:])
                one = replace(one, code=replace(code, calls=left))
        found.append(one)
        if isinstance(code, Chain):
            last.pop(code.persists, None)
            if code.target and code.calls and not one.when:
                last[code.target] = code.calls[-1]
            else:
                last.pop(code.target, None)
    return found


def _is_same(made: Call | None, call: Call) -> bool:
    """Whether a call sorts as the one does that made what it is called on."""
    return made is not None and made.method == call.method == SORT and made.arguments == call.arguments
