"""``mapPartitionsWithIndex`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "its result depends on the partitions, and Structured Streaming makes others"


@register
class MapPartitionsWithIndex(Rule):
    """No native form is proven to be the same."""

    operator = "mapPartitionsWithIndex"
    summary = f"mapPartitionsWithIndex stays on compat: {WHY}"
    examples = (
        Example(
            "lines.mapPartitionsWithIndex(number).pprint()", "lines.mapPartitionsWithIndex(number).pprint()"
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
