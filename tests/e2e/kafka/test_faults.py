"""What happens to Kafka while a program runs, on both engines, by a clock that is moved by hand."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from confluent_kafka import Producer, TopicPartition
from pyspark import SparkContext

from compat import StreamingError
from compat.streaming import DStream, StreamingContext
from compat.streaming.kafka import KafkaUtils
from compat.testing import BatchClock
from tests.e2e.kafka.broker import SECONDS, Broker
from tests.statements import wait_until

pytestmark = pytest.mark.timeout(900)


class Steps:
    """A program that reads one topic, batch by batch."""

    def __init__(self, sc: SparkContext, engine: str, broker: Broker, topic: str, **more: Any) -> None:
        self.ssc = StreamingContext(sc, 1, engine=engine)
        params = {"bootstrap.servers": broker.address, "auto.offset.reset": "smallest"}
        settings = more.pop("settings", {})
        self.stream = KafkaUtils.createDirectStream(self.ssc, [topic], {**params, **settings}, **more)
        self.batches: list[Any] = []
        self._clock: BatchClock | None = None

    def collect(self, stream: DStream[Any]) -> None:
        stream.foreachRDD(lambda rdd: self.batches.append(rdd.collect()))

    def start(self) -> None:
        self._clock = BatchClock(self.ssc, timeout=SECONDS * 3)
        self.ssc.start()

    def batch(self) -> Any:
        """What the next batch has."""
        assert self._clock is not None
        self._clock.next_batch()
        return self.batches[-1]

    def failing_batch(self) -> str:
        """Run a batch that fails; what is said."""
        assert self._clock is not None
        self._clock.skip_batch()
        with pytest.raises(StreamingError) as error:
            self.ssc.awaitTerminationOrTimeout(SECONDS * 3)
        return str(error.value)


@pytest.fixture
def program(spark_context: SparkContext, engine: str, broker: Broker) -> Iterator[Callable[..., Steps]]:
    made: list[Steps] = []

    def make(topic: str, values: Callable[[DStream[Any]], DStream[Any]] | None = None, **more: Any) -> Steps:
        made.append(Steps(spark_context, engine, broker, topic, **more))
        stream = made[-1].stream
        made[-1].collect(stream.map(lambda pair: pair[1]) if values is None else values(stream))
        made[-1].start()
        return made[-1]

    yield make
    for steps in made:
        steps.ssc.stop(stopSparkContext=False)


@pytest.mark.full
def test_partitions_are_added(program: Callable[..., Steps], broker: Broker) -> None:
    topic = broker.topic()
    broker.send(topic, "a")
    steps = program(topic, lambda stream: stream.glom())
    assert steps.batch() == [[(None, "a")]]
    broker.grow(topic, 3)
    broker.send(topic, "b", partition=2)
    assert steps.batch() == [[], [], [(None, "b")]]
    broker.send(topic, "c", partition=1)
    assert steps.batch() == [[], [(None, "c")], []]


@pytest.mark.full
def test_messages_expire(program: Callable[..., Steps], broker: Broker) -> None:
    topic = broker.topic()
    steps = program(topic)
    broker.send(topic, *"abc")
    place = TopicPartition(topic, 0, 2)
    broker.admin.delete_records([place])[place].result(SECONDS)
    assert broker.ends(topic) == (2, 3)
    assert f"offsets 0 to 1 of topic {topic}, partition 0 have expired" in steps.failing_batch()
    assert steps.batch() == ["c"]
    broker.send(topic, "d")
    assert steps.batch() == ["d"]


@pytest.mark.full
def test_a_topic_is_made_anew(program: Callable[..., Steps], broker: Broker) -> None:
    topic = broker.topic()
    broker.send(topic, *"abc")
    steps = program(topic)
    assert steps.batch() == ["a", "b", "c"]
    broker.delete(topic)
    broker.create(topic)
    broker.send(topic, "d")
    assert f"topic {topic}, partition 0 ends at offset 1, before 3" in steps.failing_batch()
    assert steps.batch() == ["d"]


@pytest.mark.full
def test_bytes_that_are_no_text(program: Callable[..., Steps], broker: Broker) -> None:
    topic = broker.topic()
    broker.send(topic, b"\xff\xfe")
    steps = program(topic)
    assert "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff" in steps.failing_batch()
    broker.send(topic, "fine")
    assert steps.batch() == ["fine"]


@pytest.mark.full
def test_bytes_that_are_no_text_with_a_decoder_for_them(
    program: Callable[..., Steps], broker: Broker
) -> None:
    topic = broker.topic()
    broker.send(topic, b"\xff\xfe", None)
    assert program(topic, valueDecoder=lambda raw: raw and raw.hex()).batch() == ["fffe", None]


@pytest.mark.full
def test_large_messages(program: Callable[..., Steps], broker: Broker) -> None:
    topic = broker.topic(max_message_bytes="2000000")
    values = [bytes([n]) * (1 << 20) for n in range(48)]
    for value in values:
        broker.send(topic, value)
    decoder = lambda raw: hashlib.sha256(raw).hexdigest()  # noqa: E731
    assert program(topic, valueDecoder=decoder).batch() == [decoder(value) for value in values]


@pytest.mark.full
def test_a_compacted_topic(program: Callable[..., Steps], broker: Broker) -> None:
    topic = broker.topic(
        cleanup_policy="compact",
        segment_ms="100",
        min_cleanable_dirty_ratio="0.01",
        max_compaction_lag_ms="200",
        delete_retention_ms="100",
    )
    for number in range(20):
        broker.send(topic, f"v{number}", key=f"k{number % 3}")
    time.sleep(0.3)
    broker.send(topic, "end", key="end")  # a new segment, so that the one before can be compacted
    deadline = time.monotonic() + SECONDS
    while b"v0" in (read := broker.read(topic)) and time.monotonic() < deadline:
        time.sleep(0.3)
        broker.send(topic, "end", key="end")
    steps = program(topic, lambda stream: stream)
    assert b"v0" not in read, "Kafka did not compact the topic"
    batch = steps.batch()
    assert dict(batch) == {"k0": "v18", "k1": "v19", "k2": "v17", "end": "end"}
    broker.send(topic, "after", key="k0")
    assert steps.batch() == [("k0", "after")]


@pytest.mark.full
@pytest.mark.parametrize(
    ("level", "expected"), [("read_committed", ["a", "d"]), ("read_uncommitted", ["a", "b", "d"])]
)
def test_a_transactional_topic(
    program: Callable[..., Steps], broker: Broker, level: str, expected: list[str]
) -> None:
    topic = broker.topic()
    producer = Producer({"bootstrap.servers": broker.address, "transactional.id": topic, "log_level": 0})
    producer.init_transactions(SECONDS)
    for value, end in [("a", "commit"), ("b", "abort"), ("d", "commit")]:
        producer.begin_transaction()
        producer.produce(topic, value, partition=0)
        producer.flush(SECONDS)  # what was not sent is not aborted but dropped
        getattr(producer, f"{end}_transaction")(SECONDS)
    steps = program(topic, settings={"isolation.level": level})
    assert steps.batch() == expected
    producer.begin_transaction()
    producer.produce(topic, "open", partition=0)
    producer.flush(SECONDS)
    assert steps.batch() == ([] if level == "read_committed" else ["open"])
    producer.commit_transaction(SECONDS)
    assert steps.batch() == (["open"] if level == "read_committed" else [])


def test_the_broker_is_stopped_and_started(program: Callable[..., Steps], broker: Broker) -> None:
    topic = broker.topic(2)
    broker.send(topic, "a")
    steps = program(topic)
    assert steps.batch() == ["a"]
    broker.send(topic, "b", partition=1)
    broker.stop()
    starting = threading.Timer(3, broker.start)
    starting.start()
    try:
        assert steps.batch() == ["b"]
    finally:
        starting.join()
    broker.send(topic, "c")
    assert steps.batch() == ["c"]


def wait_for_offset(broker: Broker, group: str, topic: str, offset: int) -> None:
    wait_until(lambda: broker.committed(group, topic) == {0: offset}, f"a commit of offset {offset}")


@pytest.mark.full
def test_a_group_that_another_program_commits_to(
    program: Callable[..., Steps], engine: str, broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    topic = broker.topic()
    group = f"group-{topic}"
    steps = program(topic, commitGroup=group)
    with caplog.at_level(logging.WARNING):
        for number, (value, theirs) in enumerate([("a", 0), ("b", 0), ("c", None), ("d", None)], 1):
            broker.send(topic, value)
            assert steps.batch() == [value]
            if engine == "structured":  # rdd commits when the next batch begins
                wait_for_offset(broker, group, topic, number)
            if theirs is not None:
                broker.commit(group, topic, {0: theirs})
    assert caplog.text.count(f"another program commits offsets to group {group}") == 1
