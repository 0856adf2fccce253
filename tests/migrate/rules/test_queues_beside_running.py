"""Queues beside a socket do the same before and after, batch by batch, also when they are empty."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import socket_program
from tests.migrate.rules.running import Batch, after_program, as_printed, before

SUM = "updateStateByKey(lambda new, last: sum(new) + (last or 0))"
MORE = "more = ssc.queueStream([sc.parallelize(['a', 'b a']), sc.parallelize(['x'], 1)])\n"
PROGRAMS = {
    "union": f"{MORE}lines.union(more).map(lambda line: line + '!').pprint()",
    "the queue first": (
        f"{MORE}more.union(lines).map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "zeros of a state": (
        "tags = ['a', 'q']\n"
        "zeros = [(tag, 0) for tag in tags]\n"
        "zeros = [sc.parallelize(zeros)]\n"
        "words = lines.flatMap(lambda line: line.split(' ')).map(lambda word: (word, 1))\n"
        f"words.union(ssc.queueStream(zeros)).{SUM}.pprint()"
    ),
    "join": (
        "ages = ssc.queueStream([sc.parallelize([('a', 5)]), sc.parallelize([('b', 7), ('a', 1)])])\n"
        "lines.map(lambda line: (line, len(line))).join(ages).pprint()"
    ),
    "two outputs": f"{MORE}lines.pprint()\nmore.map(len).pprint()",
    "two queues": (
        f"{MORE}last = ssc.queueStream([sc.parallelize(['z'])])\nlines.union(more).union(last).pprint()"
    ),
    "counts": f"{MORE}lines.count().pprint()\nmore.count().pprint()",
    "RDDs": (
        "texts = {'z', 'y'}\n"
        "more = ssc.queueStream([sc.parallelize(sorted(texts)), sc.parallelize(sorted(texts), 1)])\n"
        "lines.union(more).foreachRDD(lambda rdd: print(sorted(rdd.collect())))"
    ),
    "window": f"{MORE}lines.union(more).window(2).pprint()",
}
BATCHES: list[Batch] = [("a", "b a"), (), ("a",), ("x", "x")]


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_a_batch_takes_from_each_queue(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path, body: str
) -> None:
    spark_context.setCheckpointDir(str(tmp_path))
    (was,) = before([body], BATCHES, spark_context)
    came = after_program(socket_program(body), [(), *BATCHES], spark)
    assert came.batches[0] == []
    assert [as_printed(*pair) for pair in zip(was.batches, came.batches[1:], strict=True)] == came.batches[1:]
    assert any(was.batches)
