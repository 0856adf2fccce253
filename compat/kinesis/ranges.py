"""Which records of a stream were received: what is written down of them, and reading them again.

As Spark's ``KinesisBackedBlockRDD``, which asks Kinesis for the sequence numbers of a block. Kinesis keeps
records for a day, or for as long as its stream is set to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from compat.kinesis.records import HashRange, Record, user_records
from compat.kinesis.shards import LATER, list_shards

if TYPE_CHECKING:
    from compat.kinesis.access import Access

T = TypeVar("T")

_PATIENCE_SECONDS = 30.0
"""How long Kinesis may not answer, or want to be asked later, before a batch fails."""
_PAUSE_SECONDS = 0.5
_AT_ONCE = 10_000


class Range(NamedTuple):
    """Records of a shard that follow each other, the last one included."""

    shard: str
    first: tuple[int, int]
    last: tuple[int, int]
    records: int
    """How many."""


def ranges(records: Iterable[Record]) -> list[Range]:
    """Where the records are, in their order."""
    found: list[Range] = []
    for record in records:
        place = record.sequence, record.sub
        if found and found[-1].shard == record.shard:
            found[-1] = found[-1]._replace(last=place, records=found[-1].records + 1)
        else:
            found.append(Range(record.shard, place, place, 1))
    return found


def read(access: Access, stream: str, wanted: Iterable[Iterable[Range]]) -> list[list[Record]]:
    """The records again, a list for each list of ranges.

    Raises:
        RuntimeError: Kinesis does not have them any more, or does not answer.
    """
    kinesis, dynamodb = access.clients()
    dynamodb.close()
    try:
        shards = _patiently(lambda: list_shards(kinesis, stream), stream)
        hashes = {name: shard.hashes for name, shard in shards.items()}
        return [
            [record for part in each for record in _read(kinesis, stream, part, hashes)] for each in wanted
        ]
    finally:
        kinesis.close()


def _read(kinesis: Any, stream: str, wanted: Range, hashes: dict[str, HashRange]) -> list[Record]:
    found: list[Record] = []
    for number, data in _from(kinesis, stream, wanted) if wanted.shard in hashes else ():
        for sub, content in enumerate(user_records(data, hashes[wanted.shard])):
            if wanted.first <= (number, sub) <= wanted.last:
                found.append(Record(wanted.shard, number, sub, content))
    if len(found) != wanted.records:
        raise RuntimeError(
            f"Kinesis stream {stream} has {len(found)} of the {wanted.records} records of {wanted.shard} from"
            f" sequence number {wanted.first[0]} to {wanted.last[0]}, which were received before: it keeps"
            " records for the stream's retention period only"
        )
    return found


def _from(kinesis: Any, stream: str, wanted: Range) -> Iterator[tuple[int, bytes]]:
    """Kinesis' records, in order, from the first of a range to its last: sequence numbers and data."""
    first, last = str(wanted.first[0]), wanted.last[0]
    place = {"ShardIteratorType": "AT_SEQUENCE_NUMBER", "StartingSequenceNumber": first}
    asked = {"StreamName": stream, "ShardId": wanted.shard, **place}
    answer = _patiently(lambda: kinesis.get_shard_iterator(**asked), stream)
    iterator = answer["ShardIterator"]
    while iterator:
        answer = _patiently(lambda: kinesis.get_records(ShardIterator=iterator, Limit=_AT_ONCE), stream)  # noqa: B023
        for record in answer["Records"]:
            number = int(record["SequenceNumber"])
            if number <= last:
                yield number, record["Data"]
            if number >= last:
                return
        if not answer["Records"] and not answer.get("MillisBehindLatest"):
            return
        iterator = answer.get("NextShardIterator")


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
        time.sleep(_PAUSE_SECONDS)


def _unread(stream: str, error: Exception) -> RuntimeError:
    return RuntimeError(
        f"records of Kinesis stream {stream}, which were received before, cannot be read: {error}"
    )
