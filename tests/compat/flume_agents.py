"""What agents of Flume do: an Avro sink that sends events, and Spark's sink that is asked for them."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from compat.flume.netty import Frames
from compat.flume.rpc import SINK, SOURCE, Event, NettyRequestor, NettyResponder
from tests.statements import wait_until


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextlib.contextmanager
def connected(port: int) -> Iterator[socket.socket]:
    """A connection, once somebody listens."""
    found: list[socket.socket] = []

    def connects() -> bool:
        with contextlib.suppress(ConnectionRefusedError):
            found.append(socket.create_connection(("127.0.0.1", port)))
        return bool(found)

    wait_until(connects, "a listener")
    with found[0] as connection:
        connection.settimeout(30)
        yield connection


class AvroSink:
    """Sends events to who listens there."""

    def __init__(self, port: int, *, compressed: bool = False, protocol: Any = SOURCE) -> None:
        self._open = contextlib.ExitStack()
        self.connection = self._open.enter_context(connected(port))
        self._requestor = NettyRequestor(protocol, Frames(self.connection, compressed=compressed), str(port))

    def __enter__(self) -> AvroSink:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def append(self, event: Event) -> str:
        return self._requestor.request("append", {"event": _fields(event)})

    def append_batch(self, events: Iterable[Event]) -> str:
        return self._requestor.request("appendBatch", {"events": [_fields(event) for event in events]})


class SparkSink:
    """Gives its events to who asks, as Spark's sink in an agent does; those that are not acknowledged again.

    It is one for one connection at a time.
    """

    def __init__(self, port: int = 0) -> None:
        self.replies: deque[dict[str, Any]] = deque()
        """Batches to give before there are events again."""
        self.asked: list[int] = []
        self.told: list[tuple[str, str]] = []
        self._events: deque[Event] = deque()
        self._given: dict[str, list[Event]] = {}
        self._changed = threading.Condition()
        self._stopped = False
        self._connection: socket.socket | None = None
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def __enter__(self) -> SparkSink:
        return self

    def __exit__(self, *error: object) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self._listener.shutdown(socket.SHUT_RDWR)
        self.disconnect()
        self._thread.join(30)
        self._listener.close()

    def put(self, *events: Event) -> None:
        with self._changed:
            self._events.extend(events)
            self._changed.notify_all()

    def disconnect(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        while not self._stopped:
            with contextlib.suppress(OSError, ValueError):
                self._connection, _ = self._listener.accept()
                with self._connection:
                    frames = Frames(self._connection)
                    responder = _SinkResponder(self)
                    while (request := frames.read()) is not None:
                        frames.write(request[0], responder.respond(request[1]))
            for number in list(self._given):
                self._put_back(number)

    def _give(self, size: int) -> dict[str, Any]:
        with self._changed:
            self.asked.append(size)
            self._changed.wait_for(lambda: self._events or self.replies or self._stopped)
            if self.replies:
                return self.replies.popleft()
            number = f"batch-{len(self.asked)}"
            self._given[number] = [self._events.popleft() for _ in range(min(size, len(self._events)))]
            fields = [_fields(event) for event in self._given[number]]
            return {"errorMsg": "", "sequenceNumber": number, "events": fields}

    def _end(self, how: str, number: str) -> None:
        with self._changed:
            self.told.append((how, number))
            if how == "nack":
                self._put_back(number)
            else:
                self._given.pop(number, None)

    def _put_back(self, number: str) -> None:
        self._events.extendleft(reversed(self._given.pop(number, [])))


class _SinkResponder(NettyResponder):
    def __init__(self, sink: SparkSink) -> None:
        super().__init__(SINK)
        self._sink = sink

    def invoke(self, local_message: Any, request: Any) -> Any:
        if local_message.name == "getEventBatch":
            return self._sink._give(request["n"])
        return self._sink._end(local_message.name, request["sequenceNumber"])


def _fields(event: Event) -> dict[str, Any]:
    headers, body = event
    return {"headers": headers, "body": body}
