"""``groupByKeyAndWindow``: the values of each key in the last batches, those of older batches first."""

from __future__ import annotations

import ast

from migrate.columns import Helper, Refusal
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.plan.sources.reduce_order import reduce_in_order
from migrate.plan.windows.windows import is_one_batch
from migrate.rules._register import Example, register
from migrate.rules._same import ORDER
from migrate.rules._windows import SLIDE, Left, Windowed

IN_ORDER = Helper(
    "by_batch_time",
    '''\
def by_batch_time(batches):
    """The values of a key, given as pairs of a batch time and those of that batch."""
    in_order = sorted(batches, key=lambda batch: batch[0])
    return [value for _, values in in_order for value in values]''',
)


@register
class GroupByKeyAndWindow(Windowed):
    """Each batch groups its own values, where these are in the order in which they came.

    What the batches of a window gave is sorted by their times, as a shuffle promises no order. In a window of
    five slides or more DStream keeps each key for ever, in the end without values.
    """

    operator = "groupByKeyAndWindow"
    summary = "groupByKeyAndWindow groups the values of the last batches, by RDD code"
    parameters = ("windowDuration", "slideDuration", "numPartitions")
    has_inverse = True
    kept = "grouped"
    examples = (
        Example(
            "pairs = lines.map(lambda line: (line[:1], line))\n"
            "pairs.groupByKeyAndWindow(4, 2).mapValues(len).pprint()",
            f"{SLIDE}"
            'pairs = batch.rdd.map(lambda line: (line["value"][:1], line["value"]))\n'
            "added = pairs.groupByKey().mapValues(lambda values: (now, list(values))).persist()\n"
            "window.append((now, added))\n"
            "while window[0][0] <= now - 4:\n"
            "    window.popleft()[1].unpersist()\n"
            "rdd = (\n"
            "    spark.sparkContext.union([rdd for _, rdd in window])\n"
            "    .groupByKey()\n"
            "    .mapValues(by_batch_time)\n"
            "    .mapValues(len)\n"
            ")\n"
            "for record in rdd.take(10):\n"
            "    print(record)",
        ),
    )

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        raise Refusal(ORDER, step.operation.call)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        found = step.arguments(*self.parameters)
        if step.options.event_time is None and is_one_batch(step, *self._durations(step, found)):
            return self._grouped(step, self._in_order(step, rdds[0]), found)
        return super().rdd(step, *rdds)

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        time = step.window_time()
        grouped = self._grouped(step, self._in_order(step, rdd), found)
        return grouped.call(Call("mapValues", f"lambda values: ({time}, list(values))"))

    def total_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr], partitions: str = "") -> Rdd:
        return self._grouped(step, rdd, found, partitions).call(Call("mapValues", step.helper(IN_ORDER)))

    def left(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Left:
        return Left(f"lambda values: ({step.window_time()}, [])")

    @staticmethod
    def _in_order(step: Step, rdd: Rdd) -> Rdd:
        """The RDD of a batch, whose values are in the order in which they came.

        Raises:
            Blocked: they are not, and the user does not allow another order.
        """
        if not rdd.exact:
            reduce_in_order(step, ORDER, merges=False, behind_shuffles=rdd.shuffled)
        return rdd

    @staticmethod
    def _grouped(step: Step, rdd: Rdd, found: dict[str, ast.expr], partitions: str = "") -> Rdd:
        number = found.get("numPartitions")
        return rdd.call(
            Call("groupByKey", partitions if number is None else step.argument(number)), sure=True
        )
