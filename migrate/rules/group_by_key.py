"""``groupByKey`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "the order of a key's values is not promised by native code"


@register
class GroupByKey(Rule):
    """No native form is proven to be the same."""

    operator = "groupByKey"
    summary = f"groupByKey stays on compat: {WHY}"
    examples = (
        Example("pairs.groupByKey().mapValues(list).pprint()", "pairs.groupByKey().mapValues(list).pprint()"),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
