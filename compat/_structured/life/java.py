"""What stands for the Java contexts where there are none: `StreamingContext._jssc` and what it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compat._structured.life.infos import Info
from compat.engine import State

if TYPE_CHECKING:
    from compat._structured.engine import StructuredEngine


class StreamingContextState(Info):
    """A state as Java's enumeration of the same name has it."""

    fields = ("name",)

    def toString(self) -> str:  # noqa: N802
        """INITIALIZED, ACTIVE or STOPPED."""
        return str(self.name())


class Duration(Info):
    """A time span."""

    fields = ("milliseconds",)

    def toString(self) -> str:  # noqa: N802
        """The span as Spark writes it."""
        return f"{self.milliseconds()} ms"


class DStreamGraph(Info):
    """The durations of a DStreamGraph, for which programs ask it."""

    fields = ("batchDuration", "rememberDuration")


class ScalaContext:
    """The members of Spark's ``StreamingContext`` that do not lead to a JVM DStream."""

    def __init__(self, engine: StructuredEngine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        there = ", ".join(sorted(member for member in dir(type(self)) if not member.startswith("_")))
        raise AttributeError(
            f"the structured engine has no {type(self).__name__}.{name}: behind it is a streaming query."
            f" There are {there}. Code that needs more can run on the rdd engine (COMPAT_ENGINE=rdd)"
        )

    def start(self) -> None:
        """Begin."""
        if self._engine.state is State.STOPPED:
            raise RuntimeError("StreamingContext has already been stopped")
        if self._engine.state is State.INITIALIZED:
            self._engine.start()

    def stop(self, stopSparkContext: bool | None = None, stopGracefully: bool = False) -> None:  # noqa: N803
        """End the run, and by default, which ``spark.streaming.stopSparkContextByDefault`` changes, Spark."""
        if stopSparkContext is None:
            asked = self._engine.spark_context.getConf().get("spark.streaming.stopSparkContextByDefault")
            stopSparkContext = asked != "false"  # noqa: N806
        self._engine.stop(stop_spark_context=stopSparkContext, gracefully=stopGracefully)

    def awaitTermination(self) -> None:  # noqa: N802
        """Wait until the run is stopped."""
        self._engine.await_termination(None)

    def awaitTerminationOrTimeout(self, timeout: int) -> bool:  # noqa: N802
        """Wait, for `timeout` milliseconds at most; returns whether the run is stopped."""
        return self._engine.await_termination(timeout)

    def checkpoint(self, directory: str) -> None:
        """Make the run recoverable."""
        self._engine.checkpoint(directory)

    def remember(self, duration: Any) -> None:
        """Keep batches for a Duration at least."""
        self._engine.remember(duration.milliseconds())

    def getState(self) -> StreamingContextState:  # noqa: N802
        """Where the context is in its life."""
        return StreamingContextState(self._engine.state.name)

    def sparkContext(self) -> Any:  # noqa: N802
        """The SparkContext of the JVM."""
        java: Any = self._engine.spark_context._jsc
        return java.sc()

    def sc(self) -> Any:
        """The SparkContext of the JVM."""
        return self.sparkContext()

    def conf(self) -> Any:
        """The SparkConf of the JVM."""
        return self.sparkContext().conf()

    def graph(self) -> DStreamGraph:
        """The batch interval, and how long batches are remembered."""
        graph = self._engine.graph
        return DStreamGraph(Duration(graph.interval_ms), Duration(graph.remembered_ms))


class JavaStreamingContext(ScalaContext):
    """Stands for the JavaStreamingContext."""

    def sparkContext(self) -> Any:  # noqa: N802
        """The JavaSparkContext."""
        return self._engine.spark_context._jsc

    def ssc(self) -> ScalaContext:
        """Stands for the StreamingContext that the Java one wraps."""
        return ScalaContext(self._engine)
