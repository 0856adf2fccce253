"""The life of a StreamingContext."""

from __future__ import annotations

import pickle
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyspark.streaming
import pytest
from pyspark import SparkContext
from pyspark.storagelevel import StorageLevel

from compat.streaming import DStream, StreamingContext
from compat.testing import BatchClock
from tests.statements import wait_until


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str) -> Iterator[StreamingContext]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # also PySpark's, that DStreams are deprecated
        context = StreamingContext(spark_context, 1, engine=engine)
    yield context
    context.stop(stopSparkContext=False)


def test_a_stream_is_a_dstream_of_pyspark_and_knows_its_context(ssc: StreamingContext) -> None:
    stream = ssc.queueStream([[1]])
    assert isinstance(stream, pyspark.streaming.DStream)
    assert isinstance(stream, DStream)
    assert stream.context() is ssc
    assert ssc.sparkContext is SparkContext._active_spark_context


def test_start_needs_an_output(ssc: StreamingContext) -> None:
    ssc.queueStream([[1]]).map(lambda x: x)
    with pytest.raises(ValueError, match="No output operations registered"):
        ssc.start()


@pytest.mark.parametrize(
    "build",
    [
        pytest.param(lambda s: s.updateStateByKey(lambda new, last: 1), id="state"),
        pytest.param(lambda s: s.reduceByKeyAndWindow(max, min, 2, 1), id="window with an inverse"),
        pytest.param(lambda s: s.countByWindow(2, 1), id="countByWindow"),
    ],
)
def test_state_needs_a_checkpoint_directory(
    ssc: StreamingContext, spark_context: SparkContext, build
) -> None:
    build(ssc.queueStream([[("a", 1)]])).pprint()
    kept: Any = spark_context.getCheckpointDir()
    spark_context._jsc.sc().setCheckpointDir(None)
    try:
        with pytest.raises(ValueError, match="checkpoint directory has not been set"):
            ssc.start()
    finally:
        spark_context.setCheckpointDir(kept)


def test_state_that_no_output_reads_needs_nothing(ssc: StreamingContext, spark_context: SparkContext) -> None:
    stream = ssc.queueStream([[("a", 1)]])
    stream.updateStateByKey(lambda new, last: 1, initialRDD=[("b", 1)])
    stream.foreachRDD(lambda rdd: None)
    kept: Any = spark_context.getCheckpointDir()
    spark_context._jsc.sc().setCheckpointDir(None)
    try:
        ssc.start()
    finally:
        spark_context.setCheckpointDir(kept)


def test_a_window_without_an_inverse_needs_no_checkpoint_directory(
    ssc: StreamingContext, spark_context: SparkContext
) -> None:
    ssc.queueStream([[("a", 1)]]).reduceByKeyAndWindow(max, None, 2, 1).foreachRDD(lambda rdd: None)
    kept: Any = spark_context.getCheckpointDir()
    spark_context._jsc.sc().setCheckpointDir(None)
    try:
        ssc.start()
    finally:
        spark_context.setCheckpointDir(kept)


def test_a_function_that_cannot_be_pickled_fails_at_start(ssc: StreamingContext, tmp_path: Path) -> None:
    sc = ssc.sparkContext
    ssc.checkpoint(str(tmp_path))
    ssc.textFileStream(str(tmp_path)).foreachRDD(lambda rdd: sc.parallelize([1]))
    with pytest.raises(pickle.PicklingError, match="attempting to reference SparkContext"):
        ssc.start()


def test_start_again_warns_and_goes_on(ssc: StreamingContext) -> None:
    seen: list[int] = []
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: seen.append(rdd.count()))
    clock = BatchClock(ssc)
    ssc.start()
    with pytest.warns(RuntimeWarning, match="already been started"):
        ssc.start()
    clock.next_batch()
    assert seen == [1]


def test_nothing_is_added_after_start(ssc: StreamingContext) -> None:
    stream = ssc.queueStream([[1]])
    stream.foreachRDD(lambda rdd: None)
    ssc.start()
    for add in (
        stream.pprint,
        lambda: stream.union(stream),
        lambda: ssc.queueStream([[1]]),
        lambda: ssc.textFileStream("/nowhere"),
    ):
        with pytest.raises(RuntimeError, match="after starting a context"):
            add()
    with pytest.raises(RuntimeError, match="storage level"):
        stream.persist(StorageLevel.DISK_ONLY)
    stream.map(lambda x: x)


