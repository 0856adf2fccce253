"""Native programs that go on from a checkpoint, whose drivers are killed with SIGKILL at random moments."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.kafka import Jars
from migrate.model import Outcome
from tests.e2e.kafka.broker import Broker
from tests.e2e.kafka.test_kills import submit
from tests.e2e.processes import SECONDS, Program
from tests.migrate.programs import run

HEAD = """\
import json, os, sys, uuid
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

base, broker, topic = sys.argv[1:]
POINTS = "points"


def put(found):
    path = os.path.join(base, "out", str(uuid.uuid4()))
    with open(path + ".part", "w") as file:
        json.dump(found, file)
    os.replace(path + ".part", path + ".json")


def save(rdd):
    put(rdd.collect())


def create():
    sc = SparkContext(appName="killed")
    ssc = StreamingContext(sc, 1)
    params = {"metadata.broker.list": broker, "auto.offset.reset": "smallest"}
    stream = KafkaUtils.createDirectStream(ssc, [topic], params)
"""
TAIL = """
    ssc.checkpoint(POINTS)
    return ssc


ssc = StreamingContext.getOrCreate(POINTS, create)
ssc.start()
ssc.awaitTermination()
"""
MESSAGES = "    stream.map(lambda message: message[1]).foreachRDD(save)"
TOTALS = """\
    pairs = stream.map(lambda message: (message[1], 1))
    totals = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))
    totals.foreachRDD(save)"""


class Story:
    """Messages that come at random, and a program that is killed at random."""

    def __init__(
        self, body: str, base: Path, start: Callable[..., Program], broker: Broker, jars: Jars, seed: int
    ) -> None:
        self._broker, self._random = broker, random.Random(seed)
        self._out = base / "out"
        self._out.mkdir()
        self._topic = broker.topic(2)
        self.sent: list[str] = []
        result = run(HEAD + body + TAIL)
        (graph,) = result.graphs
        assert graph.outcome is Outcome.NATIVE, graph.reasons
        assert 'option("checkpointLocation", POINTS + "/query")' in result.files[0].new
        (base / "job.py").write_text(result.files[0].new)
        environment = {"PYSPARK_SUBMIT_ARGS": submit(jars)}
        self._launch = lambda: start(base / "job.py", base, broker.address, self._topic, **environment)
        self.job = self._launch()

    def send(self, words: list[str]) -> None:
        self.sent += words
        self._broker.send(self._topic, *words, partition=self._random.randrange(2))

    def put(self) -> list[list[object]]:
        """What the batches put out, in order."""
        paths = sorted(self._out.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        return [json.loads(path.read_text()) for path in paths]

    def wait(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + SECONDS
        while not done():
            assert time.monotonic() < deadline, self.job.errors[-3000:]
            time.sleep(0.05)

    def kill(self, words: list[str]) -> None:
        """Kill the driver at some moment of the next batch, send more, and start it again."""
        before = len(self.put())
        self.send(words)
        if self._random.random() < 0.5:
            self.wait(lambda: len(self.put()) > before)
        else:
            time.sleep(self._random.uniform(0, 3))
        self.job.kill()
        self.send(words[:1])
        self.job = self._launch()


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kills", [10])
def test_kills_lose_no_messages(
    tmp_path: Path, start: Callable[..., Program], broker: Broker, jars: Jars, kills: int
) -> None:
    story = Story(MESSAGES, tmp_path, start, broker, jars, seed=kills)
    for number in range(kills):
        story.kill([f"{number}-{one}" for one in range(5)])
    story.wait(lambda: {word for batch in story.put() for word in batch} == {*story.sent})
    story.job.kill()


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kills", [10])
def test_kills_leave_the_state_right(
    tmp_path: Path, start: Callable[..., Program], broker: Broker, jars: Jars, kills: int
) -> None:
    story = Story(TOTALS, tmp_path, start, broker, jars, seed=kills)
    rng = random.Random(kills)
    for _ in range(kills):
        story.kill(rng.choices("abc", k=rng.randint(1, 9)))

    def last() -> dict[str, int]:
        found = story.put()
        return dict(found[-1]) if found else {}  # type: ignore[arg-type]

    story.wait(lambda: last() == Counter(story.sent))
    story.job.kill()
