"""``reduceByKey``: a ``groupBy`` with an aggregate, in every batch on its own."""

from __future__ import annotations

import ast

from migrate.columns import UNREAD, Record, Refusal, leaves
from migrate.frozen import replace
from migrate.plan.draft.conditions import sums_for
from migrate.plan.draft.step import Step
from migrate.plan.elements.pairs import pair
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Call
from migrate.plan.sources.reduce_order import reducible
from migrate.plan.typed.json_keys import of_json_keys, reads_keys
from migrate.rules._aggregates import check_is_sum, grouped
from migrate.rules._joined_texts import joined_texts
from migrate.rules._listed_values import joined_lists
from migrate.rules._register import Example, Rule, register
from migrate.rules._same import default_partitions, is_dealt_out_alike, is_only_printed, names_number
from migrate.rules.reduce import aggregated


@register
class ReduceByKey(Rule):
    """A reduce function that is a known aggregate; it never runs over batches.

    Sums that only a running sum reads are left out: it sums the values themselves.
    """

    operator = "reduceByKey"
    summary = "reduceByKey becomes groupBy().agg() on each batch"
    examples = (
        Example(
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\ncounts.pprint()",
            'counts = batch.groupBy(F.col("value").alias("line")).count()\ncounts.show(10, truncate=False)',
        ),
        Example(
            "pairs = lines.map(lambda line: (None, len(line)))\n"
            "total = pairs.reduceByKey(lambda a, b: a + b, 1).map(lambda pair: pair[1])\n"
            "total.pprint()",
            'total = batch.agg(F.sum(F.length("value")).alias("sum")).where(F.col("sum").isNotNull())\n'
            "total.show(10, truncate=False)",
        ),
        Example(
            "words = lines.map(lambda word: (len(word), word)).reduceByKey(lambda a, b: a + ',' + b)\n"
            "words.pprint()",
            "words = (\n"
            '    batch.select(F.length("value").alias("key"), F.col("value").alias("word"))\n'
            '    .withColumn("position", F.monotonically_increasing_id())  # as they came\n'
            '    .groupBy("key")\n'
            "    .agg(\n"
            '        F.expr("listagg(word, \',\') WITHIN GROUP (ORDER BY position)").alias("word")\n'
            "    )\n"
            ")\n"
            "words.show(10, truncate=False)",
        ),
        Example(
            "words = lines.map(lambda word: (len(word), [word])).reduceByKey(lambda a, b: a + b)\n"
            "words.pprint()",
            "words = (\n"
            '    batch.select(F.length("value").alias("key"), "value")\n'
            '    .withColumn("position", F.monotonically_increasing_id())  # as they came\n'
            '    .groupBy("key")\n'
            "    .agg(\n"
            '        F.sort_array(F.collect_list(F.struct("position", "value")))["value"].alias(\n'
            '            "value"\n'
            "        )\n"
            "    )\n"
            ")\n"
            "words.show(10, truncate=False)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        if frames[0].within:
            return of_json_keys(step, frames[0], lambda pairs: self._reduced(step, pairs), is_pair=True)
        return self._reduced(step, frames[0])

    def _reduced(self, step: Step, frame: Frame) -> Frame:
        """The aggregates of columns."""
        found = step.arguments("func", "numPartitions")
        state = step.basis.state
        if state is not None and sums_for(step.operation, state):
            check_is_sum(step, frame, step.function("func", "numPartitions"))
            return frame
        pair(frame.element, step)
        function = step.function("func", "numPartitions")
        if _is_of_all(step, frame):
            return _of_all(step, frame, function)
        try:
            made = grouped(step, frame, function, floats=True)
        except Refusal as why:
            try:
                made = _in_order_of_arrival(step, frame, function)
            except Refusal:
                raise why from None
        step.partitions(found)
        return made

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        found = step.arguments("func", "numPartitions")
        function = step.function("func", "numPartitions")
        if not rdds[0].exact:
            reducible(step, function, rdds[0].value, behind_shuffles=rdds[0].shuffled)
        arguments = [step.argument(node) for node in found.values()]
        exact = rdds[0].exact and not is_only_printed(step.operation)
        alike = is_dealt_out_alike(step, rdds)
        if "numPartitions" not in found and (exact or (alike and names_number(step))):
            arguments.append(default_partitions(rdds[0], step, named=False))
        made = rdds[0].call(Call("reduceByKey", ", ".join(arguments)), sure=True, value=rdds[0].value)
        return replace(made, exact=exact, shuffled=alike)


def _in_order_of_arrival(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The texts or the lists of a key, one after the other.

    Raises:
        Refusal: the function does something else, or what it is given is neither.
    """
    try:
        return joined_texts(step, frame, function)
    except Refusal:
        return joined_lists(step, frame, function)


def _is_of_all(step: Step, frame: Frame) -> bool:
    """Whether all values have one key, which nothing reads: ``(None, len(line))`` and then ``pair[1]``."""
    key, _ = pair(frame.element, step)
    readers = [] if step.callback is not None else step.operation.consumers
    return (
        bool(readers)
        and all(leaf.is_constant for leaf in leaves(key))
        and not (frame.window or frame.kept or step.basis.state or step.choices.all_places)
        and all(
            reader.operator == "map"
            and len(reader.call.args) == 1
            and not reads_keys(reader.call.args[0], step.facts)
            for reader in readers
        )
    )


def _of_all(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The aggregate of all values, as `reduce` has it; no column holds the key."""
    _, value = pair(frame.element, step)
    made = aggregated(step, frame.holding(value), function, floats=True)
    return replace(made, element=Record((UNREAD, made.element)))
