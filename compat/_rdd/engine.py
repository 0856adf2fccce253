"""The RDD engine: every node becomes the same call on the real `pyspark.streaming`."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from pyspark import RDD, SparkContext
from pyspark.streaming import DStream, StreamingContext, StreamingListener

from compat import credentials
from compat._rdd import (  # noqa: F401
    heartbeat,
    joins,
    kafka,
    kinesis,
    narrow,
    outputs,
    receivers,
    shuffles,
    sources,
    state,
    transforms,
    windows,
)
from compat._rdd.errors import failed_batch, translated, unreadable
from compat._rdd.registry import Program
from compat.engine import State
from compat.graph import FromDF, Graph, QueueStream

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    from compat.graph import Node, Stream

_OUTPUTS, _TRANSFORMS = "streaming-job-executor", "JobGenerator"
"""How the names of the threads begin on which Spark calls the callbacks of outputs, and of `transform`."""


class RddEngine:
    """Runs a graph as a `pyspark.streaming` program. See `compat.engine.Engine`."""

    def __init__(self, context: StreamingContext, interval_ms: int) -> None:
        self.graph = Graph(interval_ms)
        self.spark_context: SparkContext = context.sparkContext
        self._context = context
        self._program = Program(context)
        self._directory: str | None = None
        self._run: heartbeat.Run | None = None

    @property
    def state(self) -> State:
        """The state of the JVM's StreamingContext."""
        return State(self.java_context.getState().toString())

    @property
    def java_context(self) -> Any:
        """The JavaStreamingContext."""
        return self._context._jssc

    def spark_stream(self, stream: Stream) -> DStream[Any]:
        """The DStream of `pyspark.streaming` for `stream`."""
        return self._program[stream]

    def to_df(self, stream: Stream, schema: StructType) -> DataFrame:
        """There is none on RDDs."""
        raise ValueError(
            "to_df: a streaming DataFrame needs the structured engine (COMPAT_ENGINE=structured)."
            " Take each batch as a DataFrame: foreachBatch(func, schema)"
        )

    def declare(self, node: Node) -> None:
        """Make the same call on `pyspark.streaming`."""
        with translated():
            self._program.build(node)

    def persist(self, stream: Stream, storage_level: Any) -> None:
        """Keep each batch of `stream` at `storage_level`."""
        with translated():
            self._program[stream].persist(storage_level)

    def checkpoint(self, directory: str) -> None:
        """Checkpoint under `directory`, in a place of this engine's own."""
        self._directory = _own(directory)
        with translated():
            self._context.checkpoint(self._directory)

    def remember(self, duration_ms: int) -> None:
        """Have the StreamingContext remember."""
        with translated():
            self.java_context.remember(self._duration(duration_ms))

    def add_listener(self, listener: StreamingListener) -> None:
        """Have the JVM call the listener."""
        self._context.addStreamingListener(listener)

    def start(self) -> None:
        """Start the StreamingContext."""
        if self._directory is not None and any(
            isinstance(node, (QueueStream, FromDF)) for node in self.graph.nodes
        ):
            warnings.warn("queueStream doesn't support checkpointing", RuntimeWarning, stacklevel=3)
        if self._directory is not None:
            credentials.warn_of_literals(self.graph, self._directory, stacklevel=3)
        for stream, interval_ms in self.graph.checkpointed.items():
            self._program[stream]._jdstream.checkpoint(self._duration(interval_ms))
        self._run = heartbeat.begin(self.java_context, self._directory)
        with translated():
            self._context.start()
        receivers.start(self.graph, self._run)
        kinesis.start(self.graph, self._run)
        self._run.started()

    def await_termination(self, timeout_ms: int | None) -> bool:
        """Wait in the JVM, which knows of failed batches."""
        with failed_batch():
            if timeout_ms is None:
                self.java_context.awaitTermination()
                return True
            return bool(self.java_context.awaitTerminationOrTimeout(timeout_ms))

    def stop(self, *, stop_spark_context: bool, gracefully: bool) -> None:
        """Stop the StreamingContext. Within a callback a graceful stop returns at once."""
        thread = self._thread_name()
        if gracefully and thread.startswith((_OUTPUTS, _TRANSFORMS)):
            # It waits for the batch, which would wait for it: in Spark for an hour.
            work = {"stop_spark_context": stop_spark_context, "gracefully": True}
            threading.Thread(target=self.stop, kwargs=work, name="stop").start()
            return
        if self._run is not None:
            self._run.stop()
        if thread.startswith(_OUTPUTS):
            # The JVM would go on in the thread of the job, which Spark interrupts half way: on Spark 3.5 what
            # is left undone then lets the next stop wait for ever.
            with ThreadPoolExecutor(1) as apart:
                apart.submit(self._context.stop, stop_spark_context, gracefully).result()
        else:
            self._context.stop(stop_spark_context, gracefully)
        if self._run is not None:
            self._run.end(finished=gracefully)

    def _thread_name(self) -> str:
        """The name of the caller's thread in the JVM; in a callback that is one of Spark Streaming's."""
        jvm: Any = self._context._jvm
        return str(jvm.java.lang.Thread.currentThread().getName())

    def slice(self, stream: Stream, begin_ms: int, end_ms: int) -> list[RDD[Any]]:
        """What the DStream remembers, or makes again."""
        jvm: Any = self._context._jvm
        time, dstream = jvm.org.apache.spark.streaming.Time, self._program[stream]
        with translated():
            found = dstream._jdstream.slice(time(begin_ms), time(end_ms))
        return [RDD(java, self.spark_context, dstream._jrdd_deserializer) for java in found]

    def advance_clock(self, milliseconds: int) -> None:
        """Move Spark's ManualClock on."""
        clock: Any = self.java_context.ssc().scheduler().clock()
        if clock.getClass().getSimpleName() != "ManualClock":
            raise RuntimeError("to move the clock by hand set spark.streaming.clock to Spark's ManualClock")
        clock.advance(milliseconds)

    def _duration(self, milliseconds: int) -> Any:
        jvm: Any = self._context._jvm
        return jvm.org.apache.spark.streaming.Duration(milliseconds)


