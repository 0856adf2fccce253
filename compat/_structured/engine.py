"""The Structured Streaming engine: one streaming query per StreamingContext.

A ``rate-micro-batch`` source is the query's heartbeat: it wakes ``foreachBatch`` in every batch interval,
with or without data. There the graph is run with batch DataFrames (see `running` and `evaluate`). Its sources
are read for each batch time anew, by slices that are logged first."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import uuid
import warnings
from typing import TYPE_CHECKING, Any

from compat import graph
from compat._structured import checkpoint as checkpoints
from compat._structured import (  # noqa: F401  # they register the operators
    joins,
    narrow,
    outputs,
    shuffles,
    state,
    transforms,
    windows,
)
from compat._structured.checkpoint import Saved
from compat._structured.clock import Clock, ManualClock, SystemClock
from compat._structured.directory import Directory, LocalDirectory, directory
from compat._structured.evaluate import Evaluation
from compat._structured.files import TextFiles
from compat._structured.frame import Hashed
from compat._structured.log import BatchLog
from compat._structured.running import Running
from compat._structured.session import Session
from compat._structured.sockets import SocketLines
from compat._structured.sources import Feed, QueueFeed
from compat._structured.versions import Versions, builds_on_itself
from compat.graph import Graph

if TYPE_CHECKING:
    from pyspark import SparkContext

    from compat.graph import Node, Stream

CANCEL_AFTER_SECONDS = 2.0
"""How long `stop` lets a batch go on before it cancels its jobs, as Spark's JobScheduler does."""
ABANDON_AFTER_SECONDS = 10.0
"""How long `stop` then waits for a callback that does not return."""


