"""``leftOuterJoin``: of two streams of one source, the leftOuterJoin of the two RDDs of each batch."""

from __future__ import annotations

from migrate.rules._rule import Example, register
from migrate.rules._same import SameOnRdd


@register
class LeftOuterJoin(SameOnRdd):
    """The elements of a batch's RDDs are those of DStream's, and a join's result is in no order."""

    operator = "leftOuterJoin"
    summary = "leftOuterJoin of two streams of one source stays, on the RDDs of the batch"
    parameters = ("other", "numPartitions")
    shuffles = True
    examples = (
        Example(
            "lengths = lines.map(lambda line: (line, len(line)))\n"
            "firsts = lines.map(lambda line: (line, line[:1]))\n"
            "lengths.leftOuterJoin(firsts).foreachRDD(lambda rdd: print(sorted(rdd.collect())))",
            'lengths = batch.select(F.col("value").alias("line"), F.length("value").alias("value"))\n'
            "firsts = batch.select(\n"
            '    F.col("value").alias("line"),\n'
            '    F.col("value").substr(1, 1).alias("value"),\n'
            ")\n"
            "rdd = lengths.rdd.map(tuple).leftOuterJoin(firsts.rdd.map(tuple))\n"
            "print(sorted(rdd.collect()))",
        ),
    )
