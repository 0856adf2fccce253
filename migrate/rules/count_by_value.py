"""``countByValue``: a ``groupBy`` of all columns with a count."""

from __future__ import annotations

from migrate.columns import Record, Scalar, after_select, name_columns, row_count
from migrate.columns.shapes import Int
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.pairs import check_keys
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.plan.typed.json_keys import of_json_keys
from migrate.rules._register import Example, Rule, register
from migrate.rules._same import default_partitions, is_dealt_out_alike, is_only_printed, names_number


@register
class CountByValue(Rule):
    """Equal elements are one group."""

    operator = "countByValue"
    summary = "countByValue becomes groupBy().agg(F.count()) over the element's columns"
    examples = (
        Example(
            "lines.countByValue().pprint()",
            'batch.groupBy("value").count().show(10, truncate=False)',
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0]
        if frame.within:
            return of_json_keys(step, frame, lambda keys: values_counted(step, keys), is_pair=False)
        return values_counted(step, frame)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        exact = rdds[0].exact and not is_only_printed(step.operation)
        alike = is_dealt_out_alike(step, rdds)
        named = exact or (alike and names_number(step))
        number = f", {default_partitions(rdds[0], step, named=False)}" if named else ""
        ones, added = (
            Call("map", "lambda value: (value, 1)"),
            Call("reduceByKey", f"lambda a, b: a + b{number}"),
        )
        return replace(rdds[0].call(ones, added, sure=True, value=Int(1, 1)), exact=exact, shuffled=alike)


def values_counted(step: Step, frame: Frame) -> Frame:
    """Each value beside how often it is there."""
    if not frame.pending:
        frame = frame.materialised()
    ones = Record((frame.element, Scalar("F.lit(1)", Int(1, 1), "count")))
    named = name_columns(ones, taken=frame.taken)
    assert isinstance(named, Record)
    key = named.items[0]
    check_keys(step, key)
    count = row_count(1, named.items[1].name)
    step.need(shuffles=True)
    grouped = frame.by_groups(key, count)
    element = Record((after_select(key), after_select(count)))
    return replace(grouped, element=element, pending=False)
