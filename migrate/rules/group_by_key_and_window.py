"""``groupByKeyAndWindow``: the values of each key in the last batches, if they may be in any order."""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.model import Options
from migrate.plan.reduce_order import ANY_ORDER
from migrate.plan.stages import Frame, Rdd
from migrate.plan.step import Step
from migrate.rules._register import Example, register
from migrate.rules._same import ORDER
from migrate.rules._windows import Windowed


@register
class GroupByKeyAndWindow(Windowed):
    """DStream keeps the values of a key in the order of batches, which a shuffle does not promise."""

    operator = "groupByKeyAndWindow"
    summary = "groupByKeyAndWindow stays on compat, or with --unsafe groups the last batches as RDD code"
    parameters = ("windowDuration", "slideDuration", "numPartitions")
    has_inverse = True
    examples = (
        Example("pairs.groupByKeyAndWindow(30, 10).pprint()", "pairs.groupByKeyAndWindow(30, 10).pprint()"),
    )

    def refuses_all(self, options: Options) -> str | None:
        """Nothing but the user's word allows another order."""
        return None if options.unsafe else ORDER

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        raise Refusal(ORDER, step.operation.call)

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        if not step.options.unsafe:
            raise step.blocked(ORDER)
        step.unsafe()
        step.note(ANY_ORDER)
        return rdd

    def total_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        number = found.get("numPartitions")
        return rdd.call(f"groupByKey({'' if number is None else step.argument(number)})", sure=True)
