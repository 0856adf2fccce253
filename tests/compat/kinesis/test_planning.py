"""What each batch gets of a stream."""

from __future__ import annotations

import json
import logging
from typing import Any, cast

import pytest

from compat.kinesis import planning
from compat.kinesis.access import Access
from compat.kinesis.application import Application
from compat.kinesis.fetching import Task
from compat.kinesis.leases import Checkpoint
from compat.kinesis.planning import Outcome, Planner, Range, Slice, slice_of
from compat.kinesis.records import HashRange
from compat.kinesis.shards import Shard
from compat.kinesis.sharing import Holding, Worker

HASHES = HashRange(0, 2**128 - 1)
APPLICATION = Application("app", "s", Access("http://kinesis", "us-east-1"), "TRIM_HORIZON", 1)


class Holdings:
    """A worker that holds shards a, b, c..., which are read up to there."""

    def __init__(self, *at: Checkpoint) -> None:
        self.application = APPLICATION
        self.held = [
            Holding(Shard(name, (), HASHES, True), position, f"iterator of {name}", position, position)
            for name, position in zip("abcd", at, strict=False)
        ]
        self.restored: dict[str, Checkpoint] = {}

    def restore(self, positions: dict[str, Checkpoint]) -> None:
        self.restored.update(positions)

    def readable(self) -> list[Holding]:
        return [holding for holding in self.held if not holding.position.ended]

    def positions(self) -> dict[str, Checkpoint]:
        return {holding.shard.name: holding.position for holding in self.held}

    def advance(self, found: list[Outcome]) -> None:
        for outcome in found:
            [holding] = [each for each in self.held if each.shard.name == outcome.shard]
            assert outcome.last is not None
            holding.position = END if outcome.end["ended"] else Checkpoint(str(outcome.last[0]))


class Executors:
    """They find two records of each shard; some end with these."""

    def __init__(self, *ended: str) -> None:
        self.asked: list[list[Task]] = []
        self.ended = ended
        self.trouble: tuple[str, str, str] | None = None

    def __call__(self, tasks: list[list[Task]]) -> tuple[list[Any], list[Outcome]]:
        self.asked = tasks
        found = [self._found(task) for each in tasks for task in each]
        return [f"rows of {len(each)}" for each in tasks], found

    def _found(self, task: Task) -> Outcome:
        shard = task["shard"]
        end: Any = {"ended": shard in self.ended, "iterator": None, "trouble": self.trouble}
        return Outcome(shard, (5, 0), (7, 0), 2, end)

    @property
    def shards(self) -> list[str]:
        return ["".join(task["shard"] for task in each) for each in self.asked]


END, FOUR, SEVEN = Checkpoint("SHARD_END"), Checkpoint("4", 1), Checkpoint("7")
LATEST = Checkpoint("LATEST", since=12.5)


def planner(holdings: Holdings, streams: int = 1, rate: int = 0) -> Planner:
    return Planner(cast("Worker", holdings), streams, 10_000, rate)


def ranges(*names: str) -> list[Range]:
    return [Range(name, (5, 0), (7, 0), 2, HASHES) for name in names]


def test_a_batch_gets_what_is_after_the_last_one() -> None:
    read = Executors()
    given, rows = planner(Holdings(FOUR, LATEST)).next(0, read)
    assert given == Slice(ranges("a", "b"), {"a": SEVEN, "b": SEVEN})
    assert (given.records, rows) == (4, "rows of 2")
    common = {"hashes": HASHES, "limit": None, "seconds": 5.0}
    sequence = {"shard": "a", "after": (4, 1), "word": "4", "since": None, "iterator": "iterator of a"}
    latest = {"shard": "b", "after": None, "word": "LATEST", "since": 12.5, "iterator": "iterator of b"}
    assert read.asked == [[{**common, **sequence}, {**common, **latest}]]


def test_slices_are_logged_as_json() -> None:
    given, _ = planner(Holdings(FOUR, LATEST)).next(0, Executors())
    given.ranges.append(Range("c", None, None, 0, HASHES))
    assert slice_of(json.loads(json.dumps(given))) == given


