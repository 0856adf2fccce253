"""``countByWindow`` stays on compat."""

from __future__ import annotations

from migrate.rules._rule import Example, StaysOnCompat, register

WHY = (
    "a window over processing time has no exact native form: intervals without input run no "
    "batch, so it would not drain"
)


@register
class CountByWindow(StaysOnCompat):
    """No native form is proven to be the same."""

    operator = "countByWindow"
    summary = f"countByWindow stays on compat: {WHY}"
    examples = (Example("lines.countByWindow(30, 10).pprint()", "lines.countByWindow(30, 10).pprint()"),)
    why = WHY
