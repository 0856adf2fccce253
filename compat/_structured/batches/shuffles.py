"""Operators that bring the pairs of a batch to the partitions of their keys."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from pyspark.sql import DataFrame

from compat import graph
from compat._structured.batches.counting import counted
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame, Hashed, Part, Scattered
from compat._structured.batches.registry import evaluates
from compat._structured.batches.unions import aligned, union


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
    if frame is None:
        return None
    into = ("combine", (operator.add, run.session.worker_memory_mb))
    values = Frame(frame.parts)  # pairs are in the partitions of their keys, and here they are the keys
    return shuffled(run, [values], Hashed(run.partitions(None)), ("count", None), into)


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
    frame, out = counted(frame, function)
    return shuffled(run, [frame], Hashed(partitions), out, into)


def grouped(run: Evaluation, frames: list[Frame], partitions: int) -> Frame:
    """`RDD.groupByKey` of the union of the frames."""
    return shuffled(run, frames, Hashed(partitions), ("group", None), ("group", run.session.worker_memory_mb))


def shuffled(
    run: Evaluation, frames: list[Frame], hashed: Hashed, out: tuple[str, Any], into: tuple[str, Any]
) -> Frame:
    """The union of the frames, combined as `out` says, shuffled, and merged as `into` says."""
    rows = [side.scattered(hashed, 0, *out, tasks=run.session.map_tasks) for side in _sides(frames, hashed)]
    return merged(run, rows, hashed, into)


def merged(run: Evaluation, rows: Sequence[Scattered], hashed: Hashed, into: tuple[str, Any]) -> Frame:
    """What a merge, a name in `stages.MERGES`, makes of pairs; those in place are not shuffled."""
    if not rows:
        return Frame(run.session.empty(hashed.partitions).parts, hashed)
    sides: list[DataFrame] = []
    for (in_place, _), neighbours in groupby(rows, operator.attrgetter("in_place", "kept")):
        found = [side.data for side in neighbours]
        sides += found if in_place else [union(found).repartition(hashed.partitions, run.session.salt)]
    return Frame((Part(aligned(sides, hashed.partitions), ("merged", into)),), hashed)


def _sides(frames: Iterable[Frame], hashed: Hashed) -> Iterator[Frame]:
    """Frames whose pairs are in place, one by one; neighbours of which they are not, as one."""
    there = (frame for frame in frames if frame.parts)
    for in_place, neighbours in groupby(there, lambda frame: frame.hashed == hashed):
        if in_place:
            yield from neighbours
        else:
            yield Frame(tuple(part for frame in neighbours for part in frame.parts))


def _to_one(run: Evaluation, frame: Frame, function: Callable[[Any, Any], Any]) -> Frame:
    return Frame(reduced(run, frame.then("keyed", None), function, 1).parts).then("values")
