"""Which shards a program reads, and what it writes of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from compat.kinesis import sharing
from compat.kinesis.leases import Checkpoint
from compat.kinesis.planning import Outcome
from compat.kinesis.sharing import Worker
from tests.compat.kinesis.server import FIRST, HIGH, SECOND, Amazon
from tests.statements import wait_until

THIRD = "shardId-000000000002"
END = Checkpoint("SHARD_END")


@contextmanager
def working(amazon: Amazon, name: str, initial: str = "TRIM_HORIZON", **restored: Any) -> Iterator[Worker]:
    """A worker of a program by that name, which writes checkpoints at once."""
    worker = Worker(amazon.application(0.01, initial), name)
    worker.restore(restored.get("restored", {}))
    worker.start()
    try:
        yield worker
    finally:
        worker.close()


def shards(worker: Worker) -> list[str]:
    return [holding.shard.name for holding in worker.readable()]


def wait_for(worker: Worker, *names: str) -> None:
    wait_until(lambda: shards(worker) == list(names), f"{names} to be read")


def owners(amazon: Amazon) -> set[str]:
    return {row["leaseOwner"] for row in amazon.rows().values() if "leaseOwner" in row}


def found(shard: str, last: int | None = None, sub: int = 0, *, ended: bool = False) -> Outcome:
    place = None if last is None else (last, sub)
    return Outcome(shard, place, place, 1, {"ended": ended, "iterator": "next", "trouble": None})


def checkpointed(amazon: Amazon, shard: str, checkpoint: str) -> Callable[[], bool]:
    return lambda: amazon.rows()[shard]["checkpoint"] == checkpoint


def test_a_program_takes_no_lease_of_one_that_works(amazon: Amazon, caplog: pytest.LogCaptureFixture) -> None:
    """It takes them when that one ends."""
    caplog.set_level(logging.WARNING)
    amazon.create(shards=2)
    with working(amazon, "one") as first:
        wait_for(first, FIRST, SECOND)
        with working(amazon, "two") as second:
            wait_until(lambda: "are held by one, says the DynamoDB table" in caplog.text, "the message")
            counter = int(amazon.rows()[FIRST]["leaseCounter"])
            wait_until(lambda: int(amazon.rows()[FIRST]["leaseCounter"]) > counter + 3, "signs of life")
            assert (shards(first), shards(second)) == ([FIRST, SECOND], [])
            first.advance([found(FIRST, 7)])
            first.done(first.positions())
            first.close()
            wait_for(second, FIRST, SECOND)
            assert second.positions()[FIRST] == Checkpoint("7")
    assert owners(amazon) == set()


def test_a_program_that_crashed_is_followed_by_another_and_at_once_by_itself(
    amazon: Amazon, monkeypatch: pytest.MonkeyPatch
) -> None:
    amazon.create(shards=2)
    for shard in (FIRST, SECOND):
        amazon.lease(shard, "TRIM_HORIZON", leaseOwner={"S": "crashed"})
    with working(amazon, "other") as other:
        wait_for(other, FIRST, SECOND)
    for shard in (FIRST, SECOND):
        amazon.lease(shard, "TRIM_HORIZON", leaseOwner={"S": "crashed"})
    monkeypatch.setattr(sharing, "FAILOVER_SECONDS", 3600.0)
    with working(amazon, "crashed") as itself:
        wait_for(itself, FIRST, SECOND)


def test_a_lease_that_another_takes_is_given_up(amazon: Amazon, caplog: pytest.LogCaptureFixture) -> None:
    """The client library takes them from workers with more."""
    caplog.set_level(logging.WARNING)
    amazon.create(shards=2)
    with working(amazon, "one") as worker:
        wait_for(worker, FIRST, SECOND)
        worker.advance([found(FIRST, 7)])
        amazon.lease(FIRST, "5", leaseOwner={"S": "library"})
        wait_for(worker, SECOND)
        assert f"The lease of {FIRST} of Kinesis stream {amazon.name}" in caplog.text
        worker.advance([found(FIRST, 8)])
        worker.done({FIRST: Checkpoint("8")})
        assert FIRST not in worker.positions()
        wait_for(worker, FIRST, SECOND)  # it is silent
        assert worker.positions()[FIRST] == Checkpoint("5")


def test_what_batches_are_done_with_is_written(amazon: Amazon) -> None:
    amazon.create()
    with working(amazon, "one") as worker:
        wait_for(worker, FIRST)
        worker.advance([found(FIRST, 7, 3)])
        before = worker.positions()
        worker.advance([found(FIRST, 9)])
        worker.done(before)
        wait_until(checkpointed(amazon, FIRST, "7"), "the checkpoint")
        assert amazon.rows()[FIRST]["checkpointSubSequenceNumber"] == "3"
        worker.done({FIRST: Checkpoint("5")})
    assert amazon.rows()[FIRST]["checkpoint"] == "7"


def test_the_shards_of_a_split_come_after_it_and_a_merge_after_both(amazon: Amazon) -> None:
    """They are read once a batch has got all of the parents, which the table hears when that is done."""
    amazon.create()
    amazon.kinesis.split_shard(StreamName=amazon.name, ShardToSplit=FIRST, NewStartingHashKey=HIGH)
    with working(amazon, "one") as worker:
        wait_for(worker, FIRST)
        worker.advance([found(FIRST, 7, ended=True)])
        assert worker.positions()[FIRST] == END
        wait_for(worker, SECOND, THIRD)
        assert amazon.rows()[FIRST]["checkpoint"] == "TRIM_HORIZON"
        assert amazon.rows()[SECOND]["parentShardId"] == [FIRST]
        worker.done(worker.positions())
        wait_until(checkpointed(amazon, FIRST, "SHARD_END"), "the end of the parent")
        wait_until(lambda: "leaseOwner" not in amazon.rows()[FIRST], "the lease to be given back")
        wait_until(lambda: sorted(worker.positions()) == [SECOND, THIRD], "the worker to know of it")
        amazon.kinesis.merge_shards(StreamName=amazon.name, ShardToMerge=SECOND, AdjacentShardToMerge=THIRD)
        worker.advance([found(SECOND, 1, ended=True)])
        worker.done(worker.positions())
        wait_until(checkpointed(amazon, SECOND, "SHARD_END"), "the end of the first parent")
        assert shards(worker) == [THIRD]
        worker.advance([found(THIRD, 1, ended=True)])
        wait_for(worker, "shardId-000000000003")


def test_reading_goes_on_at_the_further_of_what_was_logged_and_the_table(amazon: Amazon) -> None:
    """What batches have got may not be done yet, and another program may have gone on since."""
    amazon.create(shards=3)
    amazon.lease(FIRST, "5")
    amazon.lease(SECOND, "5")
    amazon.lease(THIRD, "LATEST")
    logged = {FIRST: Checkpoint("7", 1), SECOND: Checkpoint("3"), THIRD: Checkpoint("LATEST", since=6.0)}
    with working(amazon, "one", restored=logged) as worker:
        wait_for(worker, FIRST, SECOND, THIRD)
        assert worker.positions() == {**logged, SECOND: Checkpoint("5")}
        assert [holding.done for holding in worker.readable()][:2] == [Checkpoint("5")] * 2
    with working(amazon, "two", restored={FIRST: END}) as worker:
        wait_for(worker, SECOND, THIRD)
        wait_until(lambda: FIRST in worker.positions(), "the shard that has ended")


def test_from_latest_on_a_shard_has_an_iterator_and_a_time(amazon: Amazon) -> None:
    """The iterator expires; then it is the time from which nothing is left out."""
    amazon.create()
    amazon.put(b"early")
    with working(amazon, "one", "LATEST") as worker:
        wait_for(worker, FIRST)
        [holding] = worker.readable()
        amazon.put(b"late")
        answer = amazon.kinesis.get_records(ShardIterator=holding.iterator)
        assert [record["Data"] for record in answer["Records"]] == [b"late"]
        assert holding.position.since is not None
    assert amazon.rows()[FIRST]["checkpoint"] == "LATEST"
