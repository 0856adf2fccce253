"""`pyspark.streaming.flume` as PySpark 2.4 had it last, without its connector: Flume is spoken to in Python.

Needs Avro's library: ``python -m pip install 'dstream-migrate[flume]'``."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pyspark.storagelevel import StorageLevel

from compat import graph
from compat.flume.polling import FlumePollingReceiver
from compat.flume.receiver import FlumeReceiver
from compat.utf8 import utf8_decoder

if TYPE_CHECKING:
    from compat.receivers.receiver import Receiver
    from compat.streaming.context import StreamingContext
    from compat.streaming.dstream import DStream

__all__ = ["FlumeUtils", "utf8_decoder"]

_MOST = 2**31 - 1
"""What an int of Avro can be."""


class FlumeUtils:
    """Streams of Flume's events."""

    @staticmethod
    def createStream(
        ssc: StreamingContext,
        hostname: str,
        port: int,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
        enableDecompression: bool = False,
        bodyDecoder: Callable[[Any], Any] = utf8_decoder,
    ) -> DStream[Any]:
        """Pairs of headers, as a dict, and decoded body of the events that Avro sinks of Flume send here.

        The driver receives them, where Spark chose an executor: `hostname` must be an address of the driver's
        machine, and the agents must reach it. Where it is not, or the port is taken, the log says so, and it
        is tried again after ``spark.streaming.receiverRestartDelay``. On Structured Streaming with a
        checkpoint directory an agent hears that events are stored when they are written there, and none is
        lost in a crash. Else it hears so once they are with the driver, and what was not put out is lost in a
        crash, as in Spark without a write-ahead log. `storageLevel` changes nothing. What is no message of
        Flume, or is larger than 256 MiB, ends its connection. Other connections go on.

        Args:
            ssc: the context.
            hostname: the address to listen at.
            port: the port to listen at.
            storageLevel: is checked and not used.
            enableDecompression: the sinks have ``compression-type = deflate``.
            bodyDecoder: makes of a body's bytes what the stream has; it runs on executors.

        Raises:
            TypeError: an argument is of another type.
            ValueError: the hostname is empty, or there is no such port.
            ImportError: Avro's library is not installed; the text says how to.
        """
        _check_address(hostname, port)
        if not isinstance(enableDecompression, bool):
            raise TypeError(f"enableDecompression should be a bool, not {enableDecompression!r}")
        return _stream(ssc, FlumeReceiver(hostname, port, enableDecompression), storageLevel, bodyDecoder)

    @staticmethod
    def createPollingStream(
        ssc: StreamingContext,
        addresses: Iterable[tuple[str, int]],
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
        maxBatchSize: int = 1000,
        parallelism: int = 5,
        bodyDecoder: Callable[[Any], Any] = utf8_decoder,
    ) -> DStream[Any]:
        """Pairs of headers, as a dict, and decoded body of events that are fetched from agents of Flume.

        The agents run Spark's own sink, ``org.apache.spark.streaming.flume.sink.SparkSink``. The driver asks
        them, where Spark chose an executor; the events of one agent stay in order. A batch is acknowledged
        once it is with the driver, on Structured Streaming with a checkpoint directory once it is written
        there; if it was not stored, the agent is told, and gives it again. Without such a directory what was
        received and not put out is lost in a crash, as it is in Spark without a write-ahead log.
        `storageLevel` changes nothing. An agent that has no batch to give or cannot be reached is asked again
        after a second, and does not keep others from being asked. Where none can be reached, all are tried
        again after ``spark.streaming.receiverRestartDelay``. Spark began only when all could be reached.

        Args:
            ssc: the context.
            addresses: host and port of each sink.
            storageLevel: is checked and not used.
            maxBatchSize: how many events to ask for at once.
            parallelism: how many agents are asked at a time. Each answers one request at a time, as in Spark,
                so more than there are agents change nothing, and fewer wait for agents without events.
            bodyDecoder: makes of a body's bytes what the stream has; it runs on executors.

        Raises:
            TypeError: an argument is of another type.
            ValueError: there is no address, a hostname is empty, there is no such port, or a number is below
                1 or too large for Flume.
            ImportError: Avro's library is not installed; the text says how to.
        """
        places = []
        for address in addresses:
            if not isinstance(address, tuple | list) or len(address) != 2:
                raise TypeError(f"addresses should be pairs of host and port, not {address!r}")
            _check_address(*address)
            places.append((address[0], address[1]))
        if not places:
            raise ValueError("there are no addresses")
        for name, number in (("maxBatchSize", maxBatchSize), ("parallelism", parallelism)):
            if not isinstance(number, int):
                raise TypeError(f"{name} should be an int, not {number!r}")
            if not 1 <= number <= _MOST:
                raise ValueError(f"{name} should be from 1 to {_MOST}, not {number}")
        receiver = FlumePollingReceiver(tuple(places), maxBatchSize, parallelism)
        return _stream(ssc, receiver, storageLevel, bodyDecoder)


def _check_address(hostname: object, port: object) -> None:
    if not isinstance(hostname, str):
        raise TypeError(f"the hostname should be a string, not {hostname!r}")
    if not hostname:
        raise ValueError("the hostname is empty")
    if not isinstance(port, int):
        raise TypeError(f"the port should be an int, not {port!r}")
    if not 0 < port < 65536:
        raise ValueError(f"the port should be from 1 to 65535, not {port}")


def _stream(
    ssc: StreamingContext, receiver: Receiver, storage_level: object, decoder: Callable[[Any], Any]
) -> DStream[Any]:
    if not isinstance(storage_level, StorageLevel):
        raise TypeError("storageLevel must be of type pyspark.StorageLevel")
    if not callable(decoder):
        raise TypeError(f"bodyDecoder should be a function, not {decoder!r}")
    try:
        import avro.ipc  # noqa: F401 - whether it is there
    except ImportError as error:
        raise ImportError(
            "Flume is spoken to with avro: python -m pip install 'dstream-migrate[flume]'"
        ) from error
    node = graph.ReceiverStream(ssc._interval_ms, receiver, identity=f"compat-{uuid.uuid4()}")
    return ssc._add_stream(node).map(lambda event: (event[0], decoder(event[1])))
