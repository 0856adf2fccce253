"""``combineByKey``: the same call where a key's values are in DStream's order."""

from __future__ import annotations

from migrate.rules._register import Example, register
from migrate.rules._same import ORDER, SameOnRdd


@register
class CombineByKey(SameOnRdd):
    """Values keep the order in which they came, or that of a queue; files are listed in another one."""

    operator = "combineByKey"
    summary = "combineByKey stays where a key's values keep their order, as from a queue, a socket or Kafka"
    parameters = ("createCombiner", "mergeValue", "mergeCombiners", "numPartitions")
    why_not = ORDER
    shuffles = True
    merges = True
    examples = (
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
