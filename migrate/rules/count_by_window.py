"""``countByWindow`` stays on compat, unless it may be over event time."""

from __future__ import annotations

import ast

from migrate.plan.stages import Frame
from migrate.plan.step import Step
from migrate.rules._register import register
from migrate.rules._windows import Windowed, stays
from migrate.rules.count import counted


@register
class CountByWindow(Windowed):
    """A count of each window."""

    operator = "countByWindow"
    parameters = ("windowDuration", "slideDuration")
    examples = stays("lines.countByWindow(30, 10).pprint()")

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        return counted(step, frame)
