"""Operators on several streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.streaming.dstream import DStream as SparkDStream

from compat import graph
from compat.streaming._operators import Operators, T, T_co, U, V, node_of

if TYPE_CHECKING:
    from pyspark.resultiterable import ResultIterable

    from compat.streaming._operators import K
    from compat.streaming.dstream import DStream


class Joins(Operators[T_co]):
    """Union, and the joins by key.

    A join slides with this stream; at each of its times `other` is its batch of that same time, or an empty
    one if it has none then. None joins with None.
    """

    def union(self: Joins[T], other: SparkDStream[U]) -> DStream[T | U]:
        """The partitions of this stream, then those of `other`.

        Where `other` has no batch, because its `transform` gave None, it counts as an empty one.

        Engine ``rdd``: where this stream has none, the batch fails.

        Engine ``structured``: where this stream has none, it counts as an empty one too.

        Raises:
            ValueError: the streams have different slides.
        """
        right = node_of(other, self._ssc)
        if self._node.slide_ms != right.slide_ms:
            raise ValueError("the two DStream should have same slide duration")
        return self._derive(graph.Union((self._node, right)))

    def cogroup(
        self: Joins[tuple[K, V]], other: SparkDStream[tuple[K, U]], numPartitions: int | None = None
    ) -> DStream[tuple[K, tuple[ResultIterable[V], ResultIterable[U]]]]:
        """For each key of either side, the values of both sides."""
        return self._paired(graph.Cogroup, other, numPartitions)

    def join(
        self: Joins[tuple[K, V]], other: SparkDStream[tuple[K, U]], numPartitions: int | None = None
    ) -> DStream[tuple[K, tuple[V, U]]]:
        """Every pair of values that have a key in common."""
        return self._paired(graph.Join, other, numPartitions)

    def leftOuterJoin(
        self: Joins[tuple[K, V]], other: SparkDStream[tuple[K, U]], numPartitions: int | None = None
    ) -> DStream[tuple[K, tuple[V, U | None]]]:
        """Like `join`; a key that only this stream has is paired with None."""
        return self._paired(graph.LeftOuterJoin, other, numPartitions)

    def rightOuterJoin(
        self: Joins[tuple[K, V]], other: SparkDStream[tuple[K, U]], numPartitions: int | None = None
    ) -> DStream[tuple[K, tuple[V | None, U]]]:
        """Like `join`; a key that only `other` has is paired with None."""
        return self._paired(graph.RightOuterJoin, other, numPartitions)

    def fullOuterJoin(
        self: Joins[tuple[K, V]], other: SparkDStream[tuple[K, U]], numPartitions: int | None = None
    ) -> DStream[tuple[K, tuple[V | None, U | None]]]:
        """Like `join`; a key that only one side has is paired with None."""
        return self._paired(graph.FullOuterJoin, other, numPartitions)

    def _paired(self, kind: type[graph.Pairing], other: SparkDStream[Any], asked: int | None) -> DStream[Any]:
        return self._derive(kind(self._node, node_of(other, self._ssc), self._partitions(asked)))
