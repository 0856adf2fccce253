"""A program on Kafka whose driver is killed with SIGKILL at random moments, and started again."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from migrate.kafka import Jars
from tests.e2e.kafka.broker import Broker
from tests.e2e.processes import SECONDS, SUBMIT, Program

PROGRAM = """\
import json, os, sys
from pyspark import SparkContext
from compat.streaming import StreamingContext
from compat.streaming.kafka import KafkaUtils

base, broker, topic = sys.argv[1:]

def put(name, number, content):
    path = os.path.join(base, name, str(number))
    content = json.loads(json.dumps(content))  # tuples as they are read back
    if name == "batch" and os.path.exists(path) and json.load(open(path)) != content:
        open(os.path.join(base, "differs"), "a").write(path + "\\n")
    with open(path + ".part", "w") as file:
        json.dump(content, file)
    os.replace(path + ".part", path)

def batch(time, rdd):
    ranges = [[o.partition, o.fromOffset, o.untilOffset] for o in rdd.offsetRanges()]
    put("batch", round(time.timestamp()), {"ranges": ranges, "messages": rdd.glom().collect()})

def create():
    sc = SparkContext(appName="killed")
    sc.setLogLevel("OFF")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(os.path.join(base, "checkpoint"))
    params = {"metadata.broker.list": broker, "auto.offset.reset": "smallest"}
    stream = KafkaUtils.createDirectStream(ssc, [topic], params, commitGroup="killed")
    stream.foreachRDD(batch)
    pairs = stream.map(lambda pair: (pair[1], 1))
    total = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0), 2)
    total.foreachRDD(lambda time, rdd: put("total", round(time.timestamp()), dict(rdd.collect())))
    return ssc

ssc = StreamingContext.getOrCreate(os.path.join(base, "checkpoint"), create)
ssc.start()
ssc.awaitTermination()
"""


def submit(jars: Jars) -> str:
    return SUBMIT.replace("pyspark-shell", f"--jars {jars.submit} pyspark-shell")


class Story:
    """Messages that come at random, a program that is killed at random, and what it wrote."""

    def __init__(
        self, base: Path, start: Callable[..., Program], engine: str, broker: Broker, jars: Jars, seed: int
    ) -> None:
        self._base = base
        self._broker = broker
        self._random = random.Random(seed)
        self.topic = broker.topic(2)
        self.sent: list[list[str]] = [[], []]
        for name in ("batch", "total"):
            (base / name).mkdir()
        (base / "job.py").write_text(PROGRAM)
        self._launch = lambda: start(
            base / "job.py",
            base,
            broker.address,
            self.topic,
            COMPAT_ENGINE=engine,
            PYSPARK_SUBMIT_ARGS=submit(jars),
        )
        self.job = self._launch()

    def send(self) -> None:
        partition = self._random.randrange(2)
        words = self._random.choices("abc", k=self._random.randint(1, 20))
        self.sent[partition] += words
        self._broker.send(self.topic, *words, partition=partition)

    def live(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.send()
            time.sleep(self._random.uniform(0.05, 0.4))

    def kill(self) -> None:
        self.job.kill()
        self.live(self._random.uniform(0, 1))
        self.job = self._launch()

    def read(self, name: str) -> dict[int, Any]:
        paths = [path for path in (self._base / name).iterdir() if not path.suffix]
        return {int(path.name): json.loads(path.read_text()) for path in paths}

    def wait(self, more: int) -> None:
        """Until so many batches more were put out."""
        wanted = len(self.read("total")) + more
        deadline = time.monotonic() + SECONDS
        while len(self.read("total")) < wanted:
            assert time.monotonic() < deadline, self.job.errors[-3000:]
            self.live(0.2)

    def finish(self) -> None:
        """Wait until all that was sent is done: however late batches are, the next one has it."""
        sent = {partition: len(sent) for partition, sent in enumerate(self.sent)}
        done = lambda: self._broker.committed("killed", self.topic, range(2)) == sent  # noqa: E731
        self.job.catch_up(done, lambda: len(self.read("total")), "the last messages")
        self.job.kill()


def check(story: Story, base: Path) -> None:
    """Each message is in one batch, batches follow each other, and all else follows from them."""
    assert not (base / "differs").exists(), "a batch was put out again with other messages"
    batches, totals = story.read("batch"), story.read("total")
    first, last = min(batches), min(max(batches), max(totals))
    assert set(range(first, last + 1)) <= batches.keys() & totals.keys(), "batches were lost"
    position = {0: 0, 1: 0}
    total: Counter[str] = Counter()
    for number in range(first, last + 1):
        batch = batches[number]
        for (partition, start, until), messages in zip(batch["ranges"], batch["messages"], strict=True):
            assert start == position[partition]
            assert [value for _, value in messages] == story.sent[partition][start:until]
            position[partition] = until
            total.update(value for _, value in messages)
        assert totals[number] == dict(total)
    assert position == {partition: len(sent) for partition, sent in enumerate(story.sent)}


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kills", [20])
def test_kills_lose_nothing_and_repeat_nothing(
    tmp_path: Path, start: Callable[..., Program], engine: str, broker: Broker, jars: Jars, kills: int
) -> None:
    story = Story(tmp_path, start, engine, broker, jars, seed=kills)
    rng = random.Random(kills)
    for number in range(kills):
        if number and rng.random() < 0.3:
            story.live(rng.uniform(0.5, 8))  # it starts, or recovers
        else:
            story.wait(rng.randint(1, 4))
            story.live(rng.uniform(0, 1))
        story.kill()
    story.wait(2)
    story.finish()
    check(story, tmp_path)
