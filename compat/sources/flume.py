"""The format ``flume``: events of Flume's agents."""

from __future__ import annotations

import sys
from collections.abc import Callable, MutableMapping
from typing import Any

from pyspark import cloudpickle
from pyspark.sql.datasource import DataSource
from pyspark.sql.types import BinaryType, MapType, StringType, StructType

from compat.flume import netty, polling, receiver

try:
    from compat.flume import rpc
except ImportError as error:
    raise ImportError(
        "Flume is spoken to with avro: python -m pip install 'dstream-migrate[flume]'"
    ) from error
from compat.flume.netty import Frames
from compat.flume.polling import FlumePollingReceiver
from compat.flume.receiver import FlumeReceiver
from compat.flume.rpc import SINK, NettyRequestor, SourceResponder
from compat.receivers.receiver import Receiver
from compat.sources.kept import Row
from compat.sources.received import ReceivedStream, positive, required

for _module in (__name__, *(module.__name__ for module in (netty, polling, receiver, rpc))):
    cloudpickle.register_pickle_by_value(sys.modules[_module])

SCHEMA = StructType().add("headers", MapType(StringType(), StringType())).add("body", BinaryType())
MOST = 2**31 - 1
"""What an int of Avro can be."""


class FlumeSource(DataSource):
    """Events as rows of `headers` and `body`.

    With `hostname` and `port` the driver listens there for the Avro sinks of agents. With `addresses` it asks
    agents for events, which have Spark's own sink, ``org.apache.spark.streaming.flume.sink.SparkSink``.

    With the option `directory` an agent hears that events are stored when they are written there, on the
    driver's machine, and none is lost: a query that goes on from its checkpoint has those of its last batch
    again, and then those that no batch had. Each query has a directory of its own. Without it an agent hears
    so once they are with the driver, and what was not put out is lost when that dies. An agent whose answer
    was lost sends its events again, so they may come twice.

    The Python of the workers needs avro on the driver's machine; executors need nothing.

    Options:
        hostname, port: where to listen, an address of the driver's machine.
        compressed: ``true`` if the sinks have ``compression-type = deflate``.
        addresses: those of the sinks to ask, ``host:port,host:port``.
        maxBatchSize: how many events to ask an agent for, 1000 unless it is given.
        parallelism: how many agents are asked at a time, 5 unless it is given.
        maxRecordsPerTrigger: how many events a batch gets at most.
        directory: see above.
    """

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._settings = {name.lower(): value for name, value in options.items()}
        _receiver(self._settings)
        positive(self._settings, "maxRecordsPerTrigger")

    @classmethod
    def name(cls) -> str:
        """What the format is called."""
        return "flume"

    def schema(self) -> StructType:
        """Headers, and the bytes of the body."""
        return SCHEMA

    def streamReader(self, schema: StructType) -> FlumeStream:
        """See `DataSource`.

        Raises:
            ValueError: the schema is another one.
        """
        columns = [[(field.name, field.dataType) for field in one] for one in (schema, SCHEMA)]
        if columns[0] != columns[1]:
            shown = [one.simpleString() for one in (SCHEMA, schema)]
            raise ValueError(f"events of Flume are {shown[0]}, not {shown[1]}")
        return FlumeStream(self._settings)


class FlumeStream(ReceivedStream):
    """The stream of some agents."""

    def __init__(self, settings: dict[str, str]) -> None:
        super().__init__(settings)
        self._settings = settings

    def receiver(self) -> Receiver:
        """Receives headers and bodies."""
        return _receiver(self._settings)

    def row(self, element: Any) -> Row:
        """Headers and body."""
        headers, body = element
        return (headers, body)


class _Listening(FlumeReceiver):
    """Needs no import where it runs."""

    def responder(self, take: Callable[[Any], None]) -> Any:
        return SourceResponder(take)


class _Asking(FlumePollingReceiver):
    """Needs no import where it runs."""

    def requestor(self, frames: Frames, place: str) -> Any:
        return NettyRequestor(SINK, frames, place)


def _receiver(settings: dict[str, str]) -> Receiver:
    """What receives, by the options.

    Raises:
        ValueError: an option is missing, or none.
    """
    if "addresses" not in settings:
        hostname = required(settings, "hostname", "the address to listen at, or `addresses`: agents to ask")
        port = _port(required(settings, "port", "where to listen"))
        compressed = settings.get("compressed", "false").lower()
        if compressed not in ("true", "false"):
            raise ValueError(f"compressed must be true or false, not {compressed!r}")
        return _Listening(hostname, port, compressed == "true")
    if "hostname" in settings or "port" in settings:
        raise ValueError("there are `addresses` of agents to ask, and one to listen at: a query has either")
    addresses = []
    for address in settings["addresses"].split(","):
        hostname, colon, port_text = address.strip().rpartition(":")
        if not hostname or not colon:
            raise ValueError(f"addresses must be host:port,host:port, not {settings['addresses']!r}")
        addresses.append((hostname, _port(port_text)))
    size = positive(settings, "maxBatchSize") or 1000
    if size > MOST:
        raise ValueError(f"maxBatchSize must be at most {MOST}")
    return _Asking(tuple(addresses), size, positive(settings, "parallelism") or 5)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise ValueError(f"the port must be from 1 to 65535, not {text!r}")
    return int(text)
