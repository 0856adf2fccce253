"""What an engine must do for a StreamingContext, and how one is found by name."""

from __future__ import annotations

import enum
import importlib
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType
    from pyspark.streaming import DStream, StreamingListener

    from compat.graph import Graph, Node, Stream

ENGINES = {"rdd": "compat._rdd.engine", "structured": "compat._structured.engine"}


class StreamingError(RuntimeError):
    """The first error of a run, raised by `awaitTermination` and `awaitTerminationOrTimeout`.

    Its text holds the traceback of the user's function, as PySpark's own does.
    """


class State(enum.Enum):
    """Where a StreamingContext is in its life, by the names of Spark's ``StreamingContextState``."""

    INITIALIZED = "INITIALIZED"
    ACTIVE = "ACTIVE"
    STOPPED = "STOPPED"


class Engine(Protocol):
    """Runs one graph. A new engine has `graph` with nothing in it; a recovered one is ready to start."""

    graph: Graph
    spark_context: SparkContext

    @property
    def state(self) -> State:
        """STOPPED from the call of `stop` on, and also after a `start` that failed."""

    def to_df(self, stream: Stream, schema: StructType) -> DataFrame:
        """A streaming DataFrame of `stream`, which is made by operators within a partition from a source.

        Raises ValueError where the engine, or the source, has none.
        """

    def declare(self, node: Node) -> None:
        """Take note of a new stream or output, already in `graph.nodes`. Called in the program's order.

        Raises what `pyspark.streaming` raises for the same call.
        """

    def persist(self, stream: Stream, storage_level: Any) -> None:
        """Keep each batch of `stream` for reuse within the time that it is remembered."""

    def checkpoint(self, directory: str) -> None:
        """Make the run recoverable from `directory` (a URI of any Hadoop file system)."""

    def remember(self, duration_ms: int) -> None:
        """Keep every batch for `slice` for so long at least. Changes nothing once the run has started."""

    def add_listener(self, listener: StreamingListener) -> None:
        """Tell `listener` what happens from now on, with objects that are read like Java's."""

    def start(self) -> None:
        """Begin; the first batch is at the first multiple of the batch interval after now.

        Called once at most. Raises ValueError when there is no output, or state without a checkpoint
        directory; PicklingError when a function cannot be pickled into the checkpoint. Warns of a queue that
        is checkpointed.
        """

    def await_termination(self, timeout_ms: int | None) -> bool:
        """Wait until the run was stopped (True) or `timeout_ms` went by (False); a negative one never does.

        Raises StreamingError as soon as a batch has failed, and again on each later call.
        """

    def stop(self, *, stop_spark_context: bool, gracefully: bool) -> None:
        """End the run; `gracefully` works off what was received first. A second stop does nothing."""

    def slice(self, stream: Stream, begin_ms: int, end_ms: int) -> list[RDD[Any]]:
        """The batches of `stream` from `begin_ms` to `end_ms`, both moved back to a time of the stream.

        Raises RuntimeError before the start, and for a stream that no output reads.
        """

    @property
    def java_context(self) -> Any:
        """The JavaStreamingContext of the run, or what stands for it."""

    def spark_stream(self, stream: Stream) -> DStream[Any]:
        """The DStream of `pyspark.streaming` that `stream` is.

        Raises AttributeError where there is none.
        """

    def advance_clock(self, milliseconds: int) -> None:
        """Move the manual clock on (``spark.streaming.clock`` set to Spark's ``ManualClock``); for tests."""


class EngineModule(Protocol):
    """What the module of an engine offers."""

    def create(self, spark_context: SparkContext, interval_ms: int) -> Engine:
        """An engine with an empty graph."""

    def recover(self, directory: str) -> Engine | None:
        """The engine whose checkpoint is under `directory`, or None where there is none of this engine's.

        Uses the active SparkContext, or makes one from the configuration in the checkpoint.

        Raises RuntimeError when the checkpoint cannot be read, and for a program with a queue.
        """

    def has_checkpoint(self, directory: str) -> bool:
        """Whether `directory` holds a checkpoint of this engine."""


def load(name: str) -> EngineModule:
    """The engine called `name`: ``rdd`` or ``structured``."""
    if name not in ENGINES:
        raise ValueError(f"unknown engine {name!r}: use one of {', '.join(sorted(ENGINES))}")
    return cast("EngineModule", importlib.import_module(ENGINES[name]))
