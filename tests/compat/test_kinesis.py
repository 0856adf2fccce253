"""Kinesis, on moto's server."""

from __future__ import annotations

import base64
import hashlib
import inspect
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pyspark.streaming.kinesis as original
import pytest
from botocore.exceptions import ClientError
from pyspark import SparkContext, StorageLevel

from compat.kinesis import access, shards, sharing
from compat.kinesis.access import Access, Key, Role
from compat.kinesis.leases import Checkpoint, Lease, LeaseTable
from compat.kinesis.records import HashRange, Record, user_records
from compat.kinesis.shards import Reader, Shard, beginnings, list_shards
from compat.receivers.kinesis import KinesisReceiver
from compat.receivers.receiver import Stopping, Store
from compat.streaming import DStream, StreamingContext, kinesis
from compat.streaming.kinesis import InitialPositionInStream, KinesisUtils, MetricsLevel
from compat.testing import BatchClock
from tests.compat.kinesis_server import FIRST, HIGH, REGION, SECOND, Amazon, KinesisServer, free_port
from tests.statements import wait_until

LATEST, TRIM_HORIZON = InitialPositionInStream.LATEST, InitialPositionInStream.TRIM_HORIZON
ALL = HashRange(0, 2**128 - 1)
AGGREGATED = base64.b64decode(
    "84mawgoBYQoBYgoBYxIBMBoHCAAaA29uZRoLCAEaB3p3ZWkgw6kaBggAEAAaABoHCAIaA////+OjrSMLrfw220jY/TjPe8g="
)
"""Made with Amazon's aws-kinesis-agg 1.2.3; the third record has an explicit hash key, 0."""
UNPACKED = [b"one", "zwei é".encode(), b"", b"\xff" * 3]


@pytest.fixture(scope="module")
def server() -> Iterator[KinesisServer]:
    started = KinesisServer()
    yield started
    started.close()


@pytest.fixture(autouse=True, scope="module")
def nothing_leaves_this_machine() -> Iterator[None]:
    """Where a test names no endpoint, or names it no more, nobody listens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        yield


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases change hands in a second, and shards are read several times in one."""
    monkeypatch.setattr(sharing, "FAILOVER_SECONDS", 1.0)
    monkeypatch.setattr(shards, "_IDLE_SECONDS", 0.2)


@pytest.fixture
def amazon(
    server: KinesisServer, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Amazon]:
    for service in ("DYNAMODB", "STS"):
        monkeypatch.setenv(f"AWS_ENDPOINT_URL_{service}", server.url)
    made = Amazon(server, hashlib.md5(request.node.name.encode()).hexdigest())
    yield made
    made.close()


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
        spark_context._conf.set("spark.streaming.receiverRestartDelay", "50ms")
        spark_context._conf.set("spark.streaming.blockInterval", "50ms")
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


# --- on both engines ----------------------------------------------------------------------------------------


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
    monkeypatch.setattr(shards, "_AT_ONCE", 3)
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
    monkeypatch.setattr(access, "_READ_SECONDS", 1.5)
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
        monkeypatch.setattr(access, "_READ_SECONDS", 5)
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


# --- leases, shards and records -----------------------------------------------------------------------------


def into(got: list[bytes], settle: Callable[[], None] = lambda: None) -> Store:
    """A store that keeps the data of records."""
    return Store(lambda record: got.append(record.data), settle)


class Running:
    """A receiver of another program, without Spark."""

    def __init__(self, receiver: KinesisReceiver) -> None:
        self.got: list[bytes] = []
        self.stopping = Stopping()
        self.thread = threading.Thread(target=receiver.receive, args=(into(self.got), self.stopping))
        self.thread.start()

    def stop(self) -> None:
        self.stopping.set()
        self.thread.join(10)
        assert not self.thread.is_alive()


def owners(amazon: Amazon) -> list[str]:
    return [row["leaseOwner"] for row in amazon.rows().values() if "leaseOwner" in row]


