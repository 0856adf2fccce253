"""Programs that read Kinesis, on both engines."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import SparkContext

from compat.kinesis import clients, fetching
from compat.streaming import DStream, StreamingContext, kinesis
from compat.streaming.kinesis import InitialPositionInStream, KinesisUtils
from compat.testing import BatchClock
from tests.compat.kinesis.server import (
    AGGREGATED,
    FIRST,
    HIGH,
    REGION,
    SECOND,
    UNPACKED,
    Amazon,
    KinesisServer,
    free_port,
)
from tests.statements import wait_until

LATEST, TRIM_HORIZON = InitialPositionInStream.LATEST, InitialPositionInStream.TRIM_HORIZON


class Program:
    """A StreamingContext with a stream of `amazon`, and what it puts out."""

    def __init__(
        self,
        spark_context: SparkContext,
        engine: str,
        amazon: Amazon,
        initial: int = TRIM_HORIZON,
        streams: int = 1,
        **more: Any,
    ) -> None:
        self.ssc = StreamingContext(spark_context, 1, engine=engine)
        self.outputs: list[list[Any]] = [[] for _ in range(streams)]
        for output in self.outputs:
            keep(self.stream(amazon, initial, **more), output)
        self.clock = BatchClock(self.ssc)
        self.ssc.start()

    def stream(self, amazon: Amazon, initial: int, **more: Any) -> DStream[Any]:
        given = {
            "awsAccessKeyId": "AKIATEST",
            "awsSecretKey": "secret",
            "decoder": lambda data: data,
            **more,
        }
        return KinesisUtils.createStream(
            self.ssc, amazon.name, amazon.name, amazon.url, REGION, initial, 1, **given
        )

    @property
    def elements(self) -> list[Any]:
        return [element for output in self.outputs for element in output]

    def until(self, condition: Callable[[], bool]) -> None:
        def moved() -> bool:
            self.clock.next_batch()
            return condition()

        wait_until(moved, f"what is expected; there are {self.elements}", 30)

    def until_count(self, count: int) -> list[Any]:
        self.until(lambda: len(self.elements) >= count)
        return self.elements

    def stop(self) -> None:
        self.ssc.stop(stopSparkContext=False)


def keep(stream: DStream[Any], output: list[Any]) -> None:
    stream.foreachRDD(lambda rdd: output.extend(rdd.collect()))


@pytest.fixture
def run(spark_context: SparkContext, engine: str, amazon: Amazon) -> Iterator[Callable[..., Program]]:
    programs: list[Program] = []

    def started(*args: Any, **more: Any) -> Program:
        programs.append(Program(spark_context, engine, amazon, *args, **more))
        return programs[-1]

    yield started
    for program in programs:
        program.stop()


def test_bytes_of_two_shards_come_whole_and_in_order(amazon: Amazon, run: Callable[..., Program]) -> None:
    amazon.create(shards=2)
    low = ["é".encode(), b"\xff\x00", b"", *(b"%d" % number for number in range(50))]
    amazon.put(*low)
    high = [b"\xfe" * 300_000, b"high"]
    amazon.put(*high, key=HIGH)
    program = run()
    got = program.until_count(len(low) + len(high))
    assert [data for data in got if data not in high] == low
    assert [data for data in got if data in high] == high
    assert {type(data) for data in got} == {bytes}
    amazon.put(b"later")
    assert program.until_count(len(got) + 1)[-1] == b"later"


def test_from_latest_on_text_of_what_is_put_later(amazon: Amazon, run: Callable[..., Program]) -> None:
    amazon.create()
    amazon.put(b"early")
    program = run(LATEST, decoder=kinesis.utf8_decoder)
    probes: list[str] = []

    def probed() -> bool:
        probes.append(f"é{len(probes)}")
        amazon.put(probes[-1].encode())
        return bool(program.elements)

    program.until(probed)
    program.until(lambda: program.elements[-1] == probes[-1])
    got = program.elements
    assert got == probes[-len(got) :]


def test_the_position_of_the_client_library_is_taken_over_and_given_back(
    amazon: Amazon, run: Callable[..., Program]
) -> None:
    """The other job's lease has an owner that is dead, as a job leaves it that was killed."""
    amazon.create(shards=2)
    numbers = amazon.put(*(b"%d" % number for number in range(6)))
    amazon.put(b"ended", key=HIGH)
    dead = {"S": "10.0.0.1:0e0b"}
    amazon.lease(FIRST, numbers[2], leaseOwner=dead, pendingCheckpoint={"S": numbers[3]})
    amazon.lease(SECOND, "SHARD_END")
    program = run()
    assert program.until_count(3) == [b"3", b"4", b"5"]

    def written() -> bool:  # moto sets the parts of a row one after the other, and shows what it has
        row = amazon.rows()[FIRST]
        return (row["checkpoint"], row["ownerSwitchesSinceCheckpoint"]) == (numbers[-1], "0")

    program.until(written)
    assert amazon.rows()[FIRST]["leaseOwner"] != dead["S"]
    counter = int(amazon.rows()[FIRST]["leaseCounter"])
    program.until(lambda: int(amazon.rows()[FIRST]["leaseCounter"]) > counter)
    began = time.monotonic()
    program.stop()
    assert time.monotonic() - began < 10
    assert program.elements == [b"3", b"4", b"5"]
    row = amazon.rows()[FIRST]
    assert int(row.pop("leaseCounter")) > counter
    assert row == {
        "leaseKey": FIRST,
        "checkpoint": numbers[-1],
        "checkpointSubSequenceNumber": "0",
        "ownerSwitchesSinceCheckpoint": "0",
    }


