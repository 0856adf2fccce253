"""``rightOuterJoin`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "several streams are not joined natively yet"


@register
class RightOuterJoin(Rule):
    """No native form is proven to be the same."""

    operator = "rightOuterJoin"
    summary = f"rightOuterJoin stays on compat: {WHY}"
    examples = (Example("left.rightOuterJoin(right).pprint()", "left.rightOuterJoin(right).pprint()"),)

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
