"""``reduceByWindow`` stays on compat, unless it may be over event time."""

from __future__ import annotations

import ast

from migrate.plan.stages import Frame
from migrate.plan.step import Step
from migrate.rules._register import register
from migrate.rules._windows import Windowed, stays
from migrate.rules.reduce import aggregated


@register
class ReduceByWindow(Windowed):
    """An aggregate of each window, which needs no inverse."""

    operator = "reduceByWindow"
    parameters = ("reduceFunc", "invReduceFunc", "windowDuration", "slideDuration")
    examples = stays("numbers.reduceByWindow(add, subtract, 30, 10).pprint()")

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        return aggregated(step, frame, step.function(*self.parameters))
