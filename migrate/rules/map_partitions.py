"""``mapPartitions``: the same call where the partitions are DStream's, as a queue's are."""

from __future__ import annotations

from migrate.rules._rule import Example, register
from migrate.rules._same import PARTITIONS, SameOnRdd


@register
class MapPartitions(SameOnRdd):
    """On a queue's RDDs the call stays; any other source has other partitions in Structured Streaming."""

    operator = "mapPartitions"
    summary = f"mapPartitions stays on the RDDs of a queue; elsewhere it needs compat: {PARTITIONS}"
    parameters = ("f", "preservesPartitioning")
    why_not = PARTITIONS
    examples = (
        Example(
            "sums = numbers.mapPartitions(lambda part: [sum(part)])\n"
            "sums.foreachRDD(lambda rdd: print(rdd.collect()))",
            "sums = numbers.mapPartitions(lambda part: [sum(part)])\nprint(sums.collect())",
        ),
    )
