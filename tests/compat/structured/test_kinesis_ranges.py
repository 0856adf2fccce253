"""Of Kinesis' records their sequence numbers are written down, and Kinesis is asked for them again."""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from pyspark import SparkContext

from compat import StreamingError, graph
from compat.directory import LocalDirectory
from compat.kinesis import ranges, shards, sharing
from compat.kinesis.leases import Checkpoint
from compat.kinesis.ranges import Range
from compat.kinesis.records import Record
from compat.kinesis.shards import Reader, list_shards
from compat.receivers.journal import Journal
from compat.receivers.receiver import Stopping, Store
from compat.streaming import StreamingContext
from tests.compat.kinesis_server import FIRST, HIGH, SECOND, Amazon, KinesisServer
from tests.compat.survivor import next_batch
from tests.compat.test_kinesis import AGGREGATED, UNPACKED
from tests.receiving import receiving_context
from tests.statements import wait_until

pytestmark = pytest.mark.usefixtures("stop_what_runs")


@pytest.fixture(scope="module")
def server() -> Iterator[KinesisServer]:
    started = KinesisServer()
    yield started
    started.close()


@pytest.fixture
def amazon(
    server: KinesisServer, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Amazon]:
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", server.url)
    monkeypatch.setattr(sharing, "FAILOVER_SECONDS", 1.0)
    monkeypatch.setattr(shards, "_IDLE_SECONDS", 0.2)
    made = Amazon(server, hashlib.md5(request.node.name.encode()).hexdigest())
    yield made
    made.close()


def received(amazon: Amazon) -> list[Record]:
    """All records of the stream, as a receiver gets them."""
    got: list[Record] = []
    for shard in list_shards(amazon.kinesis, amazon.name).values():
        start = Checkpoint("TRIM_HORIZON")
        Reader(amazon.name, shard, start).read(amazon.kinesis, Store(got.append), Stopping())
    return got


def test_records_that_follow_each_other_are_a_range() -> None:
    records = [Record("a", 5, 0, b""), Record("a", 5, 1, b""), Record("a", 9, 0, b""), Record("b", 7, 0, b"")]
    expected = [Range("a", (5, 0), (9, 0), 3), Range("b", (7, 0), (7, 0), 1)]
    assert ranges.ranges(records) == expected
    assert ranges.ranges([*records, records[2]]) == [*expected, Range("a", (9, 0), (9, 0), 1)]
    assert ranges.ranges([]) == []


def test_records_are_read_again(amazon: Amazon, monkeypatch: pytest.MonkeyPatch) -> None:
    """By several requests, from within aggregated records, and from a shard that was split."""
    amazon.create()
    amazon.put(b"0", AGGREGATED, b"1", b"2", b"3", b"4", AGGREGATED, b"5")
    amazon.kinesis.split_shard(StreamName=amazon.name, ShardToSplit=FIRST, NewStartingHashKey=str(2**127))
    amazon.put(b"low")
    amazon.put(b"high", key=HIGH)
    got = received(amazon)
    assert len({record.shard for record in got}) == 3
    monkeypatch.setattr(ranges, "_AT_ONCE", 3)
    receiver = amazon.receiver()
    parts = [got[:1], got[2:4], got[1:9], got[9:], got, []]
    again = receiver.recalled([receiver.noted(part) for part in parts])
    assert again == parts
    assert receiver.elements(again[1]) == UNPACKED[1:3]


def test_records_that_are_gone_are_named(amazon: Amazon) -> None:
    amazon.create()
    [number] = amazon.put(b"1")
    [record] = received(amazon)
    gone = record._replace(sequence=record.sequence - 1), record
    text = rf"has 1 of the 2 records of {FIRST} from sequence number {int(number) - 1} to {number}.*retention"
    with pytest.raises(RuntimeError, match=text):
        ranges.read(amazon.receiver().access, amazon.name, [ranges.ranges(gone)])
    with pytest.raises(RuntimeError, match=f"has 0 of the 1 records of {SECOND}"):
        ranges.read(amazon.receiver().access, amazon.name, [[Range(SECOND, (1, 0), (1, 0), 1)]])


