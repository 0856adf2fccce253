"""``combineByKey``: a ``groupBy`` with sums; or the same call where a key's values are in DStream's order."""

from __future__ import annotations

from migrate.columns import Refusal, check_sums
from migrate.plan.draft.step import Step
from migrate.plan.elements.pairs import pair
from migrate.plan.frames.frame import Frame
from migrate.rules._aggregates import grouped
from migrate.rules._register import Example, register
from migrate.rules._same import ORDER, SameOnRdd
from migrate.rules.map_values import values_mapped


@register
class CombineByKey(SameOnRdd):
    """Functions that add up numbers are those of ``mapValues`` and ``reduceByKey``.

    For others values keep the order in which they came, or that of a queue; files are listed in another one.
    """

    operator = "combineByKey"
    summary = (
        "combineByKey of sums becomes groupBy().agg(); any other stays where a key's values keep their "
        "order, as from a queue, a socket or Kafka"
    )
    parameters = ("createCombiner", "mergeValue", "mergeCombiners", "numPartitions")
    why_not = ORDER
    shuffles = True
    merges = True
    examples = (
        Example(
            "sizes = lines.map(lambda line: (line[:1], len(line)))\n"
            "totals = sizes.combineByKey(\n"
            "    lambda n: (n, 1),\n"
            "    lambda total, n: (total[0] + n, total[1] + 1),\n"
            "    lambda a, b: (a[0] + b[0], a[1] + b[1]),\n"
            ")\n"
            "totals.pprint()",
            "sizes = batch.select(\n"
            '    F.col("value").substr(1, 1).alias("key"), F.length("value").alias("value")\n'
            ")\n"
            'totals = sizes.groupBy("key").agg(F.sum("value").alias("value"), F.count("*").alias("count"))\n'
            "totals.show(10, truncate=False)",
        ),
        Example(
            "pairs = numbers.map(lambda n: (n % 2, n))\n"
            "lists = pairs.combineByKey(lambda n: [n], lambda ns, n: ns + [n], lambda a, b: a + b)\n"
            "lists.pprint()",
            ""
            "pairs = numbers.map(lambda n: (n % 2, n))\n"
            "lists = pairs.combineByKey(\n"
            "    lambda n: [n], lambda ns, n: ns + [n], lambda a, b: a + b\n"
            ")\n"
            "for record in lists.take(10):\n    print(record)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        found = step.arguments(*self.parameters)
        functions = [found[name] for name in self.parameters[:3] if name in found]
        if len(functions) < 3:
            raise Refusal("some of its functions are missing", step.operation.call)
        create, merge_value, merge_combiners = functions
        _, value = pair(frames[0].element, step)
        check_sums(create, merge_value, merge_combiners, value, step.scope)
        made = grouped(step, values_mapped(step, frames[0], create), merge_combiners, floats=True)
        step.partitions(found)
        return made
