"""Keyed state, out of one job and into the next."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from compat.directory import directory

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext
    from pyspark.streaming import DStream as SparkDStream

    from compat.streaming import DStream

_KEPT = 2
"""The last batch that was saved, and the one before: the last may be half written when the job is killed."""
_WHOLE = "_SUCCESS"


class NoStateError(ValueError):
    """No batch was saved whole; the text says where."""


def save_state(stream: DStream[Any] | SparkDStream[Any], path: str) -> None:
    """Keep the last batch of a stream: one line in the old job, before its start.

    Every batch is written to ``path/<batch time in ms>``, by ``RDD.saveAsPickleFile``, and older ones are
    removed. What is written is read by any Python 3 with PySpark.

    Args:
        stream: that of `updateStateByKey`, or any other, of this package or of `pyspark.streaming`.
        path: a directory that drivers and executors reach, of any of Hadoop's file systems; nothing else
            should be in it.
    """
    root = path.rstrip("/")

    def save(time: datetime, rdd: RDD[Any]) -> None:
        rdd.saveAsPickleFile(f"{root}/{round(time.timestamp() * 1000)}")
        place = directory(root)
        for old in _whole(root)[:-_KEPT]:
            place.delete(f"{old}/{_WHOLE}")
            place.delete(old)

    stream.foreachRDD(save)


def load_state(spark_context: SparkContext, path: str) -> RDD[Any]:
    """The last batch that `save_state` kept whole, as `initialRDD` of `updateStateByKey` takes it.

    Native code makes a DataFrame of it: ``load_state(sc, path).toDF("word STRING, count LONG")``.

    Raises:
        NoStateError: there is none.
    """
    whole = _whole(path)
    if not whole:
        raise NoStateError(f"{path} holds no batch that save_state has written to its end")
    return spark_context.pickleFile(f"{path.rstrip('/')}/{whole[-1]}")


def _whole(path: str) -> list[str]:
    """The names of the batches that were written to their end, the oldest first."""
    place = directory(path)
    return sorted(
        (name for name in place.names() if place.has(f"{name}/{_WHOLE}")), key=lambda n: (len(n), n)
    )
