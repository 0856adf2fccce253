"""From one engine to the other, as compat/README.md says: with a variable, and what state needs besides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat.streaming import StreamingContext
from compat.testing import BatchClock


def play(sc: SparkContext, batches: list[list[Any]], build: Callable[[Any], Any]) -> list[dict[str, int]]:
    """Run a program on the engine of the environment; what its stream gave, batch by batch."""
    ssc = StreamingContext(sc, 1)
    stream = build(ssc.queueStream([sc.parallelize(batch, 1) for batch in batches]))
    seen: list[dict[str, int]] = []
    stream.foreachRDD(lambda rdd: seen.append(dict(rdd.collect())))
    clock = BatchClock(ssc)
    ssc.start()
    for _ in batches:
        clock.next_batch()
    ssc.stop(stopSparkContext=False)
    return seen[: len(batches)]


@pytest.mark.parametrize(("old", "new"), [("rdd", "structured"), ("structured", "rdd")])
def test_state_goes_along(
    spark_context: SparkContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, old: str, new: str
) -> None:
    states = str(tmp_path / "states")

    def saved(stream: Any) -> Any:
        counts = stream.updateStateByKey(lambda new, total: sum(new) + (total or 0))
        counts.foreachRDD(lambda time, rdd: rdd.saveAsPickleFile(f"{states}/{time:%Y%m%d-%H%M%S}"))
        return counts

    def taken_over(stream: Any) -> Any:
        last = max(str(path) for path in Path(states).iterdir())
        initial = spark_context.pickleFile(last)
        return stream.updateStateByKey(lambda new, total: sum(new) + (total or 0), initialRDD=initial)

    monkeypatch.setenv("COMPAT_ENGINE", old)
    first = [[("a", 1), ("b", 1)], [("a", 2)]]
    assert play(spark_context, first, saved) == [{"a": 1, "b": 1}, {"a": 3, "b": 1}]
    monkeypatch.setenv("COMPAT_ENGINE", new)
    assert play(spark_context, [[("b", 1)], []], taken_over) == [{"a": 3, "b": 2}] * 2
