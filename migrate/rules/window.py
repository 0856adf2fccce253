"""``window``: the union of the batches of the last seconds, which the batch function keeps."""

from __future__ import annotations

import ast

from migrate.frozen import replace
from migrate.graph.program import Operation
from migrate.plan.draft.held import Held
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage, check_not_within
from migrate.plan.typed.composed import rows_left
from migrate.rules._register import Example, register
from migrate.rules._windows import Windowed
from migrate.rules.count import has_always_count, number_of_rows

COUNTS = "window becomes the counts of the last batches, which the batch function keeps"


@register
class Window(Windowed):
    """The elements of several batches; the operators that read them do so at each slide."""

    operator = "window"
    summary = "window becomes the union of the last batches, which the batch function keeps"
    parameters = ("windowDuration", "slideDuration")
    to_number = True
    examples = (
        Example(
            "lines.window(3).pprint()",
            "now = int(time.time())\n"
            "window.append((now, batch.persist()))\n"
            "while window[0][0] <= now - 3:\n"
            "    window.popleft()[1].unpersist()\n"
            "reduce(DataFrame.union, [rows for _, rows in window]).show(10, truncate=False)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        """The rows of the window; functions whose results no column holds are called of these."""
        (frame,) = frames
        if frame.within and step.options.event_time is not None:
            check_not_within(frame)
        parts = frame.within
        if {part.operator for part in parts} == {"map", "filter"}:
            frame = rows_left(step, frame)  # a window keeps no others
            parts = tuple(part for part in parts if part.operator == "map")
        made = super().column(step, replace(frame, within=()))
        return replace(made, within=parts)

    def value(self, step: Step, stage: Stage, found: dict[str, ast.expr], keeps: bool) -> Held | None:
        """The count of each batch, where nothing but the count of the window is read."""
        if not _is_counted(step.operation):
            return None
        always = has_always_count(step, stage)
        if always is None:
            return None
        step.need(reasons={step.operation.use: COUNTS})
        return Held(number_of_rows(step, stage), "count", always=always, by_next=True)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        """The union of the batches, one after the other: its partitions are DStream's if theirs are."""
        return replace(super().rdd(step, *rdds), shuffled=rdds[0].shuffled)

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        return rdd


def _is_counted(window: Operation) -> bool:
    """Whether nothing but ``count()`` reads a window."""
    if len(window.consumers) != 1:
        return False
    (reader,) = window.consumers
    return reader.operator == "count" and not (reader.call.args or reader.call.keywords)
