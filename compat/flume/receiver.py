"""Events that agents of Flume send, as Spark's ``FlumeReceiver`` takes them, on the driver."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from compat.flume.netty import Frames
from compat.receivers.receiver import Receiver, Stopping, Store

_log = logging.getLogger(__name__)
_LOOK_AFTER = 0.2
"""Seconds until who waits for agents looks whether the program ends."""


@dataclass(frozen=True)
class FlumeReceiver(Receiver):
    """Listens for Flume's Avro sinks, and stores pairs of headers and body.

    Args:
        hostname: an address of the driver's machine.
        port: where to listen.
        compressed: the sinks have ``compression-type = deflate``.
    """

    name: ClassVar[str] = "FlumeReceiver"
    hostname: str
    port: int
    compressed: bool

    @property
    def place(self) -> str:
        """Host and port."""
        return f"{self.hostname}:{self.port}"

    def responder(self, take: Callable[[Any], None]) -> Any:
        """Answers an agent's requests, by Avro's library."""
        from compat.flume.rpc import SourceResponder

        return SourceResponder(take)

    def receive(self, store: Store, stopping: Stopping) -> str:
        """See `Receiver`; a thread for each agent."""
        agents: list[threading.Thread] = []
        ending = Stopping()
        with self._listening() as listener, stopping.interrupting(ending.set):
            try:
                while not ending:
                    with contextlib.suppress(TimeoutError):
                        connection, address = listener.accept()
                        work = (connection, f"{address[0]}:{address[1]}", store, stopping, ending)
                        agent = threading.Thread(target=self._serve, args=work, daemon=True)
                        agent.start()
                        agents = [*(other for other in agents if other.is_alive()), agent]
            finally:
                ending.set()
                for agent in agents:
                    agent.join()
        return f"No more events are taken at {self.place}"

    @contextlib.contextmanager
    def _listening(self) -> Iterator[socket.socket]:
        try:
            found = socket.getaddrinfo(self.hostname, self.port, type=socket.SOCK_STREAM)
            # "localhost" may be both, and Java's agents then take the older one.
            family, *_, address = min(found, key=lambda each: each[0] != socket.AF_INET)
            listener = socket.create_server(address[:2], family=family)
        except OSError as error:
            raise ConnectionError(
                f"Flume's events cannot be received at {self.place}: {error.strerror or error}. The driver"
                " receives them, so the hostname must be an address of the driver's machine, with a free port"
            ) from error
        with listener:
            listener.settimeout(_LOOK_AFTER)
            yield listener

    def _serve(
        self, connection: socket.socket, agent: str, store: Store, stopping: Stopping, ending: Stopping
    ) -> None:
        responder = self.responder(store)
        try:
            with connection, ending.interrupting(lambda: interrupt(connection, socket.SHUT_RDWR)):
                frames = Frames(connection, compressed=self.compressed)
                while (request := frames.read()) is not None:
                    serial, message = request
                    answer = responder.respond(message)
                    store.settle()
                    if stopping:
                        return  # some may not have been stored: an agent without an answer sends all again
                    frames.write(serial, answer)
        except Exception as error:  # whatever an agent sends, the others go on
            if not ending:
                _log.warning("%s: the connection of Flume's agent %s is closed: %s", self.place, agent, error)


def interrupt(connection: socket.socket, how: int) -> None:
    """Have those end who wait for a connection."""
    with contextlib.suppress(OSError):
        connection.shutdown(how)
