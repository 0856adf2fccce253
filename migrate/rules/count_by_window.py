"""``countByWindow``: the sum of the counts of the last batches; none where they have no elements."""

from __future__ import annotations

import ast

from migrate.columns import Refusal, column_named
from migrate.columns.reduces import MANY
from migrate.columns.shapes import Int
from migrate.frozen import replace
from migrate.plan.draft.held import Held
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage
from migrate.plan.frames.tokens import tokens_of
from migrate.plan.new_code.code import Call
from migrate.rules._register import Example, register
from migrate.rules._windows import SLIDE, Windowed
from migrate.rules.count import counted, number_of_rows
from migrate.rules.reduce import reduced

_COUNT = column_named("count", Int(0, MANY, amount=True))


@register
class CountByWindow(Windowed):
    """DStream sums ones, so that a window without elements has no count, and not 0."""

    operator = "countByWindow"
    summary = "countByWindow becomes the sum of the counts of the last batches"
    parameters = ("windowDuration", "slideDuration")
    has_inverse = True
    to_number = True
    examples = (
        Example(
            "lines.countByWindow(4, 2).pprint()",
            f"{SLIDE}"
            "window.append((now, batch.count()))\n"
            "while window[0][0] <= now - 4:\n"
            "    window.popleft()\n"
            "total = sum(n for _, n in window)\n"
            "if total:\n"
            "    print(total)",
        ),
        Example(
            "lines.countByWindow(30, 1).pprint()",
            "now = int(time.time())\n"
            "added = batch.count()\n"
            "if added or window:  # nothing is printed before the first row\n"
            "    window.append((now, added))\n"
            "    while window[0][0] <= now - 30:\n"
            "        window.popleft()\n"
            "    print(sum(n for _, n in window))",
        ),
    )

    def value(self, step: Step, stage: Stage, found: dict[str, ast.expr], keeps: bool) -> Held | None:
        return Held(number_of_rows(step, stage), "count", keeps=keeps, column=_COUNT)

    def added(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        if tokens_of(frame.element):
            raise Refusal(
                "counting does not compute a value whose computation may raise", step.operation.call
            )
        counted = (Call("agg", 'F.count("*").alias("count")'), Call("where", 'F.col("count") > 0'))
        return replace(frame.call(*counted, filtered=True), element=_COUNT, pending=False, sure=True)

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        return counted(step, frame)

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        return reduced(rdd.call(Call("map", "lambda value: 1")), "lambda a, b: a + b")

    def total_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr], partitions: str = "") -> Rdd:
        return reduced(rdd, "lambda a, b: a + b")

    def total(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        some = Call("where", 'F.col("count").isNotNull()')
        made = frame.call(Call("agg", 'F.sum("count").alias("count")'), some)
        return replace(made, element=_COUNT, pending=False, shuffles=True, filtered=True)
