"""Operators within a partition."""

from __future__ import annotations

from typing import Any

from pyspark.streaming import DStream

from compat import graph
from compat._rdd.registry import Program, builds


@builds(graph.Map)
def map_(node: graph.Map, program: Program) -> DStream[Any]:
    return program[node.parent].map(node.function, node.preserves_partitioning)


@builds(graph.FlatMap)
def flat_map(node: graph.FlatMap, program: Program) -> DStream[Any]:
    return program[node.parent].flatMap(node.function, node.preserves_partitioning)


@builds(graph.Filter)
def filter_(node: graph.Filter, program: Program) -> DStream[Any]:
    return program[node.parent].filter(node.function)


@builds(graph.MapValues)
def map_values(node: graph.MapValues, program: Program) -> DStream[Any]:
    return program[node.parent].mapValues(node.function)


@builds(graph.FlatMapValues)
def flat_map_values(node: graph.FlatMapValues, program: Program) -> DStream[Any]:
    return program[node.parent].flatMapValues(node.function)


@builds(graph.MapPartitions)
def map_partitions(node: graph.MapPartitions, program: Program) -> DStream[Any]:
    return program[node.parent].mapPartitions(node.function, node.preserves_partitioning)


@builds(graph.MapPartitionsWithIndex)
def map_partitions_with_index(node: graph.MapPartitionsWithIndex, program: Program) -> DStream[Any]:
    return program[node.parent].mapPartitionsWithIndex(node.function, node.preserves_partitioning)


@builds(graph.Glom)
def glom(node: graph.Glom, program: Program) -> DStream[Any]:
    return program[node.parent].glom()
