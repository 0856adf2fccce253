"""``partitionBy``: the same call where the partitions are DStream's, as a queue's are."""

from __future__ import annotations

from migrate.rules._register import Example, register
from migrate.rules._same import PARTITIONS, SameOnRdd


@register
class PartitionBy(SameOnRdd):
    """On a queue's RDDs the call stays; any other source has other partitions in Structured Streaming."""

    operator = "partitionBy"
    summary = f"partitionBy stays on the RDDs of a queue; elsewhere it needs compat: {PARTITIONS}"
    parameters = ("numPartitions", "partitionFunc")
    why_not = PARTITIONS
    examples = (
        Example(
            "pairs = numbers.map(lambda n: (n, n)).partitionBy(2)\npairs.glom().pprint()",
            ""
            "pairs = numbers.map(lambda n: (n, n)).partitionBy(2)\nrdd = pairs.glom()\n"
            "for record in rdd.take(10):\n    print(record)",
        ),
    )
