"""``map``: a ``select`` of the result of the function on the columns."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import mapped
from migrate.plan.elements.element_texts import is_only_saved
from migrate.plan.elements.grouped_values import is_made_already
from migrate.plan.elements.row_functions import on_elements
from migrate.plan.frames.frame import Frame, is_part
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call, Value
from migrate.plan.rows.given_names import given_names, with_given_names
from migrate.plan.rows.named_rows import become_frames, named_row, with_names, with_typed_names
from migrate.plan.rows.records import with_read_names
from migrate.plan.sources.only_elements import applied, with_one
from migrate.plan.typed.composed import composed, left_within, saved_within
from migrate.plan.typed.json_keys import keeps_key, with_values
from migrate.plan.typed.returned_names import with_returned_names
from migrate.plan.typed.shown_rows import is_handed_on, may_come_late, shown_rows, tell_caller
from migrate.plan.typed.some_tuples import with_some
from migrate.plan.typed.typed_functions import typed_map
from migrate.proofs.elements.result_shapes import result_shape, value_shape
from migrate.rules._register import Example, Rule, register, to_console

OF_NUMBER = "map is a call for the number"


@register
class Map(Rule):
    """A function of one element becomes expressions over its columns."""

    operator = "map"
    takes_rows = True
    summary = "map becomes a select of Column expressions"
    examples = (
        Example(
            "lengths = lines.map(lambda line: len(line))\nlengths.pprint()",
            'lengths = lines.select(F.length("value").alias("length"))\n' + to_console("lengths"),
        ),
        Example(
            "titles = lines.map(lambda line: line.title())\ntitles.pprint()",
            'title_udf = F.udf(lambda line: line.title(), "string")\n'
            'titles = batch.select(title_udf("value").alias("line"))\n'
            "titles.show(10, truncate=False)",
        ),
        Example(
            "from datetime import date\n"
            "\n"
            "dated = lines.map(lambda line: (date.today().year, line))\n"
            "dated.pprint()",
            'now_udf = F.udf(lambda: date.today().year, "bigint").asNondeterministic()\n'
            'dated = batch.select(now_udf().alias("year"), F.col("value").alias("line"))\n'
            "dated.show(10, truncate=False)",
        ),
        Example(
            "class Line:\n"
            "    def __init__(self, text):\n"
            "        self.text = text\n"
            "        self.size = len(text)\n"
            "\n"
            "    def loud(self):\n"
            '        return self.text + "!"\n'
            "\n"
            "long = lines.map(Line).filter(lambda line: line.size > 3).map(lambda line: line.loud())\n"
            "long.pprint()",
            "long = (\n"
            '    lines.select(F.col("value").alias("text"), F.length("value").alias("size"))\n'
            '    .where(F.col("size") > 3)\n'
            '    .select(F.concat("text", F.lit("!")).alias("long"))\n'
            ")\n" + to_console("long"),
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        if is_made_already(step.operation, step):
            return frames[0]
        if frames[0].shown is not None:
            tell_caller(step)
            return frames[0]
        function = step.function("f", "preservesPartitioning")
        if frames[0].only:
            step.need(reasons={step.operation.use: OF_NUMBER})
            made = applied(step, function, frames[0].only)
            assert made is not None  # it is only made where each reads it once
            return replace(frames[0], only=made)
        frame = frames[0].in_any_order()
        if (read := with_read_names(step, frame, function)) is not None:
            return read
        if (some := with_some(step, frame, function)) is not None:
            return some
        row = named_row(function, step)
        if row is not None and not step.choices.named_in_python:
            return with_names(step, frame, row, has_bytes=become_frames(step))
        frame, element = mapped(step, frame, function)
        named = with_returned_names(element, function, step)
        return frame.holding(with_given_names(named, step))

    def of_value(self, step: Step, value: Value) -> Value:
        function = step.function("f", "preservesPartitioning")
        made = applied(step, function, value) if may_come_late(function, step.facts) else None
        if made is None:
            raise Refusal("its result is read elsewhere than where it is printed", function)
        step.need(reasons={step.operation.use: OF_NUMBER})
        return made

    def python(self, step: Step, *frames: Frame) -> Frame:
        frame, function = frames[0].materialised(), step.function("f", "preservesPartitioning")
        if frame.within and not is_part(frame) and keeps_key(function, step.facts):
            with suppress(Refusal):
                return step.attempt(lambda tried: with_values(tried, frame, partial(self.column, tried)))
        if frame.within:
            return composed(step, frame, function)
        row = named_row(function, step)
        if row is not None and not (step.choices.named_in_python or step.in_python):
            with suppress(Refusal):
                return with_typed_names(step, frame, row)
        if is_only_saved(step):
            with suppress(Refusal):
                return step.attempt(lambda tried: saved_within(tried, frame, function))
        if is_handed_on(step, function):
            with suppress(Refusal):
                return step.attempt(lambda tried: shown_rows(tried, frame, function))
        with suppress(Refusal):
            return typed_map(step, frame, function, named_so=given_names(step))
        with suppress(Refusal):
            return shown_rows(step, frame, function)
        return left_within(step, frame, function)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function("f", "preservesPartitioning")
        facts = step.facts
        only = rdds[0].only
        if only is not None and (element := applied(step, function, only)) is not None:
            return with_one(step, element, rdds[0])
        made = value_shape(function, facts), result_shape(function, facts)
        rdd, code = on_elements(step, rdds[0], function)
        return rdd.call(Call("map", code), value=made[0], element=made[1])
