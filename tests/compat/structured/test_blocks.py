"""Windows of many batches, which are read in blocks."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark import SparkContext

from compat._structured.batches import blocks
from compat.streaming import StreamingContext
from tests.compat.survivor import next_batch, put

BATCHES = 3
LENGTH = 3 * BATCHES + 1


@pytest.fixture
def ssc(spark_context: SparkContext) -> Iterator[StreamingContext]:
    context = StreamingContext(spark_context, 1, engine="structured")
    yield context
    context.stop(stopSparkContext=False)


def test_a_long_window_holds_its_batches_each_once(
    ssc: StreamingContext, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "BATCHES", BATCHES)
    results: list[dict[str, int]] = []
    words = ssc.textFileStream(str(directory)).map(lambda word: (word, 1))
    sums = words.reduceByKeyAndWindow(operator.add, None, LENGTH, 1)
    sums.foreachRDD(lambda rdd: results.append(dict(rdd.collect())))
    ssc.start()
    batches = LENGTH + BATCHES + 1
    for second in range(1, batches + 1):
        put(directory, second, "a", f"k{second}")
        next_batch(ssc, second)
    for last, found in enumerate(results, start=1):
        inside = range(max(1, last - LENGTH + 1), last + 1)
        assert found == Counter("a" for _ in inside) | Counter(f"k{second}" for second in inside)
    assert len(results) == batches
