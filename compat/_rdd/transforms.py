"""Callbacks from RDD to RDD."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark import RDD
from pyspark.streaming import DStream

from compat import graph
from compat._rdd.kafka import telling_offsets
from compat._rdd.registry import Program, builds
from compat.pickled import pickled


@builds(graph.Transform)
def transform(node: graph.Transform, program: Program) -> DStream[Any]:
    streams = [program[stream] for stream in node.streams]
    function = _giving_pickled(node.function)
    if node.as_tuple:
        return program.context.transform(streams, lambda rdds: function(rdds))
    if len(streams) == 1:
        made = streams[0].transform(telling_offsets(node.streams[0], function, node.with_time))
        # PySpark melts the next operator into this one, which then fails where `function` returned None
        made.is_cached = True
        return made
    of_two = (lambda time, a, b: function(time, a, b)) if node.with_time else (lambda a, b: function(a, b))
    return streams[0].transformWith(of_two, streams[1])


def _giving_pickled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a callback of `transform` so that the elements of its RDD are pickled in lists.

    PySpark assumes that they are. The RDD of a text source has lines of text, and that would do no harm only
    if PySpark melted the next operator into the `transform`.
    """

    def call(*arguments: Any) -> Any:
        made = function(*arguments)
        return pickled(made) if isinstance(made, RDD) else made

    return call
