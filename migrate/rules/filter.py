"""``filter``: a ``where``."""

from __future__ import annotations

from migrate.columns.tells import under
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import condition_of
from migrate.plan.elements.row_functions import keeps_rows
from migrate.plan.elements.summed_next import are_summed
from migrate.plan.frames.conditions import behind_conditions
from migrate.plan.frames.frame import Frame, is_part, is_plain
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import to_elements
from migrate.plan.new_code.code import Call
from migrate.plan.typed.composed import left_within
from migrate.plan.typed.json_keys import pairs_left
from migrate.plan.typed.typed_functions import deciding, typed_filter
from migrate.rules._register import Example, Rule, register, to_console


@register
class Filter(Rule):
    """A predicate becomes a condition."""

    operator = "filter"
    takes_rows = True
    summary = "filter becomes a where"
    examples = (
        Example(
            'errors = lines.filter(lambda line: "ERROR" in line)\nerrors.pprint()',
            'errors = lines.where(F.col("value").contains("ERROR"))\n' + to_console("errors"),
        ),
        Example(
            'lines.filter(lambda line: line.title() != "").pprint()',
            'keep_udf = F.udf(lambda line: line.title() != "", "boolean")\n'
            'batch.where(keep_udf("value")).show(10, truncate=False)',
        ),
        Example(
            'words = lines.filter(lambda line: line.title() != "").filter(lambda w: w.title()[0] != "B")\n'
            "words.pprint()",
            'keep_udf = F.udf(lambda w: w.title() != "" and w.title()[0] != "B", "boolean")\n'
            'words = batch.where(keep_udf("value"))\n'
            "words.show(10, truncate=False)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0]
        if step.operation in step.known.joined:
            return frame
        if not is_plain(frame):
            frame = (
                frame.with_what_differs() if are_summed(step.operation, step.facts) else frame.in_any_order()
            )
        condition = condition_of(step, step.function("f"), frame.element)
        if condition.constant is True:
            return frames[0]
        if condition.partial or condition.tokens or frame.late:
            frame = behind_conditions(frame, step.choices)
        left = under(frame.element, dict(condition.tells.holds))
        decides = deciding(step, frame, condition)
        return frame.where(condition.code, filtered=True, conditions=decides, element=left)

    def python(self, step: Step, *frames: Frame) -> Frame:
        frame, function = frames[0].materialised(), step.function("f")
        if frame.within and not is_part(frame):
            return pairs_left(step, frame, function, lambda pairs: self.column(step, pairs))
        return left_within(step, frame, function) if frame.within else typed_filter(step, frame, function)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function("f")
        rdd = rdds[0] if keeps_rows(step, rdds[0], function) else to_elements(rdds[0])
        kept = rdd.call(Call("filter", step.argument(function)), value=rdd.value, element=rdd.element)
        return replace(kept, rows=rdd.rows)
