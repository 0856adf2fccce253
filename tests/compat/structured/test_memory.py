"""What a run keeps does not grow with the number of its batches; what two outputs share is made once."""

from __future__ import annotations

import gc
import operator
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat import StreamingError
from compat.streaming import StreamingContext
from compat.testing import BatchClock
from tests.compat.survivor import next_batch, put

SETTLED, LATER = 10, 18
"""A batch by which everything that is kept has been kept once, and one a good while later."""
EVERY = 4
"""State is written out in every fourth of these batches: both stand at the same place between two of them."""


@pytest.fixture
def short_memory(spark_context: SparkContext) -> Iterator[None]:
    """File streams remember names for 4 s only."""
    setting = "spark.streaming.fileStream.minRememberDuration"
    conf: Any = spark_context._jsc.sc().conf()  # type: ignore[attr-defined]
    conf.set(setting, "4s")
    yield
    conf.remove(setting)


@pytest.fixture
def ssc(spark_context: SparkContext) -> Iterator[StreamingContext]:
    context = StreamingContext(spark_context, 1, engine="structured")
    yield context
    context.stop(stopSparkContext=False)


def kept(ssc: StreamingContext, checkpoint: Path) -> dict[str, int]:
    """What the engine holds in Python, in the JVM and on the disk."""
    running = ssc._engine._running  # type: ignore[attr-defined]
    evaluation = running._evaluation
    session = evaluation.session.spark._jsparkSession
    files = [path for path in checkpoint.rglob("*") if path.is_file() and "query" not in path.parts]
    return {
        "batches": sum(map(len, evaluation._frames.values())),
        "slices": sum(len(feed.slices) for feed in evaluation.feeds.values()),
        "versions": sum(map(len, evaluation.versions._written.values())),
        "unwritten versions": len(evaluation.versions._pending),
        "log entries": len(running._log._entries),
        "cached DataFrames": session.sharedState().cacheManager().numCachedEntries(),
        "persisted RDDs": ssc.sparkContext._jsc.getPersistentRDDs().size(),  # type: ignore[attr-defined]
        "files": len(files),
    }


@pytest.mark.full
def test_a_long_run_keeps_no_more_than_a_short_one(
    ssc: StreamingContext, tmp_path: Path, directory: Path, short_memory: None
) -> None:
    ssc.checkpoint(str(tmp_path / "checkpoint"))
    words = ssc.textFileStream(str(directory)).flatMap(lambda line: line.split()).map(lambda word: (word, 1))
    totals = words.updateStateByKey(lambda new, last: sum(new) + (last or 0))
    totals.checkpoint(EVERY)
    totals.foreachRDD(lambda rdd: rdd.count())
    totals.window(2).foreachRDD(lambda rdd: rdd.count())
    recent = words.reduceByKeyAndWindow(operator.add, operator.sub, 5, 1)
    recent.checkpoint(EVERY)
    recent.foreachRDD(lambda rdd: rdd.count())
    ssc.start()
    seen = {}
    for second in range(1, LATER + 1):
        put(directory, second, "a b", "c")
        next_batch(ssc, second)
        seen[second] = kept(ssc, tmp_path / "checkpoint")
    assert seen[LATER] == seen[SETTLED]
    assert seen[LATER]["unwritten versions"] == 0


@pytest.mark.full
def test_transforms_that_go_on_failing_do_not_fill_the_memory(ssc: StreamingContext, tmp_path: Path) -> None:
    tries: list[int] = []

    def fails(time: Any, rdd: Any) -> Any:
        tries.append(round(time.timestamp()))
        raise ValueError("always")

    stream = ssc.queueStream([[("a", 1)]] * LATER).map(lambda pair: pair).cache()
    stream.reduceByKey(operator.add).foreachRDD(lambda rdd: rdd.count())
    stream.transform(fails).foreachRDD(lambda rdd: rdd.count())
    ssc.start()
    seen = {}
    for second in range(1, LATER + 1):
        next_batch(ssc, second)
        seen[second] = kept(ssc, tmp_path)
    assert tries == list(range(1, LATER + 1))
    assert seen[LATER] == seen[SETTLED]
    with suppress(StreamingError):
        ssc.awaitTerminationOrTimeout(0.001)


def counting(path: Path) -> Any:
    """A function for `map` that leaves a mark for each of its calls, in whatever process."""
    name = str(path)

    def mark(pair: Any) -> Any:
        with open(name, "a") as file:  # noqa: PTH123 - a str, because Path needs more of the worker
            file.write("x")
        return pair

    return mark


def test_what_two_outputs_share_is_computed_once(ssc: StreamingContext, tmp_path: Path) -> None:
    narrow, wide = tmp_path / "narrow", tmp_path / "wide"
    pairs = ssc.queueStream([[("a", 1), ("b", 2)], [("a", 3)]])
    mapped = pairs.map(counting(narrow))
    reduced = mapped.map(counting(wide)).reduceByKey(operator.add)
    results: list[object] = []
    for stream in (mapped, reduced, reduced.mapValues(lambda v: -v), mapped.window(2)):
        stream.foreachRDD(lambda rdd: results.append((rdd.count(), sorted(rdd.collect()))))
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    clock.next_batch()
    assert results[4:] == [
        (1, [("a", 3)]),
        (1, [("a", 3)]),
        (1, [("a", -3)]),
        (3, [("a", 1), ("a", 3), ("b", 2)]),
    ]
    assert (narrow.read_text(), wide.read_text()) == ("xxx", "xxx")


def test_what_a_worker_has_loaded_is_not_looked_at_as_garbage(ssc: StreamingContext) -> None:
    """Spark's daemon collects garbage after each task, and loads pandas after the first."""
    found: list[int] = []
    looked_at = ssc.queueStream([[number] for number in range(6)]).map(lambda _: len(gc.get_objects()))
    looked_at.foreachRDD(lambda rdd: found.extend(rdd.collect()))
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(6):
        clock.next_batch()
    assert found[-1] < 10_000, found