def test_programs_share_the_shards_and_take_over_from_each_other(amazon: Amazon) -> None:
    """Settings that differ make two workers of them, as two programs are."""
    amazon.create(shards=2)
    first = Running(amazon.receiver(0.5))
    wait_until(lambda: len(owners(amazon)) == 2, "the first to read both shards")
    second = Running(amazon.receiver(0.6))
    try:
        wait_until(lambda: len(set(owners(amazon))) == 2, "each to read one")
        amazon.put(b"low")
        amazon.put(b"high", key=HIGH)
        # who has lost a lease may read on until it sees that, and have the other's record too
        wait_until(lambda: bool(first.got and second.got), "a record for each")
        wait_until(lambda: set(first.got + second.got) == {b"low", b"high"}, "both records")
    finally:
        first.stop()
        wait_until(lambda: len(owners(amazon)) == 2, "the second to read both")
        second.stop()
    assert owners(amazon) == []
    assert [row["checkpoint"] for row in amazon.rows().values()] == ["1", "1"]


def test_of_two_that_want_a_lease_one_gets_it(amazon: Amazon) -> None:
    tables = [LeaseTable(amazon.dynamodb, amazon.name, worker) for worker in ("one", "two")]
    for table in tables:
        table.make(Stopping())
        table.add(FIRST, ["b", "a"], "TRIM_HORIZON")
    free = tables[0].leases()[FIRST]
    assert free == Lease(FIRST, None, 0, Checkpoint("TRIM_HORIZON"))
    assert [table.take(free) for table in tables] == [True, False]
    assert [table.renew(FIRST) for table in tables] == [True, False]
    assert [table.write(FIRST, Checkpoint("7", number)) for number, table in enumerate(tables)] == [
        True,
        False,
    ]
    tables[1].release(FIRST)
    held = tables[1].leases()[FIRST]
    assert held == Lease(FIRST, "one", 3, Checkpoint("7"))
    assert tables[1].take(held)
    assert not tables[0].renew(FIRST)
    assert amazon.rows()[FIRST]["ownerSwitchesSinceCheckpoint"] == "1"


class Failing:
    """A client of Kinesis that fails before it works."""

    def __init__(self, client: Any, *codes: str) -> None:
        self._client = client
        self._codes = list(codes)
        self.iterators: list[dict[str, Any]] = []

    def get_shard_iterator(self, **asked: Any) -> Any:
        self.iterators.append(asked)
        return self._client.get_shard_iterator(**asked)

    def get_records(self, **asked: Any) -> Any:
        if self._codes:
            raise ClientError({"Error": {"Code": self._codes.pop(0)}}, "GetRecords")
        return self._client.get_records(**asked)


def test_throttling_and_expired_iterators_pass(amazon: Amazon) -> None:
    amazon.create()
    amazon.put(b"early")
    failing = Failing(amazon.kinesis)
    reader = Reader(amazon.name, Shard(FIRST, (), ALL, True), Checkpoint("LATEST"))
    got: list[bytes] = []

    def read() -> None:
        reader.due = 0
        reader.read(failing, into(got), Stopping())

    read()
    failing._codes += ["ProvisionedThroughputExceededException", "ExpiredIteratorException"]
    read()
    read()
    assert [asked["ShardIteratorType"] for asked in failing.iterators] == ["LATEST"]
    amazon.put(b"late")
    read()
    assert got[-1] == b"late"
    assert [asked["ShardIteratorType"] for asked in failing.iterators] == ["LATEST", "AT_TIMESTAMP"]
    failing._codes += ["ExpiredIteratorException"]
    amazon.put(b"later")
    read()
    read()
    assert got[-2:] == [b"late", b"later"]
    assert failing.iterators[-1]["ShardIteratorType"] == "AT_SEQUENCE_NUMBER"
    failing._codes += ["AccessDeniedException"]
    with pytest.raises(ClientError):
        read()


def test_what_is_stored_when_the_program_ends_is_no_checkpoint(amazon: Amazon) -> None:
    """It may have come too late for the last block."""
    amazon.create()
    numbers = amazon.put(b"1", b"2", b"3")
    reader = Reader(amazon.name, Shard(FIRST, (), ALL, True), Checkpoint("TRIM_HORIZON"))
    stopping = Stopping()

    def store(record: Record) -> None:
        if record.data == b"2":
            stopping.set()

    reader.read(amazon.kinesis, Store(store), stopping)
    assert reader.stored == Checkpoint(numbers[0])


