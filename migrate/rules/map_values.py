"""``mapValues``: a ``select`` of the key and what the function makes of the value."""

from __future__ import annotations

from dataclasses import replace

from migrate.columns import Record
from migrate.native.stage import Frame, Rdd
from migrate.native.step import Step
from migrate.rules._proofs import pair, value_shape_of_result
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
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0].materialised()
        key, value = pair(frame.element, step)
        return replace(frame, element=Record((key, step.map(step.function("f"), value))), pending=True)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function("f")
        return rdds[0].call(f"mapValues({step.argument(function)})", value=value_shape_of_result(function))
