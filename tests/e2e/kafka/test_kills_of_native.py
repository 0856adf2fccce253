"""Native programs on Kafka that go on from a checkpoint, killed with SIGKILL at random moments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.kafka import Jars
from tests.e2e.kafka.broker import Broker
from tests.e2e.kafka.test_kills import submit
from tests.e2e.kills_of_native import Story
from tests.e2e.processes import Program

MESSAGES = "    stream.map(lambda message: message[1]).foreachRDD(save)"
TOTALS = """\
    pairs = stream.map(lambda message: (message[1], 1))
    totals = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))
    totals.foreachRDD(save)"""


class Messages(Story):
    """Messages of a topic with two partitions."""

    head = """\
import sys
from pyspark.streaming.kafka import KafkaUtils

base, broker, topic = sys.argv[1:]
"""
    source = """\
    params = {"metadata.broker.list": broker, "auto.offset.reset": "smallest"}
    stream = KafkaUtils.createDirectStream(ssc, [topic], params)
"""

    def __init__(
        self, body: str, base: Path, start: Callable[..., Program], broker: Broker, jars: Jars, seed: int
    ) -> None:
        self._broker, self._topic = broker, broker.topic(2)
        environment = {"PYSPARK_SUBMIT_ARGS": submit(jars)}
        super().__init__(
            body, base, lambda job: start(job, base, broker.address, self._topic, **environment), seed
        )

    def deliver(self, words: list[str]) -> None:
        self._broker.send(self._topic, *words, partition=self.random.randrange(2))


class Received(Messages):
    """The same, by a program that had a receiver: the query's own offsets stand for those of its group."""

    head = """\
import sys
from pyspark.streaming.kafka import KafkaUtils

base, zookeeper, topic = sys.argv[1:]
"""
    source = """\
    params = {"auto.offset.reset": "smallest"}
    stream = KafkaUtils.createStream(ssc, zookeeper, "killed", {topic: 2}, params)
"""


class Stored(Messages):
    """The same, by a program that stored its offsets by itself, in a file."""

    head = """\
import sys
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

base, broker, topic = sys.argv[1:]


def read_offsets():
    if not os.path.exists("offsets"):
        return None
    with open("offsets") as file:
        return {TopicAndPartition(topic, int(one)): offset for one, offset in json.load(file).items()}


def store_offsets(rdd):
    with open("offsets", "w") as file:
        json.dump({one.partition: one.untilOffset for one in rdd.offsetRanges()}, file)


"""
    source = """\
    params = {"metadata.broker.list": broker, "auto.offset.reset": "smallest"}
    stream = KafkaUtils.createDirectStream(ssc, [topic], params, fromOffsets=read_offsets())
    stream.foreachRDD(store_offsets)
"""
    tail = """
    return ssc


ssc = create()
ssc.start()
ssc.awaitTermination()
"""
    directory = "CHECKPOINT"


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("story", [Messages, Received, Stored])
@pytest.mark.parametrize("kills", [10])
def test_kills_lose_no_messages(
    tmp_path: Path,
    start: Callable[..., Program],
    broker: Broker,
    jars: Jars,
    kills: int,
    story: type[Messages],
) -> None:
    story(MESSAGES, tmp_path, start, broker, jars, seed=kills).lose_nothing(kills)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("story", [Messages, Received])
@pytest.mark.parametrize("kills", [10])
def test_kills_leave_the_state_right(
    tmp_path: Path,
    start: Callable[..., Program],
    broker: Broker,
    jars: Jars,
    kills: int,
    story: type[Messages],
) -> None:
    story(TOTALS, tmp_path, start, broker, jars, seed=kills).keep_the_state(kills)
