"""What every group of operators stands on: a node of the graph, and a way to add the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pyspark.streaming.dstream import DStream as SparkDStream

from compat.graph import Output, Stream

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pyspark import SparkContext

    from compat.streaming.context import StreamingContext
    from compat.streaming.dstream import DStream

    K = TypeVar("K", bound=Hashable)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
V = TypeVar("V")


def milliseconds(seconds: float) -> int:
    """Whole milliseconds, cut off as `pyspark.streaming` cuts them off.

    Raises ValueError for text: a thousand times "2" is a number, too.
    """
    if isinstance(seconds, str):
        raise ValueError(f"invalid literal for a number of seconds: {seconds!r}")
    return int(seconds * 1000)


class Operators(SparkDStream[T_co]):
    """A stream that can grow; derives from PySpark's DStream for `isinstance`, takes no member from it."""

    _ssc: StreamingContext  # type: ignore[assignment]
    _sc: SparkContext
    _node: Stream

    def __getattr__(self, name: str) -> Any:
        if name in ("_jdstream", "_jrdd_deserializer"):
            return getattr(self._ssc._engine.spark_stream(self._node), name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def _slideDuration(self) -> float:  # type: ignore[override]
        return self._node.slide_ms / 1000.0

    def _derive(self, node: Stream) -> DStream[Any]:
        return self._ssc._add_stream(node)

    def _output(self, node: Output) -> None:
        self._ssc._add(node)

    def _partitions(self, asked: int | None) -> int:
        """As many as were asked for, or `SparkContext.defaultParallelism`.

        Raises ValueError for less than one.
        """
        partitions = self._sc.defaultParallelism if asked is None else asked
        if partitions < 1:
            raise ValueError(f"numPartitions must be at least 1, not {partitions}")
        return partitions


def node_of(stream: SparkDStream[Any], context: StreamingContext) -> Stream:
    """The node of a stream that is given as an argument.

    Raises:
        AttributeError: it is no stream of `compat.streaming`.
        ValueError: it belongs to another StreamingContext.
    """
    if not isinstance(stream, Operators):
        kind = f"{type(stream).__module__}.{type(stream).__name__}"
        raise AttributeError(f"expected a DStream of compat.streaming, got {kind}")
    if stream._ssc is not context:
        raise ValueError("the DStreams belong to different StreamingContexts")
    return stream._node