def test_stop_ends_it_for_good(ssc: StreamingContext) -> None:
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    ssc.start()
    ssc.stop(stopSparkContext=False)
    ssc.stop(False)
    assert ssc.awaitTerminationOrTimeout(0.001) is True
    assert ssc.awaitTermination() is None
    with pytest.raises(RuntimeError, match="already been stopped"):
        ssc.start()


def test_stop_before_start(ssc: StreamingContext) -> None:
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    ssc.stop(False)
    with pytest.raises(RuntimeError, match="already been stopped"):
        ssc.start()


def test_await_termination_or_timeout_tells_whether_it_ended(ssc: StreamingContext) -> None:
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    ssc.start()
    assert ssc.awaitTerminationOrTimeout(0.01) is False
    assert ssc.awaitTermination(0.01) is None
    waited = threading.Thread(target=ssc.awaitTermination)
    waited.start()
    ssc.stop(False)
    waited.join(30)
    assert not waited.is_alive()
    assert ssc.awaitTerminationOrTimeout(10) is True


def test_a_negative_timeout_is_none(ssc: StreamingContext) -> None:
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    ssc.start()
    ended: list[bool | None] = []
    threads = [
        threading.Thread(target=lambda wait=wait: ended.append(wait(-1)))
        for wait in (ssc.awaitTerminationOrTimeout, ssc.awaitTermination)
    ]
    for thread in threads:
        thread.start()
    threads[0].join(0.5)
    assert not ended
    ssc.stop(False)
    for thread in threads:
        thread.join(60)
    assert set(ended) == {True, None}


def test_waiting_may_begin_before_the_start(ssc: StreamingContext) -> None:
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    assert ssc.awaitTerminationOrTimeout(0.01) is False
    ended: list[bool] = []
    waiting = threading.Thread(target=lambda: ended.append(ssc.awaitTerminationOrTimeout(60)))
    waiting.start()
    ssc.start()
    assert not ended
    ssc.stop(False)
    waiting.join(60)
    assert ended == [True]


def test_stop_within_a_callback_returns_and_no_batch_follows(ssc: StreamingContext) -> None:
    seen: list[int] = []
    returned = threading.Event()

    def output(time, rdd) -> None:
        seen.append(rdd.count())
        if len(seen) == 2:
            ssc.stop(False)
            returned.set()

    ssc.queueStream([[1], [1, 2], [1, 2, 3]]).foreachRDD(output)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    clock.skip_batch()
    assert returned.wait(60)
    assert ssc.awaitTerminationOrTimeout(60) is True
    assert seen == [1, 2]


def test_a_batch_that_stop_interrupts_did_not_fail(ssc: StreamingContext) -> None:
    others: list[int] = []
    stopped = threading.Event()

    def output(time, rdd) -> None:
        if time.second == 2:
            ssc.stop(False)
            stopped.set()
            raise ValueError("after the stop nobody hears of it")

    stream = ssc.queueStream([[1], [1, 2]])
    stream.foreachRDD(output)
    stream.foreachRDD(lambda rdd: others.append(rdd.count()))
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    clock.skip_batch()
    assert stopped.wait(60)
    assert ssc.awaitTerminationOrTimeout(60) is True
    assert others == [1]


def test_stop_gracefully_works_off_what_was_received(ssc: StreamingContext) -> None:
    seen: list[list[int]] = []
    begun, go_on = threading.Event(), threading.Event()

    def output(rdd) -> None:
        begun.set()
        assert go_on.wait(60)
        seen.append(rdd.collect())

    ssc.queueStream([[1], [2]]).foreachRDD(output)
    clock = BatchClock(ssc)
    ssc.start()
    clock.skip_batch()
    assert begun.wait(60)
    stopping = threading.Thread(target=lambda: ssc.stop(stopSparkContext=False, stopGraceFully=True))
    stopping.start()
    go_on.set()

    def stopped() -> bool:
        clock.skip_batch()  # a graceful stop waits for the end of the running interval, by this clock
        stopping.join(0.2)
        return not stopping.is_alive()

    wait_until(stopped, "the end of the graceful stop")
    assert seen[0] == [1]


