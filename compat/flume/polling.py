"""Events that are fetched from Spark's sink in agents of Flume, as by Spark's ``FlumePollingReceiver``."""

from __future__ import annotations

import logging
import queue
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from compat.flume.netty import Frames
from compat.flume.receiver import interrupt
from compat.receivers.receiver import Receiver, Stopping, Store

_log = logging.getLogger(__name__)
_CONNECTED_WITHIN = 10.0
_AGAIN_AFTER = 1.0
"""Seconds until an agent is asked again that could not give a batch, while others do."""


@dataclass(frozen=True)
class FlumePollingReceiver(Receiver):
    """Asks agents for batches of events, and stores pairs of headers and body.

    Args:
        addresses: hosts and ports of the sinks.
        max_batch_size: how many events to ask for.
        parallelism: how many agents are asked at a time.
    """

    name: ClassVar[str] = "FlumePollingReceiver"
    addresses: tuple[tuple[str, int], ...]
    max_batch_size: int
    parallelism: int

    @property
    def place(self) -> str:
        """Hosts and ports."""
        return ",".join(f"{host}:{port}" for host, port in self.addresses)

    def requestor(self, frames: Frames, place: str) -> Any:
        """Asks an agent, by Avro's library."""
        from compat.flume.rpc import SINK, NettyRequestor

        return NettyRequestor(SINK, frames, place)

    def receive(self, store: Store, stopping: Stopping) -> str:
        """See `Receiver`; it ends when there is no agent left."""
        polling = _Polling(self, store, stopping)
        with stopping.interrupting(polling.ending.set):
            polling.run()
        if not stopping:
            raise ConnectionError(polling.reason)
        return f"No more events are fetched from {self.place}"


class _Polling:
    """Threads that ask agents in turn. Each agent is with one thread at a time, so its events stay in order.

    Args:
        settings: whom to ask.
        store: takes what they give.
        stopping: tells that it does not any more.
    """

    def __init__(self, settings: FlumePollingReceiver, store: Store, stopping: Stopping) -> None:
        self.ending = Stopping()
        self.reason = ""
        """Why no agent was left."""
        self._lost: dict[_Agent, str] = {}
        self._size = settings.max_batch_size
        self._store = store
        self._stopping = stopping
        self._agents = [_Agent(host, port, settings.requestor) for host, port in settings.addresses]
        self._free: queue.SimpleQueue[_Agent] = queue.SimpleQueue()
        self._threads = min(settings.parallelism, len(self._agents))

    def run(self) -> None:
        """Ask the agents until the program ends or none is left."""
        for agent in self._agents:
            self._free.put(agent)
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self._threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for agent in self._agents:
            agent.close()

    def _work(self) -> None:
        while not self.ending:
            agent = self._free.get()
            if not self.ending.wait(max(0.0, agent.due - time.monotonic())):
                self._ask(agent)
            self._free.put(agent)

    def _ask(self, agent: _Agent) -> None:
        try:
            agent.connect()
            self._lost.pop(agent, None)
            with self.ending.interrupting(agent.interrupt):
                agent.fetch(self._size, self._store, self._stopping)
        except Exception as error:  # whatever an agent sends, the others go on
            if self.ending:
                return
            _log.warning("Flume's agent at %s is asked again, for it gave no batch: %s", agent.place, error)
            agent.due = time.monotonic() + _AGAIN_AFTER
            if not isinstance(error, _NoBatchError):
                agent.close()
                self._lost[agent] = f"Flume's agent at {agent.place}: {error}"
            if len(self._lost) == len(self._agents):
                self.reason = "; ".join(self._lost.values())
                self.ending.set()


class _NoBatchError(Exception):
    """There is a connection, and no batch."""


class _Agent:
    """A sink, and the connection to it."""

    def __init__(self, host: str, port: int, requestor: Callable[[Frames, str], Any]) -> None:
        self.place = f"{host}:{port}"
        self.due = 0.0
        """When to ask it, by the monotonic clock."""
        self._address = (host, port)
        self._connection: socket.socket | None = None
        self._made = requestor
        self._requestor: Any = None

    def connect(self) -> None:
        """Connect, unless there is a connection."""
        if self._connection is None:
            self._connection = socket.create_connection(self._address, timeout=_CONNECTED_WITHIN)
            self._requestor = self._made(Frames(self._connection), self.place)

    def interrupt(self) -> None:
        """Wait no more for the agent; it can still be told that a batch was not stored."""
        if self._connection is not None:
            interrupt(self._connection, socket.SHUT_RD)

    def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            self._connection.close()
            self._connection = self._requestor = None

    def fetch(self, size: int, store: Store, stopping: Stopping) -> None:
        """Wait for a batch, store it, and tell the agent, which then forgets it, or else gives it again.

        Raises:
            _NoBatchError: the agent says that it has none, or it was not stored.
            Exception: what is wrong with the connection.
        """
        batch = self._requestor.request("getEventBatch", {"n": size})
        if batch["errorMsg"]:
            raise _NoBatchError(batch["errorMsg"])
        number = {"sequenceNumber": batch["sequenceNumber"]}
        try:
            for event in batch["events"]:
                store((event["headers"], event["body"]))
            store.settle()
        except Exception as error:
            self._requestor.request("nack", number)
            raise _NoBatchError(f"it could not be stored: {error}") from error
        # What came after the program's end was not stored.
        self._requestor.request("nack" if stopping else "ack", number)
