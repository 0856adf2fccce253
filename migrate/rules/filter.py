"""``filter``: a ``where``."""

from __future__ import annotations

from dataclasses import replace

from migrate.columns import type_filter
from migrate.plan.column_functions import condition_of
from migrate.plan.python_rows import filtered, over_arrow
from migrate.plan.row_functions import keeps_rows
from migrate.plan.stages import Frame, Rdd, to_elements
from migrate.plan.step import Step
from migrate.rules._rule import Example, Rule, register


@register
class Filter(Rule):
    """A predicate becomes a condition."""

    operator = "filter"
    takes_rows = True
    summary = "filter becomes a where"
    examples = (
        Example(
            'errors = lines.filter(lambda line: "ERROR" in line)\nerrors.pprint()',
            'errors = batch.where(F.col("value").contains("ERROR"))\nerrors.show(10, truncate=False)',
        ),
        Example(
            'lines.filter(lambda line: line.title() != "").pprint()',
            "(\n"
            "    batch.transform(\n"
            "        python_rows,\n"
            '        lambda line: [line] if line.title() != "" else [],\n'
            '        {"value": "string"},\n'
            "    )\n"
            "    .show(10, truncate=False)\n"
            ")",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0].materialised()
        condition = condition_of(step, step.function("f"), frame.element)
        return frame.call(f"where({condition})", filtered=True)

    def python(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0].materialised()
        function = step.function("f")
        made = type_filter(function, frame.element, step.scope)
        return over_arrow(step, frame, filtered(step, function, frame.element), made)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function("f")
        rdd = rdds[0] if keeps_rows(step, rdds[0], function) else to_elements(rdds[0])
        kept = rdd.call(f"filter({step.argument(function)})", value=rdd.value, element=rdd.element)
        return replace(kept, rows=rdd.rows)
