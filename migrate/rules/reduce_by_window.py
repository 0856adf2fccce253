"""``reduceByWindow``: the aggregate of the aggregates of the last batches; none where there are none."""

from __future__ import annotations

import ast

from migrate.plan.stages import Frame, Rdd
from migrate.plan.step import Step
from migrate.rules._register import Example, register
from migrate.rules._windows import Windowed, any_order
from migrate.rules.reduce import aggregated, reduced


@register
class ReduceByWindow(Windowed):
    """An aggregate of each batch, and of these in the window: DStream does the same."""

    operator = "reduceByWindow"
    summary = "reduceByWindow becomes an aggregate of the aggregates of the last batches"
    parameters = ("reduceFunc", "invReduceFunc", "windowDuration", "slideDuration")
    inverse = "invReduceFunc"
    examples = (
        Example(
            "longest = lines.map(lambda line: len(line)).reduceByWindow(max, None, 3, 1)\nlongest.pprint()",
            "now = int(time.time())  # in intervals\n"
            "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n"
            "    return\n"
            'added = batch.agg(F.max(F.length("value")).alias("longest"))'
            '.where(F.col("longest").isNotNull())\n'
            "window.append((now, added.persist()))\n"
            "while window[0][0] <= now - 3:\n"
            "    window.popleft()[1].unpersist()\n"
            "longest = (\n"
            "    reduce(DataFrame.union, [rows for _, rows in window])\n"
            '    .agg(F.max("longest").alias("longest"))\n'
            '    .where(F.col("longest").isNotNull())\n'
            ")\n"
            "longest.show(10, truncate=False)",
        ),
    )

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        return aggregated(step, frame, step.function(*self.parameters))

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        any_order(step, step.function(*self.parameters), rdd.element)
        return self.total_rdd(step, rdd, found)

    def total_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr], partitions: str = "") -> Rdd:
        return reduced(rdd, step.argument(step.function(*self.parameters)))
