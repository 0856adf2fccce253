"""Random programs do the same before and after: what each rule proves holds in chains, too."""

from __future__ import annotations

import random

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import run, socket_program
from tests.migrate.rules.programs import random_program
from tests.migrate.rules.running import after, before

WORDS = ("a", "b", "ab", "banana", "x,y", "fig a", "two  spaces", " edge ", "", "7")


def _compare(seeds: range, spark_context: SparkContext, spark: SparkSession) -> None:
    native = {}
    for seed in seeds:
        program = random_program(seed)
        (graph,) = run(socket_program(program)).graphs
        if graph.outcome.value == "native":
            native[seed] = program
    rng = random.Random(seeds.start)
    some = [tuple(rng.choices(WORDS, k=rng.randint(1, 9))) for _ in range(2)]
    batches = [(), some[0], (), some[1]]
    was = before(list(native.values()), batches, spark_context)
    for (seed, program), expected in zip(native.items(), was, strict=True):
        came = after(program, batches, spark)
        assert came.batches == expected.batches, f"seed {seed}:\n{program}"


def test_a_few_random_programs(spark_context: SparkContext, spark: SparkSession) -> None:
    _compare(range(5), spark_context, spark)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("start", range(100, 500, 20))
def test_many_random_programs(spark_context: SparkContext, spark: SparkSession, start: int) -> None:
    _compare(range(start, start + 20), spark_context, spark)
