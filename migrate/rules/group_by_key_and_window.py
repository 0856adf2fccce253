"""``groupByKeyAndWindow`` stays on compat, unless it may be over event time."""

from __future__ import annotations

import ast

from migrate.plan.stages import Frame
from migrate.plan.step import Step
from migrate.rules._register import register
from migrate.rules._windows import Windowed, stays


@register
class GroupByKeyAndWindow(Windowed):
    """No native form: DStream keeps the values of a window in the order of batches, an aggregate does not."""

    operator = "groupByKeyAndWindow"
    parameters = ("windowDuration", "slideDuration", "numPartitions")
    examples = stays("pairs.groupByKeyAndWindow(30, 10).pprint()")

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        raise step.blocked("the order of a key's values is not promised by native code")
