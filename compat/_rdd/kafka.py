"""Messages of Kafka as DStreams: for each batch a read of the offsets that were logged for it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from pyspark import SparkContext
from pyspark.sql import SparkSession

from compat import graph
from compat._rdd import heartbeat
from compat._rdd.registry import Program, builds
from compat._rdd.slices import Slices
from compat.kafka import reading
from compat.kafka.brokers import Brokers
from compat.kafka.groups import Commits
from compat.kafka.places import Span, spans
from compat.kafka.planning import Planner

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.streaming import DStream


@builds(graph.KafkaDirectStream)
def create_direct_stream(node: graph.KafkaDirectStream, program: Program) -> DStream[Any]:
    return _stream(node, [node], program)


@builds(graph.KafkaReceiverStream)
def create_stream(node: graph.KafkaReceiverStream, program: Program) -> DStream[Any]:
    # The list grows with each stream of the group: it is pickled when all are there.
    siblings = program.groups.setdefault(node.group_key, [])
    siblings.append(node)
    return _stream(node, siblings, program)


def _stream(node: graph.KafkaStream, siblings: Sequence[graph.KafkaStream], program: Program) -> DStream[Any]:
    return heartbeat.stream(program, node.identity, functools.partial(Messages, node, siblings))


def telling_offsets(
    stream: graph.Stream, function: Callable[..., Any], with_time: bool
) -> Callable[..., Any]:
    """Wrap a callback of `transform` or `foreachRDD` in one that takes time and RDD.

    If `stream` is direct, the RDDs that `function` gets have `offsetRanges`.
    """
    identity = stream.identity if isinstance(stream, graph.KafkaDirectStream) else None

    def call(time: datetime, rdd: RDD[Any]) -> Any:
        if identity is not None and not isinstance(rdd, reading.KafkaRDD):
            messages = cast("Messages", heartbeat.running().of(identity))
            given = messages.spans(heartbeat.milliseconds(time))
            rdd = reading.KafkaRDD(rdd._jrdd, rdd.ctx, rdd._jrdd_deserializer, given)
        return function(time, rdd) if with_time else function(rdd)

    return call


class Messages:
    """The spans of offsets that each batch of a stream gets, in ``<checkpoint>/kafka/<stream>/<batch time>``.

    Args:
        node: the stream.
        siblings: the streams that share its consumer group.
        run: tells which batches are done.
    """

    def __init__(
        self, node: graph.KafkaStream, siblings: Sequence[graph.KafkaStream], run: heartbeat.Run
    ) -> None:
        context: Any = SparkContext._active_spark_context
        self._node = node
        self._slices = Slices(run, "kafka", node.identity, spans)
        self._brokers = Brokers(context, node.settings)
        self._planner = Planner(node, siblings, self._brokers)
        self._commits = Commits(node.group, self._brokers)
        for given in self._slices.by_time.values():
            self._planner.restore(given)

    def rdd(self, time: int) -> RDD[Any]:
        """The batch at `time`."""
        node, given = self._node, self.spans(time)
        handler = node.message_handler if isinstance(node, graph.KafkaDirectStream) else None
        if isinstance(node, graph.KafkaReceiverStream):
            given = [span for span in given if span.first < span.until]
        session = SparkSession.builder.getOrCreate()
        decoders = node.key_decoder, node.value_decoder
        return reading.rdd(session, node.settings, node.identity, given, decoders, handler)

    def spans(self, time: int) -> list[Span]:
        """What the batch at `time` gets: what was logged, or all that has come since the last batch."""
        with self._slices.deciding:
            new = time not in self._slices.by_time
            given = self._slices.at(time, self._planner.next, self._planner.take_back)
            if new:
                self._commit(time)
                self._slices.forget(time)
            return given

    def _commit(self, time: int) -> None:
        done = self._slices.done(time)
        if done is not None:
            self._commits.commit({span.place: span.until for span in done})

    def stop(self) -> None:
        """See `Work`: nothing is received."""

    def end(self, *, finished: bool) -> None:
        """See `Work`."""
        with self._slices.deciding:
            if finished and self._slices.by_time:
                self._commit(max(self._slices.by_time) + 1)
            self._brokers.close()
