"""What each batch gets of a stream: for each of its shards what has come since the last batch.

Nobody knows that before it was read: Kinesis does not tell the last sequence number of a shard. So executors
read first, and keep the rows. What they found is the batch's, and can be read again (see `fetching`)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from compat.kinesis.fetching import End, Place, Task
from compat.kinesis.leases import Checkpoint
from compat.kinesis.records import HashRange

if TYPE_CHECKING:
    from compat.kinesis.sharing import Holding, Worker

_log = logging.getLogger(__name__)

_APART_SECONDS = 0.2
"""Between two reads of a shard: Kinesis allows 5 per second."""
_READING = 0.5
"""For which part of the batch interval is read on while there is more: it has to be worked off as well."""


class Range(NamedTuple):
    """What a batch gets of a shard, the last record included. A partition of the batch."""

    shard: str
    first: Place | None
    last: Place | None
    """None: there was no record."""
    records: int
    """How many."""
    hashes: HashRange


class Slice(NamedTuple):
    """What a batch gets, and how far the stream's shards were read then."""

    ranges: list[Range]
    positions: dict[str, Checkpoint]

    @property
    def records(self) -> int:
        """How many there are."""
        return sum(each.records for each in self.ranges)

    @property
    def ended(self) -> set[str]:
        """The shards that were read to their end."""
        return {name for name, position in self.positions.items() if position.ended}

    def by_shard(self) -> dict[str, tuple[Any, ...]]:
        """The ranges for executors, which do not have this class."""
        return {each.shard: tuple(each) for each in self.ranges}


class Outcome(NamedTuple):
    """What an executor has found."""

    shard: str
    first: Place | None
    last: Place | None
    records: int
    end: End


def slice_of(logged: Any) -> Slice:
    """A slice as it was before JSON made lists of it."""
    ranges, positions = logged
    return Slice(
        [
            Range(shard, first and tuple(first), last and tuple(last), records, HashRange(*hashes))
            for shard, first, last, records, hashes in ranges
        ],
        {shard: Checkpoint(*given) for shard, given in positions.items()},
    )


class Read(NamedTuple):
    """What was read for a stream."""

    given: Slice
    rows: Any
    """The rows that executors keep; None: there are none."""


Reading = Callable[[list[list[Task]]], tuple[list[Any], list[Outcome]]]
"""Has executors do the tasks of several streams, a partition for each: the rows of each stream, and what was
found, in the tasks' order."""


class Planner:
    """What the batches of the streams get that share the shards of an application.

    Their shards are read together, whichever stream is asked for first: a program may have a stream for each.

    Args:
        worker: holds the shards.
        streams: how many streams there are.
        interval_ms: the batch interval.
        rate: how many records a stream takes in a second at most; 0: as many as there are.
    """

    def __init__(self, worker: Worker, streams: int, interval_ms: int, rate: int) -> None:
        self.worker = worker
        self._streams = streams
        self._seconds = interval_ms / 1000
        self._limit = rate * self._seconds if rate > 0 else None
        self._read_at = -_APART_SECONDS
        self._waiting: dict[int, Read] = {}
        """What was read for streams, by their numbers, and no batch has got yet."""
        self._ended: set[str] = set()
        """Shards of which a batch has got the end."""
        self._trouble = ""

    def restore(self, given: Slice) -> None:
        """An earlier run has given this to a batch."""
        self.worker.restore(given.positions)
        self._ended |= given.ended

    def next(self, number: int, read: Reading) -> Read:
        """What has come for the stream with this number since its last batch.

        Raises what `read` raises: the next call reads it again.
        """
        if number not in self._waiting:
            self._read([each for each in range(self._streams) if each not in self._waiting], read)
        found = self._waiting.pop(number)
        self._ended |= found.given.ended
        return found

    def take_back(self, number: int, found: Read) -> None:
        """Give to the next batch of the stream what this one has not got after all."""
        self._waiting[number] = found
        self._ended -= found.given.ended

    def _read(self, numbers: list[int], read: Reading) -> None:
        """Read the shards of streams for which nothing waits."""
        taken = {each.shard for waiting in self._waiting.values() for each in waiting.given.ranges}
        free = [holding for holding in self.worker.readable() if holding.shard.name not in taken]
        shares = [free[number :: len(numbers)] for number in range(len(numbers))]
        now = time.monotonic()
        due = now - self._read_at >= _APART_SECONDS
        kept: list[Any] = [None] * len(numbers)
        found: list[Outcome] = []
        if free and due:
            self._read_at = now
            kept, found = read([self._tasks(share) for share in shares])
            self.worker.advance(found)
            self._tell(found)
        by_shard = {outcome.shard: outcome for outcome in found}
        positions = self.worker.positions()
        for number, share, rows in zip(numbers, shares, kept, strict=True):
            own = {holding.shard.name: holding.shard.hashes for holding in share}
            ranges = [Range(*by_shard[name][:4], hashes) for name, hashes in own.items() if name in by_shard]
            # What others have read is written down with their own slices, and may never be.
            known = {name: at for name, at in positions.items() if name in own or name in self._ended}
            self._waiting[number] = Read(Slice(ranges, known), rows)

    def _tasks(self, holdings: list[Holding]) -> list[Task]:
        return [self._task(holding, len(holdings)) for holding in holdings]

    def _task(self, holding: Holding, shards: int) -> Task:
        at = holding.position
        return {
            "shard": holding.shard.name,
            "hashes": (holding.shard.hashes.first, holding.shard.hashes.last),
            "after": at.position,
            "word": at.sequence,
            "since": at.since,
            "iterator": holding.iterator,
            "limit": None if self._limit is None else max(1, int(self._limit / shards)),
            "seconds": self._seconds * _READING,
        }

    def _tell(self, found: list[Outcome]) -> None:
        """Log what keeps shards from being read, once for each kind of trouble."""
        troubles = (one.end["trouble"] for one in found)
        text = next((self.worker.application.told_of(*trouble) for trouble in troubles if trouble), "")
        if text and text != self._trouble:
            _log.warning("%s. The next batch asks again", text)
        self._trouble = text
