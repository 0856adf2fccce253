"""``groupByKey``: the same call where the partitions are DStream's, as a queue's are."""

from __future__ import annotations

from migrate.rules._rule import Example, register
from migrate.rules._same import ORDER, SameOnRdd


@register
class GroupByKey(SameOnRdd):
    """On a queue's RDDs the call stays; any other source has other partitions in Structured Streaming."""

    operator = "groupByKey"
    summary = f"groupByKey stays on the RDDs of a queue; elsewhere it needs compat: {ORDER}"
    parameters = ("numPartitions",)
    why_not = ORDER
    shuffles = True
    examples = (
        Example(
            "pairs = numbers.map(lambda n: (n % 2, n))\npairs.groupByKey().mapValues(list).pprint()",
            "pairs = numbers.map(lambda n: (n % 2, n))\n"
            "rdd = pairs.groupByKey(pairs.context.defaultParallelism).mapValues(list)\n"
            "pprint(rdd)",
        ),
    )
