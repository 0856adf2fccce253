"""``partitionBy`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "its result depends on the partitions, and Structured Streaming makes others"


@register
class PartitionBy(Rule):
    """No native form is proven to be the same."""

    operator = "partitionBy"
    summary = f"partitionBy stays on compat: {WHY}"
    examples = (Example("pairs.partitionBy(4).foreachRDD(send)", "pairs.partitionBy(4).foreachRDD(send)"),)

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
