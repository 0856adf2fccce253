"""``reduceByWindow``: the aggregate of the aggregates of the last batches; none where there are none."""

from __future__ import annotations

import ast

from migrate.columns import COUNT
from migrate.plan.draft.held import Held
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage
from migrate.plan.sources.reduce_order import reducible
from migrate.rules._ints_of_texts import ints_of_texts
from migrate.rules._register import Example, register
from migrate.rules._windows import Windowed
from migrate.rules.reduce import aggregated, reduced, value_of_batch


@register
class ReduceByWindow(Windowed):
    """An aggregate of each batch, and of these in the window: DStream does the same."""

    operator = "reduceByWindow"
    summary = "reduceByWindow becomes an aggregate of the aggregates of the last batches"
    parameters = ("reduceFunc", "invReduceFunc", "windowDuration", "slideDuration")
    inverse = "invReduceFunc"
    to_number = True
    examples = (
        Example(
            "longest = lines.map(lambda line: len(line)).reduceByWindow(max, None, 3, 1)\nlongest.pprint()",
            "now = int(time.time())\n"
            'added = batch.agg(F.max(F.length("value"))).first()[0]\n'
            "if added is not None:\n"
            "    window.append((now, added))\n"
            "while window and window[0][0] <= now - 3:\n"
            "    window.popleft()\n"
            "if window:\n"
            "    longest = max(n for _, n in window)\n"
            "    print(longest)",
        ),
        Example(
            "lengths = lines.map(lambda line: str(len(line)))\n"
            "total = lengths.reduceByWindow(\n"
            "    lambda a, b: int(a) + int(b), lambda a, b: int(a) - int(b), 5, 1\n"
            ")\n"
            "total.pprint()",
            "now = int(time.time())\n"
            'lengths = batch.select(F.length("value").cast("string").alias("length"))\n'
            'added = lengths.agg(F.sum(F.col("length").cast("bigint"))).first()[0]\n'
            "if added is not None or window:  # nothing is printed before the first row\n"
            "    window.append((now, added or 0))\n"
            "    while window[0][0] <= now - 5:\n"
            "        window.popleft()\n"
            "    total = sum(n for _, n in window)\n"
            "    print(total)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        found = step.arguments(*self.parameters)
        durations = self._durations(step, found)
        if step.options.event_time is None and self.keeps_keys(step, found, durations, None) is not False:
            frames = tuple(ints_of_texts(step, frame) for frame in frames)  # RDD code keeps no zeros
        return super().column(step, *frames)

    def value(self, step: Step, stage: Stage, found: dict[str, ast.expr], keeps: bool) -> Held | None:
        if not isinstance(stage, Frame):
            return None
        function = step.function(*self.parameters)
        if keeps:
            stage = ints_of_texts(step, stage)
            self.check_inverse(step, found, stage.element)
        added, column = value_of_batch(step, stage, function)
        if column.aggregate == COUNT:
            return Held(added, "count", keeps=keeps, column=column)
        return Held(added, "result", column.aggregate, may_be_none=True, keeps=keeps, column=column)

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        return aggregated(step, frame, step.function(*self.parameters))

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        reducible(step, step.function(*self.parameters), rdd.element)
        return self.total_rdd(step, rdd, found)

    def total_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr], partitions: str = "") -> Rdd:
        return reduced(rdd, step.argument(step.function(*self.parameters)))
