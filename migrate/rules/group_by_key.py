"""``groupByKey``: the same call where a key's values are in DStream's order."""

from __future__ import annotations

from migrate.rules._register import Example, register
from migrate.rules._same import ORDER, SameOnRdd


@register
class GroupByKey(SameOnRdd):
    """Values keep the order in which they came, or that of a queue; files are listed in another one."""

    operator = "groupByKey"
    summary = "groupByKey stays where a key's values keep their order, as from a queue, a socket or Kafka"
    parameters = ("numPartitions",)
    why_not = ORDER
    shuffles = True
    examples = (
        Example(
            "pairs = numbers.map(lambda n: (n % 2, n))\npairs.groupByKey().mapValues(list).pprint()",
            ""
            "pairs = numbers.map(lambda n: (n % 2, n))\n"
            "rdd = pairs.groupByKey().mapValues(list)\n"
            "for record in rdd.take(10):\n    print(record)",
        ),
    )
