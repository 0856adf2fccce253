"""Which shards a program reads: its streams with the same settings are one worker, as Amazon's client library
calls it, and workers share the shards by leases.

A worker takes leases that nobody holds, or whose holder is silent. It takes none from another that is alive,
and gives up those that another takes from it."""

from __future__ import annotations

import collections
import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compat.kinesis.leases import LATEST, SHARD_END, TRIM_HORIZON, Checkpoint, Lease, LeaseTable
from compat.kinesis.shards import Shard, beginnings, latest, list_shards

if TYPE_CHECKING:
    from compat.kinesis.application import Application
    from compat.kinesis.planning import Outcome

_log = logging.getLogger(__name__)

FAILOVER_SECONDS = 10.0
"""A lease that was not counted up for so long is anybody's."""
_RENEWALS = 3
"""So often within that time a lease is counted up."""
_LIST_SECONDS = 60.0
"""Between two looks at the stream's shards, unless one ends."""
_AGAIN_SECONDS = 2.0
"""After so long a connection that failed is made again."""
_END_SECONDS = 8.0
"""How long the end of a program waits until leases are given back."""


@dataclass
class Holding:
    """A shard that the worker reads."""

    shard: Shard
    position: Checkpoint
    """How far batches have got it."""
    iterator: str | None
    """Kinesis' iterator for what comes next."""
    done: Checkpoint
    """The same, of batches that are done."""
    written: Checkpoint
    """What the table has."""


