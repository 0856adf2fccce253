"""A run that is behind: Spark keeps what a micro-batch has done until it ends, so each runs a few batches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import SparkContext

from compat import StreamingError
from compat._structured.life import running
from compat._structured.life.running import Running
from compat.streaming import StreamingContext
from tests.statements import wait_until

pytestmark = pytest.mark.usefixtures("stop_what_runs")
SEEN: list[tuple[int, int]] = []
"""The number of the micro-batch, and the second of a batch that it ran."""
NOW = {"down": 0, "micro-batch": 0}
"""Whether the sink is down, and the number of the micro-batch."""


@pytest.fixture(autouse=True)
def micro_batches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each runs three batches."""
    monkeypatch.setattr(running, "LATE", 3)
    monkeypatch.setattr(running, "EARLY", 3)
    outputs = Running._outputs

    def noted(self: Running, time: int) -> tuple[bool, list[str | None]]:
        SEEN.append((NOW["micro-batch"], time // 1000))
        return outputs(self, time)

    numbers, micro_batch = count(), Running.micro_batch

    def numbered(self: Running, data: Any, batch_id: int) -> None:
        NOW["micro-batch"] = next(numbers)
        micro_batch(self, data, batch_id)

    monkeypatch.setattr(Running, "_outputs", noted)
    monkeypatch.setattr(Running, "micro_batch", numbered)
    SEEN.clear()
    yield
    NOW["down"] = 0


def put_out(rdd: Any) -> None:
    if NOW["down"]:
        raise OSError("the sink is down")


def started(sc: SparkContext, inputs: Path, checkpoint: Path) -> StreamingContext:
    def create() -> StreamingContext:
        ssc = StreamingContext(sc, 1, engine="structured")
        ssc.textFileStream(str(inputs)).foreachRDD(put_out)
        return ssc

    ssc = StreamingContext.getOrCreate(str(checkpoint), create, engine="structured")
    ssc.start()
    return ssc


def in_micro_batches() -> list[list[int]]:
    """The seconds of the batches of each."""
    return [[second for at, second in SEEN if at == number] for number in sorted({at for at, _ in SEEN})]


def test_batches_that_are_due_are_run_a_few_at_a_time(
    spark_context: SparkContext, directory: Path, tmp_path: Path
) -> None:
    ssc = started(spark_context, directory, tmp_path / "checkpoint")
    ssc._engine.advance_clock(8000)
    ssc._engine._running.finish(8000)  # type: ignore[attr-defined]
    assert in_micro_batches() == [[1, 2, 3], [4, 5, 6], [7, 8]]


def test_batches_that_failed_are_run_again_a_few_at_a_time(
    spark_context: SparkContext, directory: Path, tmp_path: Path
) -> None:
    ssc = started(spark_context, directory, tmp_path / "checkpoint")
    NOW["down"] = 1
    ssc._engine.advance_clock(4000)
    ssc._engine._running.finish(4000)  # type: ignore[attr-defined]
    with pytest.raises(StreamingError, match="the sink is down"):
        ssc.awaitTermination(60)
    ssc.stop(stopSparkContext=False)
    NOW["down"] = 0
    SEEN.clear()
    ssc = started(spark_context, directory, tmp_path / "checkpoint")
    ssc._engine.advance_clock(1000)
    wait_until(lambda: bool(SEEN) and SEEN[-1][1] == 5, "the batch after them")
    assert in_micro_batches() == [[1, 2, 3], [4, 5]]


@pytest.mark.parametrize(("interval_ms", "number"), [(0, 10), (3_600_000, 100)])
def test_a_micro_batch_that_is_early_runs_more(
    monkeypatch: pytest.MonkeyPatch, interval_ms: int, number: int
) -> None:
    monkeypatch.undo()
    some = Running._some(SimpleNamespace(_interval_ms=interval_ms), range(1000))  # type: ignore[arg-type]
    assert list(some) == [*range(number)]
