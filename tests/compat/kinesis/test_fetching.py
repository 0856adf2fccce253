"""A worker's reads of a shard: what is there now, and what a batch got of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError

from compat.kinesis import clients, fetching
from compat.kinesis.fetching import End, Place, Range, Task
from compat.kinesis.records import HashRange
from compat.kinesis.shards import list_shards
from tests.compat.kinesis.server import AGGREGATED, FIRST, HIGH, SECOND, UNPACKED, Amazon

ALL = HashRange(0, 2**128 - 1)
Row = tuple[int, int, bytes]


class Failing:
    """A client of Kinesis that fails before it works."""

    def __init__(self, client: Any, *codes: str) -> None:
        self._client = client
        self._codes = list(codes)
        self.asked: list[dict[str, Any]] = []

    def get_shard_iterator(self, **asked: Any) -> Any:
        self.asked.append(asked)
        return self._client.get_shard_iterator(**asked)

    def get_records(self, **asked: Any) -> Any:
        self.asked.append(asked)
        if self._codes:
            raise ClientError({"Error": {"Code": self._codes.pop(0)}}, "GetRecords")
        return self._client.get_records(**asked)

    @property
    def iterators(self) -> list[str]:
        """Of what kinds iterators were asked for."""
        return [asked["ShardIteratorType"] for asked in self.asked if "ShardIteratorType" in asked]


def task(**more: Any) -> Task:
    """From the beginning of the first shard on, unless told otherwise."""
    made: Any = {
        "shard": FIRST,
        "hashes": ALL,
        "after": None,
        "word": "TRIM_HORIZON",
        "since": None,
        "iterator": None,
        "limit": None,
        "seconds": 60.0,
        **more,
    }
    return cast("Task", made)


def read(amazon: Amazon, client: Any = None, **more: Any) -> tuple[list[Row], End]:
    """The records of a shard, and how the reading ended."""
    asked = task(**more)
    name, *found, (number, _, end) = fetching.rows(client or amazon.kinesis, amazon.name, asked)
    assert (name, number) == (asked["shard"], None)
    return found, end


def data(rows: list[Row]) -> list[bytes]:
    return [content for _, _, content in rows]


def places(rows: list[Row]) -> list[Place]:
    return [(number, sub) for number, sub, _ in rows]


def test_a_shard_is_read_to_its_tip_and_from_there_on(
    amazon: Amazon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_AT_ONCE", 2)
    amazon.create()
    numbers = [int(number) for number in amazon.put(*(b"%d" % number for number in range(5)))]
    rows, end = read(amazon)
    assert rows == [(number, 0, b"%d" % content) for content, number in enumerate(numbers)]
    assert (end["ended"], end["trouble"]) == (False, None)
    assert read(amazon, iterator=end["iterator"])[0] == []
    amazon.put(b"later")
    assert data(read(amazon, iterator=end["iterator"])[0]) == [b"later"]
    assert data(read(amazon, after=(numbers[-1], 0))[0]) == [b"later"]


def test_an_empty_shard_has_no_rows_and_does_not_end(amazon: Amazon) -> None:
    amazon.create()
    rows, end = read(amazon)
    assert (rows, end["ended"], end["trouble"]) == ([], False, None)


def test_a_shard_that_was_split_ends(amazon: Amazon) -> None:
    amazon.create()
    amazon.put(b"1")
    amazon.kinesis.split_shard(StreamName=amazon.name, ShardToSplit=FIRST, NewStartingHashKey=HIGH)
    rows, end = read(amazon)
    assert (data(rows), end["ended"], end["iterator"]) == ([b"1"], True, None)


def test_reading_ends_at_the_limit(amazon: Amazon) -> None:
    """Within an aggregated record as well; the rest of it comes next."""
    amazon.create()
    amazon.put(b"0", AGGREGATED, b"1")
    amazon.kinesis.split_shard(StreamName=amazon.name, ShardToSplit=FIRST, NewStartingHashKey=HIGH)
    got: list[Row] = []
    ends: list[End] = []
    after: Place | None = None
    iterator = None
    while not ends or not ends[-1]["ended"]:
        rows, end = read(amazon, after=after, iterator=iterator, limit=2)
        assert len(rows) <= 2
        got += rows
        after, iterator = places(got)[-1], end["iterator"]
        ends.append(end)
    assert data(got) == [b"0", *UNPACKED, b"1"]
    assert len(ends) == 3


def test_reading_ends_when_its_time_is_over(amazon: Amazon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_AT_ONCE", 2)
    amazon.create()
    amazon.put(*(b"%d" % number for number in range(5)))
    rows, end = read(amazon, seconds=-1.0)
    assert data(rows) == [b"0", b"1"]
    assert data(read(amazon, iterator=end["iterator"])[0]) == [b"2", b"3", b"4"]


def test_throttling_passes(amazon: Amazon) -> None:
    """While there is time; else the next batch asks again."""
    amazon.create()
    amazon.put(b"1")
    codes = ["ProvisionedThroughputExceededException", "InternalFailure"]
    assert data(read(amazon, Failing(amazon.kinesis, *codes))[0]) == [b"1"]
    rows, end = read(amazon, Failing(amazon.kinesis, *codes), seconds=-1.0)
    assert (rows, end["ended"], end["trouble"]) == ([], False, None)
    assert data(read(amazon, iterator=end["iterator"])[0]) == [b"1"]


def test_after_an_expired_iterator_nothing_is_left_out(amazon: Amazon) -> None:
    """From what was read last, or from the time at which a new shard was to begin."""
    amazon.create()
    _, end = read(amazon, word="LATEST")
    [first, second] = amazon.put(b"1", b"2")
    expired = Failing(amazon.kinesis, "ExpiredIteratorException")
    rows, _ = read(amazon, expired, word="LATEST", since=0.0, iterator=end["iterator"])
    assert data(rows) == [b"1", b"2"]
    assert expired.iterators == ["AT_TIMESTAMP"]
    expired = Failing(amazon.kinesis, "ExpiredIteratorException")
    rows, _ = read(amazon, expired, after=(int(first), 0), iterator=end["iterator"])
    assert places(rows) == [(int(second), 0)]
    assert expired.iterators == ["AT_SEQUENCE_NUMBER"]


def test_other_errors_are_told_and_keep_what_was_read(
    amazon: Amazon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_AT_ONCE", 1)
    amazon.create()
    amazon.put(b"1", b"2")
    client = Failing(amazon.kinesis)
    given = fetching.rows(client, amazon.name, task())
    assert [next(given), next(given)[2]] == [FIRST, b"1"]
    client._codes.append("AccessDeniedException")
    [(_, _, end)] = given
    code, operation, text = end["trouble"]
    assert (code, operation) == ("AccessDeniedException", "GetRecords")
    assert "AccessDenied" in text
    _, end = read(amazon, shard=SECOND)
    assert end["trouble"] is not None
    assert end["trouble"][:2] == ("ResourceNotFoundException", "GetShardIterator")


def test_of_rows_the_driver_is_told_the_first_and_the_last() -> None:
    end: End = {"ended": False, "iterator": "next", "trouble": None}
    rows = [FIRST, (5, 0, b"a"), (5, 1, b"b"), (9, 0, b"c"), (None, 0, end)]
    assert list(fetching.outcome(rows)) == [(FIRST, (5, 0), (9, 0), 3, end)]
    assert list(fetching.outcome([FIRST, (None, 0, end)])) == [(FIRST, None, None, 0, end)]


def range_of(rows: list[Row], shard: str = FIRST, hashes: HashRange = ALL) -> Range:
    return shard, places(rows)[0], places(rows)[-1], len(rows), hashes


def again(amazon: Amazon, wanted: Range, given: Iterator[Any] | None = None) -> list[bytes]:
    return list(fetching.records(lambda: amazon.kinesis, amazon.name, wanted, given or iter(())))


def test_records_are_read_again(amazon: Amazon, monkeypatch: pytest.MonkeyPatch) -> None:
    """By several requests, from within aggregated records, and from a shard that was split."""
    monkeypatch.setattr(fetching, "_AT_ONCE", 3)
    amazon.create()
    amazon.put(b"0", AGGREGATED, b"1", b"2", b"3", b"4", AGGREGATED, b"5")
    amazon.kinesis.split_shard(StreamName=amazon.name, ShardToSplit=FIRST, NewStartingHashKey=HIGH)
    amazon.put(b"low")
    amazon.put(b"high", key=HIGH)
    shards = list_shards(amazon.kinesis, amazon.name)
    assert len(shards) == 3
    for name, shard in shards.items():
        rows, _ = read(amazon, shard=name, hashes=shard.hashes)
        assert again(amazon, range_of(rows, name, shard.hashes)) == data(rows)
    rows, _ = read(amazon)
    for part in (rows[:1], rows[2:4], rows[1:9], rows[9:]):
        assert again(amazon, range_of(part)) == data(part)
    assert again(amazon, (FIRST, None, None, 0, ALL)) == []


def test_lost_rows_are_read_from_kinesis(amazon: Amazon) -> None:
    """Where the reading is done anew it may find more by then, or less, or begin earlier."""
    amazon.create()
    amazon.put(b"0", b"1", AGGREGATED, b"2")
    whole, _ = read(amazon)
    wanted = range_of(whole[1:5])
    end = (None, 0, {"ended": False, "iterator": None, "trouble": None})
    for given in (whole[1:5], whole, whole[1:4], whole[:2], whole[1:2], []):
        assert again(amazon, wanted, iter([*given, end])) == data(whole[1:5])
        assert again(amazon, wanted, iter(given)) == data(whole[1:5])


def test_records_that_are_gone_are_named(amazon: Amazon) -> None:
    amazon.create()
    amazon.put(b"1")
    [(number, _, _)], _ = read(amazon)
    gone = FIRST, (number - 1, 0), (number, 0), 2, ALL
    text = rf"has 1 of the 2 records of {FIRST} from sequence number {number - 1} to {number}.*retention"
    with pytest.raises(RuntimeError, match=text):
        again(amazon, gone)
    with pytest.raises(RuntimeError, match=r"were read before, cannot be read again: .*ResourceNotFound"):
        again(amazon, (SECOND, (1, 0), (1, 0), 1, ALL))


def test_kinesis_that_wants_to_be_asked_later_is(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = ["ProvisionedThroughputExceededException", "InternalFailure"]

    def ask() -> str:
        if codes:
            raise ClientError({"Error": {"Code": codes.pop()}}, "GetRecords")
        return "answer"

    assert fetching._patiently(ask, "stream") == "answer"
    codes.append("AccessDeniedException")
    with pytest.raises(RuntimeError, match=r"records of Kinesis stream s,.*AccessDenied"):
        fetching._patiently(ask, "s")
    monkeypatch.setattr(fetching, "_PATIENCE_SECONDS", -1)
    codes.append("InternalFailure")
    with pytest.raises(RuntimeError, match=r"cannot be read again: .*InternalFailure"):
        fetching._patiently(ask, "s")


def test_a_worker_without_boto3_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(RuntimeError, match="read by the executors, whose Python has no boto3"):
        clients.of_worker(("http://127.0.0.1:1", "us-east-1", None, None))


def test_a_worker_keeps_its_client() -> None:
    settings = ("http://127.0.0.1:1", "us-east-1", ("AKIATEST", "secret"), None)
    client = clients.of_worker(settings)
    assert clients.of_worker(settings) is client
    other = clients.of_worker(("http://127.0.0.1:2", *settings[1:]))
    assert other is not client
    for each in (client, other):
        each.close()
    del sys.modules["boto3"].__dict__["compat_kinesis_clients"]
