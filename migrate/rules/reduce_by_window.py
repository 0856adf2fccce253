"""``reduceByWindow`` stays on compat."""

from __future__ import annotations

from migrate.rules._rule import Example, StaysOnCompat, register

WHY = (
    "a window over processing time has no exact native form: intervals without input run no "
    "batch, so it would not drain"
)


@register
class ReduceByWindow(StaysOnCompat):
    """No native form is proven to be the same."""

    operator = "reduceByWindow"
    summary = f"reduceByWindow stays on compat: {WHY}"
    examples = (
        Example(
            "numbers.reduceByWindow(add, subtract, 30, 10).pprint()",
            "numbers.reduceByWindow(add, subtract, 30, 10).pprint()",
        ),
    )
    why = WHY
