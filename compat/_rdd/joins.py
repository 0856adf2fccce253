"""Operators on several streams."""

from __future__ import annotations

from functools import reduce
from typing import Any

from pyspark.streaming import DStream

from compat import graph
from compat._rdd.registry import Program, builds


@builds(graph.Union)
def union(node: graph.Union, program: Program) -> DStream[Any]:
    return reduce(_united, (program[stream] for stream in node.streams))


def _united(left: DStream[Any], right: DStream[Any]) -> DStream[Any]:
    # PySpark's union labels its result with the left side's serializer also where the RDDs' union has changed
    # it (a socket's text with pickled elements), and then reads garbage: so both sides are pickled before.
    if left._jrdd_deserializer != right._jrdd_deserializer:
        left, right = left.map(lambda x: x), right.map(lambda x: x)
    return left.union(right)


@builds(graph.Join)
def join(node: graph.Join, program: Program) -> DStream[Any]:
    return program[node.left].join(program[node.right], node.num_partitions)


@builds(graph.LeftOuterJoin)
def left_outer_join(node: graph.LeftOuterJoin, program: Program) -> DStream[Any]:
    return program[node.left].leftOuterJoin(program[node.right], node.num_partitions)


@builds(graph.RightOuterJoin)
def right_outer_join(node: graph.RightOuterJoin, program: Program) -> DStream[Any]:
    return program[node.left].rightOuterJoin(program[node.right], node.num_partitions)


@builds(graph.FullOuterJoin)
def full_outer_join(node: graph.FullOuterJoin, program: Program) -> DStream[Any]:
    return program[node.left].fullOuterJoin(program[node.right], node.num_partitions)


@builds(graph.Cogroup)
def cogroup(node: graph.Cogroup, program: Program) -> DStream[Any]:
    return program[node.left].cogroup(program[node.right], node.num_partitions)
