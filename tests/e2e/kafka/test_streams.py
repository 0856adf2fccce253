"""Streams of Kafka on both engines, by a clock that is moved by hand."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.streaming.listener import StreamingListener

from compat.streaming import DStream, StreamingContext
from compat.streaming.kafka import Broker as OldBroker
from compat.streaming.kafka import KafkaMessageAndMetadata, KafkaUtils, OffsetRange, TopicAndPartition
from compat.testing import BatchClock
from tests.e2e.kafka.broker import Broker
from tests.e2e.processes import SECONDS

pytestmark = pytest.mark.timeout(600)


class Program:
    """A context whose batches are collected, by the name of the stream."""

    def __init__(self, sc: SparkContext, engine: str) -> None:
        self.ssc = StreamingContext(sc, 1, engine=engine)
        self.seen: dict[str, list[Any]] = {}

    def collect(self, name: str, stream: DStream[Any]) -> None:
        batches = self.seen.setdefault(name, [])
        stream.foreachRDD(lambda rdd: batches.append(rdd.collect()))

    def run(self, *between: Callable[[], Any]) -> None:
        """Run a batch, and one more after each of the calls."""
        clock = BatchClock(self.ssc, timeout=SECONDS * 3)
        self.ssc.start()
        try:
            clock.next_batch()
            for call in between:
                call()
                clock.next_batch()
            self.ssc.awaitTerminationOrTimeout(0.001)
        finally:
            self.ssc.stop(stopSparkContext=False)


@pytest.fixture
def program(spark_context: SparkContext, engine: str) -> Program:
    return Program(spark_context, engine)


def smallest(broker: Broker) -> dict[str, Any]:
    return {"metadata.broker.list": broker.address, "auto.offset.reset": "smallest"}


def test_a_direct_stream(program: Program, broker: Broker) -> None:
    """Partitions are those of the topic, empty ones too, in the order of their offsets."""
    topic = broker.topic(3)
    broker.send(topic, "a", "é雪", key="k")
    broker.send(topic, "b", "", None, partition=2)
    stream = KafkaUtils.createDirectStream(program.ssc, [topic], smallest(broker))
    ranges: dict[str, list[Any]] = {"transform": [], "foreachRDD": [], "time": []}

    def transformed(rdd: Any) -> Any:
        ranges["transform"].append(rdd.offsetRanges())
        return rdd.map(lambda pair: pair[1])

    def put(when: Any, rdd: Any) -> None:
        ranges["foreachRDD"].append(rdd.offsetRanges())
        ranges["time"].append(when.timestamp())

    program.collect("elements", stream.glom())
    program.collect("counts", stream.count())
    program.collect("words", stream.transform(transformed))
    stream.foreachRDD(put)
    program.run(lambda: broker.send(topic, "c", partition=1), lambda: None)

    assert program.seen["elements"] == [
        [[("k", "a"), ("k", "é雪")], [], [(None, "b"), (None, ""), (None, None)]],
        [[], [(None, "c")], []],
        [[], [], []],
    ]
    assert program.seen["counts"] == [[5], [1], [0]]
    assert program.seen["words"] == [["a", "é雪", "b", "", None], ["c"], []]
    expected = [
        [OffsetRange(topic, 0, 0, 2), OffsetRange(topic, 1, 0, 0), OffsetRange(topic, 2, 0, 3)],
        [OffsetRange(topic, 0, 2, 2), OffsetRange(topic, 1, 0, 1), OffsetRange(topic, 2, 3, 3)],
        [OffsetRange(topic, 0, 2, 2), OffsetRange(topic, 1, 1, 1), OffsetRange(topic, 2, 3, 3)],
    ]
    assert ranges["foreachRDD"] == ranges["transform"] == expected
    assert ranges["time"] == [1, 2, 3]


@pytest.mark.full
def test_where_a_direct_stream_begins_and_what_it_makes(program: Program, broker: Broker) -> None:
    topic, other = broker.topic(2), broker.topic()
    broker.send(topic, "a", "b", "c", key="k")
    broker.send(other, "old")
    params = {"bootstrap.servers": broker.address}
    create = KafkaUtils.createDirectStream
    given = {TopicAndPartition(topic, 0): 1, TopicAndPartition(topic, 1): 0}

    def whole(message: KafkaMessageAndMetadata) -> Any:
        return message.partition, message.offset, message.key, message.message

    program.collect("latest", create(program.ssc, [topic, other], params))
    program.collect("from offsets", create(program.ssc, [topic], params, given).map(lambda pair: pair[1]))
    program.collect("handled", create(program.ssc, [topic], params, given, messageHandler=whole))
    program.collect(
        "decoded",
        create(program.ssc, [topic], params, given, lambda raw: raw and len(raw), lambda raw: raw),
    )
    messages = create(program.ssc, [topic], smallest(broker), messageHandler=lambda message: message)
    program.collect("whole", messages.repartition(1).map(lambda message: message.message))
    with pytest.warns(RuntimeWarning, match=f"does not name topic {topic}, partition 0: nothing is read"):
        part = create(program.ssc, [topic], params, {TopicAndPartition(topic, 1): 0})
    program.collect("a part", part)
    program.run(lambda: (broker.send(topic, "d", partition=1), broker.send(other, "new")))

    assert program.seen["latest"] == [[], [(None, "d"), (None, "new")]]
    assert program.seen["from offsets"] == [["b", "c"], ["d"]]
    assert program.seen["handled"] == [[(0, 1, "k", "b"), (0, 2, "k", "c")], [(1, 0, None, "d")]]
    assert program.seen["decoded"] == [[(1, b"b"), (1, b"c")], [(None, b"d")]]
    assert [sorted(batch) for batch in program.seen["whole"]] == [["a", "b", "c"], ["d"]]
    assert program.seen["a part"] == [[], [(None, "d")]]


@pytest.mark.full
def test_the_streams_of_a_group(program: Program, broker: Broker) -> None:
    """Receivers begin where their group stands, share the partitions and commit what is done."""
    topic = broker.topic(4)
    for partition in range(4):
        broker.send(topic, f"old {partition}", f"new {partition}", partition=partition)
    broker.commit("group", topic, {0: 1, 1: 1, 2: 2})
    params = {"bootstrap.servers": broker.address, "auto.offset.reset": "smallest"}
    streams = [
        KafkaUtils.createStream(program.ssc, "nowhere:2181", "group", {topic: 1}, params) for _ in range(2)
    ]
    alone = KafkaUtils.createStream(program.ssc, "nowhere:2181", "alone", {topic: 4}, params)
    program.collect("united", program.ssc.union(*streams).map(lambda pair: pair[1]))
    for number, stream in enumerate(streams):
        program.collect(f"partitions {number}", stream.glom().map(len))
    program.collect("alone", alone.count())
    program.collect("counts", streams[0].count().union(streams[1].count()))
    # on rdd a batch is committed when another begins after its end: not yet when the next one does
    program.run(lambda: None, lambda: broker.send(topic, "last", partition=2), lambda: None, lambda: None)

    united = [sorted(batch) for batch in program.seen["united"]]
    assert united == [["new 0", "new 1", "new 3", "old 3"], [], ["last"], [], []]
    assert program.seen["partitions 0"] == [[1], [], [1], [], []]
    assert program.seen["partitions 1"] == [[1, 2], [], [], [], []]
    assert [sum(batch) for batch in program.seen["alone"]] == [8, 0, 1, 0, 0]
    assert broker.committed("group", topic, range(4)) == {0: 2, 1: 2, 2: 3, 3: 2}


@pytest.mark.full
def test_limits_windows_state_and_listeners(program: Program, broker: Broker) -> None:
    topic = broker.topic(2)
    broker.send(topic, *"aabaa")
    ssc = program.ssc
    conf: Any = ssc.sparkContext._conf
    conf.set("spark.streaming.kafka.maxRatePerPartition", "2")
    stream = KafkaUtils.createDirectStream(ssc, [topic], smallest(broker), commitGroup="lag")
    conf.set("spark.streaming.kafka.maxRatePerPartition", "0")
    pairs = stream.map(lambda pair: (pair[1], 1))
    program.collect("window", stream.map(lambda pair: pair[1]).window(2))
    program.collect("state", pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0)))
    told: list[Any] = []

    class Listener(StreamingListener):
        def onBatchCompleted(self, completed: Any) -> None:  # noqa: N802
            told.append(completed.batchInfo().numRecords())

    ssc.addStreamingListener(Listener())
    program.run(lambda: None, lambda: None, lambda: broker.send(topic, "c", partition=1), lambda: None)
    assert program.seen["window"] == [["a", "a"], ["a", "a", "b", "a"], ["b", "a", "a"], ["a", "c"], ["c"]]
    assert [dict(batch) for batch in program.seen["state"]] == [
        {"a": 2},
        {"a": 3, "b": 1},
        {"a": 4, "b": 1},
        {"a": 4, "b": 1, "c": 1},
        {"a": 4, "b": 1, "c": 1},
    ]
    assert broker.committed("lag", topic, range(2)) == {0: 5, 1: 1}


def test_an_rdd(spark_context: SparkContext, broker: Broker) -> None:
    topic = broker.topic(2)
    broker.send(topic, "a", "b", "c")
    broker.send(topic, "d", None, partition=1)
    ranges = [OffsetRange(topic, 1, 0, 2), OffsetRange(topic, 0, 1, 2), OffsetRange(topic, 0, 3, 3)]
    params = {"metadata.broker.list": broker.address}
    leaders = {TopicAndPartition(topic, 0): OldBroker("127.0.0.1", broker.port)}
    rdd = KafkaUtils.createRDD(spark_context, params, ranges, leaders)
    assert rdd.offsetRanges() == ranges
    assert rdd.glom().collect() == [[(None, "d"), (None, None)], [(None, "b")], []]
    handled = KafkaUtils.createRDD(spark_context, params, ranges, messageHandler=lambda m: m.offset)
    assert handled.collect() == [0, 1, 1]
    with pytest.raises(RuntimeError, match="Offsets not available on leader: OffsetRange"):
        KafkaUtils.createRDD(spark_context, params, [OffsetRange(topic, 0, 0, 4)])


def test_what_is_refused(spark_context: SparkContext, broker: Broker) -> None:
    ssc = StreamingContext(spark_context, 1)
    topic = broker.topic()
    params = {"bootstrap.servers": broker.address}
    create: Any = KafkaUtils.createDirectStream
    for kind, text, arguments in [
        (TypeError, "topics should be list", (topic, params)),
        (TypeError, "kafkaParams should be dict", ([topic], None)),
        (TypeError, "keyDecoder should be a function", ([topic], params, None, None)),
        (ValueError, "nobody says where the Kafka brokers are", ([topic], {})),
        (ValueError, "topics are missing", ([], params)),
        (ValueError, "are not those of fromOffsets", ([topic], params, {TopicAndPartition("x", 0): 0})),
        (ValueError, "is negative", ([topic], params, {TopicAndPartition(topic, 0): -1})),
        (RuntimeError, f"there is no topic missing at {broker.address}", (["missing"], params)),
        (RuntimeError, "there is no topic", ([topic], params, {TopicAndPartition(topic, 1): 0})),
    ]:
        with pytest.raises(kind, match=text):  # type: ignore[arg-type]
            create(ssc, *arguments)
    with pytest.raises(TypeError, match="topics should be dict"):
        KafkaUtils.createStream(ssc, "zookeeper:2181", "group", [topic], params)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="offsetRanges should be list"):
        KafkaUtils.createRDD(spark_context, params, None)  # type: ignore[arg-type]
    nowhere = {
        "metadata.broker.list": "127.0.0.1:1",
        "socket.timeout.ms": 500,
        "default.api.timeout.ms": 1500,
    }
    with pytest.raises(RuntimeError, match=r"Kafka at 127\.0\.0\.1:1 tells nothing of topic t"):
        create(ssc, ["t"], nowhere)
    with pytest.raises(RuntimeError, match=r"Kafka at no-such-host\.invalid:9092 cannot be used"):
        create(ssc, ["t"], {"bootstrap.servers": "no-such-host.invalid:9092"})


def test_a_recovered_program_goes_on_where_it_was(
    spark_context: SparkContext, engine: str, broker: Broker, tmp_path: Path
) -> None:
    topic = broker.topic(2)
    broker.send(topic, "a", "b")
    batches, totals = tmp_path / "batches", tmp_path / "totals"
    checkpoint = str(tmp_path / "checkpoint")

    def create() -> StreamingContext:
        ssc = StreamingContext(spark_context, 1, engine=engine)
        stream = KafkaUtils.createDirectStream(ssc, [topic], smallest(broker))

        def put(when: Any, rdd: Any) -> None:
            given = [(o.partition, o.fromOffset, o.untilOffset) for o in rdd.offsetRanges()]
            write(batches, [round(when.timestamp()), given, rdd.collect()])

        def write(path: Path, line: Any) -> None:
            with path.open("a") as file:
                file.write(json.dumps(line) + "\n")

        stream.foreachRDD(put)
        pairs = stream.map(lambda pair: (pair[1], 1))
        total = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))
        total.foreachRDD(lambda rdd: write(totals, dict(rdd.collect())))
        return ssc

    for last in ({"a": 1, "b": 1}, {"a": 2, "b": 1}):
        ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
        ssc.start()
        try:
            advance_until(ssc, totals, last)
        finally:
            ssc.stop(stopSparkContext=False)
        broker.send(topic, "a", partition=1)
    by_time = {when: (given, batch) for when, given, batch in lines(batches)}
    filled = [by_time[when] for when in sorted(by_time) if by_time[when][1]]
    assert filled == [
        ([[0, 0, 2], [1, 0, 0]], [[None, "a"], [None, "b"]]),
        ([[0, 2, 2], [1, 0, 1]], [[None, "a"]]),
    ]


def lines(path: Path) -> list[Any]:
    """What a run has written so far."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def advance_until(ssc: StreamingContext, totals: Path, last: Any) -> None:
    """Move the clock on, batch by batch, until `last` is the total that was written last."""
    deadline = time.monotonic() + SECONDS
    while last not in lines(totals):
        written = len(lines(totals))
        ssc._engine.advance_clock(1000)
        moved = time.monotonic()
        while len(lines(totals)) == written and time.monotonic() - moved < 20:
            ssc.awaitTerminationOrTimeout(0.02)
            assert time.monotonic() < deadline, "no batch came"
