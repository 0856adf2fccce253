"""Operators that bring equal keys together, within one batch.

Without a number the result has `SparkContext.defaultParallelism` partitions, filled by `portable_hash`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pyspark.rdd import portable_hash

from compat import graph
from compat.streaming._operators import Operators, T, T_co, U, V

if TYPE_CHECKING:
    from compat.streaming._operators import K
    from compat.streaming.dstream import DStream


class Shuffles(Operators[T_co]):
    """Per-batch aggregation, and the operators that only move elements."""

    def count(self) -> DStream[int]:
        """Count the elements of each batch: one element, none where the batch has no partition."""
        return self._derive(graph.Count(self._node))

    def countByValue(self: Shuffles[K]) -> DStream[tuple[K, int]]:
        """Pair each distinct element of a batch with how often it is there."""
        return self._derive(graph.CountByValue(self._node))

    def reduce(self: Shuffles[T], func: Callable[[T, T], T]) -> DStream[T]:
        """Reduce each batch to one element; an empty batch stays empty."""
        return self._derive(graph.Reduce(self._node, func))

    def reduceByKey(
        self: Shuffles[tuple[K, V]], func: Callable[[V, V], V], numPartitions: int | None = None
    ) -> DStream[tuple[K, V]]:
        """Reduce the values of each key of a batch."""
        return self._derive(graph.ReduceByKey(self._node, func, self._partitions(numPartitions)))

    def combineByKey(
        self: Shuffles[tuple[K, V]],
        createCombiner: Callable[[V], U],
        mergeValue: Callable[[U, V], U],
        mergeCombiners: Callable[[U, U], U],
        numPartitions: int | None = None,
    ) -> DStream[tuple[K, U]]:
        """Aggregate the values of each key of a batch into a value of another kind."""
        partitions = self._partitions(numPartitions)
        return self._derive(
            graph.CombineByKey(self._node, createCombiner, mergeValue, mergeCombiners, partitions)
        )

    def groupByKey(
        self: Shuffles[tuple[K, V]], numPartitions: int | None = None
    ) -> DStream[tuple[K, Iterable[V]]]:
        """Pair each key of a batch with a `ResultIterable` of its values."""
        return self._derive(graph.GroupByKey(self._node, self._partitions(numPartitions)))

    def partitionBy(
        self: Shuffles[tuple[K, V]],
        numPartitions: int,
        partitionFunc: Callable[[K], int] = portable_hash,
    ) -> DStream[tuple[K, V]]:
        """Move each pair to the partition that `partitionFunc` of its key, modulo `numPartitions`, names."""
        return self._derive(graph.PartitionBy(self._node, self._partitions(numPartitions), partitionFunc))

    def repartition(self: Shuffles[T], numPartitions: int) -> DStream[T]:
        """Spread each batch over `numPartitions` partitions; which element goes where is not promised."""
        return self._derive(graph.Repartition(self._node, self._partitions(numPartitions)))
