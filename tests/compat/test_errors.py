"""A batch that fails: what is lost, what is tried again, what is reported."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark import SparkContext

from compat import StreamingError
from compat.streaming import StreamingContext
from compat.testing import BatchClock


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    context = StreamingContext(spark_context, 1, engine=engine)
    yield context
    context.stop(stopSparkContext=False)


def error_of(ssc: StreamingContext) -> str:
    with pytest.raises(StreamingError) as caught:
        ssc.awaitTerminationOrTimeout(60)
    return str(caught.value)


def test_a_failed_output_loses_only_that_output_of_that_batch(ssc: StreamingContext) -> None:
    failing: list[int] = []
    other: list[int] = []

    def fails_on_two(rdd) -> None:
        count = rdd.count()
        if count == 2:
            raise ValueError("two is too many")
        failing.append(count)

    stream = ssc.queueStream([[1], [1, 2], [1, 2, 3]])
    stream.foreachRDD(fails_on_two)
    stream.foreachRDD(lambda rdd: other.append(rdd.count()))
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    assert ssc.awaitTerminationOrTimeout(0.001) is False
    clock.next_batch()
    clock.next_batch()
    assert failing == [1, 3]
    assert other == [1, 2, 3]
    text = error_of(ssc)
    assert "ValueError: two is too many" in text
    assert "Traceback" in text and "fails_on_two" in text
    with pytest.raises(StreamingError, match="two is too many"):
        ssc.awaitTermination(1)
    ssc.stop(False)
    assert "two is too many" in error_of(ssc)


def test_an_error_in_a_worker_comes_with_its_traceback(ssc: StreamingContext) -> None:
    got: list[object] = []
    ssc.queueStream([[1], [0], [2]]).map(lambda x: 1 // x).foreachRDD(lambda rdd: got.append(rdd.collect()))
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(3):
        clock.next_batch()
    assert got == [[1], [0]]
    assert "ZeroDivisionError" in error_of(ssc)


def test_waiting_ends_with_the_first_error(ssc: StreamingContext) -> None:
    ssc.queueStream([[1], [2]]).foreachRDD(lambda rdd: 1 // (rdd.first() - 1))
    clock = BatchClock(ssc)
    ssc.start()
    clock.skip_batch()
    assert "ZeroDivisionError" in error_of(ssc)


def test_an_error_in_transform_loses_every_output_of_the_batch(ssc: StreamingContext) -> None:
    one: list[object] = []
    other: list[object] = []

    def fails_at_two(time, rdd):
        if round(time.timestamp()) == 2:
            raise KeyError("at two")
        return rdd

    stream = ssc.queueStream([[1], [2], [3]])
    stream.transform(fails_at_two).foreachRDD(lambda rdd: one.append(rdd.collect()))
    ssc.queueStream([[10], [20], [30]]).foreachRDD(lambda rdd: other.append(rdd.collect()))
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    clock.skip_batch()
    assert "KeyError: 'at two'" in error_of(ssc)
    clock.next_batch()
    assert one[0] == [1] and len(one) == 2
    assert other[0] == [10] and len(other) == 2


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """While this file is there `refuse` fails: an error that passes, outside of what Spark pickles."""
    return tmp_path / "broken"


def refuse(broken: Path):
    path = str(broken)

    def check(value):
        if os.path.exists(path):  # noqa: PTH110 - a str, because Path needs more of the worker
            raise RuntimeError("broken for now")
        return value

    return check


def test_state_tries_a_failed_batch_again(ssc: StreamingContext, broken: Path) -> None:
    states: list[dict[str, int]] = []
    check = refuse(broken)
    stream = ssc.queueStream([[("a", 1)], [("a", 10)], [("a", 100)]])
    state = stream.updateStateByKey(lambda new, last: check(sum(new)) + (last or 0))
    state.foreachRDD(lambda rdd: states.append(dict(rdd.collect())))
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    broken.touch()
    clock.next_batch()
    broken.unlink()
    clock.next_batch()
    assert states == [{"a": 1}, {"a": 111}]
    assert "broken for now" in error_of(ssc)


def test_a_window_tries_a_failed_batch_again(ssc: StreamingContext, broken: Path) -> None:
    windows: list[list[int]] = []
    stream = ssc.queueStream([[1], [2], [3], [4]]).map(refuse(broken)).window(3)
    stream.foreachRDD(lambda rdd: windows.append(rdd.collect()))
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    broken.touch()
    clock.next_batch()
    broken.unlink()
    clock.next_batch()
    clock.next_batch()
    assert windows == [[1], [1, 2, 3], [2, 3, 4]]
    assert "broken for now" in error_of(ssc)


def test_an_error_that_stays_fails_every_batch_that_needs_its_input(ssc: StreamingContext) -> None:
    windows: list[list[int]] = []
    counts: list[int] = []
    stream = ssc.queueStream([[1], [0], [2], [3]])
    stream.map(lambda x: 6 // x).window(2).foreachRDD(lambda rdd: windows.append(rdd.collect()))
    stream.foreachRDD(lambda rdd: counts.append(rdd.count()))
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(4):
        clock.next_batch()
    assert windows == [[6], [3, 2]]
    assert counts == [1] * 4
