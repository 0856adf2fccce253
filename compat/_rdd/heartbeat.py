"""DStreams whose batches Python makes: a heartbeat, and for each batch an RDD in place of its own.

The heartbeat is a stream of files in a directory that stays empty, for that can be checkpointed. The
functions that make the RDDs are pickled into the checkpoint with nothing but settings: what is at work for a
stream is found by its identity, and made anew in a recovered run."""

from __future__ import annotations

import getpass
import tempfile
import threading
from collections.abc import Callable, Hashable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.streaming import DStream

    from compat._rdd.registry import Program

T = TypeVar("T")


class Work(Protocol):
    """Makes the batches of one stream while the program runs."""

    def rdd(self, time: int) -> RDD[Any]:
        """The batch at `time`."""

    def stop(self) -> None:
        """Receive no more; batches that are due may still be asked for."""

    def end(self, *, finished: bool) -> None:
        """No batch runs any more; all that are not pending are done if `finished`."""


class Run:
    """The StreamingContext that runs, and the `Work` of its streams.

    Args:
        java_context: the JavaStreamingContext.
        checkpoint: the URI of the engine's checkpoint directory; None: there is none.
    """

    def __init__(self, java_context: Any, checkpoint: str | None) -> None:
        self._scheduler = java_context.ssc().scheduler()
        self._streams = java_context.ssc().graph()
        self.checkpoint = checkpoint
        self._works: dict[str, Work] = {}
        self._shared: dict[Any, Any] = {}
        self._making = threading.Lock()
        self.remembers_ms: int | None = None
        """How long a batch may be asked for again, in a recovered run too; None: not known yet."""
        self.reads_ms: int | None = None
        """How long batches of other streams than sources may be asked for again; None: not known yet."""

    def work(self, identity: str, make: Callable[[Run], Work]) -> Work:
        """The work of the stream with this identity; the first call makes it."""
        with self._making:
            if identity not in self._works:
                self._works[identity] = make(self)
            return self._works[identity]

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """What the works of several streams share; the first call makes it. Called while a work is made."""
        if key not in self._shared:
            self._shared[key] = make()
        found: T = self._shared[key]
        return found

    def of(self, identity: str) -> Work:
        """The work of the stream with this identity, which has had a batch."""
        return self._works[identity]

    def now(self) -> int:
        """The time by which Spark makes batches, in milliseconds."""
        return int(self._scheduler.clock().getTimeMillis())

    def first_pending(self, time: int) -> int:
        """The first batch that is not done, of those before `time`; else `time`."""
        pending = self._scheduler.getPendingTimes()
        times: list[int] = [pending.apply(number).milliseconds() for number in range(pending.size())]
        return min([time, *times])

    def started(self) -> None:
        """The StreamingContext has started: now it is known what its streams remember."""
        streams = self._streams.getInputStreams()
        self.remembers_ms = max(map(_remembers_ms, streams), default=0)
        made: set[Any] = set()
        waiting = list(self._streams.getOutputStreams())
        while waiting:
            stream = waiting.pop()
            above = stream.dependencies()
            if not above.isEmpty() and stream not in made:
                made.add(stream)
                waiting += [above.apply(number) for number in range(above.size())]
        self.reads_ms = max(map(_remembers_ms, made), default=0)

    def stop(self) -> None:
        """See `Work`."""
        for work in self._works.values():
            work.stop()

    def end(self, *, finished: bool) -> None:
        """See `Work`."""
        for work in self._works.values():
            work.end(finished=finished)
        self._works.clear()
        self._shared.clear()


_run: Run | None = None


def begin(java_context: Any, checkpoint: str | None) -> Run:
    """Take note of the StreamingContext that is about to start: there is one at a time."""
    global _run
    if _run is not None:
        _run.stop()
    _empty_directory()
    _run = Run(java_context, checkpoint)
    return _run


def running() -> Run:
    """The run of the StreamingContext that was started last."""
    assert _run is not None, "no StreamingContext was started"
    return _run


def stream(program: Program, identity: str, make: Callable[[Run], Work]) -> DStream[Any]:
    """A DStream with the batches of the `Work` that `make` returns; `identity` tells it from others."""

    def read(time: datetime, _: RDD[Any]) -> RDD[Any]:
        return running().work(identity, make).rdd(milliseconds(time))

    return program.context.textFileStream(_empty_directory().as_uri()).transform(read)


def _remembers_ms(stream: Any) -> int:
    remembered = stream.rememberDuration()  # null where no output reads the stream
    return 0 if remembered is None else int(remembered.milliseconds())


def milliseconds(time: datetime) -> int:
    """A batch time as Spark counts it."""
    return round(time.timestamp() * 1000)


def _empty_directory() -> Path:
    path = Path(tempfile.gettempdir()) / f"compat-heartbeat-{getpass.getuser()}"
    path.mkdir(exist_ok=True)
    return path
