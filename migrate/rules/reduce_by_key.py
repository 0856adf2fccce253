"""``reduceByKey``: a ``groupBy`` with an aggregate, in every batch on its own."""

from __future__ import annotations

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.plan.conditions import sums_for
from migrate.plan.json_keys import of_json_keys
from migrate.plan.pairs import pair
from migrate.plan.stages import Frame, Rdd
from migrate.plan.step import Step
from migrate.rules._aggregates import check_is_sum, grouped, reducible
from migrate.rules._float_sums import check_float_sums
from migrate.rules._joined_texts import joined_texts
from migrate.rules._register import Example, Rule, register
from migrate.rules._same import (
    default_partitions,
    is_dealt_out_alike,
    is_only_printed,
    names_number,
)


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
        try:
            aggregated = grouped(step, frame, function, floats=True)
        except Refusal as why:
            try:
                aggregated = joined_texts(step, frame, function)
            except Refusal:
                raise why from None
        check_float_sums(step, pair(aggregated.element, step)[1])
        step.partitions(found)
        return aggregated

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        found = step.arguments("func", "numPartitions")
        function = step.function("func", "numPartitions")
        if not rdds[0].exact:
            reducible(step, function, rdds[0].value, rdds[0])
        arguments = [step.argument(node) for node in found.values()]
        exact = rdds[0].exact and not is_only_printed(step.operation)
        alike = is_dealt_out_alike(step, rdds)
        if "numPartitions" not in found and (exact or (alike and names_number(step))):
            arguments.append(default_partitions(rdds[0], step, named=False))
        made = rdds[0].call(f"reduceByKey({', '.join(arguments)})", sure=True, value=rdds[0].value)
        return replace(made, exact=exact, shuffled=alike)
