"""``groupByKeyAndWindow`` stays on compat."""

from __future__ import annotations

from migrate.rules._rule import Example, StaysOnCompat, register

WHY = (
    "a window over processing time has no exact native form: intervals without input run no "
    "batch, so it would not drain"
)


@register
class GroupByKeyAndWindow(StaysOnCompat):
    """No native form is proven to be the same."""

    operator = "groupByKeyAndWindow"
    summary = f"groupByKeyAndWindow stays on compat: {WHY}"
    examples = (
        Example("pairs.groupByKeyAndWindow(30, 10).pprint()", "pairs.groupByKeyAndWindow(30, 10).pprint()"),
    )
    why = WHY
