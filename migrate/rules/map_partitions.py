"""``mapPartitions`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "its result depends on the partitions, and Structured Streaming makes others"


@register
class MapPartitions(Rule):
    """No native form is proven to be the same."""

    operator = "mapPartitions"
    summary = f"mapPartitions stays on compat: {WHY}"
    examples = (
        Example("lines.mapPartitions(count_all).pprint()", "lines.mapPartitions(count_all).pprint()"),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