def finish(ssc: StreamingContext, engine: str, stopped: Callable[[], bool]) -> None:
    """Let a graceful stop come to its end. Spark's waits for the clock, batch by batch; ours moves it."""
    if engine == "rdd":
        wait_until(lambda: timer_stops(ssc.sparkContext), "the graceful stop")
        ssc._engine.advance_clock(1000)
        ssc._engine.advance_clock(1000)
    wait_until(stopped, "the end of the graceful stop")


def timer_stops(sc: SparkContext) -> bool:
    """Whether Spark waits for the timer that makes batches."""
    jvm: Any = sc._jvm
    threads = jvm.java.lang.management.ManagementFactory.getThreadMXBean().dumpAllThreads(False, False)
    return any("RecurringTimer.stop" in thread.toString() for thread in threads)


def test_stop_gracefully_runs_two_more_batches(ssc: StreamingContext, engine: str) -> None:
    seen: list[list[int]] = []
    ssc.queueStream([[1], [2], [3], [4]]).foreachRDD(lambda rdd: seen.append(rdd.collect()))
    ssc.start()
    stopping = threading.Thread(target=lambda: ssc.stop(stopSparkContext=False, stopGraceFully=True))
    stopping.start()
    finish(ssc, engine, lambda: not stopping.is_alive())
    assert seen == [[1], [2]]


def test_stop_gracefully_in_a_callback(ssc: StreamingContext, engine: str) -> None:
    seen: list[list[int]] = []
    returned = threading.Event()

    def output(rdd) -> None:
        if not seen:
            ssc.stop(stopSparkContext=False, stopGraceFully=True)
            returned.set()
        seen.append(rdd.collect())

    ssc.queueStream([[1], [2], [3], [4]]).foreachRDD(output)
    ssc.start()
    ssc._engine.advance_clock(1000)
    assert returned.wait(60)
    finish(ssc, engine, lambda: ssc.awaitTerminationOrTimeout(0.1))
    assert seen == [[1], [2], [3]]


def test_the_active_context(ssc: StreamingContext, engine: str) -> None:
    assert StreamingContext.getActive() is None
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    assert StreamingContext.getActive() is None
    ssc.start()
    assert StreamingContext.getActive() is ssc
    assert StreamingContext.getActiveOrCreate(None, lambda: pytest.fail("one is active")) is ssc
    ssc.stop(False)
    assert StreamingContext.getActive() is None
    assert StreamingContext.getActiveOrCreate(None, lambda: ssc) is ssc
    with pytest.raises(TypeError, match="callable"):
        StreamingContext.getActiveOrCreate(None, ssc)  # type: ignore[arg-type]


def test_one_context_after_another(spark_context: SparkContext, engine: str) -> None:
    seen: list[int] = []
    for _ in range(2):
        context = StreamingContext(spark_context, 2, engine=engine)
        context.queueStream([[1, 2]]).foreachRDD(lambda rdd: seen.append(rdd.count()))
        clock = BatchClock(context)
        context.start()
        clock.next_batch()
        context.stop(False)
    assert seen == [2, 2]


@pytest.mark.parametrize("interval", [0, -1, 0.0004])
def test_the_batch_interval_must_be_a_millisecond(
    spark_context: SparkContext, engine: str, interval: float
) -> None:
    with pytest.raises(ValueError, match="at least a millisecond"):
        StreamingContext(spark_context, interval, engine=engine)


def test_the_batch_interval_is_no_text(spark_context: SparkContext, engine: str) -> None:
    with pytest.raises(ValueError, match="invalid literal for a number of seconds: '1'"):
        StreamingContext(spark_context, "1", engine=engine)  # type: ignore[arg-type]


def test_the_batch_interval_is_needed(spark_context: SparkContext, engine: str) -> None:
    with pytest.raises(AssertionError, match="batchDuration"):
        StreamingContext(spark_context, engine=engine)


def test_stop_stops_the_spark_context_unless_told_not_to() -> None:
    """Checked on its face, because every test of a module shares its SparkContext."""
    asked: list[dict[str, bool]] = []

    class Recorder:
        def stop(self, **how: bool) -> None:
            asked.append(how)

    context = object.__new__(StreamingContext)
    context._engine = Recorder()  # type: ignore[assignment]
    context.stop()
    context.stop(False, True)
    assert asked == [
        {"stop_spark_context": True, "gracefully": False},
        {"stop_spark_context": False, "gracefully": True},
    ]
