"""Operators within a partition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from compat import graph
from compat.streaming._operators import Operators, T, T_co, U, V

if TYPE_CHECKING:
    from compat.streaming._operators import K
    from compat.streaming.dstream import DStream


class Narrow(Operators[T_co]):
    """`map` and its kin: partition by partition, in order."""

    def map(self: Narrow[T], f: Callable[[T], U], preservesPartitioning: bool = False) -> DStream[U]:
        """Apply `f` to each element."""
        return self._derive(graph.Map(self._node, f, preservesPartitioning))

    def flatMap(
        self: Narrow[T], f: Callable[[T], Iterable[U]], preservesPartitioning: bool = False
    ) -> DStream[U]:
        """Apply `f` to each element; the results' elements become the elements."""
        return self._derive(graph.FlatMap(self._node, f, preservesPartitioning))

    def filter(self: Narrow[T], f: Callable[[T], bool]) -> DStream[T]:
        """Keep the elements for which `f` is true."""
        return self._derive(graph.Filter(self._node, f))

    def mapValues(self: Narrow[tuple[K, V]], f: Callable[[V], U]) -> DStream[tuple[K, U]]:
        """Apply `f` to the value of each pair; keys and partitions stay."""
        return self._derive(graph.MapValues(self._node, f))

    def flatMapValues(self: Narrow[tuple[K, V]], f: Callable[[V], Iterable[U]]) -> DStream[tuple[K, U]]:
        """Apply `f` to the value of each pair and pair the key with every element of the result."""
        return self._derive(graph.FlatMapValues(self._node, f))

    def mapPartitions(
        self: Narrow[T], f: Callable[[Iterable[T]], Iterable[U]], preservesPartitioning: bool = False
    ) -> DStream[U]:
        """Apply `f` to an iterator over each partition, empty partitions included."""
        return self._derive(graph.MapPartitions(self._node, f, preservesPartitioning))

    def mapPartitionsWithIndex(
        self: Narrow[T], f: Callable[[int, Iterable[T]], Iterable[U]], preservesPartitioning: bool = False
    ) -> DStream[U]:
        """Apply `f` to the number of each partition, counted from 0, and an iterator over it."""
        return self._derive(graph.MapPartitionsWithIndex(self._node, f, preservesPartitioning))

    def glom(self: Narrow[T]) -> DStream[list[T]]:
        """Make each partition one list."""
        return self._derive(graph.Glom(self._node))
