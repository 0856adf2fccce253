"""Programs that are killed with SIGKILL at random moments, and started again."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.e2e.processes import SECONDS, Program, drop

PROGRAM = """\
import json, operator, os, sys, time
from pyspark import SparkContext
from compat.streaming import StreamingContext

base, inputs, checkpoint = sys.argv[1:]

def write(name):
    def put(when, rdd):
        path = os.path.join(base, name, str(round(when.timestamp()) // 2))
        with open(path + ".part", "w") as file:
            json.dump(dict(rdd.collect()), file)
        if name == "batch" and os.path.exists(os.path.join(base, "slow")):
            time.sleep(6)
        os.replace(path + ".part", path)
    return put

def create():
    print("new context")
    sc = SparkContext(appName="killed")
    sc.setLogLevel("OFF")
    ssc = StreamingContext(sc, 2)
    ssc.checkpoint(checkpoint)
    lines = ssc.textFileStream(inputs)
    words = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))
    words.reduceByKey(operator.add, 2).foreachRDD(write("batch"))
    total = words.updateStateByKey(lambda new, last: sum(new) + (last or 0), 2)
    total.foreachRDD(write("total"))
    words.reduceByKeyAndWindow(operator.add, operator.sub, 10, 2, 2).foreachRDD(write("inverse"))
    total.window(4).groupByKey(2).mapValues(sorted).foreachRDD(write("totals"))
    return ssc

ssc = StreamingContext.getOrCreate(checkpoint, create)
ssc.start()
ssc.awaitTermination()
"""
NAMES = ("batch", "total", "inverse", "totals")
INTERVAL = 2
"""Seconds. Batches are numbered by their time over this."""


class Place(Protocol):
    """Where a program's input and its checkpoint are."""

    inputs: str
    checkpoint: str

    @property
    def saved(self) -> bool:
        """Whether the program can be recovered; before that no file is its input."""

    def drop(self, name: str, line: str) -> None:
        """Let a file appear in the input, whole."""


class Local:
    """Directories of this machine."""

    def __init__(self, base: Path, engine: str) -> None:
        self.inputs, self.checkpoint = str(base / "in"), str(base / "checkpoint")
        self._own = base / "checkpoint" / engine
        (base / "in").mkdir()

    @property
    def saved(self) -> bool:
        return any(self._own.glob("graph")) or any(self._own.glob("checkpoint-*"))

    def drop(self, name: str, line: str) -> None:
        drop(Path(self.inputs), name, [line])


class Story:
    """Files that come at random, a program that is killed at random, and what it wrote for each batch."""

    def __init__(
        self,
        base: Path,
        start: Callable[..., Program],
        seed: int,
        engine: str = "structured",
        place: Place | None = None,
    ) -> None:
        self._base = base
        self._place = Local(base, engine) if place is None else place
        where = self._place.inputs, self._place.checkpoint
        self._launch = partial(start, base / "job.py", base, *where, COMPAT_ENGINE=engine)
        self._random = random.Random(seed)
        self.sent: Counter[str] = Counter()
        self._files = 0
        for name in NAMES:
            (base / name).mkdir()
        (base / "job.py").write_text(PROGRAM)
        self.job = self._launch()

    @property
    def saved(self) -> bool:
        return self._place.saved

    def drop(self) -> None:
        words = self._random.choices("abcde", k=self._random.randint(1, 30))
        self.sent.update(words)
        self._place.drop(f"{self._files}.txt", " ".join(words))
        self._files += 1

    def live(self, seconds: float) -> None:
        """Let some time go by; files come meanwhile."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(self._random.uniform(0.1, 1.2))
            if self.saved and self._random.random() < 0.5:
                self.drop()

    def kill(self, down: float = 1.0) -> None:
        """Kill the program and start it again after `down` seconds; files come meanwhile."""
        self.job.kill()
        self.live(down)
        self.job = self._launch()

    def read(self, name: str) -> dict[int, dict[str, int]]:
        paths = [path for path in (self._base / name).iterdir() if not path.suffix]
        return {int(path.name): json.loads(path.read_text()) for path in paths}

    def finish(self) -> None:
        self.job.wait(lambda: self.saved, "a checkpoint")
        self.drop()
        last = time.time() / INTERVAL + 1
        batches = partial(self.read, NAMES[-1])
        self.job.catch_up(lambda: max(batches(), default=0) >= last, lambda: len(batches()), "the last file")
        self.job.kill()


def summed(batches: dict[int, dict[str, int]], after: int, until: int) -> dict[str, int]:
    total: Counter[str] = Counter()
    for number in range(after + 1, until + 1):
        total.update(batches.get(number, {}))
    return dict(total)


def check(story: Story) -> None:
    """No batch is missing, every word is in one batch, and all else follows from the batches."""
    outputs: dict[str, dict[int, Any]] = {name: story.read(name) for name in NAMES}
    batches = outputs["batch"]
    first = min(batches)
    last = min(max(written) for written in outputs.values())
    for name, written in outputs.items():
        assert set(range(first, last + 1)) <= written.keys(), f"batches of {name} were lost"
    assert summed(batches, first - 1, last) == dict(story.sent)
    before: dict[str, int] = {}
    for number in range(first, last + 1):
        total = outputs["total"][number]
        assert total == summed(batches, first - 1, number)
        inverse = {word: count for word, count in outputs["inverse"][number].items() if count}
        assert inverse == summed(batches, number - 5, number)
        totals = {word: sorted(t[word] for t in (before, total) if word in t) for word in total}
        assert outputs["totals"][number] == totals
        before = total


def run(
    base: Path,
    start: Callable[..., Program],
    seed: int,
    kills: int,
    batches: int = 5,
    place: Place | None = None,
) -> None:
    """Let a program be killed so many times, each time after 1 to `batches` batches, or earlier."""
    story = Story(base, start, seed, place=place)
    rng = random.Random(seed)
    for number in range(kills):
        # Some kills come while the program starts or recovers, most while batches run.
        if number and rng.random() < 0.3:
            story.live(rng.uniform(0.5, 5))
        else:
            written = len(story.read("batch"))
            wanted = written + rng.randint(1, batches)
            deadline = time.monotonic() + SECONDS
            while len(story.read("batch")) < wanted and time.monotonic() < deadline:
                story.live(rng.uniform(0.1, 1.0))
        story.kill()
    story.finish()
    check(story)


@pytest.mark.timeout(900)
def test_four_kills_lose_nothing(tmp_path: Path, start: Callable[..., Program]) -> None:
    run(tmp_path, start, seed=1, kills=4, batches=2)


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", [2, 3])
def test_many_kills_lose_nothing(tmp_path: Path, start: Callable[..., Program], seed: int) -> None:
    run(tmp_path, start, seed, kills=10)


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("engine", ["rdd", "structured"])
def test_slow_batches_and_a_stop_of_thirty_seconds(
    tmp_path: Path, start: Callable[..., Program], engine: str
) -> None:
    """Batches of three intervals fall behind; those of the stop are made up for."""
    story = Story(tmp_path, start, seed=4, engine=engine)
    story.job.wait(lambda: bool(story.read("batch")), "a batch")
    (tmp_path / "slow").touch()
    story.live(20)
    assert time.time() / INTERVAL - max(story.read("batch")) > 3
    story.kill(down=30)
    story.live(10)
    (tmp_path / "slow").unlink()
    story.finish()
    check(story)
