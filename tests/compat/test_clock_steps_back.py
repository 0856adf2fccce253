"""A clock that steps back: no batch has the time of another one, and none is lost."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat.streaming import StreamingContext
from tests.compat.survivor import put
from tests.statements import wait_until

pytestmark = pytest.mark.usefixtures("stop_what_runs")


class Program:
    """Notes the words of each second, and their running counts; its clock can be set."""

    def __init__(self, sc: SparkContext, engine: str, place: Path) -> None:
        self.engine, self.place = engine, place
        self._sc = sc
        (place / "in").mkdir()
        (place / "out").mkdir()
        self.start()

    def start(self) -> None:
        checkpoint = str(self.place / "checkpoint")
        self.ssc = StreamingContext.getOrCreate(checkpoint, self._create, engine=self.engine)
        self.ssc.start()

    def _create(self) -> StreamingContext:
        ssc = StreamingContext(self._sc, 1, engine=self.engine)
        words = ssc.textFileStream(str(self.place / "in"))
        totals = words.map(lambda word: (word, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))
        pairs = words.map(lambda word: (word, 0)).union(totals)
        pairs.foreachRDD(noting(str(self.place)))
        return ssc

    def set(self, second: float) -> None:
        """Set the clock."""
        engine: Any = self.ssc._engine
        if self.engine == "rdd":
            engine.java_context.ssc().scheduler().clock().setTime(round(second * 1000))
        else:
            engine._clock.set(round(second * 1000))

    def wait(self, second: int) -> None:
        """Wait for the batch of that second."""
        wait_until(lambda: any(note.startswith(f"{second} ") for note in self.notes), f"batch {second}", 120)

    @property
    def notes(self) -> list[str]:
        return [path.read_text() for path in sorted((self.place / "out").iterdir())]


def late(directory: Path, second: int, word: str) -> None:
    """Let one more file appear that was changed in that second."""
    draft = directory / ".late"
    draft.write_text(word + "\n")
    os.utime(draft, (second, second))
    draft.rename(directory / "late")


def noting(place: str) -> Callable[..., None]:
    def note(when: Any, rdd: Any) -> None:
        from pathlib import Path
        from time import time_ns

        text = f"{round(when.timestamp())} {sorted(rdd.collect())}"
        draft = Path(place, f"{time_ns()}")
        draft.write_text(text)
        draft.rename(Path(place, "out", draft.name))

    return note


@pytest.fixture
def program(spark_context: SparkContext, engine: str, tmp_path: Path) -> Iterator[Program]:
    made = Program(spark_context, engine, tmp_path)
    yield made
    made.ssc.stop(stopSparkContext=False)


def test_batches_wait_until_the_clock_is_where_it_was(program: Program) -> None:
    """What comes meanwhile is in the first batch after that, as many times as it came."""
    for second, word in [(1, "a"), (2, "b"), (3, "a")]:
        put(program.place / "in", second, word)
        program.set(second)
        program.wait(second)
    program.set(1.2)
    late(program.place / "in", 1, "c")
    for second in (2, 3):
        program.set(second)
        time.sleep(0.3)  # nothing is to happen, however long one waits
    assert len(program.notes) == 3
    program.set(4)
    program.wait(4)
    program.set(5)
    program.wait(5)
    assert program.notes == [
        "1 [('a', 0), ('a', 1)]",
        "2 [('a', 1), ('b', 0), ('b', 1)]",
        "3 [('a', 0), ('a', 2), ('b', 1)]",
        "4 [('a', 2), ('b', 1), ('c', 0), ('c', 1)]",
        "5 [('a', 2), ('b', 1), ('c', 1)]",
    ]


def test_a_recovered_run_waits_and_says_so(
    spark_context: SparkContext,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DStreams would give batches times that others had already."""
    program = Program(spark_context, "structured", tmp_path)
    for second in (1, 2, 3):
        put(tmp_path / "in", second, "a")
        program.set(second)
        program.wait(second)
    program.ssc.stop(stopSparkContext=False)
    monkeypatch.setattr("compat._structured.life.clock.ManualClock.set", lambda clock, now: None)
    with caplog.at_level(logging.WARNING):
        program.start()
        monkeypatch.undo()
        program.set(1)
        wait_until(lambda: "The clock is 2 s behind the last batch" in caplog.text, "a warning")
    late(tmp_path / "in", 1, "b")
    program.set(3.5)
    program.set(4)
    program.wait(4)
    program.ssc.stop(stopSparkContext=False)
    assert program.notes[3:] == ["4 [('a', 3), ('b', 0), ('b', 1)]"]
