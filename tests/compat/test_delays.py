"""Late batches, and batches of a time in which nothing ran: as if all had run in time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat.streaming import StreamingContext
from tests.compat.survivor import Outputs, build, put, read
from tests.statements import wait_until

FILES = {1: ["a b a"], 2: ["b"], 4: ["c c", "a"], 5: [""], 7: ["d a"], 9: ["b b"]}
"""Words by the second in which they come, a file for each."""
BATCHES = 10


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A directory to which files come."""
    path = tmp_path / "in"
    path.mkdir()
    return path


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    """An empty directory to write to."""
    path = tmp_path / "out"
    path.mkdir()
    return path


@pytest.fixture(scope="module")
def in_time(spark_context: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    """What `pyspark.streaming` puts out where nothing is late."""
    inputs, outputs = tmp_path_factory.mktemp("in"), tmp_path_factory.mktemp("out")
    ssc = build(spark_context, "rdd", inputs, outputs)
    ssc.start()
    for second in range(1, BATCHES + 1):
        put(inputs, second, *FILES.get(second, []))
        tick(ssc)
        wait_for(outputs, second)
    ssc.stop(stopSparkContext=False)
    return read(outputs)


@pytest.fixture(autouse=True)
def stop_what_runs() -> Iterator[None]:
    yield
    active = StreamingContext.getActive()
    if active is not None:
        active.stop(stopSparkContext=False)


def tick(ssc: StreamingContext, seconds: int = 1) -> None:
    ssc._engine.advance_clock(seconds * 1000)


def wait_for(outputs: Path, second: int) -> None:
    wait_until((outputs / f"batch@{second}").exists, f"the batch of second {second}")


@contextmanager
def jump(sc: SparkContext, seconds: int) -> Iterator[None]:
    """Let the manual clock of a DStream that is recovered stand so much later."""
    setting = "spark.streaming.manualClock.jump"
    conf: Any = sc._jsc.sc().conf()  # type: ignore[attr-defined]
    conf.set(setting, str(seconds * 1000))
    yield
    conf.remove(setting)


def test_batches_that_take_three_intervals(
    spark_context: SparkContext, engine: str, inputs: Path, outputs: Path, in_time: Outputs
) -> None:
    go_on = threading.Semaphore(0)
    entered: list[Any] = []

    def takes_long(time: Any, rdd: Any) -> None:
        entered.append(time)
        assert go_on.acquire(timeout=60)

    ssc = build(spark_context, engine, inputs, outputs)
    ssc.queueStream([[1]]).foreachRDD(takes_long)
    ssc.start()
    for second in range(1, BATCHES + 1):
        put(inputs, second, *FILES.get(second, []))
        tick(ssc)
        if second % 3 == 1:
            wait_until(lambda second=second: len(entered) > second // 3, "the next batch")  # type: ignore[misc]
            # It goes on when three more intervals are over.
        if second % 3 == 0:
            go_on.release()
    for _ in range(BATCHES):
        go_on.release()
    wait_for(outputs, BATCHES)
    assert read(outputs) == in_time


def test_batches_of_a_time_in_which_the_program_was_down(
    spark_context: SparkContext, engine: str, tmp_path: Path, inputs: Path, outputs: Path, in_time: Outputs
) -> None:
    checkpoint, down = str(tmp_path / "checkpoint"), range(4, 10)

    def create() -> StreamingContext:
        return build(spark_context, engine, inputs, outputs)

    ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
    ssc.start()
    for second in range(1, down.start):
        put(inputs, second, *FILES.get(second, []))
        tick(ssc)
        wait_for(outputs, second)
    ssc.stop(stopSparkContext=False)
    for second in down:
        put(inputs, second, *FILES.get(second, []))

    with jump(spark_context, seconds=len(down)):
        ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
        ssc.start()
    if engine == "structured":
        tick(ssc, len(down))
    wait_for(outputs, down[-1])
    put(inputs, BATCHES, *FILES.get(BATCHES, []))
    tick(ssc)
    wait_for(outputs, BATCHES)
    assert read(outputs) == in_time
