"""The DStream of `pyspark.streaming`, as a thin face over a node of the graph."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pyspark.storagelevel import StorageLevel

from compat import graph
from compat.streaming._frames import FramesOut
from compat.streaming._joins import Joins
from compat.streaming._narrow import Narrow
from compat.streaming._operators import T, T_co, milliseconds
from compat.streaming._outputs import Outputs
from compat.streaming._shuffles import Shuffles
from compat.streaming._state import State
from compat.streaming._transforms import Transforms
from compat.streaming._windows import Windows

if TYPE_CHECKING:
    from pyspark.rdd import RDD
    from pyspark.serializers import Serializer

    from compat.graph import Stream
    from compat.streaming.context import StreamingContext

__all__ = ["DStream"]


class DStream(
    Narrow[T_co],
    Shuffles[T_co],
    Joins[T_co],
    State[T_co],
    Windows[T_co],
    Transforms[T_co],
    Outputs[T_co],
    FramesOut[T_co],
):
    """A stream of batches, made by a `StreamingContext` or by an operator on another stream.

    Members, parameters and results are those of `pyspark.streaming.DStream`, and `isinstance` of it holds.

    Args:
        jdstream: not for programs, which get their streams by the ways above: a JavaDStream to wrap.
        ssc: the context that it belongs to.
        jrdd_deserializer: reads its elements.

    Raises:
        NotImplementedError: the context has the engine ``structured``, where there is no JavaDStream.
    """

    def __init__(self, jdstream: Any, ssc: StreamingContext, jrdd_deserializer: Serializer) -> None:
        slide_ms = jdstream.dstream().slideDuration().milliseconds()
        node = graph.JavaDStream(slide_ms, jdstream, jrdd_deserializer)
        ssc._add(node)
        self._begin(ssc, node)

    @classmethod
    def _of(cls, ssc: StreamingContext, node: Stream) -> DStream[Any]:
        made = cls.__new__(cls)
        made._begin(ssc, node)
        return made

    def _begin(self, ssc: StreamingContext, node: Stream) -> None:
        self._ssc = ssc
        self._sc = ssc.sparkContext
        self._node = node
        self.is_cached = False
        self.is_checkpointed = False

    def context(self) -> StreamingContext:  # type: ignore[override]
        """The StreamingContext that this stream belongs to."""
        return self._ssc

    def cache(self) -> DStream[T_co]:
        """Keep each batch in memory for its other readers."""
        return self.persist(StorageLevel.MEMORY_ONLY)

    def persist(self, storageLevel: StorageLevel) -> DStream[T_co]:
        """Keep each batch at `storageLevel` for its other readers.

        Engine ``structured``: the RDD that a callback gets does not tell its storage level.

        Raises:
            TypeError: it is no StorageLevel.
            RuntimeError: the context was started.
        """
        if not isinstance(storageLevel, StorageLevel):
            raise TypeError("storageLevel must be of type pyspark.StorageLevel")
        self._ssc._persist(self._node, storageLevel)
        self.is_cached = True
        return self

    def checkpoint(self, interval: float) -> DStream[T_co]:
        """Write this stream's batches out every `interval` seconds, where the engine needs it.

        Engine ``structured``: only state and windows with an inverse are.

        Raises:
            RuntimeError: the context was started.
        """
        self._ssc._checkpoint(self._node, milliseconds(interval))
        self.is_checkpointed = True
        return self

    def slice(self: DStream[T], begin: datetime | float, end: datetime | float) -> list[RDD[T]]:
        """The batches from `begin` to `end`, both included, as RDDs.

        Engine ``structured``: a batch that is still to come is not there yet, and one that is not remembered
        any more is an error. On RDDs Spark makes either of them now, and takes from a queue what is the turn
        of another batch.

        Args:
            begin: a local datetime, which counts in whole seconds, or seconds since the epoch. It is moved
                back to a time at which this stream has a batch.
            end: the same.

        Raises:
            RuntimeError: the context was not started, or no output reads this stream.
            ValueError: a batch is too old; `StreamingContext.remember` keeps more of them.
        """
        return self._ssc._engine.slice(self._node, _time(begin), _time(end))


def _time(given: datetime | float) -> int:
    # As in PySpark, which leaves out the microseconds of a datetime
    return milliseconds(time.mktime(given.timetuple()) if isinstance(given, datetime) else given)
