"""Native programs that go on from a checkpoint: input that comes at random, and drivers that are killed."""

from __future__ import annotations

import json
import random
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from migrate.model import Outcome
from tests.e2e.processes import SECONDS, Program
from tests.migrate.programs import run

HEAD = """\
import json, os, sys, uuid
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

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
"""
TAIL = """
    ssc.checkpoint(POINTS)
    return ssc


ssc = StreamingContext.getOrCreate(POINTS, create)
ssc.start()
ssc.awaitTermination()
"""


class Story(ABC):
    """Words that come at random, and a program that is killed at random.

    Attributes:
        head: the first lines of the program: what it imports, and the names of its arguments.
        source: the lines that make its source.
        tail: its last lines, which start it.
        directory: the code of the directory that its query keeps its offsets in.
    """

    head: str
    source: str
    tail = TAIL
    directory = 'POINTS + "/query"'

    def __init__(self, body: str, base: Path, launch: Callable[[Path], Program], seed: int) -> None:
        self.random = random.Random(seed)
        self._out = base / "out"
        self._out.mkdir()
        self.sent: list[str] = []
        result = run(self.head + HEAD + self.source + body + self.tail)
        (graph,) = result.graphs
        assert graph.outcome is Outcome.NATIVE, graph.reasons
        assert f'option("checkpointLocation", {self.directory})' in result.files[0].new
        (base / "job.py").write_text(result.files[0].new)
        self._launch = lambda: launch(base / "job.py")
        self.job = self._launch()

    @abstractmethod
    def deliver(self, words: list[str]) -> None:
        """Hand words to the source of the program."""

    def send(self, words: list[str]) -> None:
        """Send words, and keep them in mind."""
        self.sent += words
        self.deliver(words)

    def put(self) -> list[list[object]]:
        """What the batches put out, in order."""
        paths = sorted(self._out.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        return [json.loads(path.read_text()) for path in paths]

    def last(self) -> dict[str, int]:
        """The pairs that the last batch put out."""
        found = self.put()
        return dict(found[-1]) if found else {}  # type: ignore[arg-type]

    def wait(self, done: Callable[[], bool]) -> None:
        """Wait until something is so, for as long as a slow machine may take."""
        deadline = time.monotonic() + SECONDS
        while not done():
            assert time.monotonic() < deadline, self.job.errors[-3000:]
            time.sleep(0.05)

    def kill(self, words: list[str]) -> None:
        """Kill the driver at some moment of the next batch, send the last word, and start it again."""
        before = len(self.put())
        self.send(words[:-1])
        if self.random.random() < 0.5:
            self.wait(lambda: len(self.put()) > before)
        else:
            time.sleep(self.random.uniform(0, 3))
        self.job.kill()
        self.send(words[-1:])
        self.job = self._launch()

    def lose_nothing(self, kills: int) -> None:
        """Kill it so often, and wait until each word that was sent was put out.

        A batch that is put out again has the words that it had: where it replaces itself, no word is there
        twice.
        """
        for number in range(kills):
            self.kill([f"{number}-{one}" for one in range(6)])
        self.wait(lambda: {word for batch in self.put() for word in batch} == {*self.sent})
        self.job.kill()
        batches = {tuple(sorted(map(str, batch))) for batch in self.put()}
        assert Counter(word for batch in batches for word in batch) == Counter(self.sent)

    def keep_the_state(self, kills: int) -> None:
        """Kill it so often, and wait until its last batch has the sums of all words."""
        for _ in range(kills):
            self.kill(self.random.choices("abc", k=self.random.randint(2, 9)))
        self.wait(lambda: self.last() == Counter(self.sent))
        self.job.kill()
