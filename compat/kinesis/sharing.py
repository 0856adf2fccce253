"""Who reads which shards: the receivers of a program are one worker, as Amazon's client library calls it, and
workers share the shards by leases."""

from __future__ import annotations

import collections
import logging
import random
import socket
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from compat.kinesis.leases import LATEST, SHARD_END, TRIM_HORIZON, Checkpoint, Lease, LeaseTable
from compat.kinesis.shards import Reader, Shard, beginnings, list_shards

if TYPE_CHECKING:
    from compat.receivers.kinesis import KinesisReceiver
    from compat.receivers.receiver import Stopping, Store

_log = logging.getLogger(__name__)

FAILOVER_SECONDS = 10.0
"""A lease that was not counted up for so long is anybody's."""
_RENEWALS = 3
"""So often within that time a lease is counted up."""
_LIST_SECONDS = 60.0
"""Between two looks at the stream's shards, unless one ends."""


class Worker:
    """Holds leases, and the readers of their shards, for receivers with the same settings.

    Readers stay when connections fail: the next one goes on where the last one was.

    Args:
        settings: those of its receivers.
    """

    def __init__(self, settings: KinesisReceiver) -> None:
        self._settings = settings
        self._name = f"{socket.gethostname()}:{uuid.uuid4()}"
        self._readers: dict[str, Reader] = {}
        self._members: list[object] = []
        self._stores: set[Store] = set()
        """Of all receivers that there were, for one may have read what another one's checkpoint tells of."""
        self._changing = threading.Lock()
        self._tending = threading.Lock()
        self._seen: dict[str, tuple[Lease, float]] = {}
        self._shards: dict[str, Shard] = {}
        self._list_at = self._tend_at = self._write_at = self._steal_at = 0.0
        self._table_made = False

    @contextmanager
    def joined(self, store: Store, stopping: Stopping) -> Iterator[Member]:
        """A member for a receiver, for as long as it is connected.

        When the program ends, the last one writes how far all shards were read, and gives the leases back.
        """
        kinesis, dynamodb = self._settings.access.clients()
        table = LeaseTable(dynamodb, self._settings.application, self._name)
        member = Member(self, kinesis, table)
        try:
            with self._changing:
                self._table_made &= bool(self._members)
                self._members.append(member)
                self._stores.add(store)
            try:
                yield member
            finally:
                with self._changing:
                    self._members.remove(member)
                    last = not self._members
                if last and stopping:
                    self._end(table)
        finally:
            kinesis.close()
            dynamodb.close()

    def tend(self, kinesis: Any, table: LeaseTable, stopping: Stopping) -> None:
        """See to leases and checkpoints, if it is time and no other member does."""
        if not self._tending.acquire(blocking=False):
            return
        try:
            if not self._table_made:
                self._shards = list_shards(kinesis, self._settings.stream)
                table.make(stopping)
                self._table_made = True
            if stopping:
                return
            ended = [name for name, reader in self._readers.items() if reader.ended]
            if ended or time.monotonic() >= self._write_at:
                self._write(table)
                self._write_at = time.monotonic() + self._settings.checkpoint_seconds
            if ended:
                self._list_at = 0.0
                for name in ended:
                    table.release(name)
                    self._drop(name)
            if ended or time.monotonic() >= self._tend_at:
                self._see_to_leases(kinesis, table)
                self._tend_at = time.monotonic() + FAILOVER_SECONDS / _RENEWALS
        finally:
            self._tending.release()

    def readers(self, member: Member) -> list[Reader]:
        """The readers that are this member's."""
        with self._changing:
            ours = [self._readers[name] for name in sorted(self._readers)]
            return ours[self._members.index(member) :: len(self._members)]

    def _see_to_leases(self, kinesis: Any, table: LeaseTable) -> None:
        if time.monotonic() >= self._list_at:
            self._shards = list_shards(kinesis, self._settings.stream)
            self._list_at = time.monotonic() + _LIST_SECONDS
        leases = table.leases()
        new = list(beginnings(self._shards, leases, self._settings.initial))
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
        for name in set(self._readers) - own:
            _log.warning("The lease of %s of Kinesis stream %s was lost", name, self._settings.stream)
            self._drop(name)
        for name in own - set(self._readers):
            if not any(parent in unread for parent in self._shards[name].parents):
                self._start(unread[name])

    def _watch(self, leases: Mapping[str, Lease]) -> None:
        """Note since when each lease is as it is."""
        now = time.monotonic()
        for name, lease in leases.items():
            known = self._seen.get(name)
            if known is None or (known[0].owner, known[0].counter) != (lease.owner, lease.counter):
                self._seen[name] = lease, now

    def _wanted(self, unread: Mapping[str, Lease], count: int) -> list[str]:
        """Leases to take: a fair share of those that nobody holds, else one of the worker with the most.

        Args:
            unread: the leases of shards with records to come.
            count: how many of them are ours.
        """
        others = {name: lease for name, lease in unread.items() if lease.owner != self._name}
        held = {name: lease.owner for name, lease in others.items() if lease.owner and self._alive(name)}
        free = sorted(set(others) - set(held))
        load = collections.Counter(held.values())
        share = -(-len(unread) // (len(load) + 1))
        if free:
            return free[: max(0, share - count)]
        if not load or time.monotonic() < self._steal_at:
            return []
        busiest, most = load.most_common(1)[0]
        if most <= count + 1:
            return []
        self._steal_at = time.monotonic() + 2 * FAILOVER_SECONDS
        return [random.choice([name for name, owner in held.items() if owner == busiest])]

    def _alive(self, name: str) -> bool:
        return time.monotonic() - self._seen[name][1] < FAILOVER_SECONDS

    def _start(self, lease: Lease) -> None:
        start = lease.checkpoint
        if start.position is None and start.sequence not in (LATEST, TRIM_HORIZON):
            start = Checkpoint(self._settings.initial)
        with self._changing:
            self._readers[lease.shard] = Reader(self._settings.stream, self._shards[lease.shard], start)

    def _drop(self, name: str) -> None:
        with self._changing:
            del self._readers[name]

    def _write(self, table: LeaseTable) -> None:
        """Have the table say how far the shards were read, once what was read is written down."""
        with self._changing:
            now = [(name, reader, reader.stored) for name, reader in self._readers.items()]
            stores = list(self._stores)
        read = [(name, reader, stored) for name, reader, stored in now if stored != reader.written]
        for store in stores if read else ():
            store.settle()
        for name, reader, stored in read:
            if table.write(name, stored):
                reader.written = stored

    def _end(self, table: LeaseTable) -> None:
        from botocore.exceptions import BotoCoreError, ClientError

        with _workers_changing:
            _workers.pop(self._settings, None)
        try:
            self._write(table)
            for lease in table.leases().values() if self._table_made else ():
                if lease.owner == self._name:
                    table.release(lease.shard)
        except (BotoCoreError, ClientError) as error:
            _log.warning(
                "How far Kinesis stream %s was read is not written: %s", self._settings.stream, error
            )


class Member:
    """A connected receiver's part in a `Worker`."""

    def __init__(self, worker: Worker, kinesis: Any, table: LeaseTable) -> None:
        self._worker = worker
        self._kinesis = kinesis
        self._table = table

    def work(self, store: Store, stopping: Stopping) -> None:
        """Read what is there, and wait until there may be more."""
        self._worker.tend(self._kinesis, self._table, stopping)
        for reader in self._worker.readers(self):
            if stopping:
                return
            reader.read(self._kinesis, store, stopping)
        due = [reader.due for reader in self._worker.readers(self) if not reader.ended]
        stopping.wait(max(0.0, min([_LOOK_SECONDS, *(at - time.monotonic() for at in due)])))


_LOOK_SECONDS = 0.2
"""The longest that nobody looks whether there is something to do."""
_workers: dict[KinesisReceiver, Worker] = {}
_workers_changing = threading.Lock()


def worker_of(settings: KinesisReceiver) -> Worker:
    """The worker of all receivers with these settings in this process."""
    with _workers_changing:
        return _workers.setdefault(settings, Worker(settings))
