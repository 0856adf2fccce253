"""Batches that fail: which of them a restart runs again, and with what.

`pyspark.streaming` waits for the last output of a batch, whatever the others did. A batch whose last output
failed is run again at each start, first of all, until that output goes well. Where another output failed, or
a callback of `transform`, the batch counts as done once the next one has begun. DStreams also run the last
batch before a stop again, always; the engine `structured` only where something in it failed."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat import StreamingError
from compat._structured.inputs.sources import Planned
from compat.streaming import DStream, StreamingContext
from tests.compat.survivor import next_batch, put
from tests.statements import wait_until

Build = Callable[[DStream[str], Callable[[str], Callable[..., Any]]], None]
"""Builds a program on words, with callbacks by name, which note what they get."""
Failing = Mapping[str, Collection[int]]
"""The seconds at which callbacks fail, by name."""

pytestmark = pytest.mark.usefixtures("stop_what_runs")


@pytest.fixture(params=[pytest.param("rdd", marks=pytest.mark.full), "structured"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Program:
    """A program that is started again and again, a file with a word of its own in every second."""

    def __init__(self, sc: SparkContext, engine: str, place: Path, build: Build) -> None:
        self.engine = engine
        self.place = place
        self._sc = sc
        self._build = build
        self._second = 0
        (place / "in").mkdir()
        (place / "calls").touch()

    def run(self, batches: int, failing: Failing) -> list[str]:
        """Start, run so many new batches, and stop; what the callbacks noted, in their order.

        A note names callback and second: ``a@1 w1``, or ``a@1 fails``.
        """
        before = len(self._notes())
        self._fail(failing)
        ssc = StreamingContext.getOrCreate(str(self.place / "checkpoint"), self._create, engine=self.engine)
        ssc.start()
        for _ in range(batches):
            self._second += 1
            put(self.place / "in", self._second, f"w{self._second}")
            ssc._engine.advance_clock(1000)
            last = f"{self._last(failing)}@{self._second} "
            wait_until(lambda: any(note.startswith(last) for note in self._notes()), last, 180)  # noqa: B023
        ssc.stop(stopSparkContext=False)
        return self._notes()[before:]

    def _last(self, failing: Failing) -> str:
        """The callback that is the last one in this second."""
        return "t" if self._second in failing.get("t", ()) else "b"

    def _create(self) -> StreamingContext:
        ssc = StreamingContext(self._sc, 1, engine=self.engine)
        self._build(ssc.textFileStream(str(self.place / "in")), lambda name: noting(str(self.place), name))
        return ssc

    def _notes(self) -> list[str]:
        return (self.place / "calls").read_text().splitlines()

    def _fail(self, failing: Failing) -> None:
        for flag in self.place.glob("fail-*"):
            flag.unlink()
        for name, seconds in failing.items():
            for second in seconds:
                (self.place / f"fail-{name}-{second}").touch()


def noting(place: str, name: str) -> Callable[..., Any]:
    """A callback of `foreachRDD` or `transform`."""

    def note(time: Any, rdd: Any) -> Any:
        second = round(time.timestamp())
        fails = os.path.exists(f"{place}/fail-{name}-{second}")  # noqa: PTH110 - pickled into the checkpoint
        what = "fails" if fails else " ".join(sorted(map(str, rdd.collect())))
        with open(f"{place}/calls", "a") as calls:  # noqa: PTH123
            calls.write(f"{name}@{second} {what}\n")
        if fails:
            raise RuntimeError(f"{name} fails at {second}")
        return rdd if name == "t" else None

    return note


def two_outputs(words: DStream[str], callback: Callable[[str], Callable[..., Any]]) -> None:
    words.foreachRDD(callback("a"))
    words.transform(callback("t")).foreachRDD(callback("b"))


def of_output(notes: list[str], name: str) -> list[str]:
    return [note for note in notes if note.startswith(f"{name}@")]


def test_a_batch_waits_for_its_last_output(spark_context: SparkContext, engine: str, tmp_path: Path) -> None:
    program = Program(spark_context, engine, tmp_path, two_outputs)
    failing = {"a": {2, 4}, "b": {3, 4}, "t": {5}}
    notes = program.run(6, failing)
    assert of_output(notes, "a") == ["a@1 w1", "a@2 fails", "a@3 w3", "a@4 fails", "a@6 w6"]
    assert of_output(notes, "b") == ["b@1 w1", "b@2 w2", "b@3 fails", "b@4 fails", "b@6 w6"]

    last = ["6"] if engine == "rdd" else []
    notes = program.run(1, {"a": {4}, "b": {3}})
    assert of_output(notes, "a") == ["a@3 w3", "a@4 fails", *(f"a@{n} w{n}" for n in [*last, 7])]
    assert of_output(notes, "b") == ["b@3 fails", "b@4 w4", *(f"b@{n} w{n}" for n in [*last, 7])]

    # It failed again, so it is still waited for; the other one counts as done now.
    last = ["7"] if engine == "rdd" else []
    assert of_output(program.run(1, {}), "b") == [f"b@{n} w{n}" for n in [3, *last, 8]]
    last = ["8"] if engine == "rdd" else []
    assert of_output(program.run(1, {}), "b") == [f"b@{n} w{n}" for n in [*last, 9]]


@pytest.mark.parametrize("callback", ["a", "b", "t"])
def test_the_last_batch_of_a_run_is_run_again_whatever_failed(
    spark_context: SparkContext, engine: str, tmp_path: Path, callback: str
) -> None:
    """A program that ends with its first error has lost nothing after the next start."""
    program = Program(spark_context, engine, tmp_path, two_outputs)
    program.run(2, {callback: {2}})
    notes = program.run(1, {})
    assert of_output(notes, "a") == ["a@2 w2", "a@3 w3"]
    assert of_output(notes, "b") == ["b@2 w2", "b@3 w3"]


def memories(words: DStream[str], callback: Callable[[str], Callable[..., Any]]) -> None:
    """State, a window and a window with an inverse, all in the last output."""
    pairs = words.map(lambda word: (word, 1))
    totals = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))
    recent = (
        pairs.window(3).map(lambda pair: ("recent", int(pair[0][1:]))).reduceByKey(lambda a, b: min(a, b))
    )
    reduced = pairs.map(lambda pair: ("last five", pair[1])).reduceByKeyAndWindow(
        lambda a, b: a + b, lambda a, b: a - b, 5, 1
    )
    number = totals.count().map(lambda count: ("words", count))
    number.union(recent).union(reduced).foreachRDD(callback("b"))


def remembered(second: int) -> str:
    first, five = max(second - 2, 1), min(second, 5)
    return f"b@{second} ('last five', {five}) ('recent', {first}) ('words', {second})"


@pytest.mark.parametrize("batches", [5, pytest.param(13, marks=pytest.mark.full)])
def test_state_and_windows_are_those_of_the_batch_that_failed(
    spark_context: SparkContext, engine: str, tmp_path: Path, batches: int
) -> None:
    """Also when the windows have gone on, and state was written out since."""
    program = Program(spark_context, engine, tmp_path, memories)
    program.run(batches, {"b": {2, 3}})
    last = [batches] if engine == "rdd" else []
    notes = program.run(1, {"b": {2}})
    assert notes == ["b@2 fails", *map(remembered, [3, *last, batches + 1])]
    last = [batches + 1] if engine == "rdd" else []
    assert program.run(1, {}) == list(map(remembered, [2, *last, batches + 2]))


def test_a_batch_that_fails_at_every_start_does_not_keep_others_from_running(
    spark_context: SparkContext, engine: str, tmp_path: Path
) -> None:
    program = Program(spark_context, engine, tmp_path, memories)
    program.run(3, {"b": {2}})
    for start in range(3):
        seconds = range(4 + start, 5 + start)
        notes = program.run(1, {"b": {2}})
        assert notes[0] == "b@2 fails"
        assert notes[-1] == remembered(seconds[-1])


def test_an_error_is_told_again(spark_context: SparkContext, engine: str, tmp_path: Path) -> None:
    program = Program(spark_context, engine, tmp_path, two_outputs)
    program.run(3, {"b": {2}})
    program._fail({"b": {2}})
    ssc = StreamingContext.getOrCreate(str(tmp_path / "checkpoint"), program._create, engine=engine)
    ssc.start()
    with pytest.raises(StreamingError, match="b fails at 2"):
        ssc.awaitTermination(180)


def test_structured_tells_sources_only_of_what_is_done_before_a_batch_that_failed(
    spark_context: SparkContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So no offset is committed to Kafka past such a batch, with or without a checkpoint."""
    done: list[int] = []
    monkeypatch.setattr(Planned, "done", lambda feed, time: done.append(time // 1000))

    def fails(time: Any, rdd: Any) -> None:
        assert time.second != 3

    ssc = StreamingContext(spark_context, 1, engine="structured")
    ssc.queueStream([[1]]).foreachRDD(fails)
    ssc.start()
    for second in range(1, 6):
        next_batch(ssc, second)
    ssc.stop(stopSparkContext=False)
    assert done == [1, 2]


def test_structured_gives_a_batch_up_whose_file_is_removed(
    spark_context: SparkContext, tmp_path: Path
) -> None:
    program = Program(spark_context, "structured", tmp_path, two_outputs)
    program.run(3, {"b": {2}})
    [failed] = (tmp_path / "checkpoint/structured/batches").glob("*.failed")
    assert failed.name == "2000.failed"
    assert "b fails at 2" in failed.read_text()
    failed.unlink()
    assert of_output(program.run(1, {}), "b") == ["b@4 w4"]


def test_structured_keeps_what_a_failed_batch_needs_and_nothing_else(
    spark_context: SparkContext, tmp_path: Path
) -> None:
    program = Program(spark_context, "structured", tmp_path, state_written_often)
    program.run(9, {"b": {3}})
    state = tmp_path / "checkpoint/structured/state"

    def versions() -> set[int]:
        return {int(done.parent.name) // 1000 for done in state.glob("*/*/_SUCCESS")}

    assert versions() == {2, 8}
    program.run(3, {})
    assert versions() == {10, 12}


def state_written_often(words: DStream[str], callback: Callable[[str], Callable[..., Any]]) -> None:
    pairs = words.map(lambda word: (word, 1))
    totals = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0)).checkpoint(2)
    totals.foreachRDD(callback("b"))