def create(spark_context: SparkContext, interval_ms: int) -> RddEngine:
    """A new StreamingContext with that batch interval."""
    StreamingContext._ensure_initialized()
    jvm: Any = spark_context._jvm
    java = jvm.JavaStreamingContext(spark_context._jsc, jvm.Duration(interval_ms))
    return RddEngine(_undeprecated(lambda: StreamingContext(spark_context, None, java)), interval_ms)


def recover(directory: str) -> RddEngine | None:
    """What `StreamingContext.getOrCreate` recovers, with an empty graph: the streams are in the JVM only."""
    if not has_checkpoint(directory):
        return None
    with unreadable(directory):
        context = _undeprecated(lambda: StreamingContext.getOrCreate(_own(directory), _nothing_to_set_up))
    java = context._jssc.ssc().graph().batchDuration()
    engine = RddEngine(context, java.milliseconds())
    engine._directory = _own(directory)
    return engine


def has_checkpoint(directory: str) -> bool:
    """Whether `pyspark.streaming` finds a checkpoint in this engine's place under `directory`."""
    StreamingContext._ensure_initialized()
    gateway: Any = SparkContext._gateway
    jvm = gateway.jvm
    files = jvm.org.apache.spark.streaming.Checkpoint.getCheckpointFiles(
        _own(directory), jvm.scala.Option.empty()
    )
    return not files.isEmpty()


def _own(directory: str) -> str:
    return f"{directory.rstrip('/')}/rdd"


def _nothing_to_set_up() -> StreamingContext:
    raise AssertionError("the checkpoint was there a moment ago")


def _undeprecated(make: Callable[[], StreamingContext]) -> StreamingContext:
    # Who chose this engine knows that DStreams are deprecated.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "DStream is deprecated", FutureWarning)
        return make()
