"""``repartition`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "its result depends on the partitions, and Structured Streaming makes others"


@register
class Repartition(Rule):
    """No native form is proven to be the same."""

    operator = "repartition"
    summary = f"repartition stays on compat: {WHY}"
    examples = (Example("lines.repartition(4).foreachRDD(send)", "lines.repartition(4).foreachRDD(send)"),)

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
