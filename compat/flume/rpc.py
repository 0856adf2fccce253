"""Flume's two protocols on Avro's own library, which is optional: this module is imported when it is needed.

The library speaks a protocol in which each request has a handshake. On Netty's connections only the first
one has, up to where both sides know each other."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from avro.ipc import Requestor, Responder
from avro.protocol import parse

if TYPE_CHECKING:
    from compat.flume.netty import Frames

Event = tuple[dict[str, str], bytes]
"""Headers and body."""


def _protocol(namespace: str, name: str, types: list[Any], messages: dict[str, Any]) -> Any:
    return parse(json.dumps({"namespace": namespace, "protocol": name, "types": types, "messages": messages}))


def _record(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "record",
        "name": name,
        "fields": [{"name": field, "type": kind} for field, kind in fields.items()],
    }


def _message(response: str, **request: Any) -> dict[str, Any]:
    return {"request": [{"name": name, "type": kind} for name, kind in request.items()], "response": response}


def _array(items: str) -> dict[str, Any]:
    return {"type": "array", "items": items}


_EVENT: dict[str, Any] = {"headers": {"type": "map", "values": "string"}, "body": "bytes"}

SOURCE = _protocol(
    "org.apache.flume.source.avro",
    "AvroSourceProtocol",
    [
        {"type": "enum", "name": "Status", "symbols": ["OK", "FAILED", "UNKNOWN"]},
        _record("AvroFlumeEvent", **_EVENT),
    ],
    {
        "append": _message("Status", event="AvroFlumeEvent"),
        "appendBatch": _message("Status", events=_array("AvroFlumeEvent")),
    },
)
"""What an Avro sink of Flume says to an Avro source."""

SINK = _protocol(
    "org.apache.spark.streaming.flume.sink",
    "SparkFlumeProtocol",
    [
        _record("SparkSinkEvent", **_EVENT),
        _record("EventBatch", errorMsg="string", sequenceNumber="string", events=_array("SparkSinkEvent")),
    ],
    {
        "getEventBatch": _message("EventBatch", n="int"),
        "ack": _message("null", sequenceNumber="string"),
        "nack": _message("null", sequenceNumber="string"),
    },
)
"""What Spark says to its sink in a Flume agent."""


class NettyResponder(Responder):
    """Answers the requests of one connection; what it does not understand, it raises.

    Args:
        protocol: the protocol.
    """

    def __init__(self, protocol: Any) -> None:
        super().__init__(protocol)
        self._remote: Any = None

    def process_handshake(self, decoder: Any, encoder: Any) -> Any:
        """The protocol of the other side; None if it must send that first."""
        if self._remote is None:
            self._remote = super().process_handshake(decoder, encoder)
        return self._remote

    def write_error(self, writers_schema: Any, error_exception: Exception, encoder: Any) -> None:
        """Leave `respond`: the library's own answer could not be read."""
        raise ValueError(str(error_exception))


class SourceResponder(NettyResponder):
    """Takes the events of one connection.

    Args:
        take: takes an event.
    """

    def __init__(self, take: Callable[[Event], None]) -> None:
        super().__init__(SOURCE)
        self._take = take

    def invoke(self, local_message: Any, request: Any) -> str:
        """Take the events; the answer is for all of them."""
        for event in request["events"] if local_message.name == "appendBatch" else [request["event"]]:
            self._take((event["headers"], event["body"]))
        return "OK"


class NettyRequestor(Requestor):
    """Asks what is at the other end of a connection.

    Args:
        protocol: the protocol.
        frames: the connection.
        place: its address.
    """

    def __init__(self, protocol: Any, frames: Frames, place: str) -> None:
        super().__init__(protocol, _Transceiver(frames, place))
        self._agreed = False
        # The library's guess is what another connection to this address has seen, maybe another program.
        self.remote_protocol, self.remote_hash = protocol, protocol.md5

    def write_handshake_request(self, encoder: Any) -> None:
        """Write the handshake, until both sides know each other."""
        if not self._agreed:
            super().write_handshake_request(encoder)

    def read_handshake_response(self, decoder: Any) -> bool:
        """Whether an answer to the request follows."""
        if not self._agreed:
            self._agreed = super().read_handshake_response(decoder)
        return self._agreed


class _Transceiver:
    """Sends the library's requests."""

    def __init__(self, frames: Frames, place: str) -> None:
        self.remote_name = place
        self._frames = frames
        self._serials = itertools.count(1)

    def transceive(self, request: bytes) -> bytes:
        serial = next(self._serials) % 2**31
        self._frames.write(serial, request)
        answer = self._frames.read()
        if answer is None:
            raise ConnectionError("the connection has ended")
        if answer[0] != serial:
            raise ValueError(f"the answer to request {serial} came as one to {answer[0]}")
        return answer[1]
