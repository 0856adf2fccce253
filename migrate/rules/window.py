"""``window`` stays on compat."""

from __future__ import annotations

from migrate.rules._rule import Example, StaysOnCompat, register

WHY = (
    "a window over processing time has no exact native form: intervals without input run no "
    "batch, so it would not drain"
)


@register
class Window(StaysOnCompat):
    """No native form is proven to be the same."""

    operator = "window"
    summary = f"window stays on compat: {WHY}"
    examples = (Example("lines.window(30, 10).pprint()", "lines.window(30, 10).pprint()"),)
    why = WHY
