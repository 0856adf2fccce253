"""The Structured Streaming engine: one streaming query per StreamingContext.

A ``rate-micro-batch`` source is the query's heartbeat: it wakes ``foreachBatch`` in every batch interval,
with or without data. There the graph is run with batch DataFrames (see `running` and `evaluate`). Its sources
are read for each batch time anew, by slices that are logged first."""

from __future__ import annotations

import threading
import uuid
import warnings
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession

from compat import credentials, graph
from compat._structured.batches import (  # noqa: F401  # they register the operators
    joins,
    narrow,
    outputs,
    shuffles,
    state,
    transforms,
    windows,
)
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Hashed
from compat._structured.batches.unbounded import Unbounded
from compat._structured.durable import checkpoint as checkpoints
from compat._structured.durable.checkpoint import Saved
from compat._structured.durable.log import BatchLog
from compat._structured.durable.ownership import Ownership
from compat._structured.durable.versions import Versions
from compat._structured.inputs.feeds import Feeds
from compat._structured.inputs.intake import Intake
from compat._structured.life.checks import check
from compat._structured.life.clock import Clock, ManualClock, SystemClock
from compat._structured.life.java import JavaStreamingContext
from compat._structured.life.listeners import Listeners
from compat._structured.life.query import Query
from compat._structured.life.running import Running
from compat._structured.life.session import Session
from compat._structured.life.shutdown import Shutdown
from compat.directory import Directory, directory
from compat.engine import State
from compat.graph import Graph
from compat.receivers.journal import Journal

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType
    from pyspark.streaming import DStream, StreamingListener

    from compat.graph import Node, Stream

