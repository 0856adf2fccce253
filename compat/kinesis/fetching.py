"""Reading shards in Spark's Python workers: what is there now, and what a batch got of it.

Executors do not have `compat`: this module, `clients` and `records` are pickled by value (see `reading`), so
they import nothing but the standard library and boto3, and hold no state.

A task reads one shard, and gives *rows*: the shard's name, then its records as (sequence number, number
within an aggregated record, data), then (None, 0, `End`). They are kept on executors, and the batch has those
of its range: where they were lost they are read anew, and by then there may be more."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple, TypedDict, TypeVar

from compat.kinesis import clients
from compat.kinesis.clients import Settings
from compat.kinesis.records import HashRange, user_records

T = TypeVar("T")
Place = tuple[int, int]
"""A sequence number, and a number within an aggregated record."""
Range = tuple[str, "Place | None", "Place | None", int, HashRange]
"""A shard, the first and the last record, how many there are, and the shard's hash keys."""
Trouble = tuple[str, str, str]
"""The code of an error, the operation, and the text."""
Rows = Iterable[Any]


class Task(TypedDict):
    """What is to be read: it travels to a worker as it is, so it is a dict."""

    shard: str
    hashes: tuple[int, int]
    after: Place | None
    """The record before the first one; None: there was none yet, see `word`."""
    word: str
    """Where to begin then: ``TRIM_HORIZON`` or ``LATEST``."""
    since: float | None
    """Where ``LATEST`` was, in seconds; None: not known."""
    iterator: str | None
    """Kinesis' iterator for what comes next, which expires."""
    limit: int | None
    """How many records are read at most."""
    seconds: float
    """For how long is read on while there is more."""


class End(TypedDict):
    """How the reading ended."""

    ended: bool
    """Whether the shard was read to its end, after which nothing comes."""
    iterator: str | None
    """Kinesis' iterator for what comes next."""
    trouble: Trouble | None
    """What kept it from being read."""


LATER = {
    "InternalFailure",
    "InternalFailureException",
    "KMSThrottlingException",
    "LimitExceededException",
    "ProvisionedThroughputExceededException",
    "ServiceUnavailable",
    "ThrottlingException",
}
"""Errors of Kinesis that pass."""
_AT_ONCE = 10_000
_APART_SECONDS = 0.2
"""Between two reads of a shard: Kinesis allows 5 per second."""
_PATIENCE_SECONDS = 30.0
"""How long Kinesis may not answer, or want to be asked later, before it has not got what was read before."""


def nothing() -> None:
    """What is done at the begin of a task, unless an engine has something to do there."""


def reading(
    settings: Settings, stream: str, begin: Callable[[], None] = nothing
) -> Callable[[Iterable[Task]], Iterator[Any]]:
    """The function that makes rows of tasks, at whose begin it calls `begin`."""

    def read(tasks: Iterable[Task]) -> Iterator[Any]:
        begin()
        for task in tasks:
            yield from rows(clients.of_worker(settings), stream, task)

    return read


def rows(client: Any, stream: str, task: Task) -> Iterator[Any]:
    """Read a shard until nothing more is there, the limit is reached, or the time is over."""
    yield task["shard"]
    after, left, iterator = task["after"], task["limit"], task["iterator"]
    hashes = HashRange(*task["hashes"])
    until = time.monotonic() + task["seconds"]
    while True:
        most = _AT_ONCE if left is None else min(left, _AT_ONCE)
        answer = _ask(client, stream, task, after, iterator, most)
        iterator, ended = answer.iterator, answer.ended
        for number, sub, data in _new(answer.records, hashes, after):
            if left == 0:
                iterator, ended = None, False  # the rest of an aggregated record comes next time
                break
            yield number, sub, data
            after = number, sub
            left = None if left is None else left - 1
        over = left == 0 or time.monotonic() + _APART_SECONDS > until
        if over or not answer.more:
            break
        time.sleep(_APART_SECONDS)
    end: End = {"ended": ended, "iterator": iterator, "trouble": answer.trouble}
    yield None, 0, end


class _Answer(NamedTuple):
    """What Kinesis has answered."""

    records: Sequence[dict[str, Any]]
    iterator: str | None
    ended: bool
    more: bool
    """Whether it is worth asking again: there are more records, or Kinesis wants to be asked later."""
    trouble: Trouble | None


