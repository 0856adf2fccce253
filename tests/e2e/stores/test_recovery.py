"""A program whose checkpoint is on HDFS or S3 is stopped and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext

from compat.directory import directory
from compat.streaming import StreamingContext
from tests.compat.survivor import build, next_batch, put, read
from tests.e2e.stores.hdfs import Hdfs

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]
FILES = {1: ["a b a"], 2: ["b"], 4: ["c c", "a"], 5: [""], 7: ["d a"]}
BATCHES = 8


def play(sc: SparkContext, place: Path, checkpoint: str | None, stops: set[int]) -> dict:
    """What is put out by a program that stops after the batches of these seconds and goes on."""
    inputs, outputs = place / "in", place / "out"
    inputs.mkdir(parents=True)
    outputs.mkdir()

    def create() -> StreamingContext:
        return build(sc, "structured", inputs, outputs)

    def started() -> StreamingContext:
        ssc = create() if checkpoint is None else StreamingContext.getOrCreate(checkpoint, create)
        ssc.start()
        return ssc

    ssc = started()
    for second in range(1, BATCHES + 1):
        put(inputs, second, *FILES.get(second, []))
        next_batch(ssc, second)
        if second in stops:
            ssc.stop(stopSparkContext=False)
            ssc = started()
    ssc.stop(stopSparkContext=False)
    return read(outputs)


def test_a_program_goes_on(
    spark_context: SparkContext, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPAT_ENGINE", "structured")
    spark_context.setCheckpointDir(str(tmp_path / "rdds"))
    expected = play(spark_context, tmp_path / "expected", None, set())
    assert len(expected) > BATCHES
    assert play(spark_context, tmp_path / "stopped", store, {1, 3, 6}) == expected
    kept = directory(f"{store}/structured")
    assert "graph" in kept.names()
    assert kept.names("state")


def test_hdfs_is_away_for_a_while(spark_context: SparkContext, hdfs: Hdfs, tmp_path: Path) -> None:
    """The batch is late, and nothing is lost."""
    inputs, outputs = tmp_path / "in", tmp_path / "out"
    inputs.mkdir()
    outputs.mkdir()
    ssc = build(spark_context, "structured", inputs, outputs)
    ssc.checkpoint(f"{hdfs.uri}/away")
    ssc.start()
    put(inputs, 1, "a b")
    next_batch(ssc, 1)
    hdfs.stop()
    put(inputs, 2, "a")
    ssc._engine.advance_clock(1000)
    hdfs.start()
    ssc._engine._running.finish(2000)  # type: ignore[attr-defined]
    put(inputs, 3, "b")
    next_batch(ssc, 3)
    ssc.stop(stopSparkContext=False)
    assert read(outputs)["totals", 3] == [["a", 2], ["b", 2]]
