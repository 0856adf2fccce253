"""Callbacks that cache their RDDs do the same on DataFrames without these caches."""

from __future__ import annotations

from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import after_program, before

PROGRAM = """\
def show(rdd):
    rdd.cache()
    if rdd.isEmpty():
        return
    pairs = rdd.map(lambda w: (w, len(w))).persist()
    print(pairs.count(), sorted(pairs.collect()))
    counts = pairs.reduceByKey(lambda a, b: a + b).cache()
    print(counts.count(), sorted(counts.collect()))
    titles = rdd.map(lambda w: w.title()).cache()
    print(titles.count(), sorted(titles.collect()))
    for one in (counts.count(), titles.count()):
        print(one)
    counts.unpersist()
    rdd.unpersist()

lines.foreachRDD(show)
"""
BATCHES = [("a b", "b", "a b"), (), ("\u96ea", "", "")]


def test_a_callback_does_the_same_without_its_caches(
    spark_context: SparkContext, spark: SparkSession
) -> None:
    source = socket_program(PROGRAM)
    new = str(file(source).new)
    assert new.count(".localCheckpoint()") == 2
    assert ".rdd" not in new
    (was,) = before([PROGRAM], BATCHES, spark_context)
    assert after_program(source, BATCHES, spark).batches == was.batches
