"""``reduce``: one row with the aggregate of all elements; none where there are none."""

from __future__ import annotations

import ast

from migrate.columns import (
    COUNT,
    Refusal,
    Scalar,
    after_select,
    compile_reduce,
    leaves,
    name_columns,
    projection,
)
from migrate.columns.names import name_of_one
from migrate.columns.shapes import Int, Str
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.tokens import check_kept, only_tokens, tokens_of
from migrate.plan.new_code.code import Call, Chain, Value
from migrate.plan.sources.only_elements import is_only_printed
from migrate.plan.sources.reduce_order import reducible
from migrate.rules._float_sums import check_float_sums
from migrate.rules._register import Example, Rule, register
from migrate.rules._same import is_dealt_out_alike


@register
class Reduce(Rule):
    """An aggregate of no rows is a row of NULLs in Spark, and nothing in DStream."""

    operator = "reduce"
    summary = "reduce becomes an aggregate, without a row where the batch has none"
    examples = (
        Example(
            "longest = lines.map(lambda line: len(line)).reduce(max)\nlongest.pprint()",
            "longest = (\n"
            '    batch.agg(F.max(F.length("value")).alias("longest"))\n'
            '    .where(F.col("longest").isNotNull())\n'
            ")\n"
            "longest.show(10, truncate=False)",
        ),
        Example(
            'words = lines.flatMap(lambda line: line.split(" "))\n'
            "total = words.map(lambda word: len(word)).reduce(lambda a, b: a + b)\ntotal.pprint()",
            'words = batch.select(F.explode(F.split("value", " ")).alias("word"))\n'
            'total = words.agg(F.sum(F.length("word")).alias("total")).where(F.col("total").isNotNull())\n'
            "total.show(10, truncate=False)",
        ),
        Example(
            "number = lines.map(lambda line: 1).reduce(lambda a, b: a + b)\nnumber.pprint()",
            "number = batch.count()\nif number:\n    print(number)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        sums = frames[0].window is None
        made = aggregated(step, frames[0], step.function("func"), floats=sums)
        if sums and not step.options.pprint_exact and is_only_printed(step, step.operation):
            return _number(step, frames[0], made)
        return made

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function("func")
        if not rdds[0].exact:
            reducible(step, function, rdds[0].element, behind_shuffles=rdds[0].shuffled)
        made = reduced(rdds[0], step.argument(function))
        return replace(made, shuffled=is_dealt_out_alike(step, rdds))


def aggregated(step: Step, frame: Frame, function: ast.expr, *, floats: bool = False) -> Frame:
    """One row with the aggregate of all elements, or of each window's; none where there are none.

    Args:
        step: the operator.
        frame: the elements.
        function: the reduce function.
        floats: whether sums of floats are taken.

    Raises:
        Refusal: the function is no known aggregate.
        Blocked: it sums floats in another order, see `check_float_sums`.
        RatherError: the source must be told to keep them in order.
    """
    compiled = compile_reduce(function, frame.element, step.scope, floats=floats)
    if floats:
        check_float_sums(step, compiled.element)
    before = tokens_of(frame.element)
    check_kept(before, tokens_of(compiled.element), function, "the reduce function")
    need_compiled(step, compiled.demands)
    element = only_tokens(compiled.element, before)
    if isinstance(element, Scalar) and element.aggregate == "sum":
        element = replace(element, name=name_of_one(step.hint) or "sum")  # it is no word any more
    named = name_columns(element, step.hint, frame.taken)
    none = () if frame.window else (Call("where", _of_some(leaves(named)[0])),)
    step.need(shuffles=frame.window is not None)
    frame = frame.grouped_by().call(Call("agg", ", ".join(projection(named))), *none, sure=True)
    return replace(frame, element=after_select(named), pending=False, filtered=bool(none))


def _number(step: Step, frame: Frame, made: Frame) -> Frame:
    """The aggregate, or where that is the number of elements a value in the driver."""
    compiled = compile_reduce(step.function("func"), frame.element, step.scope, floats=True).element
    if not isinstance(compiled, Scalar) or compiled.aggregate != COUNT or made.kept:
        return made
    return replace(made, only=Value(frame.call(Call("count", "")).chain.text), only_some=True)


def value_of_batch(step: Step, frame: Frame, function: ast.expr) -> tuple[Chain, Scalar]:
    """The aggregate of all elements as a value in the driver, and as a column.

    It is None where there are no elements; of ones it is their number.

    Raises:
        Refusal: the function is no known aggregate of numbers or texts.
    """
    made = aggregated(step, frame, function)
    compiled = compile_reduce(function, frame.element, step.scope).element
    if not isinstance(compiled, Scalar) or not isinstance(compiled.shape, Int | Str) or made.kept:
        raise Refusal("it is not one number or text", function)
    assert isinstance(made.element, Scalar)
    column = replace(made.element, aggregate=compiled.aggregate)
    if compiled.aggregate == COUNT:
        return frame.call(Call("count", "")).chain, column
    grouped = frame.grouped_by()
    return grouped.call(Call("agg", compiled.code), Call("first", "", item=0)).chain, column


def _of_some(first: Scalar) -> str:
    """The condition on the first of the aggregates that there are rows: a number of them is 0 for none."""
    column = f'F.col("{first.name}")'
    return f"{column} > 0" if first.aggregate == COUNT else f"{column}.isNotNull()"


def reduced(rdd: Rdd, function: str) -> Rdd:
    """One element, or none where there are none, as DStream.reduce gives."""
    keyed, added = Call("map", "lambda value: (None, value)"), Call("reduceByKey", f"{function}, 1")
    return rdd.call(keyed, added, Call("values", ""), sure=True)
