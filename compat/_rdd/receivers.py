"""What receivers on the driver give to each batch. Spark's own, as sockets have, are not among them."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

from pyspark import SparkContext

from compat import graph
from compat._rdd import heartbeat
from compat._rdd.registry import Program, builds
from compat.receivers.reception import Reception, Unheard

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.streaming import DStream


@builds(graph.ReceiverStream)
def receiver_stream(node: graph.ReceiverStream, program: Program) -> DStream[Any]:
    return heartbeat.stream(program, node.identity, functools.partial(Received, node))


def start(program: graph.Graph, run: heartbeat.Run) -> None:
    """Begin to receive, before there are batches."""
    for node in program.nodes:
        if isinstance(node, graph.ReceiverStream):
            run.work(node.identity, functools.partial(Received, node))


class Received:
    """The blocks of a `Reception`.

    Args:
        node: has the receiver.
        run: tells the time.
    """

    def __init__(self, node: graph.ReceiverStream, run: heartbeat.Run) -> None:
        context = SparkContext._active_spark_context
        assert context is not None
        self._context = context
        self._run = run
        self._reception = Reception(node.receiver, context, run.now, Unheard())
        self._reception.start()

    def rdd(self, time: int) -> RDD[Any]:
        """A partition for each block."""
        self._reception.allot(time)
        blocks = self._reception.given(time)
        if self._run.remembers_ms is not None:
            self._reception.forget(range(time - self._run.remembers_ms, sys.maxsize))
        if not blocks:
            return self._context.emptyRDD()
        return self._context.parallelize(blocks, len(blocks)).flatMap(lambda block: block)

    def stop(self) -> None:
        """See `Work`."""
        self._reception.stop()

    def end(self, *, finished: bool) -> None:
        """See `Work`: nothing is held."""
