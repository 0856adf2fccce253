"""``countByValueAndWindow`` stays on compat."""

from __future__ import annotations

from migrate.rules._rule import Example, StaysOnCompat, register

WHY = (
    "a window over processing time has no exact native form: intervals without input run no "
    "batch, so it would not drain"
)


@register
class CountByValueAndWindow(StaysOnCompat):
    """No native form is proven to be the same."""

    operator = "countByValueAndWindow"
    summary = f"countByValueAndWindow stays on compat: {WHY}"
    examples = (
        Example(
            "words.countByValueAndWindow(30, 10).pprint()", "words.countByValueAndWindow(30, 10).pprint()"
        ),
    )
    why = WHY
