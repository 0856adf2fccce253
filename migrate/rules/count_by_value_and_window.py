"""``countByValueAndWindow``: the sums of the counts of equal elements in the last batches."""

from __future__ import annotations

import ast

from migrate.columns.shapes import Int, Shape
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.plan.typed.json_keys import of_json_keys
from migrate.rules._aggregates import PLUS, grouped
from migrate.rules._register import Example, register
from migrate.rules._windows import Windowed
from migrate.rules.count_by_value import values_counted


@register
class CountByValueAndWindow(Windowed):
    """Equal elements of a window are one group; DStream leaves those out of which nothing is left."""

    operator = "countByValueAndWindow"
    summary = "countByValueAndWindow becomes a groupBy of the counts of the last batches"
    parameters = ("windowDuration", "slideDuration", "numPartitions")
    examples = (
        Example(
            "lines.countByValueAndWindow(3, 1).pprint()",
            "now = int(time.time())\n"
            'added = batch.groupBy("value").count().persist()\n'
            "window.append((now, added))\n"
            "while window[0][0] <= now - 3:\n"
            "    window.popleft()[1].unpersist()\n"
            "(\n"
            "    reduce(DataFrame.union, [rows for _, rows in window])\n"
            '    .groupBy("value").agg(F.sum("count").alias("count"))\n'
            "    .show(10, truncate=False)\n"
            ")",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        if not frames[0].within:
            return super().column(step, *frames)
        return of_json_keys(step, frames[0], lambda keys: self.column(step, keys), is_pair=False)

    def leaves_no_zeros(self, step: Step, found: dict[str, ast.expr], value: Shape | None) -> bool:
        return True

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        step.partitions(found)
        return values_counted(step, frame)

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        return self.total_rdd(step, rdd.call(Call("map", "lambda value: (value, 1)")), found)

    def total_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr], partitions: str = "") -> Rdd:
        return rdd.call(Call("reduceByKey", "lambda a, b: a + b"), sure=True, value=Int(1))

    def total(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        return grouped(step, frame, PLUS)
