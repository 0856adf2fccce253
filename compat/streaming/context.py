"""The StreamingContext of `pyspark.streaming`: the program's sources, and its life."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from compat import chosen_engine, graph
from compat.engine import ENGINES, Engine, load
from compat.streaming._missing import not_implemented
from compat.streaming._operators import milliseconds, node_of
from compat.streaming._sources import Sources
from compat.streaming.dstream import DStream

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.streaming.dstream import DStream as SparkDStream

__all__ = ["StreamingContext"]


class StreamingContext(Sources):
    """The entry point of a streaming program, with a batch every `batchDuration`.

    Args:
        sparkContext: runs the program.
        batchDuration: the batch interval in seconds.
        jssc: not for programs; a JVM context cannot be taken over.
        engine: ``rdd`` or ``structured``; without it, the choice of `compat.use_engine` or ``COMPAT_ENGINE``.

    Raises:
        ValueError: the batch interval is below a millisecond, or there is no such engine.
    """

    _activeContext: ClassVar[StreamingContext | None] = None
    _started = False
    _stopped = False

    def __init__(
        self,
        sparkContext: SparkContext,
        batchDuration: float | None = None,
        jssc: Any = None,
        *,
        engine: str | None = None,
    ) -> None:
        if jssc is not None:
            raise NotImplementedError("jssc: build the streams on a StreamingContext of compat.streaming")
        assert batchDuration is not None, "batchDuration is missing"
        interval_ms = milliseconds(batchDuration)
        if interval_ms <= 0:
            raise ValueError(f"batchDuration must be at least a millisecond, not {batchDuration} s")
        self._run(load(chosen_engine(engine)).create(sparkContext, interval_ms))

    @classmethod
    def getOrCreate(
        cls, checkpointPath: str, setupFunc: Callable[[], StreamingContext], *, engine: str | None = None
    ) -> StreamingContext:
        """The context that the checkpoint holds, or where there is none that of `setupFunc()`, checkpointed.

        `setupFunc` is not called when there is a checkpoint.

        Raises:
            RuntimeError: the only checkpoint is that of another engine, whose state would be lost.
        """
        name = chosen_engine(engine)
        recovered = load(name).recover(checkpointPath)
        if recovered is not None:
            context = cls.__new__(cls)
            context._run(recovered)
            return context
        for other in sorted(ENGINES.keys() - {name}):
            if load(other).has_checkpoint(checkpointPath):
                raise RuntimeError(
                    f"{checkpointPath} holds a checkpoint of the {other} engine, not of the {name} engine."
                    f" To go on with its state set COMPAT_ENGINE={other};"
                    " to start afresh use another checkpoint directory"
                )
        context = setupFunc()
        context.checkpoint(checkpointPath)
        return context

    @classmethod
    def getActive(cls) -> StreamingContext | None:
        """The context that was started and not stopped, if there is one."""
        return StreamingContext._activeContext

    @classmethod
    def getActiveOrCreate(
        cls,
        checkpointPath: str | None,
        setupFunc: Callable[[], StreamingContext],
        *,
        engine: str | None = None,
    ) -> StreamingContext:
        """The active context, or what `getOrCreate` gives, or without a path what `setupFunc` gives.

        Raises:
            TypeError: `setupFunc` is not callable.
        """
        if not callable(setupFunc):
            raise TypeError("setupFunc should be callable.")
        active = cls.getActive()
        if active is not None:
            return active
        return (
            setupFunc()
            if checkpointPath is None
            else cls.getOrCreate(checkpointPath, setupFunc, engine=engine)
        )

    @property
    def sparkContext(self) -> SparkContext:
        """The SparkContext that runs the program."""
        return self._sc

    def start(self) -> None:
        """Begin; the first batch is at the first multiple of the batch interval after now.

        A second call while the context runs does nothing but warn.

        Raises:
            ValueError: there is no output, or state without a checkpoint directory.
            RuntimeError: the context was stopped before.
            pickle.PicklingError: a function cannot be written into the checkpoint.
        """
        if self._stopped:
            raise RuntimeError("StreamingContext has already been stopped")
        if self._started:
            warnings.warn("StreamingContext has already been started", RuntimeWarning, stacklevel=2)
            return
        self._engine.start()
        self._started = True
        StreamingContext._activeContext = self

    def awaitTermination(self, timeout: float | None = None) -> None:
        """Wait until the context is stopped, or `timeout` seconds have gone by.

        Raises:
            StreamingError: a batch failed; the context goes on with the next.
        """
        self._engine.await_termination(None if timeout is None else milliseconds(timeout))

    def awaitTerminationOrTimeout(self, timeout: float) -> bool:
        """Wait like `awaitTermination`; True if the context is stopped, False if the time is over.

        Raises:
            StreamingError: a batch failed; the context goes on with the next.
        """
        return self._engine.await_termination(milliseconds(timeout))

    def stop(self, stopSparkContext: bool = True, stopGraceFully: bool = False) -> None:
        """End the run, and by default the SparkContext; gracefully after all that was received is worked off.

        May be called within a callback. A second call does nothing.
        """
        self._stopped = True
        if StreamingContext._activeContext is self:
            StreamingContext._activeContext = None
        self._engine.stop(stop_spark_context=stopSparkContext, gracefully=stopGraceFully)

    def checkpoint(self, directory: str) -> None:
        """Keep in `directory` what `getOrCreate` needs to go on after a crash."""
        self._engine.checkpoint(directory)

    def transform(self, dstreams: list[SparkDStream[Any]], transformFunc: Callable[..., Any]) -> DStream[Any]:
        """Make the RDDs of several streams into one by `transformFunc(tuple of RDDs)`.

        Raises:
            ValueError: no stream, or streams with different slides.
        """
        streams = tuple(node_of(stream, self) for stream in dstreams)
        _check_slides(streams, "transform")
        return self._add_stream(graph.Transform(streams, transformFunc, as_tuple=True))

    def union(self, *dstreams: DStream[Any]) -> DStream[Any]:
        """The partitions of all streams, one stream after the other.

        Raises:
            ValueError: no stream, or streams with different slides.
        """
        streams = tuple(node_of(stream, self) for stream in dstreams)
        _check_slides(streams, "union")
        return dstreams[0] if len(dstreams) == 1 else self._add_stream(graph.Union(streams))

    remember: Any = not_implemented(instead="rdd.collect() in foreachRDD what later code needs of a batch.")
    addStreamingListener: Any = not_implemented(
        instead="take times and counts in foreachRDD(lambda time, rdd: ...), which runs for every batch."
    )

    def _run(self, engine: Engine) -> None:
        self._engine = engine
        self._sc = engine.spark_context
        self._jvm = self._sc._jvm
        self._interval_ms = engine.graph.interval_ms

    @property
    def _graph(self) -> graph.Graph:
        return self._engine.graph

    def _add(self, node: graph.Node) -> None:
        # A stream that nothing will read is harmless, and pyspark.streaming lets it pass as well.
        if self._started and (isinstance(node, (graph.Source, graph.Output)) or len(node.parents) > 1):
            raise RuntimeError(
                "Adding new inputs, transformations, and output operations after starting a context is not"
                " supported"
            )
        self._graph.nodes.append(node)
        try:
            self._engine.declare(node)
        except BaseException:
            self._graph.nodes.remove(node)
            raise

    def _add_stream(self, node: graph.Stream) -> DStream[Any]:
        self._add(node)
        return DStream(self, node)

    def _persist(self, stream: graph.Stream, storage_level: Any) -> None:
        if self._started:
            raise RuntimeError("Cannot change storage level of a DStream after streaming context has started")
        self._engine.persist(stream, storage_level)
        self._graph.persisted[stream] = storage_level


def _check_slides(streams: tuple[graph.Stream, ...], what: str) -> None:
    if not streams:
        raise ValueError(f"should have at least one DStream to {what}")
    if len({stream.slide_ms for stream in streams}) > 1:
        raise ValueError("All DStreams should have same slide duration")
