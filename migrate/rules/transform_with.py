"""``transformWith`` stays on compat."""

from __future__ import annotations

from migrate.rules._register import Example, StaysOnCompat, register

WHY = "several streams are not joined natively yet"


@register
class TransformWith(StaysOnCompat):
    """No native form: none is proven to be the same."""

    operator = "transformWith"
    summary = f"transformWith stays on compat: {WHY}"
    examples = (
        Example("left.transformWith(combine, right).pprint()", "left.transformWith(combine, right).pprint()"),
    )
    why = WHY
