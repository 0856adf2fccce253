"""Where a StreamingContext gets its data from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.rdd import RDD
from pyspark.storagelevel import StorageLevel

from compat import graph
from compat.receivers.sockets import SocketReceiver

if TYPE_CHECKING:
    from pyspark import SparkContext

    from compat.streaming.dstream import DStream


class Sources:
    """Sources; each has a batch in every batch interval, with or without data."""

    _sc: SparkContext
    _interval_ms: int

    def _add_stream(self, node: graph.Stream) -> DStream[Any]:
        raise NotImplementedError

    def socketTextStream(
        self, hostname: str, port: int, storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2
    ) -> DStream[str]:
        """Lines of UTF-8 text from a TCP server; connects again when the connection ends.

        Engine ``structured``: the driver receives them, and `storageLevel` changes nothing. With a checkpoint
        directory lines are written there every ``spark.streaming.blockInterval``, and a crash loses no more
        than what came since; without one it loses what was not put out, as RDDs do.

        Raises:
            TypeError: the hostname is no string, the port no int, or `storageLevel` no StorageLevel.
            ValueError: there is no such port.
        """
        if hostname is not None and not isinstance(hostname, str):  # None is this host, to Java and Python
            raise TypeError(f"the hostname must be a string, not {hostname!r}")
        if not isinstance(port, int):
            raise TypeError(f"the port must be an int, not {port!r}")
        if not 0 < port < 65536:
            raise ValueError(f"the port must be between 1 and 65535, not {port}")
        if not isinstance(storageLevel, StorageLevel):
            raise TypeError("storageLevel must be of type pyspark.StorageLevel")
        receiver = SocketReceiver(hostname, port)
        return self._add_stream(graph.SocketTextStream(self._interval_ms, receiver, storageLevel))

    def textFileStream(self, directory: str) -> DStream[str]:
        """Lines of the files that appear in `directory` from now on, one partition per file.

        A file belongs to the batch interval that holds its modification time; each name is read once; names
        that start with a dot are ignored. Move files into the directory, so that they are whole when seen.
        While the directory is missing there are warnings, and batches without lines.

        Engine ``rdd``: a file whose name starts with an underscore fails its batch.

        Engine ``structured``: files whose names start with an underscore are ignored.

        Raises:
            TypeError: `directory` is no string.
            ValueError: it is empty.
        """
        return self._add_stream(graph.TextFileStream(self._interval_ms, directory_name(directory)))

    def binaryRecordsStream(self, directory: str, recordLength: int) -> DStream[bytes]:
        """Records of `recordLength` bytes of the files that appear in `directory` from now on.

        Which files those are is as for `textFileStream`. A batch fails with a file that ends within a record.

        Engine ``rdd``: all such streams of a SparkContext have the record length of the last one.

        Raises:
            TypeError: `directory` is no string, or `recordLength` no int.
            ValueError: `directory` is empty, or `recordLength` below 1.
        """
        if not isinstance(recordLength, int):
            raise TypeError(f"recordLength must be an int, not {recordLength!r}")
        if recordLength < 1:
            raise ValueError(f"recordLength must be at least 1, not {recordLength}")
        return self._add_stream(
            graph.BinaryRecordsStream(self._interval_ms, directory_name(directory), recordLength)
        )

    def queueStream(
        self, rdds: Sequence[Any], oneAtATime: bool = True, default: RDD[Any] | Iterable[Any] | None = None
    ) -> DStream[Any]:
        """RDDs, or lists to make them of, one per batch (or all of them in the first one).

        Later changes to the list are not seen. When the queue is exhausted each batch is `default`, or an
        empty one of one partition. A queue cannot be recovered from a checkpoint.

        Raises:
            IndexError: the queue is empty and there is no default.
            TypeError: `rdds`, or an element that is no RDD, is no collection.
        """
        rdds = list(rdds)
        if default and not isinstance(default, RDD):
            default = self._sc.parallelize(default)
        if not rdds and not default:
            raise IndexError("queueStream: the queue is empty and there is no default")
        queue = tuple(rdd if isinstance(rdd, RDD) else self._sc.parallelize(rdd) for rdd in rdds or [[]])
        return self._add_stream(graph.QueueStream(self._interval_ms, queue, oneAtATime, default or None))


def directory_name(directory: str) -> str:
    """The directory, if it may be one.

    Raises:
        TypeError: it is no string.
        ValueError: it is empty, or None.
    """
    if directory is None or directory == "":
        raise ValueError(f"the directory has no name: {directory!r}")
    if not isinstance(directory, str):
        raise TypeError(f"the directory must be a string, not {directory!r}")
    return directory
