"""``saveAsTextFiles`` stays on compat."""

from __future__ import annotations

from migrate.native.outputs import Printed
from migrate.native.stage import Stage
from migrate.native.step import Step
from migrate.rules._rule import Example, OutputRule, register

WHY = "the batch time is part of the path"


@register
class SaveAsTextFiles(OutputRule):
    """No native form is proven to be the same."""

    operator = "saveAsTextFiles"
    summary = f"saveAsTextFiles stays on compat: {WHY}"
    examples = (Example('counts.saveAsTextFiles("counts")', 'counts.saveAsTextFiles("counts")'),)

    def output(self, step: Step, stage: Stage) -> Printed:
        raise step.blocked(WHY)