class Worker:
    """Holds leases for the streams of a program with the same settings, on a thread of its own.

    What batches are done with is written to the table every so often, and at the end, when the leases are
    given back.

    Args:
        application: the settings.
        name: owns leases under this name. A program that goes on under the name of one that crashed has
            the shards of that at once.
    """

    def __init__(self, application: Application, name: str) -> None:
        self.application = application
        self._name = name
        self._holdings: dict[str, Holding] = {}
        self._restored: dict[str, Checkpoint] = {}
        self._streams = 0
        self._changing = threading.Lock()
        self._stopping = threading.Event()
        self._due = threading.Event()
        self._thread: threading.Thread | None = None
        self._seen: dict[str, tuple[Lease, float]] = {}
        self._shards: dict[str, Shard] = {}
        self._list_at = self._tend_at = self._write_at = 0.0
        self._told_of_others = False

    # --- asked by streams ----------------------------------------------------------------------------------

    def restore(self, positions: Mapping[str, Checkpoint]) -> None:
        """Batches of an earlier run have got the shards so far."""
        with self._changing:
            for shard, position in positions.items():
                known = self._restored.get(shard, position)
                self._restored[shard] = max(known, position, key=_order)

    def start(self) -> None:
        """A stream begins. What was restored for all of them is known."""
        with self._changing:
            self._streams += 1
            if self._thread is None:
                name = f"leases of {self.application.name}"
                self._thread = threading.Thread(target=self._work, name=name, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """A stream ends. With the last one the leases are given back."""
        with self._changing:
            self._streams -= 1
            if self._streams > 0 or self._thread is None:
                return
        self._stopping.set()
        self._due.set()
        self._thread.join(_END_SECONDS)

    def readable(self) -> list[Holding]:
        """The shards that may be read now, in their order."""
        with self._changing:
            held = [self._holdings[name] for name in sorted(self._holdings)]
            return [holding for holding in held if not holding.position.ended]

    def positions(self) -> dict[str, Checkpoint]:
        """How far batches have got each shard."""
        with self._changing:
            return {name: holding.position for name, holding in self._holdings.items()}

    def advance(self, found: Iterable[Outcome]) -> None:
        """A batch has got what was found."""
        with self._changing:
            for outcome in found:
                holding = self._holdings.get(outcome.shard)
                if holding is None:
                    continue  # another program has taken it meanwhile
                if outcome.last is not None:
                    holding.position = Checkpoint(str(outcome.last[0]), outcome.last[1])
                holding.iterator = outcome.end["iterator"]
                if outcome.end["ended"]:
                    holding.position = Checkpoint(SHARD_END)
                    self._list_at = self._tend_at = 0.0
                    self._due.set()

    def done(self, positions: Mapping[str, Checkpoint]) -> None:
        """Batches up to these positions are done."""
        with self._changing:
            for name, position in positions.items():
                holding = self._holdings.get(name)
                if holding is not None:
                    holding.done = max(holding.done, position, key=_order)
                    if holding.done.ended:
                        self._write_at = 0.0
                        self._due.set()

    # --- on the worker's thread ----------------------------------------------------------------------------

    def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                self._hold()
            except Exception as error:  # noqa: PERF203 - the connection is made again
                _log.warning("%s. It is asked again", self.application.told(error))
                self._stopping.wait(_AGAIN_SECONDS)

    def _hold(self) -> None:
        """Hold leases for as long as the connection and the program last."""
        with self._connected() as (kinesis, table):
            while not self._stopping.is_set():
                self._tend(kinesis, table)
                self._due.wait(max(0.0, min(self._tend_at, self._write_at) - time.monotonic()))
                self._due.clear()

    @contextmanager
    def _connected(self) -> Iterator[tuple[Any, LeaseTable]]:
        """Clients, and a table that is there; at the program's end leases are given back by them."""
        kinesis, dynamodb = self.application.access.clients()
        try:
            table = LeaseTable(dynamodb, self.application.name, self._name)
            self._shards = list_shards(kinesis, self.application.stream)
            table.make(self._stopping)
            try:
                yield kinesis, table
            finally:
                if self._stopping.is_set():
                    self._end(table)
        finally:
            kinesis.close()
            dynamodb.close()

    def _tend(self, kinesis: Any, table: LeaseTable) -> None:
        """See to leases and checkpoints, if it is time."""
        if time.monotonic() >= self._write_at:
            self._write_at = time.monotonic() + self.application.checkpoint_seconds
            if self._write(table):
                self._tend_at = 0.0
        if time.monotonic() >= self._tend_at:
            self._tend_at = time.monotonic() + FAILOVER_SECONDS / _RENEWALS
            self._see_to_leases(kinesis, table)

    def _see_to_leases(self, kinesis: Any, table: LeaseTable) -> None:
        if time.monotonic() >= self._list_at:
            self._list_at = time.monotonic() + _LIST_SECONDS
            self._shards = list_shards(kinesis, self.application.stream)
        leases = table.leases()
        new = list(beginnings(self._shards, leases, self.application.initial))
        for shard, start in new:
            table.add(shard.name, shard.parents, start)
        if new:
            leases = table.leases()
        self._watch(leases)
        unread = {
            name: lease
            for name, lease in leases.items()
            if name in self._shards and lease.checkpoint.sequence != SHARD_END
        }
        own = {name for name, lease in unread.items() if lease.owner == self._name and table.renew(name)}
        own |= {name for name in self._wanted(unread, len(own)) if table.take(unread[name])}
        self._tell_of_others(unread, own)
        for name in set(self._holdings) - own:
            _log.warning("The lease of %s of %s was lost", name, self.application.place)
            self._drop(name)
        for name in sorted(own - set(self._holdings)):
            if not any(self._is_unread(parent, unread) for parent in self._shards[name].parents):
                self._start(kinesis, unread[name])

    def _is_unread(self, shard: str, unread: Mapping[str, Lease]) -> bool:
        """Whether records of a shard are to come, and before those of the shards that came of it."""
        holding = self._holdings.get(shard)
        return not holding.position.ended if holding is not None else shard in unread

    def _watch(self, leases: Mapping[str, Lease]) -> None:
        """Note since when each lease is as it is."""
        now = time.monotonic()
        for name, lease in leases.items():
            known = self._seen.get(name)
            if known is None or (known[0].owner, known[0].counter) != (lease.owner, lease.counter):
                self._seen[name] = lease, now

    def _wanted(self, unread: Mapping[str, Lease], count: int) -> list[str]:
        """Leases to take: a fair share of those that nobody holds.

        Args:
            unread: the leases of shards with records to come.
            count: how many of them are ours.
        """
        others = {name: lease for name, lease in unread.items() if lease.owner != self._name}
        held = {name: lease.owner for name, lease in others.items() if lease.owner and self._alive(name)}
        load = collections.Counter(held.values())
        share = -(-len(unread) // (len(load) + 1))
        return sorted(set(others) - set(held))[: max(0, share - count)]

    def _alive(self, name: str) -> bool:
        return time.monotonic() - self._seen[name][1] < FAILOVER_SECONDS

    def _tell_of_others(self, unread: Mapping[str, Lease], own: set[str]) -> None:
        alone = bool(unread) and not own
        if alone and not self._told_of_others:
            owners = sorted({lease.owner for lease in unread.values() if lease.owner})
            _log.warning(
                "All shards of %s are held by %s, says the DynamoDB table %s: here they are read after that",
                self.application.place,
                " and ".join(owners) or "nobody yet",
                self.application.name,
            )
        self._told_of_others = alone

    def _start(self, kinesis: Any, lease: Lease) -> None:
        begin = lease.checkpoint
        if begin.position is None and begin.sequence not in (LATEST, TRIM_HORIZON):
            begin = Checkpoint(self.application.initial)
        position = max(begin, self._restored.get(lease.shard, begin), key=_order)
        iterator = None
        if position == Checkpoint(LATEST):
            iterator, since = latest(kinesis, self.application.stream, lease.shard)
            position = Checkpoint(LATEST, since=since)
        with self._changing:
            self._holdings[lease.shard] = Holding(
                self._shards[lease.shard], position, iterator, done=begin, written=begin
            )

    def _drop(self, name: str) -> None:
        with self._changing:
            del self._holdings[name]

    def _write(self, table: LeaseTable) -> bool:
        """Have the table say with what batches are done, and give back shards that are read to their end.

        Returns whether there are any.
        """
        with self._changing:
            now = [(name, holding, holding.done) for name, holding in self._holdings.items()]
        ended = False
        for name, holding, done in now:
            if done.order > holding.written.order and (done.position or done.ended):
                if table.write(name, done):
                    holding.written = done
                if done.ended:
                    table.release(name)
                    self._drop(name)
                    ended = True
        return ended

    def _end(self, table: LeaseTable) -> None:
        try:
            self._write(table)
            for lease in table.leases().values():
                if lease.owner == self._name:
                    table.release(lease.shard)
        except Exception as error:
            _log.warning("How far %s was read is not written: %s", self.application.place, error)


def _order(checkpoint: Checkpoint) -> Any:
    return checkpoint.order
