"""Operators that bring equal keys together, and those that only move elements."""

from __future__ import annotations

from typing import Any

from pyspark.streaming import DStream

from compat import graph
from compat._rdd.registry import Program, builds


@builds(graph.Count)
def count(node: graph.Count, program: Program) -> DStream[Any]:
    return program[node.parent].count()


@builds(graph.CountByValue)
def count_by_value(node: graph.CountByValue, program: Program) -> DStream[Any]:
    return program[node.parent].countByValue()


@builds(graph.Reduce)
def reduce(node: graph.Reduce, program: Program) -> DStream[Any]:
    return program[node.parent].reduce(node.function)


@builds(graph.ReduceByKey)
def reduce_by_key(node: graph.ReduceByKey, program: Program) -> DStream[Any]:
    return program[node.parent].reduceByKey(node.function, node.num_partitions)


@builds(graph.CombineByKey)
def combine_by_key(node: graph.CombineByKey, program: Program) -> DStream[Any]:
    return program[node.parent].combineByKey(
        node.create_combiner, node.merge_value, node.merge_combiners, node.num_partitions
    )


@builds(graph.GroupByKey)
def group_by_key(node: graph.GroupByKey, program: Program) -> DStream[Any]:
    return program[node.parent].groupByKey(node.num_partitions)


@builds(graph.PartitionBy)
def partition_by(node: graph.PartitionBy, program: Program) -> DStream[Any]:
    return program[node.parent].partitionBy(node.num_partitions, node.function)


@builds(graph.Repartition)
def repartition(node: graph.Repartition, program: Program) -> DStream[Any]:
    return program[node.parent].repartition(node.num_partitions)
