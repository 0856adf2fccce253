"""What receivers have got is written down: a later run has it, and nothing that it does not need."""

from __future__ import annotations

import os
import queue
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pyspark import SparkContext

from compat import graph
from compat.directory import LocalDirectory
from compat.receivers.journal import Journal
from compat.receivers.rate import Rate
from compat.receivers.receiver import Receiver, Stopping, Store
from compat.receivers.reception import Reception, Unheard
from compat.streaming import StreamingContext
from tests.compat.survivor import next_batch
from tests.receiving import MAILBOXES, Mailbox, receiving_context
from tests.statements import wait_until

pytestmark = pytest.mark.usefixtures("stop_what_runs")


class Program:
    """Counts what comes, from the first element on, and can be started again."""

    def __init__(self, sc: SparkContext, place: Path) -> None:
        self.ssc: StreamingContext
        self._sc = sc
        self._place = place
        self._box = MAILBOXES.setdefault(str(place), queue.Queue())
        self._second = 0
        (place / "out").touch()

    def start(self) -> None:
        while not self._box.empty():  # what the end of a run has put there
            self._box.get()
        self.ssc = StreamingContext.getOrCreate(
            str(self._place / "checkpoint"), self._create, engine="structured"
        )
        self.ssc.start()

    def _create(self) -> StreamingContext:
        ssc = next(receiving_context(self._sc, "structured"))
        received = ssc._add_stream(
            graph.ReceiverStream(1000, Mailbox(str(self._place)), identity=str(uuid.uuid4()))
        )
        totals = received.map(lambda word: (word, 1)).updateStateByKey(lambda new, old: sum(new) + (old or 0))
        totals.foreachRDD(noting(str(self._place)))
        return ssc

    def send(self, *elements: str) -> None:
        """And wait until they are written down."""
        wanted = len(self.kept()) + len(elements)
        for element in elements:
            self._box.put(element)
        wait_until(lambda: len(self.kept()) == wanted, "the elements to be written down")

    def batch(self) -> None:
        self._second += 1
        next_batch(self.ssc, self._second)

    def stop(self) -> None:
        self.ssc.stop(stopSparkContext=False)

    def kept(self) -> list[Any]:
        """The elements that are written down."""
        files = (self._place / "checkpoint/structured/received/0").glob("*-*")
        return [element for file in files for element in read(file)]

    @property
    def out(self) -> list[str]:
        return (self._place / "out").read_text().splitlines()


def read(file: Path) -> Iterable[Any]:
    try:
        return Journal(LocalDirectory("", file.parent), lambda: None).read(file.name)
    except FileNotFoundError:  # nobody needs it any more
        return []


def noting(place: str) -> Any:
    """A callback that is pickled into the checkpoint; it fails where there is a file ``fail``."""

    def note(time: Any, rdd: Any) -> None:
        if os.path.exists(f"{place}/fail"):  # noqa: PTH110
            raise RuntimeError("the sink is down")
        with open(f"{place}/out", "a") as out:  # noqa: PTH123
            out.write(f"{round(time.timestamp())} {sorted(rdd.collect())}\n")

    return note


@pytest.fixture
def program(spark_context: SparkContext, tmp_path: Path) -> Program:
    return Program(spark_context, tmp_path)


def test_what_no_batch_had_got_is_in_the_first_one_of_the_next_run(program: Program) -> None:
    program.start()
    program.batch()
    program.send("a", "b")
    program.stop()
    program.start()
    program.batch()
    assert program.out == ["1 []", "2 [('a', 1), ('b', 1)]"]


def test_state_is_made_again_of_what_came_since_it_was_written(program: Program) -> None:
    program.start()
    program.send("a")
    program.batch()
    program.send("a", "b")
    program.batch()
    assert not list((program._place / "checkpoint/structured/state").glob("*/*/_SUCCESS"))
    program.stop()
    program.start()
    program.batch()
    assert program.out[-1] == "3 [('a', 2), ('b', 1)]"


