"""What was received, cut into batches, without Spark around it."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

pytest.importorskip("pyspark.sql.datasource", reason="Python data sources came with Spark 4")

from compat.receivers.receiver import Receiver, Stopping, Store
from compat.sources.kept import Row
from compat.sources.received import ReceivedStream
from tests.statements import wait_until


class Numbers(Receiver):
    """Stores what the test sends."""

    name: ClassVar[str] = "Numbers"
    place = "here"

    def __init__(self) -> None:
        self.store: Store | None = None
        self.connected = threading.Event()
        self.ended = threading.Event()

    def receive(self, store: Store, stopping: Stopping) -> str:
        self.store = store
        self.connected.set()
        while not stopping.wait(0.01):
            pass
        self.ended.set()
        return "ended"

    def send(self, *numbers: int) -> None:
        assert self.connected.wait(10) and self.store is not None
        for number in numbers:
            self.store(number)


class Stream(ReceivedStream):
    def __init__(self, source: Numbers | None = None, **options: str) -> None:
        super().__init__(options)
        self.source = source

    def receiver(self) -> Receiver:
        assert self.source is not None
        return self.source

    def row(self, element: Any) -> Row:
        return (element,)


@pytest.fixture
def numbers() -> Numbers:
    return Numbers()


def batch(stream: Stream, start: dict[str, Any]) -> tuple[list[int], dict[str, Any]]:
    """The next batch, and where it ends."""
    end = stream.latestOffset(start)
    found = [number for part in stream.partitions(start, end) for (number,) in stream.read(part)]
    return found, end


@pytest.fixture
def stream(numbers: Numbers) -> Iterator[Stream]:
    made = Stream(numbers)
    yield made
    made.stop()


def test_a_batch_has_what_came_since_the_one_before(stream: Stream, numbers: Numbers) -> None:
    start = stream.initialOffset()
    assert batch(stream, start) == ([], start)
    numbers.send(1, 2)
    first, one = batch(stream, start)
    numbers.send(3)
    second, two = batch(stream, one)
    assert (first, second) == ([1, 2], [3])
    assert batch(stream, two) == ([], two)


def test_a_batch_is_given_again_until_it_is_committed(stream: Stream, numbers: Numbers) -> None:
    start = stream.initialOffset()
    numbers.send(*range(100))
    _, end = batch(stream, start)
    numbers.send(100)
    (again,) = stream.partitions(start, end)
    assert [number for (number,) in again.rows] == list(range(100))
    stream.commit(end)
    assert stream._intake is not None and len(stream._intake._rows) == 1
    assert batch(stream, end)[0] == [100]


def test_a_batch_has_at_most_so_many_rows(numbers: Numbers) -> None:
    stream = Stream(numbers, maxrecordspertrigger="2")
    start, found = stream.initialOffset(), []
    numbers.send(*range(5))
    for _ in range(4):
        rows, start = batch(stream, start)
        found.append(rows)
    stream.stop()
    assert found == [[0, 1], [2, 3], [4], []]


@pytest.mark.parametrize("text", ["0", "-1", "many", "1.5", ""])
def test_the_most_rows_are_a_number(text: str) -> None:
    with pytest.raises(ValueError, match="maxRecordsPerTrigger must be a number above 0"):
        Stream(maxrecordspertrigger=text)


def test_a_batch_that_was_not_finished_is_read_from_the_directory(numbers: Numbers, tmp_path: Path) -> None:
    old = Stream(numbers, directory=str(tmp_path / "rows"))
    start = old.initialOffset()
    numbers.send(1, 2)
    _, one = batch(old, start)
    numbers.send(3, 4)
    _, two = batch(old, one)
    old.commit(one)
    old.stop()

    again = Numbers()
    new = Stream(again, directory=str(tmp_path / "rows"))
    assert [row for part in new.partitions(one, two) for row in new.read(part)] == [(3,), (4,)]
    assert new.latestOffset(two) == two
    again.send(5)
    rows, three = batch(new, two)
    assert rows == [5]
    new.commit(three)
    assert list((tmp_path / "rows").glob("*.rows")) == []
    with pytest.raises(OSError, match="rows 2 to 4 of here are not there"):
        new.partitions(one, two)
    new.stop()

    last = Numbers()
    newest = Stream(last, directory=str(tmp_path / "rows"))
    last_offset = newest.latestOffset(three)
    assert last_offset == three, "a run goes on although all of its rows are gone"
    newest.stop()


def test_what_was_settled_and_is_in_no_batch_comes_in_the_next_run(numbers: Numbers, tmp_path: Path) -> None:
    old = Stream(numbers, directory=str(tmp_path))
    start = old.initialOffset()
    numbers.send(1)
    _, one = batch(old, start)
    numbers.send(2, 3)
    assert numbers.store is not None
    numbers.store.settle()
    numbers.send(4)  # its sender was not told that it is written down
    old.stop()
    again = Numbers()
    new = Stream(again, directory=str(tmp_path))
    assert new.latestOffset(one)["rows"] == 3
    again.send(5)
    rows, two = batch(new, one)
    assert rows == [2, 3, 5]
    new.stop()
    fresh = Stream(Numbers(), directory=str(tmp_path))
    assert batch(fresh, fresh.initialOffset())[0] == [1, 2, 3, 5], "a query without a checkpoint has all"
    fresh.stop()
    assert two["run"] == one["run"]


@pytest.mark.parametrize("told", [True, False], ids=["Spark 4.3", "earlier"])
def test_a_limit_holds_over_restarts(numbers: Numbers, tmp_path: Path, told: bool) -> None:
    """Before 4.3 Spark does not say where the next batch starts, which may not be before the last one."""
    stream = Stream(numbers, directory=str(tmp_path), maxrecordspertrigger="2")
    end = stream.initialOffset()
    numbers.send(*range(7))
    found = []
    for _ in range(4):
        rows, new_end = batch(stream, end) if told else _untold(stream, end)
        found.append(rows)
        stream.stop()
        stream, end = Stream(Numbers(), directory=str(tmp_path), maxrecordspertrigger="2"), new_end
    stream.stop()
    assert found == [[0, 1], [2, 3], [4, 5], [6]]


def _untold(stream: Stream, start: dict[str, Any]) -> tuple[list[int], dict[str, Any]]:
    end = stream.latestOffset()
    return [number for part in stream.partitions(start, end) for (number,) in stream.read(part)], end


def test_two_queries_have_not_the_same_directory(
    numbers: Numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compat.sources.kept._LOCKED_SECONDS", 0.0)
    one = Stream(numbers, directory=str(tmp_path))
    one.initialOffset()
    with pytest.raises(OSError, match="is the directory of another query, which runs"):
        Stream(Numbers(), directory=str(tmp_path)).initialOffset()
    one.stop()
    other = Stream(Numbers(), directory=str(tmp_path))
    other.initialOffset()
    other.stop()


def test_a_directory_that_lacks_rows_is_an_error(numbers: Numbers, tmp_path: Path) -> None:
    stream = Stream(numbers, directory=str(tmp_path))
    start = stream.initialOffset()
    for number in range(3):
        numbers.send(number)
        _, start = batch(stream, start)
    stream.stop()
    (middle,) = tmp_path.glob("*-1-2.rows")
    middle.unlink()
    with pytest.raises(OSError, match="lacks the rows 1 to 2"):
        Stream(Numbers(), directory=str(tmp_path)).latestOffset(start)


def test_another_directory_than_that_of_the_checkpoint_is_an_error(numbers: Numbers, tmp_path: Path) -> None:
    stream = Stream(numbers, directory=str(tmp_path))
    with pytest.raises(OSError, match="lacks the rows of the batch that was not finished"):
        stream.partitions({"run": "another", "rows": 1}, {"run": "another", "rows": 3})
    stream.stop()


def test_without_a_directory_the_rows_of_a_run_before_are_lost_and_the_log_says_so(
    numbers: Numbers, caplog: pytest.LogCaptureFixture
) -> None:
    stream = Stream(numbers)
    (found,) = stream.partitions({"run": "before", "rows": 1}, {"run": "before", "rows": 3})
    assert found.rows == []
    assert "2 rows of the last batch are lost" in caplog.text
    stream.stop()


def test_stop_disconnects(stream: Stream, numbers: Numbers) -> None:
    stream.initialOffset()
    assert numbers.connected.wait(10)
    stream.stop()
    assert numbers.ended.is_set()


def test_a_receiver_that_fails_connects_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compat.sources.received._RECONNECT_SECONDS", 0.01)
    attempts: list[int] = []

    class Failing(Numbers):
        def receive(self, store: Store, stopping: Stopping) -> str:
            attempts.append(1)
            if len(attempts) < 3:
                raise ConnectionError("no broker")
            return super().receive(store, stopping)

    source = Failing()
    stream = Stream(source)
    start = stream.initialOffset()
    wait_until(lambda: len(attempts) == 3, "the third attempt")
    source.send(7)
    assert batch(stream, start)[0] == [7]
    stream.stop()


def test_a_stream_that_does_not_run_can_be_pickled() -> None:
    assert isinstance(pickle.loads(pickle.dumps(Stream())), Stream)
