"""``mapValues``: a ``select`` of the key and the result of the function on the value."""

from __future__ import annotations

import ast
from contextlib import suppress
from functools import partial

from migrate.columns import Record, Refusal, compile_map, leaves, name_columns
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import map_columns
from migrate.plan.elements.grouped_values import is_made_already
from migrate.plan.elements.pairs import pair
from migrate.plan.frames.frame import Frame, is_part
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.row_elements import has_objects
from migrate.plan.new_code.code import Call
from migrate.plan.typed.composed import composed
from migrate.plan.typed.json_keys import with_values
from migrate.plan.typed.typed_functions import typed_map
from migrate.proofs.elements.result_shapes import result_shape
from migrate.rules._register import Example, Rule, register, to_console


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
            '    lines.select(F.col("value").alias("line"), F.length("value").alias("value"))\n'
            '    .select("line", (F.col("value").cast("bigint") * 2).alias("value"))\n'
            ")\n" + to_console("sizes"),
        ),
        Example(
            "lines.map(lambda line: (len(line), line)).mapValues(lambda text: text.swapcase()).pprint()",
            'swapcase_udf = F.udf(lambda text: text.swapcase(), "string")\n'
            "(\n"
            '    batch.select(F.length("value").alias("key"), F.col("value").alias("line"))\n'
            '    .select("key", swapcase_udf("line").alias("text"))\n'
            "    .show(10, truncate=False)\n"
            ")",
        ),
        Example(
            "lengths = lines.map(lambda line: (line[:1], (len(line) / 7, 1)))\n"
            "sums = lengths.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))\n"
            "averages = sums.mapValues(lambda total: total[0] / total[1])\n"
            "averages.pprint()",
            "averages = (\n"
            '    batch.groupBy(F.col("value").substr(1, 1).alias("key"))\n'
            '    .agg(F.avg(F.length("value") / 7).alias("value"))\n'
            ")\n"
            "averages.show(10, truncate=False)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        if is_made_already(step.operation, step):
            return frames[0]
        return values_mapped(step, frames[0], step.function("f"))

    def python(self, step: Step, *frames: Frame) -> Frame:
        frame, function = frames[0].materialised(), step.function("f")
        if frame.within and not is_part(frame):
            with suppress(Refusal):
                return step.attempt(lambda it: with_values(it, frame, partial(_values, it, function)))
        if frame.within:
            return composed(step, frame, function)
        return _typed(step, function, frame)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function("f")
        return rdds[0].call(
            Call("mapValues", step.argument(function)), value=result_shape(function, step.facts)
        )


def _values(step: Step, function: ast.expr, frame: Frame) -> Frame:
    """The pairs with what a function makes of each value, by columns or as a typed function.

    Raises:
        Refusal: it has neither form.
    """
    return step.either(
        lambda tried: values_mapped(tried, frame, function), lambda tried: _typed(tried, function, frame)
    )


def _typed(step: Step, function: ast.expr, frame: Frame) -> Frame:
    """The pairs with what a typed function makes of each value.

    Raises:
        Refusal: its type is not known.
    """
    key, _ = pair(frame.element, step)
    return typed_map(step, frame, function, key)


def values_mapped(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The pairs with what a function makes of each value.

    Raises:
        Refusal: it has no Column form.
    """
    named = replace(frame, element=name_columns(frame.element, frame.hint, frame.kept))
    frame = named if _only_adds(step, function, named) else frame.materialised()
    key, value = pair(frame.element, step)
    return frame.holding(Record((key, map_columns(step, function, value, place=1))))


def _only_adds(step: Step, function: ast.expr, frame: Frame) -> bool:
    """Whether a function gives each part of a value once, beside constants: ``lambda price: (price, 1)``.

    JSON is parsed before, into a column of its own.

    Raises:
        Refusal: the function has no Column form.
    """
    _, value = pair(frame.element, step)
    if has_objects(frame.element) or any(leaf.parse is not None for leaf in leaves(frame.element)):
        return False
    made = compile_map(function, [value], step.scope_of(1)).element
    given = [leaf.code for leaf in leaves(made) if not leaf.is_plain]
    return sorted(given) == sorted(leaf.code for leaf in leaves(value))
