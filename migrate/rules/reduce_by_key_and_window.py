"""``reduceByKeyAndWindow``: the aggregates of the last batches, aggregated."""

from __future__ import annotations

import ast

from migrate.plan.stages import Frame, Rdd
from migrate.plan.step import Step
from migrate.rules._aggregates import grouped
from migrate.rules._register import Example, register
from migrate.rules._same import is_none
from migrate.rules._windows import FILTERED, Windowed, any_order


@register
class ReduceByKeyAndWindow(Windowed):
    """An aggregate of each key in each batch, and of these in the window: DStream does the same.

    An inverse is only used in a window of five slides or more, where it leaves keys with a sum of 0.
    """

    operator = "reduceByKeyAndWindow"
    summary = "reduceByKeyAndWindow becomes a groupBy of the aggregates of the last batches"
    parameters = ("func", "invFunc", "windowDuration", "slideDuration", "numPartitions", "filterFunc")
    inverse = "invFunc"
    by_key = True
    examples = (
        Example(
            "pairs = lines.map(lambda line: (line, 1))\n"
            "counts = pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 4, 2)\n"
            "counts.pprint()",
            "batch_time = datetime.now().replace(microsecond=0)  # start of the interval\n"
            "if batch_id == 0 and batch.isEmpty():  # before the first batch time\n"
            "    return\n"
            'added = batch.groupBy(F.col("value").alias("line")).count()\n'
            "window.add(added, batch_time)\n"
            "if window.is_due:\n"
            '    counts = window.union().groupBy("line").agg(F.sum("count").alias("count"))\n'
            "    counts.show(10, truncate=False)",
        ),
    )

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        if not is_none(found.get("filterFunc")) and not is_none(found.get("invFunc")):
            raise step.blocked(FILTERED)
        step.partitions(found)
        return grouped(step, frame, step.function(*self.parameters))

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        any_order(step, step.function(*self.parameters), rdd.value)
        return self._reduced(step, rdd, found)

    def total_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        return self._reduced(step, rdd, found)

    def _reduced(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        if not is_none(found.get("filterFunc")) and not is_none(found.get("invFunc")):
            raise step.blocked(FILTERED)
        given = [found[name] for name in ("func", "numPartitions") if name in found]
        return rdd.call(f"reduceByKey({', '.join(map(step.argument, given))})", sure=True, value=rdd.value)