def test_a_checkpoint_waits_until_records_are_written_down(amazon: Amazon) -> None:
    amazon.create()
    [number] = amazon.put(b"1")
    got: list[bytes] = []
    written, stopping = threading.Event(), Stopping()

    def settle() -> None:
        assert written.wait(60) or stopping

    receiver = amazon.receiver(seconds=0.1)
    receiving = threading.Thread(target=receiver.receive, args=(into(got, settle), stopping))
    receiving.start()

    def checkpoint() -> str:
        return str(amazon.rows().get(FIRST, {}).get("checkpoint"))

    written.set()
    wait_until(lambda: checkpoint() == number, "the first checkpoint")
    written.clear()
    [later] = amazon.put(b"2")
    wait_until(lambda: got == [b"1", b"2"], "the record")
    assert checkpoint() == number
    written.set()
    wait_until(lambda: checkpoint() == later, "the second checkpoint")
    stopping.set()
    receiving.join(30)
    assert not receiving.is_alive()


def test_shards_without_leases_begin_as_in_the_client_library(amazon: Amazon) -> None:
    amazon.create()
    amazon.kinesis.split_shard(StreamName=amazon.name, ShardToSplit=FIRST, NewStartingHashKey=str(2**127))
    found = list_shards(amazon.kinesis, amazon.name)
    children = [SECOND, "shardId-000000000002"]

    def begins(leased: list[str], initial: str) -> list[tuple[str, str]]:
        return [(shard.name, where) for shard, where in beginnings(found, leased, initial)]

    assert begins([], "TRIM_HORIZON") == [(name, "TRIM_HORIZON") for name in (FIRST, *children)]
    assert begins([], "LATEST") == [(name, "LATEST") for name in children]
    assert begins([FIRST], "LATEST") == [(name, "TRIM_HORIZON") for name in children]
    assert begins([FIRST, *children], "LATEST") == []


def test_aggregated_records_are_unpacked_and_others_are_not() -> None:
    assert user_records(AGGREGATED, ALL) == UNPACKED
    assert user_records(AGGREGATED, HashRange(1, 2**128 - 1)) == [], "a key of another shard"
    damaged = AGGREGATED[:-1] + b"?"
    no_message = AGGREGATED[:4] + b"\x0a\xff" + hashlib.md5(b"\x0a\xff").digest()
    no_key = AGGREGATED[:4] + b"\x1a\x02\x1a\x00" + hashlib.md5(b"\x1a\x02\x1a\x00").digest()
    for data in (b"", b"plain", AGGREGATED[:4], AGGREGATED[:20], damaged, no_message, no_key):
        assert user_records(data, ALL) == [data]


def test_a_role_is_assumed(amazon: Amazon) -> None:
    role = Role("arn:aws:iam::123456789012:role/reader", "session", "external")
    clients = Access(amazon.url, REGION, Key("AKIATEST", "secret"), role).clients()
    try:
        amazon.create()
        assert list_shards(clients[0], amazon.name)
        for client in clients:
            credentials = client._request_signer._credentials
            assert credentials.method == "assume-role"
            assert credentials.get_frozen_credentials().access_key != "AKIATEST"
    finally:
        for client in clients:
            client.close()


# --- the call -----------------------------------------------------------------------------------------------


class Context:
    """Takes a stream as a StreamingContext does."""

    _interval_ms = 1000

    def __init__(self) -> None:
        self.receivers: list[KinesisReceiver] = []
        self.decoders: list[Any] = []

    def _add_stream(self, node: Any) -> Any:
        self.receivers.append(node.receiver)
        return SimpleNamespace(map=self.decoders.append)


NAMES = ("app", "stream", "https://kinesis.eu-central-1.amazonaws.com", REGION)


