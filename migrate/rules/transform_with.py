"""``transformWith`` stays on compat."""

from __future__ import annotations

from migrate.native.stage import Frame
from migrate.native.step import Step
from migrate.rules._rule import Example, Rule, register

WHY = "several streams are not joined natively yet"


@register
class TransformWith(Rule):
    """No native form is proven to be the same."""

    operator = "transformWith"
    summary = f"transformWith stays on compat: {WHY}"
    examples = (
        Example("left.transformWith(combine, right).pprint()", "left.transformWith(combine, right).pprint()"),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
