"""The shards of a stream, and reading one."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from compat.kinesis.leases import LATEST, SHARD_END, TRIM_HORIZON, Checkpoint
from compat.kinesis.records import HashRange, Record, user_records

if TYPE_CHECKING:
    from compat.receivers.receiver import Stopping, Store

_IDLE_SECONDS = 1.0
"""Between two reads of a shard, as in Amazon's client library."""
_BEHIND_SECONDS = 0.2
"""The same, while there is more: Kinesis allows 5 reads per second."""
_AT_ONCE = 10_000
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


class Shard(NamedTuple):
    """A shard, which is closed when it was split or merged."""

    name: str
    parents: tuple[str, ...]
    hashes: HashRange
    is_open: bool


def list_shards(client: Any, stream: str) -> dict[str, Shard]:
    """The shards of a stream that have records still, by their names."""
    found = {}
    asked = {"StreamName": stream}
    while True:
        page = client.list_shards(**asked)
        for shard in page["Shards"]:
            parents = (shard.get("ParentShardId"), shard.get("AdjacentParentShardId"))
            keys = shard["HashKeyRange"]
            found[shard["ShardId"]] = Shard(
                shard["ShardId"],
                tuple(name for name in parents if name),
                HashRange(int(keys["StartingHashKey"]), int(keys["EndingHashKey"])),
                "EndingSequenceNumber" not in shard["SequenceNumberRange"],
            )
        if not page.get("NextToken"):
            return found
        asked = {"NextToken": page["NextToken"]}


def beginnings(
    shards: Mapping[str, Shard], leased: Iterable[str], initial: str
) -> Iterator[tuple[Shard, str]]:
    """The shards that need a lease, and where they begin.

    From TRIM_HORIZON on all are read. From LATEST on those are that are open, and the descendants of such as
    have a lease: these begin with their first record, for what was put into them since belongs to the stream
    that is read.
    """
    known = set(leased)

    @functools.cache
    def descends(name: str) -> bool:
        above = shards[name].parents if name in shards else ()
        return any(parent in known or descends(parent) for parent in above)

    for shard in shards.values():
        if shard.name in known:
            continue
        if initial == TRIM_HORIZON or descends(shard.name):
            yield shard, TRIM_HORIZON
        elif shard.is_open:
            yield shard, LATEST


class Reader:
    """Reads a shard from a checkpoint on. It outlives connections, and one thread at a time reads.

    Args:
        stream: the stream's name.
        shard: the shard.
        start: what was stored already, or the word for where to begin.
    """

    def __init__(self, stream: str, shard: Shard, start: Checkpoint) -> None:
        self.shard = shard
        self.stored = start
        """The last record that was stored, or where to begin; SHARD_END when all were."""
        self.written = start
        """The same, as the table has it."""
        self.due = 0.0
        """When to read again, by `time.monotonic`."""
        self._stream = stream
        self._iterator: str | None = None
        self._since: datetime | None = None
        self._reading = threading.Lock()

    @property
    def ended(self) -> bool:
        """Whether there will be no more records, and all were stored."""
        return self.stored.sequence == SHARD_END

    def read(self, client: Any, store: Store, stopping: Stopping) -> None:
        """Store the next records, if it is time to ask for them."""
        from botocore.exceptions import ClientError

        with self._reading:
            if self.ended or time.monotonic() < self.due:
                return
            try:
                more = self._read(client, store, stopping)
            except ClientError as error:
                code = error.response["Error"]["Code"]
                if code == "ExpiredIteratorException":
                    self._iterator, more = None, True
                elif code in LATER:
                    more = False
                else:
                    raise
            self.due = time.monotonic() + (_BEHIND_SECONDS if more else _IDLE_SECONDS)

    def _read(self, client: Any, store: Store, stopping: Stopping) -> bool:
        """Whether there is more."""
        if self._iterator is None:
            self._iterator = self._begin(client)
        answer = client.get_records(ShardIterator=self._iterator, Limit=_AT_ONCE)
        for record in answer["Records"]:
            if not self._take(record["SequenceNumber"], record["Data"], store, stopping):
                return False
        self._iterator = answer.get("NextShardIterator")
        if self._iterator is None:
            self.stored = Checkpoint(SHARD_END)
        return bool(answer.get("MillisBehindLatest"))

    def _take(self, sequence: str, data: bytes, store: Store, stopping: Stopping) -> bool:
        """Store what is new of a record; False: the program ends."""
        known, number = self.stored.position, int(sequence)
        for sub, content in enumerate(user_records(data, self.shard.hashes)):
            if known is not None and (number, sub) <= known:
                continue
            store(Record(self.shard.name, number, sub, content))
            if stopping:
                # It may have come too late: it is not stored for sure.
                self._iterator = None
                return False
            self.stored = Checkpoint(sequence, sub)
        return True

    def _begin(self, client: Any) -> str:
        """An iterator for what comes after `stored`."""
        where: dict[str, Any]
        if self.stored.position is not None:
            # The last record may be an aggregated one, of which a part was stored.
            where = {
                "ShardIteratorType": "AT_SEQUENCE_NUMBER",
                "StartingSequenceNumber": self.stored.sequence,
            }
        elif self._since is not None:
            where = {"ShardIteratorType": "AT_TIMESTAMP", "Timestamp": self._since}
        else:
            where = {"ShardIteratorType": self.stored.sequence}
        answer = client.get_shard_iterator(StreamName=self._stream, ShardId=self.shard.name, **where)
        if self.stored.sequence == LATEST and self._since is None:
            # An iterator expires. What is put into the shard from now on must not be left out then.
            self._since = parsedate_to_datetime(answer["ResponseMetadata"]["HTTPHeaders"]["date"])
        iterator: str = answer["ShardIterator"]
        return iterator
