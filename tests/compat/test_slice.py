"""`slice` and `remember`: the batches that are over, asked for from outside."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat.streaming import DStream, StreamingContext
from compat.testing import BatchClock
from tests.compat.test_sources import put


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    context = StreamingContext(spark_context, 1, engine=engine)
    yield context
    context.stop(stopSparkContext=False)


def batches(stream: DStream, begin: float | datetime, end: float | datetime) -> list[list[Any]]:
    return [rdd.collect() for rdd in stream.slice(begin, end)]


def at(second: float) -> datetime:
    return datetime.fromtimestamp(second)


def played(ssc: StreamingContext, number: int) -> BatchClock:
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(number):
        clock.next_batch()
    return clock


def test_both_ends_are_included(ssc: StreamingContext) -> None:
    ssc.remember(10)
    stream = ssc.queueStream([[1], [2], [3], [4]])
    stream.foreachRDD(lambda rdd: None)
    played(ssc, 4)
    assert batches(stream, at(1), at(1)) == [[1]]
    assert batches(stream, at(2), at(3)) == [[2], [3]]
    assert batches(stream, 1, 4) == [[1], [2], [3], [4]]
    assert batches(stream, 3, 2) == []


def test_ends_between_batches_are_moved_back(ssc: StreamingContext) -> None:
    ssc.remember(10)
    stream = ssc.queueStream([[1], [2], [3], [4]])
    windows = stream.window(2, 2)
    stream.foreachRDD(lambda rdd: None)
    windows.foreachRDD(lambda rdd: None)
    played(ssc, 4)
    assert batches(stream, 2.9, 3.9) == [[2], [3]]
    assert batches(stream, at(2.9), at(3.9)) == [[2], [3]], "the microseconds of a datetime do not count"
    assert batches(windows, 3, 4) == [[1, 2], [3, 4]]


def test_before_the_first_batch_there_is_none(ssc: StreamingContext) -> None:
    ssc.remember(10)
    stream = ssc.queueStream([[1], [2]])
    stream.foreachRDD(lambda rdd: None)
    played(ssc, 2)
    assert batches(stream, 0, 1) == [[1]]
    assert batches(stream, -5, 0) == []


def test_the_last_batch_is_remembered_anyway(ssc: StreamingContext) -> None:
    stream = ssc.queueStream([[1], [2], [3]]).cache()
    stream.foreachRDD(lambda rdd: None)
    clock = played(ssc, 1)
    assert batches(stream, 1, 1) == [[1]]
    clock.next_batch()
    assert batches(stream, 2, 2) == [[2]]


def test_a_batch_has_its_partitions_and_derived_streams_have_theirs(ssc: StreamingContext) -> None:
    ssc.remember(10)
    sc = ssc.sparkContext
    source = ssc.queueStream([sc.parallelize(["a", "b", "a"], 2), sc.emptyRDD()])
    counts = source.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b, 1)
    counts.foreachRDD(lambda rdd: None)
    played(ssc, 2)
    first, second = counts.slice(1, 2)
    assert [sorted(partition) for partition in first.glom().collect()] == [[("a", 2), ("b", 1)]]
    assert second.glom().collect() == [[]]
    assert [rdd.getNumPartitions() for rdd in source.slice(1, 2)] == [2, 0]


def test_state_of_times_gone_by(ssc: StreamingContext) -> None:
    ssc.remember(10)
    state = ssc.queueStream([[("a", 1)], [("a", 2)], [("b", 3)]]).updateStateByKey(
        lambda new, last: sum(new) + (last or 0)
    )
    state.foreachRDD(lambda rdd: rdd.count())
    played(ssc, 3)
    assert [sorted(batch) for batch in batches(state, 1, 3)] == [[("a", 1)], [("a", 3)], [("a", 3), ("b", 3)]]


def test_where_transform_gave_none_there_is_no_batch(ssc: StreamingContext) -> None:
    ssc.remember(10)
    stream = ssc.queueStream([[1], [2], [3]]).transform(lambda time, rdd: None if time.second == 2 else rdd)
    stream.foreachRDD(lambda rdd: None)
    played(ssc, 3)
    assert batches(stream, 1, 3) == [[1], [3]]


def test_files(ssc: StreamingContext, directory: Path) -> None:
    ssc.remember(10)
    lines = ssc.textFileStream(str(directory))
    lines.foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc)
    ssc.start()
    for second, text in enumerate(["one\n", "two\n"], 1):
        put(directory, str(second), text, second)
        clock.next_batch()
    (directory / "1").write_text("it is read again for this\n")
    assert batches(lines, 1, 2) == [["it is read again for this"], ["two"]]


def test_within_a_callback(ssc: StreamingContext) -> None:
    ssc.remember(10)
    seen: list[list[list[object]]] = []
    stream = ssc.queueStream([[1], [2], [3]])
    stream.foreachRDD(lambda time, rdd: seen.append(batches(stream, time.timestamp() - 1, time)))
    played(ssc, 3)
    assert seen == [[[1]], [[1], [2]], [[2], [3]]]


def test_on_another_thread_while_a_batch_runs(ssc: StreamingContext) -> None:
    ssc.remember(10)
    running, go_on = threading.Event(), threading.Event()
    stream = ssc.queueStream([[1], [2]])

    def output(time: datetime, rdd: object) -> None:
        if time.second == 2:
            running.set()
            assert go_on.wait(60)

    stream.foreachRDD(output)
    clock = played(ssc, 1)
    clock.skip_batch()
    try:
        assert running.wait(60)
        assert batches(stream, 1, 2) == [[1], [2]]
    finally:
        go_on.set()


def test_structured_has_no_batch_before_its_time(spark_context: SparkContext) -> None:
    """A DStream would make it now, and take from the queue what is the turn of later batches."""
    ssc = StreamingContext(spark_context, 1, engine="structured")
    stream = ssc.queueStream([[1], [2], [3]])
    stream.foreachRDD(lambda rdd: None)
    clock = played(ssc, 1)
    assert batches(stream, 1, 5) == [[1]]
    clock.next_batch()
    assert batches(stream, 2, 5) == [[2]]
    ssc.stop(False)


def test_structured_says_what_it_has_forgotten(spark_context: SparkContext) -> None:
    """A DStream would take the next of the queue for it."""
    ssc = StreamingContext(spark_context, 1, engine="structured")
    stream = ssc.queueStream([[1], [2], [3]])
    stream.foreachRDD(lambda rdd: None)
    played(ssc, 3)
    assert batches(stream, 3, 3) == [[3]]
    with pytest.raises(ValueError, match=r"batch at 1000 ms is not remembered.*ssc\.remember"):
        stream.slice(1, 3)
    ssc.stop(False)
