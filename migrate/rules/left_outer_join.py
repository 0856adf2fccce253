"""``leftOuterJoin`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "several streams are not joined natively yet"


@register
class LeftOuterJoin(Rule):
    """No native form is proven to be the same."""

    operator = "leftOuterJoin"
    summary = f"leftOuterJoin stays on compat: {WHY}"
    examples = (Example("left.leftOuterJoin(right).pprint()", "left.leftOuterJoin(right).pprint()"),)

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