def test_a_second_run_goes_on_where_the_first_stopped(amazon: Amazon, run: Callable[..., Program]) -> None:
    """Within a record that a producer aggregated, too; the position is given in the row alone."""
    amazon.create()
    amazon.put(b"before", AGGREGATED)
    first = run()
    assert first.until_count(5) == [b"before", *UNPACKED]
    first.clock.next_batch()  # DStreams do not tell that the last batch before a stop is done
    first.stop()
    assert amazon.rows()[FIRST]["checkpointSubSequenceNumber"] == "3"
    amazon.put(b"meanwhile")
    amazon.lease(FIRST, amazon.rows()[FIRST]["checkpoint"], sub=1)
    second = run(LATEST)
    assert second.until_count(3) == [*UNPACKED[2:], b"meanwhile"]


def test_after_a_split_the_parent_comes_first(
    amazon: Amazon, run: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Split before the program starts, where the parent takes several reads; and again while it runs."""
    monkeypatch.setattr(fetching, "_AT_ONCE", 3)
    amazon.create()
    parent = [b"p%d" % number for number in range(10)]
    amazon.put(*parent)
    amazon.kinesis.split_shard(StreamName=amazon.name, ShardToSplit=FIRST, NewStartingHashKey=str(2**127))
    children = {child: [child + b"%d" % number for number in range(4)] for child in (b"a", b"b")}
    amazon.put(*children[b"a"])
    amazon.put(*children[b"b"], key=HIGH)
    program = run()
    got = program.until_count(18)
    assert got[:10] == parent
    for child, records in children.items():
        assert [data for data in got if data.startswith(child)] == records
    rows = amazon.rows()
    assert rows[FIRST]["checkpoint"] == "SHARD_END"
    assert "leaseOwner" not in rows[FIRST]
    assert rows[SECOND]["parentShardId"] == [FIRST]
    amazon.kinesis.split_shard(StreamName=amazon.name, ShardToSplit=SECOND, NewStartingHashKey=str(2**126))
    amazon.put(b"c0", b"c1")
    assert program.until_count(20)[18:] == [b"c0", b"c1"]


def test_streams_of_one_program_share_the_shards(amazon: Amazon, run: Callable[..., Program]) -> None:
    amazon.create(shards=2)
    program = run(streams=2)
    rounds: list[int] = []

    def both_read() -> bool:
        rounds.append(len(rounds))
        amazon.put(b"%d" % rounds[-1])
        amazon.put(b"%d" % -rounds[-1] if rounds[-1] else b"-0", key=HIGH)
        return all(program.outputs)

    program.until(both_read)
    got = program.until_count(2 * len(rounds))
    program.stop()
    assert sorted(got) == sorted([b"%d" % n for n in rounds] + [b"-%d" % n for n in rounds])
    assert all("leaseOwner" not in row for row in amazon.rows().values())


def test_connections_that_fail_are_made_again_without_loss_or_repetition(
    spark_context: SparkContext,
    engine: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server comes up late, and the stream is made later; then the server does not answer for a while."""
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(clients, "_READ_SECONDS", 1.5)
    server = KinesisServer(begin=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", server.url)
    amazon = Amazon(server, "late")
    program = Program(spark_context, engine, amazon)
    try:
        wait_until(lambda: "Could not connect to the endpoint" in caplog.text, "the message")
        server.begin()
        no_stream = f"There is no Kinesis stream late at {server.url} in region {REGION}"
        wait_until(lambda: no_stream in caplog.text, "the message")
        amazon.create()
        amazon.put(b"1", b"2")
        assert program.until_count(2) == [b"1", b"2"]
        server.send(signal.SIGSTOP)
        wait_until(lambda: "Read timeout" in caplog.text, "the message")
        server.send(signal.SIGCONT)
        monkeypatch.setattr(clients, "_READ_SECONDS", 5)
        amazon.put(b"3")
        assert program.until_count(3) == [b"1", b"2", b"3"]
    finally:
        program.stop()
        amazon.close()
        server.close()


def test_a_stop_takes_seconds_also_if_nobody_answers(
    spark_context: SparkContext, engine: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    nobody: Any = SimpleNamespace(url=f"http://127.0.0.1:{free_port()}")
    amazon = Amazon(nobody, "nobody")
    program = Program(spark_context, engine, amazon)
    try:
        wait_until(lambda: "Could not connect to the endpoint" in caplog.text, "the message")
    finally:
        began = time.monotonic()
        program.stop()
        amazon.close()
    assert time.monotonic() - began < 10
