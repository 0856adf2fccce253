"""``reduceByKeyAndWindow``: the aggregates of the last batches, aggregated."""

from __future__ import annotations

import ast

from migrate.columns import Refusal, column_named
from migrate.columns.shapes import Int, Shape
from migrate.graph.operations import Operation, source_of_keys
from migrate.knowledge import streaming
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import condition_of
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import check_not_within
from migrate.plan.new_code.code import Call
from migrate.plan.sources.reduce_order import reducible
from migrate.plan.typed.json_keys import of_json_keys, reads_keys
from migrate.plan.windows.windows import is_made_anew, is_one_batch
from migrate.proofs.elements.zeros import leaves_zeros_out
from migrate.rules._aggregates import grouped
from migrate.rules._register import Example, register
from migrate.rules._windows import FILTERED, INVERSE, SLIDE, ZERO, Durations, Left, Windowed, value_of
from migrate.syntax.tree import is_none


@register
class ReduceByKeyAndWindow(Windowed):
    """An aggregate of each key in each batch, and of these in the window: DStream does the same.

    An inverse is only used in a window of five slides or more, where it leaves keys with a sum of 0 unless a
    filter takes these out.
    """

    operator = "reduceByKeyAndWindow"
    summary = "reduceByKeyAndWindow becomes a groupBy of the aggregates of the last batches"
    parameters = ("func", "invFunc", "windowDuration", "slideDuration", "numPartitions", "filterFunc")
    inverse = "invFunc"
    by_key = True
    examples = (
        Example(
            "pairs = lines.map(lambda line: (line, 1))\n"
            "counts = pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 4, 2)\n"
            "counts.pprint()",
            f"{SLIDE}"
            'added = batch.groupBy(F.col("value").alias("line")).count().persist()\n'
            "window.append((now, added))\n"
            "while window[0][0] <= now - 4:\n"
            "    window.popleft()[1].unpersist()\n"
            "counts = (\n"
            "    reduce(DataFrame.union, [rows for _, rows in window])\n"
            '    .groupBy("line").agg(F.sum("count").alias("count"))\n'
            ")\n"
            "counts.show(10, truncate=False)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0]
        if not frame.within:
            return self._of_columns(step, frame)
        function = _filter(step.arguments(*self.parameters))
        if function is not None and reads_keys(function, step.facts):
            check_not_within(frame)
        return of_json_keys(step, frame, lambda pairs: self._of_columns(step, pairs), is_pair=True)

    def _of_columns(self, step: Step, frame: Frame) -> Frame:
        """The aggregates of the columns of a window."""
        made = super().column(step, frame)
        function = _filter(step.arguments(*self.parameters))
        if function is None:
            return made
        value = value_of(step, frame)
        window = step.known.windows.get(step.operation)
        no_zeros = (isinstance(value, Int) and value.low > 0) or (window is not None and window.negative)
        if no_zeros and leaves_zeros_out(function, step.facts):
            return made  # no sum is 0
        made = made.materialised()
        condition = condition_of(step, function, made.element)
        if condition.partial or condition.tokens:
            raise Refusal("its filter may fail", function)
        return made.where(condition.code, filtered=True)

    def added(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        if source_of_keys(step.operation.parents[0]).operator in streaming.ONE_OF_EACH:
            return frame  # a lone value of a key is what a batch adds
        return super().added(step, frame, found)

    def aggregate(self, step: Step, frame: Frame, found: dict[str, ast.expr]) -> Frame:
        step.partitions(found)
        floats = self._is_without_inverse(step, found)
        return grouped(step, frame, step.function(*self.parameters), floats=floats)

    def _is_without_inverse(self, step: Step, found: dict[str, ast.expr]) -> bool:
        """Whether a window over processing time is put together of its batches, as DStream does it."""
        if step.options.event_time is not None:
            return False
        durations = self._durations(step, found)
        return is_one_batch(step, *durations) or super().keeps_keys(step, found, durations, None) is False

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        made = super().rdd(step, *rdds)
        function = _filter(step.arguments(*self.parameters))
        return (
            made if function is None else made.call(Call("filter", step.argument(function)), value=made.value)
        )

    def added_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Rdd:
        reducible(step, step.function(*self.parameters), rdd.value)
        return self._reduced(step, rdd, found)

    def total_rdd(self, step: Step, rdd: Rdd, found: dict[str, ast.expr], partitions: str = "") -> Rdd:
        return self._reduced(step, rdd, found, partitions)

    def left(self, step: Step, rdd: Rdd, found: dict[str, ast.expr]) -> Left:
        if not isinstance(rdd.value, Int):
            raise step.blocked(INVERSE)
        try:
            self.check_inverse(step, found, column_named("value", rdd.value))
        except Refusal as refusal:
            raise step.blocked(refusal.reason) from None
        return ZERO

    def keeps_keys(
        self, step: Step, found: dict[str, ast.expr], durations: Durations, value: Shape | None
    ) -> bool | None:
        """Whether keys of which nothing is left stay: not if a filter leaves them out, and them alone.

        Sums of whole numbers that are never negative are 0 only where all of a window's values are, so that
        the inverse finds the same sum again for a key that comes back.
        """
        keeps = super().keeps_keys(step, found, durations, value)
        own = _filter(found)
        filters = [own] if own is not None else []
        if own is None and (keeps is None or (keeps and is_made_anew(step, durations[0]))):
            filters = _filters_behind(step.operation)
        if keeps is False or not filters:
            return keeps
        leave_out = all(leaves_zeros_out(one, step.facts) for one in filters)
        if not (isinstance(value, Int) and value.low >= 0 and leave_out):
            if own is None:
                return keeps
            raise step.blocked(FILTERED)
        self.check_inverse(step, found, column_named("value", value))
        return False

    def leaves_no_zeros(self, step: Step, found: dict[str, ast.expr], value: Shape | None) -> bool:
        """Whether its values are above 0, or a filter leaves out the sums of those that are not."""
        own = _filter(found)
        filtered = own is not None and leaves_zeros_out(own, step.facts)
        if not isinstance(value, Int) or value.low < (0 if filtered else 1):
            return False
        return self.adds(step, column_named("value", value))

    def _reduced(self, step: Step, rdd: Rdd, found: dict[str, ast.expr], partitions: str = "") -> Rdd:
        given = [step.argument(found[name]) for name in ("func", "numPartitions") if name in found]
        if partitions and "numPartitions" not in found:
            given.append(partitions)
        return rdd.call(Call("reduceByKey", ", ".join(given)), sure=True, value=rdd.value)


def _filters_behind(operation: Operation) -> list[ast.expr]:
    """The functions of the filters that read a stream; none if something else reads it, too."""
    readers = [one for one in operation.consumers if one.operator == "filter" and len(one.call.args) == 1]
    return [one.call.args[0] for one in readers] if len(readers) == len(operation.consumers) else []


def _filter(found: dict[str, ast.expr]) -> ast.expr | None:
    """The filter, which DStream takes only beside an inverse."""
    given = found.get("filterFunc")
    return None if is_none(given) or is_none(found.get("invFunc")) else given
