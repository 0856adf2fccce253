"""``glom``: the same call where the partitions are DStream's, as a queue's are."""

from __future__ import annotations

from migrate.rules._register import Example, register
from migrate.rules._same import PARTITIONS, SameOnRdd


@register
class Glom(SameOnRdd):
    """On a queue's RDDs the call stays; any other source has other partitions in Structured Streaming."""

    operator = "glom"
    summary = f"glom stays on the RDDs of a queue; elsewhere it needs compat: {PARTITIONS}"
    parameters = ()
    why_not = PARTITIONS
    examples = (
        Example(
            "numbers.glom().foreachRDD(lambda rdd: print(rdd.collect()))",
            "rdd = numbers.glom()\nprint(rdd.collect())",
        ),
    )
