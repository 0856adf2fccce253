"""``mapPartitions``: the same call where its function treats each element by itself."""

from __future__ import annotations

from migrate.plan.draft.step import Step
from migrate.plan.frames.rdd import Rdd
from migrate.proofs.elements.arrival import in_partitions_of_kafka
from migrate.proofs.partitions.map_partitions import gives_nothing_of_nothing, is_elementwise
from migrate.rules._register import Example, register
from migrate.rules._same import SameOnRdd


@register
class MapPartitions(SameOnRdd):
    """A function that goes through its elements one by one makes the same of them in any partitions.

    Another one does in Kafka's, of which a query has those with new messages.
    """

    operator = "mapPartitions"
    summary = (
        "mapPartitions stays where its function treats each element by itself, in Kafka's partitions, and on"
        " the RDDs of a queue"
    )
    parameters = ("f", "preservesPartitioning")
    examples = (
        Example(
            "sums = numbers.mapPartitions(lambda part: [sum(part)])\n"
            "sums.foreachRDD(lambda rdd: print(rdd.collect()))",
            "sums = numbers.mapPartitions(lambda part: [sum(part)])\nprint(sums.collect())",
        ),
        Example(
            "def parse(rows):\n"
            '    separator = ","\n'
            "    for row in rows:\n"
            "        yield row.split(separator)\n"
            "\n"
            "fields = lines.mapPartitions(parse)\n"
            "fields.pprint()",
            ""
            "fields = batch.rdd.map(lambda row: row[0]).mapPartitions(parse)\n"
            "for record in fields.take(10):\n    print(record)",
        ),
    )

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function("f", "preservesPartitioning")
        alike = in_partitions_of_kafka(step.operation) and gives_nothing_of_nothing(function, step.facts)
        if not (rdds[0].exact or alike or is_elementwise(function, step.facts)):
            raise step.blocked(
                "its function does more with a partition than to go through its elements, and Structured "
                "Streaming makes other partitions"
            )
        return super().rdd(step, *rdds)
