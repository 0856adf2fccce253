"""``join`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "several streams are not joined natively yet"


@register
class Join(Rule):
    """No native form is proven to be the same."""

    operator = "join"
    summary = f"join stays on compat: {WHY}"
    examples = (Example("left.join(right).pprint()", "left.join(right).pprint()"),)

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
