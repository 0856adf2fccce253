"""``glom`` stays on compat."""

from __future__ import annotations

from migrate.native.plan import Step
from migrate.native.stage import Frame
from migrate.rules._rule import Example, Rule, register

WHY = "its result depends on the partitions, and Structured Streaming makes others"


@register
class Glom(Rule):
    """No native form is proven to be the same."""

    operator = "glom"
    summary = f"glom stays on compat: {WHY}"
    examples = (Example("lines.glom().pprint()", "lines.glom().pprint()"),)

    def column(self, step: Step, *frames: Frame) -> Frame:
        raise step.blocked(WHY)
