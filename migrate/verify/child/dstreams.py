"""Programs on `pyspark.streaming`, and on `compat.streaming`, which has the same members.

Spark's manual clock is set to the moment at which the context is made and then moved on one batch interval at
a time. Sockets are replaced by queues of the same text; watched directories are real, with files whose
modification times are on that clock.
"""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from migrate.verify.child import rdds
from migrate.verify.child.patching import replace, replace_for_programs
from migrate.verify.child.session import Session, Unsupported, wait_until

_current: list[Streams] = []
"""The context under way, for functions that are pickled into a checkpoint and must not hold it themselves."""


class Streams:
    """A StreamingContext that the harness drives. See `session.Engine`."""

    def __init__(self, session: Session, context: Any, originals: dict[str, Any]) -> None:
        self.batches = 0
        self.session = session
        self._context = context
        self._originals = originals
        self._interval = 0.0
        self._start = 0.0
        self._directories: list[tuple[int, Path]] = []
        self.finished = 0.0
        """The time of the last batch whose outputs are done."""

    # --- building -------------------------------------------------------------------------------------------

    def set_clock(self, advance: Callable[[int], None], interval: float) -> None:
        """Bring the clock from 0 to now, so that files from before the start are older than the stream."""
        self._interval = interval
        self._start = (time.time() // interval) * interval
        advance(round(self._start * 1000))
        self._advance = advance

    def text_queue(self, number: int) -> list[Any]:
        """An RDD of text per batch: two partitions, as a receiver gives that cut two blocks; or none."""
        context = self._context.sparkContext
        queue = []
        for index in range(len(self.session.spec.batches)):
            lines = self.session.lines_for(number, index)
            half = (len(lines) + 1) // 2
            blocks = [
                context.textFile(self._block(number, index, place, part), 1)
                for place, part in enumerate((lines[:half], lines[half:]))
                if part
            ]
            queue.append(context.union(blocks) if blocks else context.emptyRDD())
        return queue

    def _block(self, number: int, index: int, place: int, lines: list[str]) -> str:
        path = Path(self.session.spec.private, "blocks", f"{number}-{index}-{place}.txt")
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path.as_uri()

    def watch(self, directory: str) -> str:
        """Feed a watched directory."""
        number = self.session.source("files in", directory)
        path = self.session.watched(directory)
        self._directories.append((number, path))
        return str(path)

    # --- running --------------------------------------------------------------------------------------------

    def clock(self, index: int) -> float:
        """The time of the batch in epoch seconds."""
        return self._start + (index + 1) * self._interval

    def feed(self, index: int, lines: list[str]) -> None:
        """Write the files of the batch, move the clock on, and wait for the last output."""
        when = self.clock(index)
        for number, directory in self._directories:
            content = self.session.lines_for(number, index)
            if index:  # nothing arrives in the first interval
                put_file(directory, index, content, when - self._interval / 2)
        self._advance(round(self._interval * 1000))
        wait_until(
            lambda: self.finished >= when - 1e-4 or self.is_over(), self.session.spec.timeout, "a batch"
        )
        self._originals["awaitTerminationOrTimeout"](self._context, 0)

    def is_over(self) -> bool:
        """Whether the program stopped the context; raises the error of a failed batch."""
        return bool(self._originals["awaitTerminationOrTimeout"](self._context, 0))

    def close(self) -> None:
        """Stop the context and leave the SparkContext to the program."""
        self._originals["stop"](self._context, False, False)


def put_file(directory: Path, index: int, lines: list[str], modified: float | None) -> None:
    """Move a file into a watched directory, so that it is whole when it is seen."""
    hidden = directory / f".batch-{index:04d}.txt"
    hidden.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    if modified is not None:
        os.utime(hidden, (modified, modified))
    hidden.rename(directory / f"batch-{index:04d}.txt")


def last_output(when: Any, rdd: Any) -> None:
    """The sentinel: registered last, it runs when every output of a batch is done."""
    from migrate.verify.child import dstreams

    streams = dstreams._current[-1]
    streams.finished = max(streams.finished, when.timestamp())


def drive_pyspark(session: Session) -> None:
    """Take over `pyspark.streaming`."""
    from pyspark import serializers
    from pyspark.streaming import DStream, StreamingContext
    from pyspark.streaming.util import TransformFunction

    serializer: Any = serializers.UTF8Deserializer  # untyped in PySpark

    def text_stream(context: Any, queue: list[Any]) -> Any:
        java = context._jvm.PythonDStream.toRDDQueue([rdd._jrdd for rdd in queue])
        empty = context.sparkContext._jsc.emptyRDD()
        return DStream(context._jssc.queueStream(java, True, empty), context, serializer())

    def set_clock(streams: Streams, context: Any) -> None:
        inner = context._jssc.ssc()
        interval = inner.graph().batchDuration().milliseconds() / 1000
        streams.set_clock(inner.scheduler().clock().advance, interval)

    take_over(session, StreamingContext, text_stream, set_clock)
    replace(TransformFunction, "call", _sorts_through_the_jvm)
    replace(DStream, "pprint", lambda original: _pprint)


def take_over(
    session: Session,
    owner: Any,
    text_stream: Callable[[Any, list[Any]], Any],
    set_clock: Callable[[Streams, Any], None],
) -> None:
    """Put the harness's members in the places of a StreamingContext's.

    Args:
        session: the run.
        owner: the class.
        text_stream: makes a stream of a context from a queue of RDDs of text.
        set_clock: gives the manual clock of a context to its `Streams`.
    """
    contexts: dict[int, Streams] = {}
    originals = {
        name: getattr(owner, name)
        for name in ("start", "stop", "queueStream", "awaitTerminationOrTimeout", "awaitTermination")
    }

    def init(original: Callable[..., Any]) -> Callable[..., Any]:
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
            original(self, *args, **kwargs)
            streams = contexts[id(self)] = Streams(session, self, originals)
            set_clock(streams, self)

        return __init__

    def get_or_create(original: Callable[..., Any]) -> Callable[..., Any]:
        def getOrCreate(checkpointPath: str, setupFunc: Callable[[], Any], **how: Any) -> Any:  # noqa: N802, N803
            return original(session.checkpoint(checkpointPath), setupFunc, **how)

        return getOrCreate

    def checkpoint(original: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, directory: original(self, session.checkpoint(directory))

    def socket(original: Callable[..., Any]) -> Callable[..., Any]:
        def socketTextStream(self: Any, hostname: str, port: int, *_: Any, **__: Any) -> Any:  # noqa: N802
            number = session.source("socket", f"{hostname}:{port}")
            streams = contexts[id(self)]
            return text_stream(self, streams.text_queue(number))

        return socketTextStream

    def files(original: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, directory: original(self, contexts[id(self)].watch(directory))

    def queue(original: Callable[..., Any]) -> Callable[..., Any]:
        def queueStream(self: Any, rdds: Any, oneAtATime: bool = True, default: Any = None) -> Any:  # noqa: N802, N803
            streams = contexts[id(self)]
            # One batch more than there are RDDs: what an exhausted queue gives counts, too.
            streams.batches = max(streams.batches, (len(rdds) if oneAtATime else 1) + 1)
            return original(self, rdds, oneAtATime, default)

        return queueStream

    def start(original: Callable[..., Any]) -> Callable[..., Any]:
        def start(self: Any) -> None:
            streams = contexts[id(self)]
            sentinel = originals["queueStream"](self, [self.sparkContext.emptyRDD()])
            if _has_outputs(self):
                sentinel.foreachRDD(last_output)
            _current.append(streams)
            original(self)
            session.engine = streams

        return start

    def wait(original: Callable[..., Any]) -> Callable[..., Any]:
        def awaitTermination(self: Any, timeout: float | None = None) -> None:  # noqa: N802
            session.on_wait()
            if timeout is None:
                session.end()

        return awaitTermination

    def wait_or_timeout(original: Callable[..., Any]) -> Callable[..., Any]:
        def awaitTerminationOrTimeout(self: Any, timeout: float) -> Any:  # noqa: N802
            session.on_wait()
            return original(self, 0)

        return awaitTerminationOrTimeout

    def stop(original: Callable[..., Any]) -> Callable[..., Any]:
        def stop(self: Any, stopSparkContext: bool = True, stopGraceFully: bool = False) -> None:  # noqa: N803
            session.on_wait()
            # Nothing is pending; a graceful stop would wait for a tick of the clock that never comes.
            original(self, stopSparkContext, False)

        return stop

    def unsupported(name: str) -> Callable[..., Any]:
        def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
            def refuse(*args: Any, **kwargs: Any) -> Any:
                raise Unsupported(f"verify cannot supply the batches of {name}")

            return refuse

        return wrap

    for name, wrapper in {
        "__init__": init,
        "checkpoint": checkpoint,
        "socketTextStream": socket,
        "textFileStream": files,
        "queueStream": queue,
        "start": start,
        "awaitTermination": wait,
        "awaitTerminationOrTimeout": wait_or_timeout,
        "stop": stop,
        "binaryRecordsStream": unsupported("binaryRecordsStream"),
    }.items():
        replace_for_programs(owner, name, wrapper)
    owner.getOrCreate = staticmethod(get_or_create(owner.getOrCreate))


def _has_outputs(context: Any) -> bool:
    """Whether the program asked for any; without one, starting must fail as it does without the sentinel."""
    graph = getattr(context, "_graph", None)
    if graph is not None:
        return bool(graph.outputs)
    return len(context._jssc.ssc().graph().getOutputStreams()) > 0


def _pprint(self: Any, num: int = 10) -> None:
    def take_and_print(when: Any, rdd: Any) -> None:
        from migrate.verify.child import dstreams

        dstreams.print_batch(rdd, num)

    self.foreachRDD(take_and_print)


def print_batch(rdd: Any, num: int) -> None:
    """Note the rows that `pprint` would print."""
    found = rdds.whole(rdd)
    _current[-1].session.recorder.display(kind="pprint", rows=found.encoded(), ties=found.ties, limit=num)


def _sorts_through_the_jvm(original: Callable[..., Any]) -> Callable[..., Any]:
    """RDDs become JVM objects between two functions of a stream; their sorts must not get lost there."""

    def call(self: Any, milliseconds: int, jrdds: Any) -> Any:
        function = self.func

        def remembering(when: Any, *inputs: Any) -> Any:
            for rdd in inputs:
                rdds.recall(rdd)
            result = function(when, *inputs)
            rdds.remember(result)
            return result

        twin = copy.copy(self)
        twin.func = remembering
        result = original(twin, milliseconds, jrdds)
        self.ctx, self.failure = twin.ctx, twin.failure
        return result

    return call
