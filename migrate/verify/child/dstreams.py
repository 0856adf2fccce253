"""Programs on `pyspark.streaming`: a context under the harness, and what is particular to the real one.

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
from migrate.verify.child.patching import replace
from migrate.verify.child.session import Session, wait_until

_current: list[Streams] = []
"""The context under way, for functions that are pickled into a checkpoint and must not hold it themselves."""


class Streams:
    """A StreamingContext that the harness drives. See `session.Engine`."""

    def __init__(self, session: Session, context: Any, originals: dict[str, Any]) -> None:
        self.batches = 0
        self.finished = 0.0
        """The time of the last batch whose outputs are done."""
        self.session = session
        self._context = context
        self._originals = originals
        self._interval = 0.0
        self._start = 0.0
        self._directories: list[tuple[int, Path]] = []

    # --- building -------------------------------------------------------------------------------------------

    def set_clock(self, advance: Callable[[int], None], interval: float) -> None:
        """Bring the clock from 0 to now, so that files from before the start are older than the stream."""
        self._interval = interval
        self.session.recorder.event("interval", seconds=interval)
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

    def started(self) -> None:
        """The context runs; from now on batches can be fed."""
        _current.append(self)
        self.session.engine = self

    def clock(self, index: int) -> float:
        """The time of the batch in epoch seconds."""
        return self._start + (index + 1) * self._interval

    def begin(self) -> None:
        """Nothing runs before the first batch."""

    def feed(self, index: int, lines: list[str]) -> None:
        """Write the files of the batch, move the clock on, and wait for the last output."""
        when = self.clock(index)
        for number, directory in self._directories:
            content = self.session.lines_for(number, index)
            if index:  # nothing arrives in the first interval
                put_file(directory, index, content, when - self._interval / 2)
        if self.session.topics is not None:
            self.session.topics.feed(index)
        self._advance(round(self._interval * 1000))
        wait_until(
            lambda: self.finished >= when - 1e-4 or self.is_over(), self.session.spec.timeout, "a batch"
        )
        self.is_over()

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


def print_batch(rdd: Any, num: int) -> None:
    """Note the rows that `pprint` would print."""
    found = rdds.whole(rdd)
    texts = [str(row) for row in found.rows[: max(num, 0)]]
    _current[-1].session.recorder.display(
        kind="pprint", rows=found.encoded(), ties=found.ties, limit=num, texts=texts
    )


def drive_pyspark(session: Session) -> None:
    """Take over `pyspark.streaming`."""
    from pyspark import serializers
    from pyspark.streaming import DStream, StreamingContext
    from pyspark.streaming.util import TransformFunction

    from migrate.verify.child.contexts import Contexts

    serializer: Any = serializers.UTF8Deserializer  # untyped in PySpark

    def text_stream(context: Any, queue: list[Any]) -> Any:
        java = context._jvm.PythonDStream.toRDDQueue([rdd._jrdd for rdd in queue])
        empty = context.sparkContext._jsc.emptyRDD()
        return DStream(context._jssc.queueStream(java, True, empty), context, serializer())

    def set_clock(streams: Streams, context: Any) -> None:
        inner = context._jssc.ssc()
        interval = inner.graph().batchDuration().milliseconds() / 1000
        streams.set_clock(inner.scheduler().clock().advance, interval)

    def has_outputs(context: Any) -> bool:
        return len(context._jssc.ssc().graph().getOutputStreams()) > 0

    Contexts(session, StreamingContext, text_stream, set_clock, has_outputs).take_over()
    replace(TransformFunction, "call", _keeping_sorts)
    replace(DStream, "pprint", _pprint)


def _pprint(original: Any, self: Any, num: int = 10) -> None:
    def take_and_print(when: Any, rdd: Any) -> None:
        from migrate.verify.child import dstreams

        dstreams.print_batch(rdd, num)

    self.foreachRDD(take_and_print)


def _keeping_sorts(original: Callable[..., Any], self: Any, milliseconds: int, jrdds: Any) -> Any:
    """RDDs become JVM objects between two functions of a stream; their sorts must not get lost there."""
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
