"""Messages of Kafka as DStreams: a heartbeat, and for each batch a read of the offsets that were logged for
it.

The heartbeat is a stream of files in a directory that stays empty, for that can be checkpointed; the RDDs of
messages take the place of its own. The functions that make them are pickled into the checkpoint with nothing
but the node: what is at work for a stream is found by its identity, and made anew in a recovered run."""

from __future__ import annotations

import getpass
import json
import tempfile
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark import SparkContext
from pyspark.sql import SparkSession

from compat import graph
from compat._rdd.registry import Program, builds
from compat.directory import Directory, directory
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
    def read(time: datetime, _: RDD[Any]) -> RDD[Any]:
        return running().messages(node, siblings).rdd(_milliseconds(time))

    return program.context.textFileStream(heartbeat().as_uri()).transform(read)


def telling_offsets(
    stream: graph.Stream, function: Callable[..., Any], with_time: bool
) -> Callable[..., Any]:
    """A callback of `transform` or `foreachRDD` that gets RDDs with `offsetRanges`, if `stream` is direct."""
    if not isinstance(stream, graph.KafkaDirectStream):
        return function
    identity = stream.identity

    def call(time: datetime, rdd: RDD[Any]) -> Any:
        if not isinstance(rdd, reading.KafkaRDD):
            given = running().of(identity).spans(_milliseconds(time))
            rdd = reading.KafkaRDD(rdd._jrdd, rdd.ctx, rdd._jrdd_deserializer, given)
        return function(time, rdd) if with_time else function(rdd)

    return call


def heartbeat() -> Path:
    """The directory that stays empty."""
    path = Path(tempfile.gettempdir()) / f"compat-heartbeat-{getpass.getuser()}"
    path.mkdir(exist_ok=True)
    return path


def _milliseconds(time: datetime) -> int:
    return round(time.timestamp() * 1000)


class Run:
    """What is at work for the streams of the StreamingContext that runs.

    Args:
        java_context: the JavaStreamingContext.
        checkpoint: the URI of the engine's checkpoint directory; None: there is none.
    """

    def __init__(self, java_context: Any, checkpoint: str | None) -> None:
        self._scheduler = java_context.ssc().scheduler()
        self._checkpoint = checkpoint
        self._messages: dict[str, Messages] = {}
        self._making = threading.Lock()
        self.remembers_ms: int | None = None
        """How long a batch may be asked for again; None: not known yet."""

    def messages(self, node: graph.KafkaStream, siblings: Sequence[graph.KafkaStream]) -> Messages:
        """What is at work for `node`; made when its first batch asks."""
        with self._making:
            if node.identity not in self._messages:
                log = None
                if self._checkpoint is not None:
                    log = directory(f"{self._checkpoint}/kafka/{node.identity}")
                self._messages[node.identity] = Messages(node, siblings, log, self)
            return self._messages[node.identity]

    def of(self, identity: str) -> Messages:
        """What is at work for the stream of that name, which has had a batch."""
        return self._messages[identity]

    def first_pending(self, time: int) -> int:
        """The first batch that is not done, of those before `time`; else `time`."""
        pending = self._scheduler.getPendingTimes()
        times: list[int] = [pending.apply(number).milliseconds() for number in range(pending.size())]
        return min([time, *times])

    def end(self, *, finished: bool) -> None:
        """No batch runs any more; all of them are done if `finished`."""
        for messages in self._messages.values():
            messages.end(finished=finished)
        self._messages.clear()


_run: Run | None = None


def begin(java_context: Any, checkpoint: str | None) -> Run:
    """Take note of the StreamingContext that is about to start: there is one at a time."""
    global _run
    heartbeat()
    _run = Run(java_context, checkpoint)
    return _run


def running() -> Run:
    """What is at work."""
    assert _run is not None, "no StreamingContext was started"
    return _run


class Messages:
    """The spans of offsets that each batch of a stream gets, in ``<checkpoint>/kafka/<stream>/<batch time>``.

    Args:
        node: the stream.
        siblings: the streams that share its consumer group.
        log: where spans are written before they are used; None: nowhere.
        run: tells which batches are done.
    """

    def __init__(
        self, node: graph.KafkaStream, siblings: Sequence[graph.KafkaStream], log: Directory | None, run: Run
    ) -> None:
        context: Any = SparkContext._active_spark_context
        self._node = node
        self._log = log
        self._run = run
        self._brokers = Brokers(context, node.settings)
        self._planner = Planner(node, siblings, self._brokers)
        self._commits = Commits(node.group, self._brokers)
        self._spans: dict[int, list[Span]] = {}
        self._deciding = threading.Lock()
        if log is not None:
            for name in log.names():
                self._spans[int(name)] = spans(json.loads(log.read(name)))
                self._planner.restore(self._spans[int(name)])

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
        with self._deciding:
            if time not in self._spans:
                given = self._planner.next()
                if self._log is not None:
                    self._log.write(str(time), json.dumps(given).encode())
                self._spans[time] = given
                self._settle(self._run.first_pending(time))
            return self._spans[time]

    def _settle(self, time: int) -> None:
        """All batches before `time` are done."""
        self._commit(time)
        if self._run.remembers_ms is None:
            return
        last = max(self._spans)
        for old in [when for when in self._spans if when < time - self._run.remembers_ms and when != last]:
            del self._spans[old]
            if self._log is not None:
                self._log.delete(str(old))

    def _commit(self, before: int) -> None:
        done = [when for when in self._spans if when < before]
        if done:
            self._commits.commit({span.place: span.until for span in self._spans[max(done)]})

    def end(self, *, finished: bool) -> None:
        """See `Run.end`."""
        with self._deciding:
            if finished and self._spans:
                self._commit(max(self._spans) + 1)
            self._brokers.close()
