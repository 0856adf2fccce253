"""``cogroup`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "several streams are not joined natively yet"


@register
class Cogroup(Rule):
    """No native form is proven to be the same."""

    operator = "cogroup"
    summary = f"cogroup stays on compat: {WHY}"
    examples = (Example("left.cogroup(right).pprint()", "left.cogroup(right).pprint()"),)

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
