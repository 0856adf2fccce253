"""``combineByKey`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "the order of a key's values is not promised by native code"


@register
class CombineByKey(Rule):
    """No native form is proven to be the same."""

    operator = "combineByKey"
    summary = f"combineByKey stays on compat: {WHY}"
    examples = (
        Example(
            "pairs.combineByKey(make, merge, join).pprint()", "pairs.combineByKey(make, merge, join).pprint()"
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
