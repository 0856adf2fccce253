"""``repartition``: the same call where the partitions are DStream's, as a queue's are."""

from __future__ import annotations

from migrate.rules._rule import Example, register
from migrate.rules._same import PARTITIONS, SameOnRdd


@register
class Repartition(SameOnRdd):
    """On a queue's RDDs the call stays; any other source has other partitions in Structured Streaming."""

    operator = "repartition"
    summary = f"repartition stays on the RDDs of a queue; elsewhere it needs compat: {PARTITIONS}"
    parameters = ("numPartitions",)
    why_not = PARTITIONS
    examples = (
        Example(
            "halves = numbers.repartition(2)\nhalves.foreachRDD(lambda rdd: print(rdd.getNumPartitions()))",
            "halves = numbers.repartition(2)\nprint(halves.getNumPartitions())",
        ),
    )
