"""``countByValueAndWindow`` stays on compat, unless it may be over event time."""

from __future__ import annotations

import ast

from migrate.plan.stages import Frame
from migrate.plan.step import Step
from migrate.rules._register import register
from migrate.rules._windows import Windowed, stays
from migrate.rules.count_by_value import values_counted


@register
class CountByValueAndWindow(Windowed):
    """Equal elements of a window are one group."""

    operator = "countByValueAndWindow"
    parameters = ("windowDuration", "slideDuration", "numPartitions")
    examples = stays("words.countByValueAndWindow(30, 10).pprint()")

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        step.partitions(found)
        return values_counted(step, frame)
