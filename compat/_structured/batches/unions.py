"""The partitions of several DataFrames: one after the other, or those of one place together."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

from pyspark import SparkContext
from pyspark.sql import DataFrame

from compat._structured.batches.java_lists import JavaLists

_FEW = 8
"""Of more, as in a window, Spark would plan each anew in every batch: their RDDs are united instead."""
_rdds: weakref.WeakKeyDictionary[DataFrame, Any] = weakref.WeakKeyDictionary()
_in_place: weakref.WeakKeyDictionary[DataFrame, Any] = weakref.WeakKeyDictionary()


def union(frames: Sequence[DataFrame]) -> DataFrame:
    """All partitions, in the frames' order."""
    return union_of_rdds(frames) if len(frames) > _FEW else union_of_plans(frames)


def union_of_plans(frames: Sequence[DataFrame]) -> DataFrame:
    """The same for streaming DataFrames, too: a balanced tree, for there may be many."""
    if len(frames) == 1:
        return frames[0]
    middle = len(frames) // 2
    return union_of_plans(frames[:middle]).union(union_of_plans(frames[middle:]))


def union_of_rdds(frames: Sequence[DataFrame]) -> DataFrame:
    """A DataFrame whose plan begins with the rows of the others."""
    return _of_columns(frames[0], _java_for(frames[0]).one_after_the_other(map(rows_of, frames)))


def aligned(frames: Sequence[DataFrame], partitions: int) -> DataFrame:
    """The first partitions of all frames as one, in the frames' order, then the second ones and so on.

    Nothing is shuffled. Spark serializes how each partition came to be with every task, back to the last
    shuffle, so who builds on its own result must shuffle it now and then.

    Args:
        frames: they have the same columns.
        partitions: how many each of them has.
    """
    if len(frames) == 1:
        return frames[0]
    rows = (_placed(frame, partitions) for frame in frames)
    return _of_columns(frames[0], _java_for(frames[0]).together(rows))


def rows_of(frame: DataFrame) -> Any:
    """Its rows as an RDD of the JVM; planned once, however many windows the frame is in."""
    if frame not in _rdds:
        _rdds[frame] = java_of(frame).queryExecution().toRdd()
    return _rdds[frame]


def java_of(frame: DataFrame) -> Any:
    """The Dataset."""
    return frame._jdf


def say_how_partitioned(dataset_rdd: Any, partitions: int, identity: int, context: SparkContext) -> None:
    """Set the partitioner of an RDD: Spark unites RDDs that have the same one partition by partition.

    Args:
        dataset_rdd: what ``Dataset.rdd`` of the JVM gave.
        partitions: how many it has.
        identity: tells apart the functions that may have chosen the partition of a key.
        context: the SparkContext.
    """
    java = _java(context)
    java.field_of_mapped.set(dataset_rdd, java.partitioner(partitions, identity))


class _Java:
    """Unions of the JVM's RDDs, of either kind.

    ``SparkContext.union`` would choose the kind by their partitioners, and rows that Spark SQL has shuffled
    have one, too.
    """

    def __init__(self, context: Any) -> None:
        jvm = context._jvm
        self._jvm = jvm
        self._context = context._jsc.sc()
        self._lists = JavaLists(jvm)
        self._tag = jvm.scala.reflect.ClassTag.Any()  # erased: any will do
        self._union = jvm.org.apache.spark.rdd.UnionRDD
        self._aware_union = jvm.org.apache.spark.rdd.PartitionerAwareUnionRDD
        self._field = _field_of(jvm, "RDD")
        self.field_of_mapped = _field_of(jvm, "MapPartitionsRDD")
        self._partitioners: dict[tuple[int, int], Any] = {}

    def one_after_the_other(self, rdds: Iterable[Any]) -> Any:
        """All partitions of the first, then those of the second and so on."""
        return self._union(self._context, self._sequence(rdds), self._tag)

    def together(self, rdds: Iterable[Any]) -> Any:
        """The first partitions of all, then the second ones and so on; all are `partitioned` alike."""
        return self._aware_union(self._context, self._sequence(rdds), self._tag)

    def _sequence(self, rdds: Iterable[Any]) -> Any:
        items = [*rdds]
        return self._jvm.PythonUtils.toSeq(self._lists.of(items) if len(items) > _FEW else items)

    def partitioned(self, rdd: Any, partitions: int) -> Any:
        """The same RDD with a partitioner."""
        said = self.one_after_the_other([rdd])
        self._field.set(said, self.partitioner(partitions, 0))
        return said

    def partitioner(self, partitions: int, identity: int) -> Any:
        """One of Spark's, as an Option; equal for equal arguments."""
        if (partitions, identity) not in self._partitioners:
            made = self._jvm.PythonPartitioner(partitions, identity)
            self._partitioners[partitions, identity] = self._jvm.scala.Option.apply(made)
        return self._partitioners[partitions, identity]


def _field_of(jvm: Any, name: str) -> Any:
    """The field of a class of RDDs that says how it is partitioned. Spark has no call for that."""
    loader = jvm.Thread.currentThread().getContextClassLoader()
    field = loader.loadClass(f"org.apache.spark.rdd.{name}").getDeclaredField("partitioner")
    field.setAccessible(True)
    return field


@functools.lru_cache(maxsize=1)
def _java(context: SparkContext) -> _Java:
    return _Java(context)


def _placed(frame: DataFrame, partitions: int) -> Any:
    if frame not in _in_place:
        _in_place[frame] = _java_for(frame).partitioned(rows_of(frame), partitions)
    return _in_place[frame]


def _java_for(frame: DataFrame) -> _Java:
    return _java(frame.sparkSession.sparkContext)


def _of_columns(frame: DataFrame, rows: Any) -> DataFrame:
    session, columns = frame.sparkSession, java_of(frame).schema()
    return DataFrame(session._jsparkSession.internalCreateDataFrame(rows, columns, False), session)
