"""RDDs behind a shuffle: however many actions read them, Spark computes what comes before it once."""

from __future__ import annotations

from collections.abc import Mapping

from migrate.graph.program import Operation
from migrate.knowledge.rdd import SHUFFLES_ONCE
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage


def shuffled_for(output: Operation, stages: Mapping[Operation, Stage]) -> Operation | None:
    """What holds the RDD behind a shuffle that an output reads.

    Args:
        output: the output.
        stages: what the streams above it are.

    Returns:
        The stream of the variable that is nearest to the shuffle, which other outputs may read as well; the
        output itself, if its RDD is in none; None if there is no such shuffle.
    """
    holder, stream = output, output.parents[0]
    while True:
        stage = stages.get(stream)
        if not isinstance(stage, Rdd):
            return None
        if not (stage.calls or stage.is_made):
            holder = stream
        if stream.operator in SHUFFLES_ONCE:
            return holder
        if len(stream.parents) != 1:
            return None
        (stream,) = stream.parents