def test_names_and_signature_are_the_installed_ones() -> None:
    ours, theirs = (inspect.signature(module.KinesisUtils.createStream) for module in (kinesis, original))
    assert list(ours.parameters) == list(theirs.parameters)
    for name, parameter in ours.parameters.items():
        if name != "decoder":
            assert parameter.default == theirs.parameters[name].default
        assert parameter.kind == theirs.parameters[name].kind
    assert ours.parameters["decoder"].default is kinesis.utf8_decoder
    assert set(kinesis.__all__) == set(original.__all__)
    for name in ("InitialPositionInStream", "MetricsLevel"):
        constants = [vars(getattr(module, name)) for module in (kinesis, original)]
        ours_, theirs_ = ({n: v for n, v in found.items() if n.isupper()} for found in constants)
        assert ours_ == theirs_
    assert [kinesis.utf8_decoder(data) for data in (None, b"", "é".encode())] == [None, "", "é"]


def test_the_order_of_pyspark_2_4_is_understood() -> None:
    context: Any = Context()
    create: Any = KinesisUtils.createStream
    rest = ("key", "secret", len, "arn", "session", "external")
    level = StorageLevel.MEMORY_ONLY
    create(context, *NAMES, LATEST, 2, level, *rest)
    create(context, *NAMES, LATEST, 2, MetricsLevel.NONE, level, *rest)
    create(context, *NAMES, LATEST, 2, level, awsAccessKeyId="key", awsSecretKey="secret", decoder=len)
    old, new, by_name = context.receivers
    assert old == new
    assert old.access == Access(NAMES[2], REGION, Key("key", "secret"), Role("arn", "session", "external"))
    assert by_name.access.key == Key("key", "secret")
    assert context.decoders == [len] * 3
    assert "'secret'" not in repr(new)
    with pytest.raises(TypeError, match="metricsLevel"):
        create(context, *NAMES, LATEST, 2, metricsLevel=level)


def test_an_endpoint_without_a_scheme_is_https() -> None:
    context: Any = Context()
    KinesisUtils.createStream(context, *NAMES[:2], "kinesis.example.com", REGION, TRIM_HORIZON, 0.5)
    assert context.receivers[0].access == Access("https://kinesis.example.com", REGION)
    assert context.receivers[0].initial == "TRIM_HORIZON"


@pytest.mark.parametrize(
    ("changed", "error", "text"),
    [
        ({"kinesisAppName": ""}, ValueError, "kinesisAppName is empty"),
        ({"streamName": None}, TypeError, "streamName must be a string"),
        ({"endpointUrl": 4567}, TypeError, "endpointUrl must be a string"),
        ({"regionName": ""}, ValueError, "regionName is empty"),
        ({"initialPositionInStream": 2}, ValueError, "InitialPositionInStream.LATEST or"),
        ({"initialPositionInStream": "LATEST"}, TypeError, "must be an int"),
        ({"checkpointInterval": 0}, ValueError, "must be positive"),
        ({"checkpointInterval": "2"}, TypeError, "number of seconds"),
        ({"metricsLevel": "NONE"}, TypeError, "metricsLevel must be an int"),
        ({"storageLevel": 2}, TypeError, "pyspark.StorageLevel"),
        ({"decoder": None}, TypeError, "decoder should be a function"),
        ({"awsAccessKeyId": "key"}, ValueError, "awsAccessKeyId and awsSecretKey must all be given"),
        ({"awsAccessKeyId": 1, "awsSecretKey": "s"}, TypeError, "awsAccessKeyId must be a string"),
        ({"stsAssumeRoleArn": "arn", "stsSessionName": "s"}, ValueError, "and stsExternalId must all"),
    ],
)
def test_settings_that_are_refused(changed: dict[str, Any], error: type[Exception], text: str) -> None:
    names = dict(zip(("kinesisAppName", "streamName", "endpointUrl", "regionName"), NAMES, strict=True))
    settings: dict[str, Any] = {**names, "initialPositionInStream": LATEST, "checkpointInterval": 2}
    context: Any = Context()
    with pytest.raises(error, match=text):
        KinesisUtils.createStream(context, **{**settings, **changed})
    assert not context.receivers


def test_without_boto3_the_call_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    context: Any = Context()
    with pytest.raises(ImportError, match=r"pip install 'dstream-migrate\[kinesis\]'"):
        KinesisUtils.createStream(context, *NAMES, LATEST, 2)