CANCEL_AFTER_SECONDS = 2.0
"""How long `stop` lets a batch go on before it cancels its jobs, as Spark's JobScheduler does."""


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
        self._feeds: Feeds | None = None
        self._listeners = Listeners(real_time=not self._manual)
        self._evaluation: Evaluation | None = None
        self._running: Running | None = None
        self._begun = threading.Event()
        """Set by the start, and by a stop before it."""
        self._query: Query | None = None
        self._ownership: Ownership | None = None
        self._shutdown: Shutdown | None = None
        self._stop_once = threading.Lock()
        self._stopping = False
        self._failed = False
        """Whether the start failed."""

    @property
    def state(self) -> State:
        """See `Engine`."""
        if self._stopping or (self._running is not None and self._running.over):
            return State.STOPPED
        return State.INITIALIZED if self._running is None else State.ACTIVE

    @property
    def java_context(self) -> JavaStreamingContext:
        """See `Engine`."""
        return JavaStreamingContext(self)

    def spark_stream(self, stream: Stream) -> DStream[Any]:
        """See `Engine`: there is none."""
        raise AttributeError(
            f"the stream of {stream.operator} has no JVM DStream behind it on the structured engine."
            " Code that needs one can run on the rdd engine (COMPAT_ENGINE=rdd)"
        )

    def to_df(self, stream: Stream, schema: StructType) -> DataFrame:
        """See `Engine`."""
        return Unbounded(SparkSession.builder.getOrCreate(), self._created_ms).to_df(stream, schema)

    def declare(self, node: Node) -> None:
        """See `Engine`."""
        if isinstance(node, graph.JavaDStream):
            raise NotImplementedError(
                "a DStream of the JVM cannot be part of a streaming query; it needs the rdd engine"
                " (COMPAT_ENGINE=rdd)"
            )
        if isinstance(node, graph.FileStream):
            self._created_ms[node] = self._clock.now()

    def persist(self, stream: Stream, storage_level: Any) -> None:
        """See `Engine`: the graph holds it, which is enough."""

    def checkpoint(self, directory_uri: str) -> None:
        """See `Engine`."""
        self._directory = directory(_own(directory_uri), self._wait)
        self.spark_context.setCheckpointDir(directory_uri)

    def remember(self, duration_ms: int) -> None:
        """See `Engine`."""
        if self._running is None:
            self.graph.remembered_ms = duration_ms

    def add_listener(self, listener: StreamingListener) -> None:
        """See `Engine`."""
        self._listeners.add(listener)

    # --- start ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """See `Engine`."""
        try:
            self._start()
        except BaseException:
            self._stopping = self._failed = True
            self._begun.set()
            if self._query is not None:
                self._query.stop()
            self._stop_feeds()
            self._close_feeds()
            self._listeners.close()
            self._let_go()
            if self._running is not None:
                self._running.end()
            raise
        finally:
            self._begun.set()

    def _start(self) -> None:
        at = self._versions_at()
        check(self.graph, directory=at is not None)
        session = Session(self.spark_context)
        own = self._directory
        self._ownership = None if own is None else self._owning(own)
        log, slices = BatchLog(None if own is None else own.within("batches"), self._may_write), {}
        if self._saved is None:
            self._make_room(session, at)
        else:
            self._take_over()
            slices = log.restore()
            if isinstance(self._clock, ManualClock):
                self._clock.set(log.last_time or self._saved.zero_ms)
        intake = Intake(self.graph, session, None if own is None else own.within("rows"))
        received = None if own is None else self._journal
        self._feeds = Feeds(
            self.graph, session, self._created_ms, intake, self._clock, self._listeners, received
        )
        self._feeds.restore(slices)
        interval_ms = self.graph.interval_ms
        trigger_ms = 0 if self._manual else interval_ms
        # The first query of a JVM takes seconds to start, in which no batch should fall due.
        self._query = Query(session, intake, own, interval_ms, trigger_ms, self._micro_batch)
        if self._saved is None:
            self._saved = self._written()
        zero_ms = self._saved.zero_ms
        versions = Versions(self.graph, session, zero_ms, at, self._may_write)
        self._evaluation = Evaluation(self.graph, session, zero_ms, self._feeds.by_source, versions)
        self._running = Running(
            self._evaluation, log, self._clock, self._listeners, intake, waits=self._manual
        )
        self._listeners.started()
        self._feeds.start()
        self._shutdown = Shutdown(
            self.spark_context, lambda gracefully: self.stop(stop_spark_context=False, gracefully=gracefully)
        )
        threading.Thread(target=self._watch, name="streaming query", daemon=True).start()

    def _owning(self, own: Directory) -> Ownership:
        return Ownership(directory(own.path(""), self._pause), self.spark_context)

    def _take_over(self) -> None:
        if self._ownership is not None:
            self._ownership.take()

    def _may_write(self) -> None:
        """Raises TakenOverError if another driver works on the checkpoint."""
        if self._ownership is not None:
            self._ownership.check()

    def _wait(self, seconds: float) -> None:
        """Wait before a further try on a file system that was away; meanwhile a driver may have taken over.

        Raises:
            InterruptedBatchError: the run is over.
            TakenOverError: another driver works on the checkpoint.
        """
        self._pause(seconds)
        if self._running is not None:
            self._may_write()

    def _pause(self, seconds: float) -> None:
        if self._running is None:
            sleep(seconds)
        else:
            self._running.pause(seconds)

    def _journal(self, number: int) -> Journal:
        """The journal of the receiver with this number among the nodes."""
        assert self._directory is not None
        return Journal(self._directory.within(f"received/{number}"), self._may_write)

    def _let_go(self) -> None:
        if self._shutdown is not None:
            self._shutdown.forget()
        if self._ownership is not None:
            self._ownership.release()

    def _micro_batch(self, data: DataFrame, batch_id: int) -> None:
        self._begun.wait()
        if self._running is not None and not self._failed:
            self._running.micro_batch(data, batch_id)

    def _make_room(self, session: Session, at: Directory | None) -> None:
        """Begin afresh in the checkpoint directory, and write what the program gave as state."""
        if self._directory is not None:
            for reason in filter(None, map(checkpoints.unsupported, self.graph.nodes)):
                warnings.warn(reason, RuntimeWarning, stacklevel=5)
            credentials.warn_of_literals(self.graph, self._directory.path(""), stacklevel=5)
            checkpoints.pickled(self._saved_at(0))
            if checkpoints.exists(self._directory):
                warnings.warn(
                    f"{self._directory.path('')} held the checkpoint of an earlier run, with which"
                    " StreamingContext.getOrCreate would have gone on. This run begins afresh. The old"
                    f" checkpoint is in {self._directory.set_aside()} until a run begins afresh again",
                    RuntimeWarning,
                    stacklevel=5,
                )
            self._directory.delete()
            self._take_over()
        versions = Versions(self.graph, session, 0, at)
        for node in self.graph.read:
            if isinstance(node, graph.UpdateStateByKey) and node.initial_rdd is not None:
                partitions = node.num_partitions or self.spark_context.defaultParallelism
                versions.write_initial(node, node.initial_rdd, Hashed(partitions))

    def _written(self) -> Saved:
        """Write the program into the checkpoint, if there is one; it begins now.

        The first batch time is the first multiple of the interval after now.
        """
        now = self._clock.now()
        saved = self._saved_at(now - now % self.graph.interval_ms)
        if self._directory is not None:
            self._directory.write(checkpoints.NAME, checkpoints.pickled(saved))
        return saved

    def _saved_at(self, zero_ms: int) -> Saved:
        return Saved(self.graph, checkpoints.settings(self.spark_context), zero_ms, self._created_ms)

    def _forget_state(self) -> None:
        """Remove state that no later run can go on with."""
        if self._directory is None and self._evaluation is not None:
            self._evaluation.versions.delete()

    def _versions_at(self) -> Directory | None:
        """Where state is kept: in the checkpoint, or where the SparkContext keeps checkpoints of RDDs."""
        if self._directory is not None:
            return self._directory.within("state")
        java: Any = self.spark_context._jsc
        found = java.sc().getCheckpointDir()
        return None if found.isEmpty() else directory(f"{found.get()}/structured-{uuid.uuid4()}", self._wait)

    def _watch(self) -> None:
        """Wait for the query's end, which comes by `stop` or by an error of the engine or of Spark."""
        assert self._running is not None
        assert self._query is not None
        try:
            self._query.wait()
        except Exception as error:
            self._running.fail(str(error))
        if self._stopping:
            self._running.stop()  # a graceful stop need not wait for batches any more
        else:
            self._stop_feeds()
            self._close_feeds()
            self._listeners.close()
            self._let_go()
            self._running.end()

    # --- end -----------------------------------------------------------------------------------------------

    def await_termination(self, timeout_ms: int | None) -> bool:
        """See `Engine`; another thread may start the run meanwhile."""
        if timeout_ms is not None and timeout_ms < 0:
            timeout_ms = None
        asked = monotonic()
        if not self._begun.wait(None if timeout_ms is None else timeout_ms / 1000):
            return False
        if self._running is None:
            return True
        left = None if timeout_ms is None else timeout_ms - round(1000 * (monotonic() - asked))
        return self._running.wait(left)

    def stop(self, *, stop_spark_context: bool, gracefully: bool) -> None:
        """See `Engine`. Within a callback it returns at once; the run ends when the callback has returned."""
        running = self._running
        if running is not None and running.in_callback:
            if not gracefully:
                running.stop()
            work = {"stop_spark_context": stop_spark_context, "gracefully": gracefully}
            threading.Thread(target=self.stop, kwargs=work, name="stop").start()
            return
        with self._stop_once:
            if running is not None and not self._stopping:
                self._stopping = True
                self._end(running, gracefully)
            self._stopping = True
            if stop_spark_context:
                self._forget_state()
                self.spark_context.stop()
            if running is not None:
                running.end()
            self._begun.set()

    def _end(self, running: Running, gracefully: bool) -> None:
        self._begun.wait()  # the first callback may be quicker than the start
        if self._failed or self._query is None:
            return
        if gracefully:
            # As Spark's JobGenerator: what was received gets its batch first. Then its timer, which waits for
            # the next batch time, comes to that one and to one more.
            batches = 3 if self._stop_feeds() else 2
            last = running.next_time() + (batches - 1) * self.graph.interval_ms
            if isinstance(self._clock, ManualClock):
                self._clock.set(last)
            running.finish(last)
        running.stop()
        self._stop_feeds()
        idle = running.wait_idle(None if gracefully else CANCEL_AFTER_SECONDS)
        self._listeners.close()  # a batch that is interrupted did not fail
        if not idle:
            self._query.cancel_jobs()
        self._query.stop()
        self._close_feeds()
        self._let_go()

    def _stop_feeds(self) -> bool:
        """Receive no more; returns whether something is left that no batch has got."""
        return self._feeds is not None and self._feeds.stop()

    def _close_feeds(self) -> None:
        if self._feeds is not None:
            self._feeds.close()

    def slice(self, stream: Stream, begin_ms: int, end_ms: int) -> list[RDD[Any]]:
        """See `Engine`: batches that have not come yet are not there."""
        run = self._evaluation
        if run is None:
            raise RuntimeError(f"the stream of {stream.operator} has not been initialized: start the context")
        if stream not in self.graph.read:
            raise RuntimeError(f"no output reads the stream of {stream.operator}, so it has no batches")
        return [run.session.to_rdd(frame) for frame in run.slice(stream, begin_ms, end_ms)]

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
    engine = StructuredEngine(checkpoints.context(saved), saved.graph.interval_ms, saved)
    engine.checkpoint(directory_uri)
    return engine


def _own(directory_uri: str) -> str:
    return f"{directory_uri.rstrip('/')}/structured"
