"""A program on `compat.streaming`, on real sockets and directories, killed and started again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.processes import Program, Server, drop

Start = Callable[..., Program]

HEAD = """\
import sys
from pyspark import SparkContext
from compat.streaming import StreamingContext

def update(new, total):
    return sum(new) + (total or 0)

"""

COUNT = (
    HEAD
    + """\
ssc = StreamingContext(SparkContext(appName="count"), 1)
lines = ssc.socketTextStream("127.0.0.1", int(sys.argv[1]))
lines.flatMap(str.split).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()
ssc.start()
ssc.awaitTermination()
"""
)

RECOVERABLE = (
    HEAD
    + """\
def create():
    print("new context")
    ssc = StreamingContext(SparkContext(appName="recoverable"), 1)
    ssc.checkpoint(sys.argv[1])
    lines = {source}
    words = lines.flatMap(lambda line: line.split())
    words.map(lambda word: (word, 1)).updateStateByKey(update).pprint()
    return ssc

ssc = StreamingContext.getOrCreate(sys.argv[1], create)
ssc.start()
ssc.awaitTermination()
"""
)

engines = pytest.mark.parametrize("engine", ["rdd", "structured"])


def program(directory: Path, text: str) -> Path:
    path = directory / "job.py"
    path.write_text(text)
    return path


def feed(directory: Path, job: Program, words: list[str]) -> None:
    """Drop files with `words` until the program knows them: what came before it listened is not input."""
    dropped = 0.0

    def known() -> bool:
        nonlocal dropped
        if time.monotonic() > dropped + 3:
            drop(directory, f"{time.monotonic_ns()}.txt", words)
            dropped = time.monotonic()
        return set(words) <= job.last().keys()

    job.wait(known, f"the words {words}")


@pytest.mark.full  # of the default run is the one in tests/compat/test_sources.py
def test_a_socket_that_hangs_up_is_connected_to_again(tmp_path: Path, server: Server, start: Start) -> None:
    job = start(program(tmp_path, COUNT), server.port)
    job.wait(lambda: server.accepted == 1, "a connection")
    server.send("a b a")
    job.wait(lambda: job.sums() == {"a": 2, "b": 1}, "the words")
    server.hang_up()
    job.wait(lambda: server.accepted == 2, "a second connection")
    server.send("b c")
    job.wait(lambda: job.sums() == {"a": 2, "b": 2, "c": 1}, "the words after the reconnect")


@pytest.mark.full  # of the default run are the kills in test_kills.py
@engines
def test_state_survives_a_kill(tmp_path: Path, start: Start, engine: str) -> None:
    watched = tmp_path / "in"
    watched.mkdir()
    path = program(tmp_path, RECOVERABLE.format(source="ssc.textFileStream(sys.argv[2])"))
    first = start(path, tmp_path / "checkpoint", watched, COMPAT_ENGINE=engine)
    feed(watched, first, ["early"])
    drop(watched, "a.txt", ["a a a"])
    first.wait(lambda: first.last().get("a") == 3, "three")
    early = first.last()["early"]
    first.kill()

    drop(watched, "b.txt", ["a b"])  # while nobody listens: the batch of its time is made up for
    second = start(path, tmp_path / "checkpoint", watched, COMPAT_ENGINE=engine)
    second.wait(lambda: second.last().get("b") == 1, "the word that came meanwhile")
    drop(watched, "c.txt", ["b"])
    second.wait(lambda: {"a": 4, "b": 2}.items() <= second.last().items(), "all state")
    assert second.last()["early"] >= early
    assert "new context" in first.printed
    assert "new context" not in second.printed


@pytest.mark.full
def test_a_recovered_socket_connects_afresh_and_warns(tmp_path: Path, server: Server, start: Start) -> None:
    path = program(tmp_path, RECOVERABLE.format(source='ssc.socketTextStream("127.0.0.1", int(sys.argv[2]))'))
    first = start(path, tmp_path / "checkpoint", server.port)
    first.wait(lambda: server.accepted == 1, "a connection")
    server.send("a a")
    first.wait(lambda: first.last() == {"a": 2}, "the first words")
    first.kill()
    server.hang_up()
    second = start(path, tmp_path / "checkpoint", server.port)
    second.wait(lambda: server.accepted == 2, "a connection of its own")
    server.send("a b")
    second.wait(lambda: second.last() == {"a": 3, "b": 1}, "old state and new words")
    assert "lost" in second.errors