def test_kinesis_that_wants_to_be_asked_later_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "_PAUSE_SECONDS", 0)
    codes = ["ProvisionedThroughputExceededException", "InternalFailure"]

    def ask() -> str:
        if codes:
            raise ClientError({"Error": {"Code": codes.pop()}}, "GetRecords")
        return "answer"

    assert ranges._patiently(ask, "stream") == "answer"
    codes.append("AccessDeniedException")
    with pytest.raises(RuntimeError, match=r"records of Kinesis stream s,.*AccessDenied"):
        ranges._patiently(ask, "s")
    monkeypatch.setattr(ranges, "_PATIENCE_SECONDS", -1)
    codes.append("InternalFailure")
    with pytest.raises(RuntimeError, match=r"cannot be read: .*InternalFailure"):
        ranges._patiently(ask, "s")


class Program:
    """Notes what each batch has, and can be started again; where there is a file ``fail``, batches do."""

    def __init__(self, sc: SparkContext, amazon: Amazon, place: Path) -> None:
        self.ssc: StreamingContext
        self._sc, self._amazon, self._place = sc, amazon, place
        self._second = 0
        (place / "out").touch()

    def start(self) -> None:
        checkpoint = str(self._place / "checkpoint")
        self.ssc = StreamingContext.getOrCreate(checkpoint, self._create, engine="structured")
        self.ssc.start()

    def _create(self) -> StreamingContext:
        ssc = next(receiving_context(self._sc, "structured"))
        node = graph.ReceiverStream(1000, self._amazon.receiver(0.1), identity=str(uuid.uuid4()))
        ssc._add_stream(node).foreachRDD(noting(str(self._place)))
        return ssc

    def batch(self) -> None:
        self._second += 1
        next_batch(self.ssc, self._second)

    def stop(self) -> None:
        self.ssc.stop(stopSparkContext=False)

    def noted(self) -> list[Range]:
        """What is written down."""
        place = self._place / "checkpoint/structured/received/0"
        journal = Journal(LocalDirectory("", place), lambda: None)
        return [each for file in place.glob("*-*") for each in journal.read(file.name)]

    @property
    def out(self) -> list[str]:
        return (self._place / "out").read_text().splitlines()


def noting(place: str) -> Any:
    def note(time: Any, rdd: Any) -> None:
        elements = rdd.collect()
        if os.path.exists(f"{place}/fail"):  # noqa: PTH110 - pickled into the checkpoint
            raise RuntimeError("the sink is down")
        with open(f"{place}/out", "a") as out:  # noqa: PTH123
            out.write(f"{round(time.timestamp())} {elements}\n")

    return note


@pytest.fixture
def program(spark_context: SparkContext, amazon: Amazon, tmp_path: Path) -> Program:
    amazon.create()
    return Program(spark_context, amazon, tmp_path)


@pytest.mark.filterwarnings("ignore:the checkpoint in .* holds awsSecretKey:RuntimeWarning")
def test_a_program_has_again_what_it_received(program: Program, amazon: Amazon, tmp_path: Path) -> None:
    """What a batch had that failed, and what none had got yet; the checkpoint has no data."""
    program.start()
    amazon.put(b"first data", AGGREGATED)
    wait_until(lambda: sum(part.records for part in program.noted()) == 5, "the first records")
    (tmp_path / "fail").touch()
    program.batch()
    (tmp_path / "fail").unlink()
    amazon.put(b"second data")
    wait_until(lambda: sum(part.records for part in program.noted()) == 6, "the second record")
    wait_until(lambda: amazon.rows()[FIRST]["checkpoint"] == str(program.noted()[-1].last[0]), "a checkpoint")
    program.stop()
    assert not program.out
    written = [path.read_bytes() for path in (tmp_path / "checkpoint").rglob("*") if path.is_file()]
    assert not any(b"data" in content for content in written)
    program.start()
    program.batch()
    assert program.out == [f"1 {[b'first data', *UNPACKED]}", f"2 {[b'second data']}"]


@pytest.mark.filterwarnings("ignore:the checkpoint in .* holds awsSecretKey:RuntimeWarning")
def test_a_batch_whose_records_are_gone_fails_and_is_kept(
    program: Program, amazon: Amazon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.start()
    amazon.put(b"1")
    wait_until(lambda: len(program.noted()) == 1, "the record")
    program.stop()

    def gone(*_: Any) -> None:
        raise RuntimeError("Kinesis does not have them any more")

    read = ranges.read
    monkeypatch.setattr(ranges, "read", gone)
    program.start()
    program.batch()
    with pytest.raises(StreamingError, match="Kinesis does not have them any more"):
        program.ssc.awaitTermination(60)
    program.stop()
    assert (tmp_path / "checkpoint/structured/batches/1000.failed").exists()
    monkeypatch.setattr(ranges, "read", read)
    program.start()
    program.batch()
    assert program.out == [f"1 {[b'1']}", "2 []"]
