"""``cogroup``: the same call where a key's values are in DStream's order."""

from __future__ import annotations

from migrate.rules._register import Example, register
from migrate.rules._same import ORDER, SameOnRdd


@register
class Cogroup(SameOnRdd):
    """Values keep the order in which they came, or that of a queue; files are listed in another one."""

    operator = "cogroup"
    summary = "cogroup stays where a key's values keep their order, as from a queue, a socket or Kafka"
    parameters = ("other", "numPartitions")
    why_not = ORDER
    shuffles = True
    examples = (
        Example(
            "squares = numbers.map(lambda n: (n, n * n))\n"
            "halves = numbers.map(lambda n: (n, n / 2))\n"
            "both = squares.cogroup(halves)\n"
            "both.mapValues(lambda v: [list(part) for part in v]).pprint()",
            ""
            "squares = numbers.map(lambda n: (n, n * n))\n"
            "halves = numbers.map(lambda n: (n, n / 2))\n"
            "both = squares.cogroup(halves)\n"
            "rdd = both.mapValues(lambda v: [list(part) for part in v])\n"
            "for record in rdd.take(10):\n    print(record)",
        ),
    )
