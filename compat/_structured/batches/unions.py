"""The partitions of several DataFrames, one after the other."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame

_FEW = 8
"""Of more, as in a window, Spark would plan each anew in every batch: their RDDs are united instead."""
_rdds: weakref.WeakKeyDictionary[DataFrame, Any] = weakref.WeakKeyDictionary()


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
    session, columns = frames[0].sparkSession, java_of(frames[0]).schema()
    context: Any = session.sparkContext
    jvm = context._jvm
    rows = [rows_of(frame) for frame in frames]
    tag = jvm.scala.reflect.ClassTag.apply(rows[0].getClass())  # erased: any will do
    united = context._jsc.sc().union(jvm.PythonUtils.toSeq(rows), tag)
    return DataFrame(session._jsparkSession.internalCreateDataFrame(united, columns, False), session)


def rows_of(frame: DataFrame) -> Any:
    """Its rows as an RDD of the JVM; planned once, however many windows the frame is in."""
    if frame not in _rdds:
        _rdds[frame] = java_of(frame).queryExecution().toRdd()
    return _rdds[frame]


def java_of(frame: DataFrame) -> Any:
    """The Dataset."""
    return frame._jdf
