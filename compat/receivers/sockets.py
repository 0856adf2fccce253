"""Lines from a TCP server, as Spark's ``SocketReceiver`` takes them."""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass
from typing import ClassVar

from compat.receivers.receiver import Receiver, Stopping, Store
from compat.utf8 import replacing


@dataclass(frozen=True)
class SocketReceiver(Receiver):
    """Stores lines of UTF-8 text."""

    name: ClassVar[str] = "SocketReceiver"
    hostname: str
    port: int

    @property
    def place(self) -> str:
        """Host and port."""
        return f"{self.hostname}:{self.port}"

    def receive(self, store: Store, stopping: Stopping) -> str:
        """See `Receiver`."""
        try:
            connection = socket.create_connection((self.hostname, self.port))
        except OSError as error:
            raise ConnectionError(f"Error connecting to {self.place}") from error

        def interrupt() -> None:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

        try:
            with connection, stopping.interrupting(interrupt):
                lines = connection.makefile("r", encoding="utf-8", errors=replacing(), newline=None)
                with lines:
                    for line in lines:
                        store(line.removesuffix("\n"))
        except OSError as error:
            raise ConnectionError(f"Error receiving data from {self.place}") from error
        return f"Socket data stream had no more data from {self.place}"
