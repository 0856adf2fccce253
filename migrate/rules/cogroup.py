"""``cogroup``: the same call where the partitions are DStream's, as a queue's are."""

from __future__ import annotations

from migrate.rules._rule import Example, register
from migrate.rules._same import ORDER, SameOnRdd


@register
class Cogroup(SameOnRdd):
    """On a queue's RDDs the call stays; any other source has other partitions in Structured Streaming."""

    operator = "cogroup"
    summary = f"cogroup stays on the RDDs of a queue; elsewhere it needs compat: {ORDER}"
    parameters = ("other", "numPartitions")
    why_not = ORDER
    shuffles = True
    examples = (
        Example(
            "squares = numbers.map(lambda n: (n, n * n))\n"
            "halves = numbers.map(lambda n: (n, n / 2))\n"
            "both = squares.cogroup(halves)\n"
            "both.mapValues(lambda v: [list(part) for part in v]).pprint()",
            "squares = numbers.map(lambda n: (n, n * n))\n"
            "halves = numbers.map(lambda n: (n, n / 2))\n"
            "both = squares.cogroup(halves, squares.context.defaultParallelism)\n"
            "rdd = both.mapValues(lambda v: [list(part) for part in v])\n"
            "pprint(rdd)",
        ),
    )
