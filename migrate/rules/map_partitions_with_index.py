"""``mapPartitionsWithIndex``: the same call where the partitions are DStream's, as a queue's are."""

from __future__ import annotations

from migrate.rules._register import Example, register
from migrate.rules._same import PARTITIONS, SameOnRdd


@register
class MapPartitionsWithIndex(SameOnRdd):
    """On a queue's RDDs the call stays; any other source has other partitions in Structured Streaming."""

    operator = "mapPartitionsWithIndex"
    summary = f"mapPartitionsWithIndex stays on the RDDs of a queue; elsewhere it needs compat: {PARTITIONS}"
    parameters = ("f", "preservesPartitioning")
    why_not = PARTITIONS
    examples = (
        Example(
            "sums = numbers.mapPartitionsWithIndex(lambda index, part: [(index, sum(part))])\nsums.pprint()",
            ""
            "sums = numbers.mapPartitionsWithIndex(lambda index, part: [(index, sum(part))])\n"
            "for record in sums.take(10):\n    print(record)",
        ),
    )
