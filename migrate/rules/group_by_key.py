"""``groupByKey``: ``groupBy`` with the number, sum, greatest or a list of a key's values, else the same call.

That needs a key's values in DStream's order, where it shows.
"""

from __future__ import annotations

import ast

from migrate.columns import Record, Refusal, Scalar, leaves, row_count
from migrate.columns.element import Value
from migrate.columns.shapes import Int, Str
from migrate.plan.draft.step import Step
from migrate.plan.elements.grouped_values import (
    made_of_values,
    reads_a_list,
    takes_values_in_any_order,
)
from migrate.plan.elements.pairs import check_keys, pair
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import check_kept, tokens_of
from migrate.rules._aggregates import PLUS, aggregate, grouped
from migrate.rules._listed_values import listed_values, values_in_any_order
from migrate.rules._register import Example, register
from migrate.rules._same import ORDER, SameOnRdd

_REDUCES = {
    "sum": PLUS,
    "max": ast.parse("lambda a, b: max(a, b)", mode="eval").body,
    "min": ast.parse("lambda a, b: min(a, b)", mode="eval").body,
}
"""Functions of all values, as one of two of them."""
AGGREGATED = "groupByKey becomes groupBy().agg() with the {} of a key's values"


@register
class GroupByKey(SameOnRdd):
    """Values keep the order in which they came, or that of a queue; files are listed in another one."""

    operator = "groupByKey"
    summary = "groupByKey stays where a key's values keep their order, as from a queue, a socket or Kafka"
    parameters = ("numPartitions",)
    why_not = ORDER
    shuffles = True
    examples = (
        Example(
            "sizes = lines.map(lambda line: (line[:1], line)).groupByKey().mapValues(len)\nsizes.pprint()",
            'sizes = batch.groupBy(F.col("value").substr(1, 1).alias("key")).count()\n'
            "sizes.show(10, truncate=False)",
        ),
        Example(
            "pairs = lines.map(lambda line: (len(line), line))\npairs.groupByKey().mapValues(list).pprint()",
            'pairs = batch.select(F.length("value").alias("key"), F.col("value").alias("line"))\n'
            "(\n"
            '    pairs.withColumn("position", F.monotonically_increasing_id())  # as they came\n'
            '    .groupBy("key")\n'
            "    .agg(\n"
            '        F.sort_array(F.collect_list(F.struct("position", "line")))["line"].alias(\n'
            '            "line"\n'
            "        )\n"
            "    )\n"
            "    .show(10, truncate=False)\n"
            ")",
        ),
        Example(
            "pairs = numbers.map(lambda n: (n % 2, n))\npairs.groupByKey().mapValues(list).pprint()",
            ""
            "pairs = numbers.map(lambda n: (n % 2, n))\n"
            "rdd = pairs.groupByKey().mapValues(list)\n"
            "for record in rdd.take(10):\n    print(record)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame, made = frames[0], made_of_values(step.operation, step)
        if not made and not reads_a_list(step.operation, step):
            raise Refusal("it is RDD code", step.operation.call)
        if any(leaf.is_plain for leaf in leaves(pair(frame.element, step)[0])):
            frame = frame.materialised()
        key, value = pair(frame.element, step)
        step.need(reasons={step.operation.use: AGGREGATED.format(made or "list")})
        step.partitions(step.arguments("numPartitions"))
        if made in ("", "list"):
            return self._listed(step, frame, value)
        if made in _REDUCES:
            if not (isinstance(value, Scalar) and isinstance(value.shape, Int)):
                raise Refusal(f"the values of `{made}` are not known to be ints", step.operation.call)
            return grouped(step, frame, _REDUCES[made])
        before = tokens_of(frame.element)
        check_kept(before, tokens_of(key), step.operation.call, "`len`")
        check_keys(step, key)
        return aggregate(step, frame, Record((key, row_count(1))), before)

    @staticmethod
    def _listed(step: Step, frame: Frame, value: Value) -> Frame:
        of_ints = isinstance(value, Scalar) and isinstance(value.shape, Int)
        of_texts = isinstance(value, Scalar) and isinstance(value.shape, Str)
        if (of_ints or of_texts) and takes_values_in_any_order(
            step.operation, step, of_ints=of_ints, of_texts=of_texts
        ):
            return values_in_any_order(step, frame)
        return listed_values(step, frame, step.operation.call)
