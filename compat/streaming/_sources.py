"""Where a StreamingContext gets its data from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.rdd import RDD
from pyspark.storagelevel import StorageLevel

from compat import graph
from compat.streaming._missing import not_implemented

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
        """Lines of UTF-8 text from a TCP server; connects again when the connection ends."""
        return self._add_stream(graph.SocketTextStream(self._interval_ms, hostname, port, storageLevel))

    def textFileStream(self, directory: str) -> DStream[str]:
        """Lines of the files that appear in `directory` from now on, one partition per file.

        A file belongs to the batch interval that holds its modification time; each name is read once; names
        that start with a dot are ignored. Move files into the directory, so that they are whole when seen.
        """
        return self._add_stream(graph.TextFileStream(self._interval_ms, directory))

    def queueStream(
        self, rdds: Sequence[Any], oneAtATime: bool = True, default: RDD[Any] | Iterable[Any] | None = None
    ) -> DStream[Any]:
        """RDDs, or lists to make them of, one per batch (or all of them in the first one).

        Later changes to the list are not seen. When the queue is exhausted each batch is `default`, or an
        empty one of one partition. A queue cannot be recovered from a checkpoint.

        Raises:
            IndexError: the queue is empty and there is no default.
        """
        if default and not isinstance(default, RDD):
            default = self._sc.parallelize(default)
        if not rdds and not default:
            raise IndexError("queueStream: the queue is empty and there is no default")
        queue = tuple(rdd if isinstance(rdd, RDD) else self._sc.parallelize(rdd) for rdd in rdds or [[]])
        return self._add_stream(graph.QueueStream(self._interval_ms, queue, oneAtATime, default or None))

    binaryRecordsStream: Any = not_implemented(
        instead="textFileStream, or spark.readStream.format('binaryFile') outside of this StreamingContext."
    )