def test_a_batch_that_failed_has_its_own_blocks_again(program: Program) -> None:
    program.start()
    program.send("a")
    (program._place / "fail").touch()
    program.batch()
    (program._place / "fail").unlink()
    program.send("b")
    program.batch()
    program.stop()
    program.start()
    program.batch()
    assert program.out == ["2 [('a', 1), ('b', 1)]", "1 [('a', 1)]", "3 [('a', 1), ('b', 1)]"]


def test_nothing_is_kept_when_state_is_written(program: Program) -> None:
    program.start()
    program.send("a")
    for _ in range(9):
        program.batch()
    assert program.kept() == ["a"]
    for _ in range(2):
        program.batch()
    assert program.kept() == []


class Once(Receiver):
    """Stores one element, and again until it is written down."""

    name: ClassVar[str] = "Once"
    place = "here"

    def __init__(self) -> None:
        self.settled = False

    def receive(self, store: Store, stopping: Stopping) -> str:
        if not self.settled:
            store("a")
            store.settle()
            self.settled = True
        stopping.wait(60)
        return "nothing more"


def test_what_cannot_be_written_down_is_in_no_batch_and_its_sender_is_told(
    spark_context: SparkContext, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The sender sends it once more: none is lost, and some may come twice."""

    class Disk(LocalDirectory):
        full = True

        def write(self, name: str, content: bytes) -> None:
            if self.full:
                raise OSError("no space left on device")
            super().write(name, content)

    next(receiving_context(spark_context, "structured"))
    disk = Disk(tmp_path.as_uri(), tmp_path)
    receiver = Once()
    journal = Journal(disk, lambda: None)
    reception = Reception(receiver, spark_context, lambda: 0, Unheard(), journal)
    reception.start()
    wait_until(lambda: "no space left on device, connecting again" in caplog.text, "the first try to end")
    wait_until(lambda: "What came from here is in no batch yet: no space" in caplog.text, "a warning")
    assert not receiver.settled
    assert reception.allot(1) == []
    assert reception.pending()
    disk.full = False
    wait_until(lambda: receiver.settled, "the element to be written down")
    reception.stop()
    assert reception.allot(2)
    elements = [element for block in reception.given(2) for element in block]
    assert set(elements) == {"a"}
    assert len(elements) > 1


def test_a_foreign_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    with pytest.raises(RuntimeError, match="notes is not what a streaming program wrote there"):
        Journal(LocalDirectory("file:here", tmp_path), lambda: None).restore()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    journal = Journal(LocalDirectory("file:here", tmp_path), lambda: None)
    name = journal.write(["a"], 0)
    (tmp_path / name).write_bytes(b"\x80")
    with pytest.raises(RuntimeError, match="0-0 is not what a streaming program wrote there"):
        journal.read(name)


def test_a_rate_lets_those_of_a_second_pass_at_once_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    waited: list[float] = []

    class Watching(Stopping):
        def wait(self, seconds: float) -> bool:
            waited.append(seconds)
            return False

    monkeypatch.setattr("compat.receivers.rate.time.monotonic", lambda: now)
    limit = Rate(4)
    for _ in range(3):
        limit.wait(Watching())
    assert waited == [0.25, 0.5]
    now, waited = 110.0, []
    for _ in range(6):
        limit.wait(Watching())
    assert waited == [0.25]


def test_a_receiver_takes_no_more_than_the_settings_allow(
    spark_context: SparkContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    monkeypatch.setattr("compat.receivers.reception.Rate", asked.append)
    for setting in ("0", "250"):
        spark_context._conf.set("spark.streaming.receiver.maxRate", setting)
        Reception(Once(), spark_context, lambda: 0, Unheard())
    spark_context._conf.set("spark.streaming.receiver.maxRate", "0")
    assert asked == [250]
