"""From a topic to facts, to a query that fails on a record, to wider facts, and on from the checkpoint."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from migrate.cli import commands
from migrate.errors import Exit
from migrate.kafka import Jars
from migrate.knowledge.spark_version import installed
from tests.e2e.kafka.broker import Broker
from tests.e2e.kafka.test_kills import submit
from tests.e2e.kafka.test_kills_of_native import Messages
from tests.e2e.kills_of_native import HEAD, TAIL
from tests.e2e.processes import SECONDS, Program
from tests.statements import wait_until

pytestmark = [
    pytest.mark.full,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        not installed().has_variant, reason="before 4.0 there is no VARIANT, so JSON stays in Python"
    ),
]
EVENTS = "    events = stream.map(lambda message: json.loads(message[1]))\n"
READ = EVENTS + '    events.map(lambda e: (e["user"], e["n"])).foreachRDD(save)'
TOTALS = (
    EVENTS
    + """\
    pairs = events.map(lambda e: (e["user"], e["n"]))
    totals = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))
    totals.foreachRDD(save)"""
)
SAMPLE: list[dict[str, Any]] = [{"user": f"u{number % 3}", "n": number} for number in range(20)]


class Story:
    """A program that is learnt from, rewritten and run, with one topic for all of it."""

    def __init__(
        self, body: str, base: Path, start: Callable[..., Program], broker: Broker, jars: Jars
    ) -> None:
        self._base, self._broker = base, broker
        self._old = Messages.head + HEAD + Messages.source + body + TAIL
        self.topic = broker.topic(2)
        for directory in ("out", "learn/out"):
            (base / directory).mkdir(parents=True)
        (base / "pyproject.toml").touch()
        environment = {"PYSPARK_SUBMIT_ARGS": submit(jars)}
        self._launch = lambda: start(base / "job.py", base, broker.address, self.topic, **environment)

    def send(self, *records: Any, partition: int = 0) -> None:
        self._broker.send(self.topic, *map(json.dumps, records), partition=partition)

    def learn_sample(self) -> None:
        self.learn(f"learn OLD --from-topic {self.topic} --from-broker BROKER --offsets 0:0-20 -- ARGS")

    def learn(self, command: str) -> None:
        """Learn from records of the topic by a command as the error has it, and rewrite."""
        job = self._base / "job.py"
        job.write_text(self._old)
        known = {
            "OLD": [str(job), "--cwd", str(self._base), "--timeout", "300", "--allow-side-effects"],
            "BROKER": [self._broker.address],
            "ARGS": [str(self._base / "learn"), "nowhere:9092", self.topic],
        }
        _command(*(given for word in command.split() for given in known.get(word, [word])))
        _command("rewrite", str(job), "--force")

    def run(self) -> Program:
        return self._launch()

    def put(self) -> list[list[Any]]:
        """What the batches put out, in order."""
        paths = sorted((self._base / "out").glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        return [batch for path in paths if (batch := json.loads(path.read_text()))]

    def fails(self, job: Program, value: str, partition: int, offset: int) -> str:
        """Wait for the end, which names the record; the command that learns of it."""
        wait_until(lambda: job.process.poll() is not None, "the end of the query", timeout=SECONDS)
        assert job.process.returncode, job.errors[-3000:]
        place = f'"topic":"{self.topic}","partition":{partition},"offset":{offset}'
        said = rf"found {re.escape(value)} in {{[^}}]*{re.escape(place)}}}; .*`dstream-migrate (learn [^`]*)`"
        found = re.search(said, job.errors)
        assert found, job.errors[-5000:]
        return found[1]


def _command(*given: str) -> None:
    done = CliRunner().invoke(commands, given, standalone_mode=False, catch_exceptions=False)
    assert done.return_value == Exit.DONE, done.output


def test_a_job_goes_on_with_wider_types(
    tmp_path: Path, start: Callable[..., Program], broker: Broker, jars: Jars
) -> None:
    """Nothing is lost or doubled: the batch that failed put nothing out, and comes again."""
    story = Story(READ, tmp_path, start, broker, jars)
    story.send(*SAMPLE)
    story.learn_sample()
    assert "json_variant(" in (tmp_path / "job.py").read_text()

    def put() -> list[Any]:
        return [row for batch in story.put() for row in batch]

    job = story.run()
    wait_until(lambda: len(put()) == len(SAMPLE), "the sample", timeout=SECONDS)
    more: list[dict[str, Any]] = [
        {"user": "u1", "n": 100},
        {"user": None, "n": 101},
        {"user": "u2", "n": 102},
    ]
    story.send(*more, partition=1)
    story.learn(story.fails(job, "null", 1, 1))
    assert '"null"' in (tmp_path / "job.py").read_text()
    story.send({"user": "u3", "n": 103})
    sent: list[dict[str, Any]] = [*SAMPLE, *more, {"user": "u3", "n": 103}]
    job = story.run()
    wait_until(lambda: len(put()) >= len(sent), "all", timeout=SECONDS)

    odd: dict[str, Any] = {"user": "u1", "n": "many"}  # no column holds this and ints: it becomes RDD code
    story.send(odd)
    story.learn(story.fails(job, '"many"', 0, 21))
    assert "json.loads" in (tmp_path / "job.py").read_text()
    job = story.run()
    wait_until(lambda: len(put()) > len(sent), "the last", timeout=SECONDS)
    job.kill()
    assert sorted(put(), key=repr) == sorted(map(list, (one.values() for one in [*sent, odd])), key=repr)


def test_a_running_state_goes_on_with_a_key_that_may_be_none(
    tmp_path: Path, start: Callable[..., Program], broker: Broker, jars: Jars
) -> None:
    """The state bears what leaves the type of its key and its sum: None among keys, and more keys of JSON.

    Where that type changes there is no native form that goes on: the query's state would be lost.
    """
    story = Story(TOTALS, tmp_path, start, broker, jars)
    story.send(*SAMPLE)
    story.learn_sample()
    native = (tmp_path / "job.py").read_text()
    assert "json_variant(" in native
    assert 'outputMode("complete")' in native
    sent = [*SAMPLE]

    def totals() -> dict[str | None, int]:
        batches = story.put()
        return dict(batches[-1]) if batches else {}

    def expected() -> dict[str | None, int]:
        found: Counter[str | None] = Counter()
        for record in sent:
            found[record["user"]] += record["n"]
        return dict(found)

    job = story.run()
    wait_until(lambda: totals() == expected(), "the sample's totals", timeout=SECONDS)
    more: list[dict[str, Any]] = [{"user": "u1", "n": 2**60, "new": 1}, {"user": None, "n": 101}]
    story.send(*more, partition=1)
    story.learn(story.fails(job, "null", 1, 1))
    assert 'outputMode("complete")' in (tmp_path / "job.py").read_text()
    sent += [*more, {"user": None, "n": 102}]
    story.send(sent[-1])
    job = story.run()
    wait_until(lambda: totals() == expected(), "the totals with None", timeout=SECONDS)

    story.send({"user": "u1", "n": 0.5})
    story.learn(story.fails(job, "0.5", 0, 21))
    assert "from compat.streaming" in (tmp_path / "job.py").read_text()
    assert totals() == expected()
