"""The StreamingContext of `pyspark.streaming`: the program's sources, and its life."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from pyspark.streaming.listener import StreamingListener as SparkListener

from compat import chosen_engine, credentials, graph
from compat.engine import ENGINES, Engine, State, load
from compat.streaming._frames import FramesIn
from compat.streaming._operators import milliseconds, node_of
from compat.streaming._sources import Sources, directory_name
from compat.streaming.dstream import DStream

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.streaming.dstream import DStream as SparkDStream

    from compat.streaming.listener import StreamingListener

__all__ = ["StreamingContext"]


class StreamingContext(Sources, FramesIn):
    """The entry point of a streaming program, with a batch every `batchDuration`.

    Args:
        sparkContext: runs the program.
        batchDuration: the batch interval in seconds.
        jssc: not for programs; a JVM context cannot be taken over.
        engine: ``rdd`` or ``structured``; without it, the choice of `compat.use_engine` or ``COMPAT_ENGINE``.

    Raises:
        ValueError: the batch interval is text or below a millisecond, or there is no such engine.
    """

    _activeContext: ClassVar[StreamingContext | None] = None

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
            TypeError: `checkpointPath` is no string.
            ValueError: it is empty.
        """
        directory_name(checkpointPath)
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
        active = StreamingContext._activeContext
        if active is not None and active._engine.state is not State.ACTIVE:
            StreamingContext._activeContext = None  # it was stopped through `_jssc`
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

        A context that could not be started is stopped.

        Raises:
            ValueError: there is no output, state without a checkpoint directory, or a checkpoint interval
                that is no multiple of its stream's slide; or a name in place of a secret has no value.
            RuntimeError: the context was stopped before, or another one is active.
            pickle.PicklingError: a function cannot be written into the checkpoint.
        """
        state = self._engine.state
        if state is State.STOPPED:
            raise RuntimeError("StreamingContext has already been stopped")
        if state is State.ACTIVE:
            warnings.warn("StreamingContext has already been started", RuntimeWarning, stacklevel=2)
            return
        if StreamingContext.getActive() is not None:
            raise RuntimeError("Only one StreamingContext may be started at a time; another one is active")
        credentials.check(self._graph)
        self._engine.start()
        StreamingContext._activeContext = self

    def awaitTermination(self, timeout: float | None = None) -> None:
        """Wait until the context is stopped, or `timeout` seconds have gone by; a negative one never does.

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

        A graceful stop runs the batches that are due, the next two, and before these one for what was
        received and is in no batch yet. May be called within a callback, where it returns at once; the run
        ends later. A second call does nothing.
        """
        if StreamingContext._activeContext is self:
            StreamingContext._activeContext = None
        self._engine.stop(stop_spark_context=stopSparkContext, gracefully=stopGraceFully)

    def remember(self, duration: float) -> None:
        """Keep the batches of the last `duration` seconds for `DStream.slice`.

        Without it each stream keeps its last batch, and what windows need. Changes nothing after the start.
        """
        self._engine.remember(milliseconds(duration))

    def checkpoint(self, directory: str) -> None:
        """Keep in `directory` what `getOrCreate` needs to go on after a crash.

        After the start it only warns: nothing is kept then.

        Raises:
            TypeError: `directory` is no string.
            ValueError: it is empty.
        """
        directory_name(directory)
        if self._engine.state is not State.INITIALIZED:
            warnings.warn(
                "checkpoint was called after start: nothing is checkpointed", RuntimeWarning, stacklevel=2
            )
            return
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

    def addStreamingListener(self, streamingListener: StreamingListener) -> None:
        """Have a listener called for what happens from now on, on a thread of its own.

        Infos are read as PySpark's are: ``batchCompleted.batchInfo().batchTime().milliseconds()``.

        Engine ``rdd``: a listener that stops the context may wait for ever.

        Engine ``structured``: a late batch is submitted when its turn has come; its submission time, from
        which the scheduling delay counts, is when it was due.

        Raises:
            AttributeError: it is no StreamingListener.
        """
        for name in dir(SparkListener):
            if name.startswith("on") and not hasattr(streamingListener, name):
                raise AttributeError(f"{type(streamingListener).__name__!r} object has no method {name!r}")
        self._engine.add_listener(streamingListener)

    @property
    def _jssc(self) -> Any:
        """What PySpark keeps here: the JavaStreamingContext, or on Structured Streaming a stand-in for it."""
        return self._engine.java_context

    def _jduration(self, seconds: float) -> Any:
        jvm: Any = self._jvm
        return jvm.org.apache.spark.streaming.Duration(milliseconds(seconds))

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
        if isinstance(node, (graph.Source, graph.Output)) or len(node.parents) > 1:
            self._refuse_late("Adding new inputs, transformations, and output operations")
        self._graph.nodes.append(node)
        try:
            self._engine.declare(node)
        except BaseException:
            self._graph.nodes.remove(node)
            raise

    def _add_stream(self, node: graph.Stream) -> DStream[Any]:
        self._add(node)
        return DStream._of(self, node)

    def _persist(self, stream: graph.Stream, storage_level: Any) -> None:
        self._refuse_late("Changing the storage level of a DStream")
        self._engine.persist(stream, storage_level)
        self._graph.persisted[stream] = storage_level

    def _checkpoint(self, stream: graph.Stream, interval_ms: int) -> None:
        self._refuse_late("Changing the checkpoint interval of a DStream")
        self._graph.checkpointed[stream] = interval_ms

    def _refuse_late(self, what: str) -> None:
        when = {State.ACTIVE: "starting", State.STOPPED: "stopping"}.get(self._engine.state)
        if when is not None:
            raise RuntimeError(f"{what} after {when} a context is not supported")


def _check_slides(streams: tuple[graph.Stream, ...], what: str) -> None:
    if not streams:
        raise ValueError(f"should have at least one DStream to {what}")
    if len({stream.slide_ms for stream in streams}) > 1:
        raise ValueError("All DStreams should have same slide duration")
