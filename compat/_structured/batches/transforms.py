"""Callbacks from RDDs to an RDD, on the driver."""

from __future__ import annotations

from datetime import datetime

from compat import graph
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame
from compat._structured.batches.registry import evaluates
from compat._structured.inputs.kafka import rdd_of


@evaluates(graph.Transform)
def transform(node: graph.Transform, run: Evaluation, time: int) -> Frame | None:
    frames = [run.frame(stream, time) for stream in node.streams]
    if node.as_tuple and None in frames:
        raise RuntimeError(f"Couldn't generate RDD from parent at time {time} ms")
    if frames == [None]:
        return None
    rdds = [
        rdd_of(stream, run, time, frame or Frame(()))
        for stream, frame in zip(node.streams, frames, strict=True)
    ]
    arguments = [tuple(rdds)] if node.as_tuple else rdds
    made = node.function(batch_time(time), *arguments) if node.with_time else node.function(*arguments)
    if made:
        return run.session.from_rdd(made)
    if node.as_tuple:
        raise RuntimeError(
            "Transform function must not return null. Return SparkContext.emptyRDD() instead to represent no"
            " element as the result of transformation."
        )
    return None


def batch_time(time: int) -> datetime:
    """A batch time as callbacks get it: naive, local."""
    return datetime.fromtimestamp(time / 1000.0)
