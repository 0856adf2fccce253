"""``reduceByKeyAndWindow`` stays on compat, unless it may be over event time."""

from __future__ import annotations

import ast

from migrate.plan.stages import Frame
from migrate.plan.step import Step
from migrate.rules._aggregates import grouped
from migrate.rules._register import register
from migrate.rules._same import is_none
from migrate.rules._windows import Windowed, stays


@register
class ReduceByKeyAndWindow(Windowed):
    """An aggregate of each key and window, which needs no inverse."""

    operator = "reduceByKeyAndWindow"
    parameters = ("func", "invFunc", "windowDuration", "slideDuration", "numPartitions", "filterFunc")
    examples = stays("pairs.reduceByKeyAndWindow(add, subtract, 30, 10).pprint()")

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        if not is_none(found.get("filterFunc")) and not is_none(found.get("invFunc")):
            raise step.blocked("its filter is not followed")
        step.partitions(found)
        return grouped(step, frame, step.function(*self.parameters))