def test_the_shards_of_all_streams_are_read_together() -> None:
    """Each stream has those that were read for it, and says of these alone how far they were read."""
    plan, read = planner(Holdings(FOUR, FOUR, FOUR), streams=4), Executors()
    assert plan.next(1, read) == (Slice(ranges("b"), {"b": SEVEN}), "rows of 1")
    assert read.shards == ["a", "b", "c", ""]
    read.asked = []
    assert plan.next(0, read).given == Slice(ranges("a"), {"a": SEVEN})
    assert plan.next(3, read).given == Slice([], {})
    assert read.asked == []
    plan.next(1, read)
    assert read.shards == ["a", "b", ""], "what waits for a stream is not read again"
    assert plan.next(2, read).given == Slice(ranges("c"), {"c": SEVEN})


def test_a_shard_that_has_ended_is_told_of_by_all_once_one_has_it() -> None:
    """Until the table knows, and by a later run as well."""
    holdings, read = Holdings(FOUR, FOUR, FOUR), Executors("b")
    plan = planner(holdings, streams=2)
    assert plan.next(0, read).given.positions == {"a": SEVEN, "c": SEVEN}
    assert plan.next(1, read).given.positions == {"b": END}
    assert plan.next(0, read).given.positions == {"a": SEVEN, "b": END}
    assert plan.next(1, read).given.positions == {"b": END, "c": SEVEN}
    del holdings.held[1]
    assert plan.next(0, read).given.positions == {"a": SEVEN}
    later = Holdings(FOUR, END)
    plan = planner(later, streams=2)
    plan.restore(Slice(ranges("b"), {"b": END}))
    assert later.restored == {"b": END}
    assert [plan.next(number, read).given.positions for number in (1, 0)] == [
        {"b": END},
        {"a": SEVEN, "b": END},
    ]


def test_what_a_batch_has_not_got_waits_for_the_next_one() -> None:
    read = Executors("b")
    plan = planner(Holdings(FOUR, FOUR), streams=2)
    found = plan.next(1, read)
    plan.take_back(1, found)
    assert plan.next(0, read).given.positions == {"a": SEVEN}
    assert plan.next(1, read) == found
    assert plan.next(0, read).given.positions == {"a": SEVEN, "b": END}


@pytest.mark.parametrize(("rate", "limits"), [(1, [5, 5, 10]), (1000, [5000, 5000, 10000]), (0, [None] * 3)])
def test_the_rate_is_that_of_all_shards_of_a_stream(rate: int, limits: list[int | None]) -> None:
    read = Executors()
    planner(Holdings(FOUR, FOUR, FOUR), streams=2, rate=rate).next(0, read)
    assert [task["limit"] for each in read.asked for task in each] == limits


def test_shards_are_read_five_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "_APART_SECONDS", 3600.0)
    plan, read = planner(Holdings(FOUR)), Executors()
    assert plan.next(0, read).given.records == 2
    assert plan.next(0, read) == (Slice([], {"a": SEVEN}), None)
    monkeypatch.setattr(planning, "_APART_SECONDS", 0.0)
    assert plan.next(0, read).given.records == 2


def test_what_could_not_be_read_is_read_by_the_next_batch() -> None:
    holdings = Holdings(FOUR)
    plan = planner(holdings)

    def failing(_: list[list[Task]]) -> tuple[list[Any], list[Outcome]]:
        raise RuntimeError("the executors are gone")

    with pytest.raises(RuntimeError, match="the executors are gone"):
        plan.next(0, failing)
    assert holdings.positions() == {"a": FOUR}
    assert plan.next(0, Executors()).given.records == 2


def test_trouble_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    plan, read = planner(Holdings(FOUR, FOUR)), Executors()
    read.trouble = "AccessDeniedException", "GetRecords", "not allowed"
    for _ in range(2):
        plan.next(0, read)
    assert len(caplog.records) == 1
    assert "Error reading Kinesis stream s at http://kinesis: not allowed. The next batch" in caplog.text
    read.trouble = "InvalidArgumentException", "GetShardIterator", "no such number"
    plan.next(0, read)
    assert "the DynamoDB table app, or the checkpoint directory, says that reading stopped" in caplog.text
    for trouble in (None, read.trouble):
        read.trouble = trouble
        plan.next(0, read)
    assert len(caplog.records) == 3
