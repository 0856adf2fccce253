"""Operators that bring the pairs of a batch to the partitions of their keys."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from compat import graph
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame, Hashed, Part
from compat._structured.batches.registry import evaluates
from compat._structured.batches.unions import union


@evaluates(graph.ReduceByKey)
def reduce_by_key(node: graph.ReduceByKey, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and reduced(run, frame, node.function, run.partitions(node.num_partitions))


@evaluates(graph.CombineByKey)
def combine_by_key(node: graph.CombineByKey, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    if frame is None:
        return None
    out = ("combine", (node.create_combiner, node.merge_value))
    into = ("combine", (node.merge_combiners, run.session.worker_memory_mb))
    return shuffled(run, [frame], Hashed(run.partitions(node.num_partitions)), out, into)


@evaluates(graph.GroupByKey)
def group_by_key(node: graph.GroupByKey, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and grouped(run, [frame], run.partitions(node.num_partitions))


@evaluates(graph.CountByValue)
def count_by_value(node: graph.CountByValue, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and reduced(run, frame.then("paired", 1), operator.add, run.partitions(None))


@evaluates(graph.Count)
def count(node: graph.Count, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and _to_one(run, frame.then("count"), operator.add)


@evaluates(graph.Reduce)
def reduce(node: graph.Reduce, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and _to_one(run, frame, node.function)


@evaluates(graph.PartitionBy)
def partition_by(node: graph.PartitionBy, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    if frame is None:
        return None
    hashed = Hashed(node.num_partitions, node.function, id(node.function))
    return shuffled(run, [frame], hashed, ("none", None), ("none", None))


@evaluates(graph.Repartition)
def repartition(node: graph.Repartition, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    if frame is None:
        return None
    dealt = shuffled(run, [frame], Hashed(node.num_partitions), ("deal", None), ("deal", None))
    return Frame(dealt.parts)


def reduced(run: Evaluation, frame: Frame, function: Callable[[Any, Any], Any], partitions: int) -> Frame:
    """`RDD.reduceByKey`."""
    into = ("combine", (function, run.session.worker_memory_mb))
    return shuffled(run, [frame], Hashed(partitions), ("reduce", function), into)


def grouped(run: Evaluation, frames: list[Frame], partitions: int) -> Frame:
    """`RDD.groupByKey` of the union of the frames."""
    return shuffled(run, frames, Hashed(partitions), ("group", None), ("group", run.session.worker_memory_mb))


def shuffled(
    run: Evaluation, frames: list[Frame], hashed: Hashed, out: tuple[str, Any], into: tuple[str, Any]
) -> Frame:
    """The union of the frames, combined as `out` says, shuffled, and merged as `into` says."""
    parts = tuple(part for frame in frames for part in frame.parts)
    there = all(frame.hashed == hashed for frame in frames if frame.parts)
    whole = Frame(parts, hashed if there else None)
    rows = [whole.scattered(hashed, 0, *out, tasks=run.session.map_tasks)] if parts else []
    return merged(run, rows, hashed, into)


def merged(run: Evaluation, rows: list[DataFrame], hashed: Hashed, into: tuple[str, Any]) -> Frame:
    """What a merge, a name in `merge.MERGES`, makes of scattered rows."""
    if not rows:
        return Frame(run.session.empty(hashed.partitions).parts, hashed)
    data = union(rows).repartition(hashed.partitions, "salt")
    return Frame((Part(data, ("merged", into)),), hashed)


def _to_one(run: Evaluation, frame: Frame, function: Callable[[Any, Any], Any]) -> Frame:
    return Frame(reduced(run, frame.then("keyed", None), function, 1).parts).then("values")
