"""DataFrames that a callback stores for later batches are computed while their batch is there."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from migrate.plan.callbacks.stored_frames import STORED
from tests.migrate.programs import file, run, socket_program

PROGRAM = """\
from pyspark.sql import Row, SparkSession
spark = SparkSession.builder.getOrCreate()
def before():
    {read}
def process(rdd):
    {declared}
    before()
    {target} = spark.createDataFrame(rdd.map(lambda w: Row(word=w[0], n=w[1])))
    {then}
lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b).foreachRDD(process)
"""
PLAIN = {"read": "pass", "declared": "pass", "then": "pass"}


@pytest.mark.parametrize(
    ("target", "changes", "stored"),
    [
        ("globals()['last']", {"read": "print(globals()['last'].collect())"}, True),
        ("last", {"declared": "global last", "read": "print(last.collect())"}, True),
        ("last", {"then": "last.show()"}, False),
        ("last", {"declared": "global last", "then": "last.show()"}, False),
        ("globals()['last']", {"read": "print(globals()['first'])"}, False),
    ],
)
def test_one_that_is_read_in_another_batch_is_computed_at_once(
    target: str, changes: dict[str, str], stored: bool
) -> None:
    program = socket_program(PROGRAM.format(target=target, **PLAIN | changes))
    (graph,) = run(program).graphs
    assert graph.outcome is Outcome.NATIVE
    assert (".localCheckpoint()" in str(file(program).new)) is stored
    assert (STORED.format(target) in graph.notes) is stored
