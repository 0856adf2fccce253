"""Operators over the last batches of a stream."""

from __future__ import annotations

from typing import Any

from pyspark.streaming import DStream

from compat import graph
from compat._rdd.registry import Program, builds


@builds(graph.Window)
def window(node: graph.Window, program: Program) -> DStream[Any]:
    return program[node.parent].window(_seconds(node.window_ms), _seconds(node.every_ms))


@builds(graph.ReduceByKeyAndWindow)
def reduce_by_key_and_window(node: graph.ReduceByKeyAndWindow, program: Program) -> DStream[Any]:
    return program[node.parent].reduceByKeyAndWindow(
        node.function,
        node.inverse,
        _seconds(node.window_ms),
        _seconds(node.every_ms),
        node.num_partitions,
        node.filter_function,
    )


def _seconds(milliseconds: int) -> Any:
    # PySpark multiplies by 1000 and cuts off, which turns 569 ms, as 0.569 s, into 568: half a millisecond
    # more is cut off safely. It is annotated as int there, yet any number will do.
    return milliseconds // 1000 if milliseconds % 1000 == 0 else (milliseconds + 0.5) / 1000
