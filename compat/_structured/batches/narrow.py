"""Operators within a partition: steps that fuse into one pass over it."""

from __future__ import annotations

from compat import graph
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame
from compat._structured.batches.registry import evaluates


@evaluates(graph.Map)
def map_(node: graph.Map, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and frame.then("map", node.function, claimed=node.preserves_partitioning)


@evaluates(graph.FlatMap)
def flat_map(node: graph.FlatMap, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and frame.then("flat_map", node.function, claimed=node.preserves_partitioning)


@evaluates(graph.Filter)
def filter_(node: graph.Filter, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and frame.then("filter", node.function, keys_stay=True)


@evaluates(graph.MapValues)
def map_values(node: graph.MapValues, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and frame.then("map_values", node.function, keys_stay=True)


@evaluates(graph.FlatMapValues)
def flat_map_values(node: graph.FlatMapValues, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and frame.then("flat_map_values", node.function, keys_stay=True)


@evaluates(graph.MapPartitions)
def map_partitions(node: graph.MapPartitions, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and frame.then("map_partitions", node.function, claimed=node.preserves_partitioning)


@evaluates(graph.MapPartitionsWithIndex)
def map_partitions_with_index(node: graph.MapPartitionsWithIndex, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and frame.indexed(node.function, claimed=node.preserves_partitioning)


@evaluates(graph.Glom)
def glom(node: graph.Glom, run: Evaluation, time: int) -> Frame | None:
    frame = run.frame(node.parent, time)
    return frame and frame.then("glom")
