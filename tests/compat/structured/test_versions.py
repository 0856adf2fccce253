"""When batches that later ones build on are written out, and what a crash in between costs: nothing."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat.streaming import DStream, StreamingContext
from tests.compat.survivor import Outputs, build, next_batch, put, read
from tests.statements import wait_until


@pytest.fixture
def ssc(spark_context: SparkContext, tmp_path: Path) -> Iterator[StreamingContext]:
    context = StreamingContext(spark_context, 1, engine="structured")
    context.checkpoint(str(tmp_path / "checkpoint"))
    yield context
    context.stop(stopSparkContext=False)


def running_count(lines: DStream[str]) -> DStream[tuple[str, int]]:
    words = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))
    return words.updateStateByKey(lambda new, last: sum(new) + (last or 0))


def versions(tmp_path: Path) -> list[int]:
    """The batch times, in seconds, of the whole versions of the program's one state."""
    state = tmp_path / "checkpoint/structured/state"
    return sorted(int(done.parent.name) // 1000 for done in state.glob("*/*/_SUCCESS"))


def after(ssc: StreamingContext, tmp_path: Path, batches: int) -> set[int]:
    """All versions that there ever were in so many batches."""
    ssc.start()
    seen: set[int] = set()
    for second in range(1, batches + 1):
        next_batch(ssc, second)
        seen |= set(versions(tmp_path))
    return seen


def test_state_is_written_every_ten_seconds(ssc: StreamingContext, tmp_path: Path, directory: Path) -> None:
    put(directory, 1, "a")
    running_count(ssc.textFileStream(str(directory))).pprint()
    assert after(ssc, tmp_path, 11) == {10}


def test_state_is_written_as_often_as_the_program_says(
    ssc: StreamingContext, tmp_path: Path, directory: Path
) -> None:
    put(directory, 1, "a")
    running_count(ssc.textFileStream(str(directory))).checkpoint(2).pprint()
    assert after(ssc, tmp_path, 5) == {2, 4}


def test_state_behind_a_socket_is_written_no_more_often(ssc: StreamingContext, tmp_path: Path) -> None:
    """What came is written down itself."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=lambda: server.accept()[0].close(), daemon=True).start()
        lines = ssc.socketTextStream(*server.getsockname())
        running_count(lines).checkpoint(3).pprint()
        assert after(ssc, tmp_path, 4) == {3}


def test_no_batch_is_made_twice_for_want_of_a_version(
    ssc: StreamingContext, tmp_path: Path, directory: Path
) -> None:
    calls = str(tmp_path / "calls")

    def update(new: Iterable[int], last: int | None) -> int:
        with open(calls, "a") as file:  # noqa: PTH123 - a str, because Path needs more of the worker
            file.write(f"{(last or 0) + sum(new)}\n")
        return (last or 0) + sum(new)

    words = ssc.textFileStream(str(directory)).map(lambda line: (line, 1))
    totals = words.updateStateByKey(update)
    totals.pprint()
    totals.window(3).foreachRDD(lambda rdd: rdd.count())
    for second in range(1, 6):
        put(directory, second, "a")
    after(ssc, tmp_path, 5)
    assert Counter(Path(calls).read_text().split()) == Counter(map(str, range(1, 6)))


def test_a_state_that_has_had_no_batch_is_not_made_from_the_beginning_again(
    spark_context: SparkContext, directory: Path, tmp_path: Path
) -> None:
    """As long as `transform` gives no RDD there is no state, and no batch is asked for a second time."""
    checkpoint, asked = tmp_path / "checkpoint", tmp_path / "asked"

    def create() -> StreamingContext:
        ssc = StreamingContext(spark_context, 1, engine="structured")
        words = ssc.textFileStream(str(directory)).map(lambda line: (line, 1))
        late = words.transform(noting(str(asked), 4))
        totals = late.updateStateByKey(lambda new, last: sum(new) + (last or 0))
        totals.foreachRDD(writing(str(tmp_path)))
        return ssc

    for seconds in (range(1, 4), range(4, 6)):
        ssc = StreamingContext.getOrCreate(str(checkpoint), create, engine="structured")
        ssc.start()
        for second in seconds:
            put(directory, second, "a")
            next_batch(ssc, second)
        ssc.stop(stopSparkContext=False)
    assert asked.read_text().split() == ["1", "2", "3", "4", "5"]
    assert {path.name: path.read_text() for path in tmp_path.glob("state-*")} == {
        "state-4": "[('a', 1)]",
        "state-5": "[('a', 2)]",
    }


def noting(path: str, first: int) -> Callable[[datetime, Any], Any]:
    """A callback of `transform` that notes each batch it is asked for, and gives none before the `first`."""

    def given(time: datetime, rdd: Any) -> Any:
        with open(path, "a") as file:  # noqa: PTH123 - it is pickled into the checkpoint
            file.write(f"{round(time.timestamp())}\n")
        return rdd if time.timestamp() >= first else None

    return given


def writing(place: str) -> Callable[[datetime, Any], None]:
    """A callback of `foreachRDD` that writes what it gets to a file, named by its second."""

    def write(time: datetime, rdd: Any) -> None:
        Path(place, f"state-{round(time.timestamp())}").write_text(str(sorted(rdd.collect())))

    return write


@pytest.mark.full
def test_a_run_that_ends_between_two_versions_is_gone_on_with(
    spark_context: SparkContext, tmp_path: Path
) -> None:
    """State, state of state, windows of it and windows with an inverse, each written at times of its own."""
    whole = outputs_of(spark_context, tmp_path / "whole", stops=())
    assert outputs_of(spark_context, tmp_path / "stopped", stops=(1, 3, 4, 7, 9)) == whole


def outputs_of(sc: SparkContext, place: Path, stops: Collection[int]) -> Outputs:
    """What ten batches put out where the run is stopped after some of them, and recovered."""
    inputs, outputs = place / "in", place / "out"
    inputs.mkdir(parents=True)
    outputs.mkdir()
    ssc: StreamingContext | None = None
    for second in range(1, 11):
        put(inputs, second, *["a b", "b", "", "c a"][: second % 5])
        if ssc is None:
            ssc = StreamingContext.getOrCreate(
                str(place / "checkpoint"),
                lambda: build(sc, "structured", inputs, outputs, [("start", 5), ("a", 1)]),
                engine="structured",
            )
            ssc.start()
        ssc._engine.advance_clock(1000)
        wait_until((outputs / f"batch@{second}").exists, f"the batch of second {second}")
        if second in stops or second == 10:
            ssc.stop(stopSparkContext=False)
            ssc = None
    return read(outputs)
