"""Tells the program's listeners what happens, as Spark's listener bus does."""

from __future__ import annotations

import logging
import queue
import threading
import time
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from compat import graph
from compat._structured.life import infos

if TYPE_CHECKING:
    from pyspark.streaming import StreamingListener

    from compat._structured.batches.registry import Action
    from compat._structured.inputs.sources import Given

_log = logging.getLogger(__name__)

CLOSE_AFTER_SECONDS = 10.0
"""How long `close` waits for listeners that do not return."""


class Listeners:
    """Calls listeners in the order of the events, on a thread of its own.

    Args:
        real_time: batch times are times of day, and not those of a clock that is moved by hand.
    """

    def __init__(self, *, real_time: bool) -> None:
        self._real_time = real_time
        self._begun_ms = 0
        self._listeners: tuple[StreamingListener, ...] = ()
        self._events: queue.SimpleQueue[tuple[infos.Event, tuple[StreamingListener, ...]] | None]
        self._events = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False

    def add(self, listener: StreamingListener) -> None:
        """Tell `listener` of all events from now on."""
        self._listeners = (*self._listeners, listener)
        if self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._deliver, name="streaming listeners", daemon=True)
            self._thread.start()

    def post(self, event: infos.Event) -> None:
        """Have the listeners told; does not wait for it."""
        if self._listeners and not self._closed:
            self._events.put((event, self._listeners))

    def started(self) -> None:
        """The run begins."""
        self._begun_ms = _now()
        self.post(infos.JavaStreamingListenerStreamingStarted(self._begun_ms))

    def batch(self, at: int, inputs: dict[int, Given], actions: Sequence[Action]) -> list[Action]:
        """The actions of the batch at that time, each with a report of its own.

        Args:
            at: the batch time.
            inputs: what sources gave to it, by their ids.
            actions: what its outputs do.
        """
        if not self._listeners or not actions:
            return list(actions)
        # Spark makes a batch when it is due, also while others are at work: what it waited is its delay.
        submitted = max(at, self._begun_ms) if self._real_time else _now()
        report = _Report(self, at, inputs, actions, submitted)
        return [action._replace(run=report.of(number, action)) for number, action in enumerate(actions)]

    def close(self) -> None:
        """Deliver what was posted until now, and end."""
        self._closed = True
        thread, self._thread = self._thread, None
        if thread is not None:
            self._events.put(None)
            if thread is not threading.current_thread():
                thread.join(CLOSE_AFTER_SECONDS)

    def _deliver(self) -> None:
        while (item := self._events.get()) is not None:
            event, listeners = item
            for listener in listeners:
                _tell(listener, event)


def _tell(listener: StreamingListener, event: infos.Event) -> None:
    try:
        getattr(listener, event.told)(event)
    except Exception:
        _log.exception("%s of %s failed", event.told, type(listener).__name__)


class _Report:
    """Tells listeners of one batch while its outputs run."""

    def __init__(
        self,
        listeners: Listeners,
        at: int,
        inputs: dict[int, Given],
        actions: Sequence[Action],
        submitted_ms: int,
    ) -> None:
        self._post = listeners.post
        self._time = infos.Time(at)
        self._inputs = infos.JavaMap({number: _input(number, given) for number, given in inputs.items()})
        self._names = [_described(action.output) for action in actions]
        self._submitted = submitted_ms
        self._begun: dict[int, int] = {}
        self._done: dict[int, int] = {}
        self._failures: dict[int, str] = {}
        self._post(infos.JavaStreamingListenerBatchSubmitted(self._batch()))

    def of(self, number: int, action: Action) -> Any:
        """The work of an output, with reports of its begin and its end."""

        def run() -> None:
            self._begin(number)
            try:
                action.run()
            except BaseException:
                self._failures[number] = traceback.format_exc()
                raise
            finally:
                self._end(number)

        return run

    def _begin(self, number: int) -> None:
        self._begun[number] = _now()
        if len(self._begun) == 1:
            self._post(infos.JavaStreamingListenerBatchStarted(self._batch()))
        self._post(infos.JavaStreamingListenerOutputOperationStarted(self._operation(number)))

    def _end(self, number: int) -> None:
        self._done[number] = _now()
        self._post(infos.JavaStreamingListenerOutputOperationCompleted(self._operation(number)))
        if len(self._done) == len(self._names):
            self._post(infos.JavaStreamingListenerBatchCompleted(self._batch()))

    def _operation(self, number: int) -> infos.JavaOutputOperationInfo:
        begun, done = self._begun.get(number, -1), self._done.get(number, -1)
        failure = self._failures.get(number)
        return infos.JavaOutputOperationInfo(self._time, number, *self._names[number], begun, done, failure)

    def _batch(self) -> infos.JavaBatchInfo:
        begun = min(self._begun.values(), default=-1)
        done = max(self._done.values()) if len(self._done) == len(self._names) else -1
        scheduling = begun - self._submitted if begun >= 0 else -1
        processing = done - begun if done >= 0 else -1
        return infos.JavaBatchInfo(
            self._time,
            self._inputs,
            self._submitted,
            begun,
            done,
            scheduling,
            processing,
            scheduling + processing if done >= 0 else -1,
            sum(info.numRecords() for info in self._inputs.values()),
            infos.JavaMap({number: self._operation(number) for number in range(len(self._names))}),
        )


def _input(number: int, given: Given) -> infos.JavaStreamInputInfo:
    metadata = infos.JavaMap(given.metadata)
    return infos.JavaStreamInputInfo(number, given.records, metadata, metadata.get("Description"))


def _described(output: graph.Output) -> tuple[str, str]:
    """Name and description of an output."""
    if isinstance(output, graph.ForeachRDD):
        code = output.function.__code__
        where = f"{code.co_filename}:{code.co_firstlineno}"
        return output.operator, f"{output.operator}({code.co_name}) at {where}"
    return output.operator, output.operator


def _now() -> int:
    return time.time_ns() // 1_000_000
