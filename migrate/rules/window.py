"""``window``: the union of the batches of the last seconds, which the batch function keeps."""

from __future__ import annotations

import ast

from migrate.plan.stages import Rdd
from migrate.plan.step import Step
from migrate.rules._register import Example, register
from migrate.rules._windows import Windowed


@register
class Window(Windowed):
    """The elements of several batches; the operators that read them do so at each slide."""

    operator = "window"
    summary = "window becomes the union of the last batches, which the batch function keeps"
    parameters = ("windowDuration", "slideDuration")
    examples = (
        Example(
            "lines.window(3).pprint()",
            "now = int(time.time())  # in intervals\n"
            "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n"
            "    return\n"
            "window.append((now, batch.persist()))\n"
            "while window[0][0] <= now - 3:\n"
            "    window.popleft()[1].unpersist()\n"
            "reduce(DataFrame.union, [rows for _, rows in window]).show(10, truncate=False)",
        ),
    )

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        return rdd