def _ask(
    client: Any, stream: str, task: Task, after: Place | None, iterator: str | None, most: int
) -> _Answer:
    """Ask for so many records behind a place at most; `iterator` stands there, if there is one."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        if iterator is None:
            iterator = _iterator(client, stream, task["shard"], _begin(task, after))
        answer = client.get_records(ShardIterator=iterator, Limit=most)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code == "ExpiredIteratorException":
            return _Answer((), None, ended=False, more=True, trouble=None)
        trouble = None if code in LATER else (code, error.operation_name, str(error))
        return _Answer((), iterator, ended=False, more=trouble is None, trouble=trouble)
    except BotoCoreError as error:
        return _Answer((), iterator, ended=False, more=False, trouble=("", "", str(error)))
    found, following = answer["Records"], answer.get("NextShardIterator")
    more = following is not None and (bool(answer.get("MillisBehindLatest")) or len(found) == most)
    return _Answer(found, following, ended=following is None, more=more, trouble=None)


def outcome(given: Rows) -> Iterator[tuple[str, Place | None, Place | None, int, End]]:
    """Of the rows of a shard its name, the first and the last record, how many there are, and the end."""
    remaining = iter(given)
    for shard in remaining:
        first: Place | None = None
        last: Place | None = None
        for count, (number, sub, data) in enumerate(remaining):
            if number is None:
                yield shard, first, last, count, data
                break
            last = number, sub
            first = first or last


def within(settings: Settings, stream: str, ranges: Mapping[str, Range]) -> Callable[[Rows], Iterator[bytes]]:
    """The function that makes of a shard's rows, or of its name alone, the data of the records of a batch.

    It raises RuntimeError where Kinesis is asked for them, and does not have them any more or does not
    answer.
    """

    def data(given: Rows) -> Iterator[bytes]:
        remaining = iter(given)
        for shard in remaining:
            wanted = ranges[shard]
            yield from records(lambda: clients.of_worker(settings), stream, wanted, remaining)
            return

    return data


def records(client: Callable[[], Any], stream: str, wanted: Range, given: Iterator[Any]) -> Iterator[bytes]:
    """The data of the records of a range: those that are given, and the others from Kinesis."""
    shard, first, last, count, hashes = wanted
    if first is None or last is None:
        return
    found = 0
    at: Place | None = None
    for number, sub, data in given:
        if number is None or (number, sub) > last:
            break
        if (number, sub) >= first:
            found, at = found + 1, (number, sub)
            yield data
    if at != last:
        for place, data in _again(client(), stream, shard, at or first, last, hashes):
            if place >= first and (at is None or place > at):
                found += 1
                yield data
    if found != count:
        raise RuntimeError(
            f"Kinesis stream {stream} has {found} of the {count} records of {shard} from sequence number"
            f" {first[0]} to {last[0]}, which were read before: it keeps records for the stream's retention"
            " period only"
        )


def _again(
    client: Any, stream: str, shard: str, first: Place, last: Place, hashes: HashRange
) -> Iterator[tuple[Place, bytes]]:
    """Records in order, from the one of Kinesis' that has the first to the last."""
    place = {"ShardIteratorType": "AT_SEQUENCE_NUMBER", "StartingSequenceNumber": str(first[0])}
    iterator = _patiently(lambda: _iterator(client, stream, shard, place), stream)
    while iterator:
        answer = _patiently(lambda: client.get_records(ShardIterator=iterator, Limit=_AT_ONCE), stream)  # noqa: B023
        for number, sub, data in _new(answer["Records"], hashes, None):
            if (number, sub) <= last:
                yield (number, sub), data
            if (number, sub) >= last:
                return
        if not answer["Records"] and not answer.get("MillisBehindLatest"):
            return
        iterator = answer.get("NextShardIterator")


def _new(
    found: Iterable[dict[str, Any]], hashes: HashRange, after: Place | None
) -> Iterator[tuple[int, int, bytes]]:
    """What users put into Kinesis' records, as far as it comes after a place."""
    for record in found:
        number = int(record["SequenceNumber"])
        for sub, data in enumerate(user_records(record["Data"], hashes)):
            if after is None or (number, sub) > after:
                yield number, sub, data


def _begin(task: Task, after: Place | None) -> dict[str, Any]:
    """Where an iterator begins."""
    if after is not None:
        # The last record may be an aggregated one, of which a part was read.
        return {"ShardIteratorType": "AT_SEQUENCE_NUMBER", "StartingSequenceNumber": str(after[0])}
    if task["since"] is not None:
        since = datetime.fromtimestamp(task["since"], timezone.utc)
        return {"ShardIteratorType": "AT_TIMESTAMP", "Timestamp": since}
    return {"ShardIteratorType": task["word"]}


def _iterator(client: Any, stream: str, shard: str, where: dict[str, Any]) -> str:
    found: str = client.get_shard_iterator(StreamName=stream, ShardId=shard, **where)["ShardIterator"]
    return found


def _patiently(ask: Callable[[], T], stream: str) -> T:
    """An answer, asked for again while there is none or Kinesis wants to be asked later."""
    from botocore.exceptions import BotoCoreError, ClientError

    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            return ask()
        except ClientError as error:
            if error.response["Error"]["Code"] not in LATER or time.monotonic() > until:
                raise _unread(stream, error) from error
        except BotoCoreError as error:
            if time.monotonic() > until:
                raise _unread(stream, error) from error
        time.sleep(_APART_SECONDS)


def _unread(stream: str, error: Exception) -> RuntimeError:
    return RuntimeError(
        f"records of Kinesis stream {stream}, which were read before, cannot be read again: {error}"
    )