class StructuredEngine:
    """See `compat.engine.Engine`."""

    def __init__(self, spark_context: SparkContext, interval_ms: int, saved: Saved | None = None) -> None:
        self.spark_context = spark_context
        self.graph = Graph(interval_ms) if saved is None else saved.graph
        self._saved = saved
        self._manual = spark_context.getConf().get("spark.streaming.clock", "").endswith("ManualClock")
        self._clock: Clock = ManualClock() if self._manual else SystemClock()
        self._created_ms = {} if saved is None else dict(saved.created_ms)
        self._directory: Directory | None = None
        self._feeds: dict[graph.Source, Feed] = {}
        self._running: Running | None = None
        self._query: Any = None
        self._stop_once = threading.Lock()
        self._stopping = False

    def declare(self, node: Node) -> None:
        """See `Engine`."""
        if isinstance(node, graph.TextFileStream):
            self._created_ms[node] = self._clock.now()

    def persist(self, stream: Stream, storage_level: Any) -> None:
        """See `Engine`: the graph holds it, which is enough."""

    def checkpoint(self, directory_uri: str) -> None:
        """See `Engine`."""
        self._directory = directory(_own(directory_uri))
        self.spark_context.setCheckpointDir(directory_uri)

    # --- start ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """See `Engine`."""
        if not self.graph.outputs:
            raise ValueError("No output operations registered, so nothing to execute")
        session = Session(self.spark_context)
        at = self._versions_at()
        if self._saved is None:
            self._saved = self._first_start(session, at)
            log, slices = self._log(), {}
        else:
            log = self._log()
            slices = log.restore()
            if isinstance(self._clock, ManualClock):
                self._clock.set(log.last_time or self._saved.zero_ms)
        self._feeds = {source: self._feed(source, session) for source in self.graph.sources}
        for number, given in slices.items():
            for time, value in given.items():
                self._feeds[self.graph.nodes[number]].restore(time, value)  # type: ignore[index]
        zero_ms = self._saved.zero_ms
        versions = Versions(self.graph, session, zero_ms, at)
        evaluation = Evaluation(self.graph, session, zero_ms, self._feeds, versions)
        self._running = Running(evaluation, log, self._clock, waits=self._manual)
        for feed in self._feeds.values():
            feed.start()
        self._query = self._start_query(session, self._running)
        threading.Thread(target=self._watch, name="streaming query", daemon=True).start()

    def _first_start(self, session: Session, at: Directory | None) -> Saved:
        saved = Saved(self.graph, self.spark_context.getConf().getAll(), 0, self._created_ms)
        if self._directory is not None:
            if any(isinstance(node, graph.QueueStream) for node in self.graph.nodes):
                warnings.warn("queueStream doesn't support checkpointing", RuntimeWarning, stacklevel=4)
            checkpoints.pickled(saved)
            for name in (checkpoints.NAME, "batches", "state", "query"):
                self._directory.delete(name)
        versions = Versions(self.graph, session, 0, at)
        for node in self.graph.nodes:
            if isinstance(node, graph.UpdateStateByKey) and node.initial_rdd is not None:
                partitions = node.num_partitions or self.spark_context.defaultParallelism
                versions.write_initial(node, node.initial_rdd, Hashed(partitions))
        # The first batch time is the first multiple of the interval after now.
        now = self._clock.now()
        saved = dataclasses.replace(saved, zero_ms=now - now % self.graph.interval_ms)
        if self._directory is not None:
            self._directory.write(checkpoints.NAME, checkpoints.pickled(saved))
        return saved

    def _versions_at(self) -> Directory | None:
        """Where state is kept: in the checkpoint, or where the SparkContext keeps checkpoints of RDDs."""
        if not any(_needs_checkpoint(node) for node in self.graph.nodes):
            return None
        if self._directory is not None:
            return directory(self._directory.path("state"))
        java: Any = self.spark_context._jsc
        found = java.sc().getCheckpointDir()
        if found.isEmpty():
            raise ValueError(
                "The checkpoint directory has not been set. Please set it by StreamingContext.checkpoint()."
            )
        return directory(f"{found.get()}/structured-{uuid.uuid4()}")

    def _log(self) -> BatchLog:
        own = self._directory
        return BatchLog(None if own is None else directory(own.path("batches")))

    def _feed(self, source: graph.Source, session: Session) -> Feed:
        if isinstance(source, graph.TextFileStream):
            return TextFiles(source, session, self._created_ms[source])
        if isinstance(source, graph.SocketTextStream):
            return SocketLines(source, session, self._clock)
        assert isinstance(source, graph.QueueStream)
        return QueueFeed(source, session)

    def _start_query(self, session: Session, running: Running) -> Any:
        heartbeat = (
            session.spark.readStream.format("rate-micro-batch")
            .option("rowsPerBatch", 1)
            .option("numPartitions", 1)
            .option("startTimestamp", 0)
            .option("advanceMillisPerBatch", self.graph.interval_ms)
            .load()
        )
        trigger = 0 if self._manual else self.graph.interval_ms
        writer = heartbeat.writeStream.trigger(processingTime=f"{trigger} milliseconds")
        if self._directory is not None:
            writer = writer.option("checkpointLocation", self._directory.path("query"))
        session.quick_logs(self._directory is None or isinstance(self._directory, LocalDirectory))
        return writer.foreachBatch(running.micro_batch).start()

    def _watch(self) -> None:
        """Wait for the query's end, which comes by `stop` or by an error of the engine or of Spark."""
        assert self._running is not None
        try:
            self._query.awaitTermination()
        except Exception as error:
            self._running.fail(str(error))
        if not self._stopping:
            self._stop_feeds()
            self._running.end()

    # --- end -----------------------------------------------------------------------------------------------

    def await_termination(self, timeout_ms: int | None) -> bool:
        """See `Engine`."""
        if self._running is None:
            return self._stopping
        return self._running.wait(timeout_ms)

    def stop(self, *, stop_spark_context: bool, gracefully: bool) -> None:
        """See `Engine`. Within a callback it returns at once; the run ends when the callback has returned."""
        running = self._running
        if running is not None and running.in_callback:
            running.stop()
            work = {"stop_spark_context": stop_spark_context, "gracefully": False}
            threading.Thread(target=self.stop, kwargs=work, name="stop").start()
            return
        with self._stop_once:
            if running is not None and not self._stopping:
                self._stopping = True
                self._end(running, gracefully)
            self._stopping = True
            if stop_spark_context:
                self.spark_context.stop()
            if running is not None:
                running.end()

    def _end(self, running: Running, gracefully: bool) -> None:
        if gracefully:
            waiting = self._stop_feeds()
            last = running.next_time()
            if not waiting:
                last -= self.graph.interval_ms
            elif isinstance(self._clock, ManualClock):
                self._clock.set(last)
            running.finish(last)
        running.stop()
        if not running.wait_idle(None if gracefully else CANCEL_AFTER_SECONDS):
            self.spark_context.cancelJobGroup(self._query.runId)
        self._stop_feeds()
        # A callback that does not return would hold up Spark's stop for ever.
        stopping = threading.Thread(target=self._stop_query, name="stop query", daemon=True)
        stopping.start()
        stopping.join(ABANDON_AFTER_SECONDS)

    def _stop_query(self) -> None:
        with contextlib.suppress(Exception):
            self._query.stop()

    def _stop_feeds(self) -> bool:
        """Receive no more; whether something is left that no batch has got."""
        for feed in self._feeds.values():
            feed.stop()
        return any(feed.pending() for feed in self._feeds.values())

    def advance_clock(self, milliseconds: int) -> None:
        """See `Engine`."""
        if not isinstance(self._clock, ManualClock):
            raise RuntimeError("to move the clock by hand set spark.streaming.clock to Spark's ManualClock")
        self._clock.advance(milliseconds)


def create(spark_context: SparkContext, interval_ms: int) -> StructuredEngine:
    """See `EngineModule`."""
    return StructuredEngine(spark_context, interval_ms)


def has_checkpoint(directory_uri: str) -> bool:
    """See `EngineModule`."""
    return checkpoints.exists(directory(_own(directory_uri)))


def recover(directory_uri: str) -> StructuredEngine | None:
    """See `EngineModule`."""
    saved = checkpoints.load(directory(_own(directory_uri)))
    if saved is None:
        return None
    for node in saved.graph.nodes:
        if isinstance(node, graph.SocketTextStream):
            warnings.warn(
                f"The stream from {node.hostname}:{node.port} connects afresh: lines that were received"
                " but not processed are lost",
                RuntimeWarning,
                stacklevel=4,
            )
    engine = StructuredEngine(checkpoints.context(saved), saved.graph.interval_ms, saved)
    engine.checkpoint(directory_uri)
    return engine


def _own(directory_uri: str) -> str:
    return f"{directory_uri.rstrip('/')}/structured"


def _needs_checkpoint(node: Node) -> bool:
    """As for DStreams, an inverse needs one even where the window is too short to be carried on."""
    if isinstance(node, graph.ReduceByKeyAndWindow):
        return node.inverse is not None
    return builds_on_itself(node)
