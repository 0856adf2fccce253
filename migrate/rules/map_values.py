"""``mapValues``: a ``select`` of the key and the result of the function on the value."""

from __future__ import annotations

from dataclasses import replace

from migrate.columns import Record, type_beside, type_map
from migrate.plan.column_functions import map_columns
from migrate.plan.pairs import pair
from migrate.plan.python_rows import mapped_beside, over_arrow
from migrate.plan.stages import Frame, Rdd
from migrate.plan.step import Step
from migrate.proofs.result_shapes import result_shape
from migrate.rules._rule import Example, Rule, register


@register
class MapValues(Rule):
    """The function sees the value's columns; the key stays."""

    operator = "mapValues"
    summary = "mapValues becomes a select that keeps the key's columns"
    examples = (
        Example(
            "sizes = lines.map(lambda line: (line, len(line))).mapValues(lambda size: size * 2)\n"
            "sizes.pprint()",
            "sizes = (\n"
            '    batch.select(F.col("value").alias("line"), F.length("value").alias("value"))\n'
            '    .select("line", (F.col("value").cast("bigint") * 2).alias("value"))\n'
            ")\n"
            "sizes.show(10, truncate=False)",
        ),
        Example(
            "lines.map(lambda line: (len(line), line)).mapValues(lambda text: text.swapcase()).pprint()",
            "(\n"
            '    batch.select(F.length("value").alias("key"), F.col("value").alias("line"))\n'
            "    .transform(\n"
            "        python_rows,\n"
            "        lambda key, text: [(key, text.swapcase())],\n"
            '        {"key": "bigint", "text": "string"},\n'
            "    )\n"
            "    .show(10, truncate=False)\n"
            ")",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0].materialised()
        key, value = pair(frame.element, step)
        return replace(
            frame, element=Record((key, map_columns(step, step.function("f"), value))), pending=True
        )

    def python(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0].materialised()
        key, value = pair(frame.element, step)
        function = step.function("f")
        made = type_beside(key, type_map(function, [value], step.scope), function)
        return over_arrow(step, frame, mapped_beside(step, function, key, value, flat=False), made)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function("f")
        return rdds[0].call(f"mapValues({step.argument(function)})", value=result_shape(function, step.facts))
