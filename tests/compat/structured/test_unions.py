"""DataFrames united partition by partition, and the state and the windows that are made of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import RDD, SparkContext
from pyspark.sql import SparkSession

from compat._structured.batches.state import SHUFFLED_EVERY
from compat._structured.batches.unions import aligned, union_of_rdds
from compat.streaming import DStream, StreamingContext
from tests.compat.survivor import next_batch, put

Pairs = DStream[tuple[str, int]]


@pytest.fixture
def ssc(spark_context: SparkContext) -> Iterator[StreamingContext]:
    context = StreamingContext(spark_context, 1, engine="structured")
    yield context
    context.stop(stopSparkContext=False)


def test_partitions_of_one_place_are_put_together_in_order(spark: SparkSession) -> None:
    numbers = [spark.range(start, start + 6, 1, 3) for start in (0, 100, 200)]
    united = aligned(numbers, 3)
    assert [[row.id for row in part] for part in united.rdd.glom().collect()] == [
        [0, 1, 100, 101, 200, 201],
        [2, 3, 102, 103, 202, 203],
        [4, 5, 104, 105, 204, 205],
    ]


def test_what_was_aligned_once_is_united_one_after_the_other_elsewhere(spark: SparkSession) -> None:
    numbers = [spark.range(start, start + 2, 1, 2) for start in (0, 10)]
    aligned(numbers, 2)
    parts = union_of_rdds(numbers).rdd.glom().collect()
    assert [[row.id for row in part] for part in parts] == [[0], [1], [10], [11]]


def test_what_was_just_shuffled_alike_is_united_one_after_the_other(spark: SparkSession) -> None:
    numbers = [spark.range(6).repartition(2, "id") for _ in range(3)]
    assert union_of_rdds(numbers).rdd.getNumPartitions() == 6


def totals(pairs: Pairs) -> Pairs:
    return pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))


def sums(pairs: Pairs) -> Pairs:
    return pairs.reduceByKeyAndWindow(operator.add, operator.sub, 6, 1)


lineages: list[str] = []
results: list[dict[str, int]] = []


def look(rdd: RDD[Any]) -> None:
    """An output that a checkpoint can hold."""
    lineages.append((rdd.toDebugString() or b"").decode())
    results.append(dict(rdd.collect()))


@pytest.mark.parametrize("keep", [totals, sums])
def test_what_is_kept_is_shuffled_now_and_then_only(
    ssc: StreamingContext, tmp_path: Path, directory: Path, keep: Callable[[Pairs], Pairs]
) -> None:
    """All keys would travel in every batch; and never is too seldom, for a task knows all its parents."""
    lineages.clear()
    results.clear()
    ssc.checkpoint(str(tmp_path / "checkpoint"))
    keep(ssc.textFileStream(str(directory)).map(lambda word: (word, 1))).foreachRDD(look)
    ssc.start()
    batches = 2 * SHUFFLED_EVERY + 3
    for second in range(1, batches + 1):
        put(directory, second, "a", f"k{second}")
        next_batch(ssc, second)
    unions = [lineage.count("PartitionerAwareUnionRDD") for lineage in lineages]
    assert unions[2 * SHUFFLED_EVERY - 1] > unions[2 * SHUFFLED_EVERY - 2] > 0
    assert max(unions) <= 2 * SHUFFLED_EVERY
    assert unions[-1] < unions[2 * SHUFFLED_EVERY - 1]
    assert results[-1]["a"] == (batches if keep is totals else 6)
    assert len(results[-1]) == batches + 1
