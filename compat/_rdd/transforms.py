"""Callbacks from RDD to RDD."""

from __future__ import annotations

from typing import Any

from pyspark.streaming import DStream

from compat import graph
from compat._rdd.kafka import telling_offsets
from compat._rdd.registry import Program, builds


@builds(graph.Transform)
def transform(node: graph.Transform, program: Program) -> DStream[Any]:
    streams = [program[stream] for stream in node.streams]
    if node.as_tuple:
        return program.context.transform(streams, node.function)
    if len(streams) == 1:
        made = streams[0].transform(telling_offsets(node.streams[0], node.function, node.with_time))
        # PySpark melts the next operator into this one, which then fails where `function` returned None
        made.is_cached = True
        return made
    return streams[0].transformWith(node.function, streams[1])
