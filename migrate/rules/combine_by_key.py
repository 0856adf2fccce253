"""``combineByKey``: the same call where the partitions are DStream's, as a queue's are."""

from __future__ import annotations

from migrate.rules._rule import Example, register
from migrate.rules._same import ORDER, SameOnRdd


@register
class CombineByKey(SameOnRdd):
    """On a queue's RDDs the call stays; any other source has other partitions in Structured Streaming."""

    operator = "combineByKey"
    summary = f"combineByKey stays on the RDDs of a queue; elsewhere it needs compat: {ORDER}"
    parameters = ("createCombiner", "mergeValue", "mergeCombiners", "numPartitions")
    why_not = ORDER
    shuffles = True
    examples = (
        Example(
            "pairs = numbers.map(lambda n: (n % 2, n))\n"
            "lists = pairs.combineByKey(lambda n: [n], lambda ns, n: ns + [n], lambda a, b: a + b)\n"
            "lists.pprint()",
            "pairs = numbers.map(lambda n: (n % 2, n))\n"
            "lists = pairs.combineByKey(\n"
            "    lambda n: [n],\n"
            "    lambda ns, n: ns + [n],\n"
            "    lambda a, b: a + b,\n"
            "    pairs.context.defaultParallelism,\n"
            ")\n"
            "pprint(lists)",
        ),
    )
