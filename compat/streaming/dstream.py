"""The DStream of `pyspark.streaming`, as a thin face over a node of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.storagelevel import StorageLevel

from compat.streaming._joins import Joins
from compat.streaming._missing import not_implemented
from compat.streaming._narrow import Narrow
from compat.streaming._operators import T_co, milliseconds
from compat.streaming._outputs import Outputs
from compat.streaming._shuffles import Shuffles
from compat.streaming._state import State
from compat.streaming._transforms import Transforms
from compat.streaming._windows import Windows

if TYPE_CHECKING:
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
):
    """A stream of batches, made by a `StreamingContext` or by an operator on another stream.

    Members, parameters and results are those of `pyspark.streaming.DStream`, and `isinstance` of it holds.
    """

    def __init__(self, ssc: StreamingContext, node: Stream) -> None:
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
        """Keep each batch at `storageLevel` for its other readers."""
        self.is_cached = True
        self._ssc._persist(self._node, storageLevel)
        return self

    def checkpoint(self, interval: float) -> DStream[T_co]:
        """Write this stream's batches out every `interval` seconds, where the engine needs it."""
        self.is_checkpointed = True
        self._ssc._graph.checkpointed[self._node] = milliseconds(interval)
        return self

    slice: Any = not_implemented(instead="keep what you need of each batch in foreachRDD.")
