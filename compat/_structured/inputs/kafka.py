"""Messages of Kafka, read for each batch at the offsets that were logged for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from compat import graph
from compat._structured.batches.frame import Frame, Part
from compat._structured.inputs.sources import Given, Planned
from compat.kafka import messages, reading
from compat.kafka.brokers import Brokers
from compat.kafka.groups import Commits, sharing
from compat.kafka.offsets import OffsetRange
from compat.kafka.places import Span, spans
from compat.kafka.planning import Planner

if TYPE_CHECKING:
    from pyspark import RDD

    from compat._structured.batches.evaluate import Evaluation
    from compat._structured.durable.needed import Needed
    from compat._structured.life.session import Session


class Messages(Planned[list[Span]]):
    """The spans of offsets that each batch gets.

    Args:
        node: the stream.
        session: makes DataFrames of messages.
        nodes: the program, in which other streams may share the consumer group.
    """

    def __init__(self, node: graph.KafkaStream, session: Session, nodes: Iterable[graph.Node]) -> None:
        super().__init__()
        self._node = node
        self._session = session
        self._brokers = Brokers(session.spark_context, node.settings)
        self._planner = Planner(node, sharing(node, nodes), self._brokers)
        self._commits = Commits(node.group, self._brokers)
        self._errors: dict[int, Exception] = {}
        self._columns, read = _reader(node)
        self._reader = ("rows", read)

    def plan(self, time: int) -> list[Span] | None:
        """See `Feed`; what cannot be planned fails the batch that asks for it, and the next to ask tries
        again."""
        try:
            return super().plan(time)
        except Exception as error:
            self._errors[time] = error
            return None

    def next_slice(self, time: int) -> list[Span]:
        """All that has come since the last batch."""
        return self._planner.next()

    def restore(self, time: int, given: Any) -> None:
        """See `Feed`."""
        self.slices[time] = spans(given)
        self._planner.restore(self.slices[time])

    def release(self, time: int) -> bool:
        """See `Feed`."""
        self._errors.pop(time, None)
        self._planner.take_back(self.slices.pop(time, []))
        return True

    def forget(self, needed: Needed) -> None:
        """See `Feed`; the last slice stays, for it says how far the stream was read."""
        last = max(self.slices, default=None)
        kept = self.slices.get(last, []) if last is not None else []
        super().forget(needed)
        if last is not None:
            self.slices[last] = kept

    def expendable(self, time: int) -> int:
        """See `Feed`."""
        return min(time, max(self.slices, default=0) - 1)

    def frame(self, time: int) -> Frame:
        """A partition for each span; of a receiver's only those with messages."""
        if time in self._errors and time not in self.slices:
            raise self._errors.pop(time)
        given: Sequence[Span] = self.slices[time]
        if isinstance(self._node, graph.KafkaReceiverStream):
            given = [span for span in given if span.first < span.until]
        if not given:
            return Frame(())
        node = self._node
        read = reading.frame(self._session.spark, node.settings, node.identity, given)
        sizes = [max(1, span.until - span.first) for span in given]
        return Frame((Part(read.select(*self._columns), self._reader, sizes=sizes),))

    def given(self, time: int) -> Given:
        """The number of messages, and their offsets, as Spark 2.4's direct stream tells them."""
        given = self.slices[time]
        read = [span for span in given if span.first < span.until]
        lines = [f"topic: {s.topic}\tpartition: {s.partition}\toffsets: {s.first} to {s.until}" for s in read]
        told = {"offsets": [OffsetRange(*span) for span in given], "Description": "\n".join(lines)}
        return Given(sum(span.until - span.first for span in given), told)

    def done(self, time: int) -> None:
        """See `Feed`."""
        self._commits.commit(self._planner.position)

    def close(self) -> None:
        """See `Feed`."""
        self._brokers.close()


def rdd_of(stream: graph.Stream, run: Evaluation, time: int, frame: Frame) -> RDD[Any]:
    """The RDD of a batch for a callback; that of a direct stream tells its offsets."""
    rdd: RDD[Any] = run.session.to_rdd(frame)
    feed = run.feeds.get(stream) if isinstance(stream, graph.KafkaDirectStream) else None
    if not isinstance(feed, Messages):
        return rdd
    return reading.KafkaRDD(rdd._jrdd, rdd.ctx, rdd._jrdd_deserializer, feed.slices[time])


def _reader(node: graph.KafkaStream) -> tuple[Sequence[str], Callable[[Any], Iterable[Any]]]:
    """The columns that are needed, and what makes elements of them."""
    decoders = node.key_decoder, node.value_decoder
    if isinstance(node, graph.KafkaDirectStream) and node.message_handler is not None:
        return messages.WHOLE, messages.from_arrow(messages.handler(node.message_handler, *decoders))
    if decoders == (None, None):
        return messages.PAIR, messages.text_from_arrow
    return messages.PAIR, messages.from_arrow(messages.decoder(*decoders))
