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
    """Whole milliseconds, cut off as `pyspark.streaming` cuts them off."""
    return int(seconds * 1000)


class Operators(SparkDStream[T_co]):
    """A stream that can grow; derives from PySpark's DStream for `isinstance`, takes no member from it."""

    _ssc: StreamingContext  # type: ignore[assignment]
    _sc: SparkContext
    _node: Stream

    def __getattr__(self, name: str) -> Any:
        if name in ("_jdstream", "_jrdd_deserializer"):
            raise AttributeError(
                f"a DStream of compat.streaming has no {name}: there is no JVM DStream behind it."
                " Code that needs one must stay on pyspark.streaming"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def _slideDuration(self) -> float:  # type: ignore[override]
        return self._node.slide_ms / 1000.0

    def _derive(self, node: Stream) -> DStream[Any]:
        return self._ssc._add_stream(node)

    def _output(self, node: Output) -> None:
        self._ssc._add(node)

    def _partitions(self, asked: int | None) -> int:
        return self._sc.defaultParallelism if asked is None else asked


def node_of(stream: SparkDStream[Any], context: StreamingContext) -> Stream:
    """The node of a stream that is given as an argument.

    Raises:
        TypeError: it is no stream of `compat.streaming`.
        ValueError: it belongs to another StreamingContext.
    """
    if not isinstance(stream, Operators):
        kind = type(stream)
        raise TypeError(f"expected a DStream of compat.streaming, got {kind.__module__}.{kind.__name__}")
    if stream._ssc is not context:
        raise ValueError("the DStreams belong to different StreamingContexts")
    return stream._node
