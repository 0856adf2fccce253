"""What happens at each heartbeat of the streaming query."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from compat.engine import StreamingError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from compat._structured.clock import Clock
    from compat._structured.evaluate import Evaluation
    from compat._structured.intake import Intake
    from compat._structured.listeners import Listeners
    from compat._structured.log import BatchLog
    from compat._structured.registry import Action


class InterruptedBatchError(Exception):
    """The run was stopped before all of a batch was done; a recovered run does it again, as a whole."""


class Running:
    """Runs the graph once for each batch time, in order, and keeps the first error of the program.

    Args:
        evaluation: makes the batches.
        log: remembers batch times and inputs.
        clock: tells which batch times are due.
        listeners: are told of batches.
        intake: takes the rows of the program's streaming DataFrames, which come with a micro-batch.
        waits: a micro-batch waits for the next batch time; else the query's trigger has done so.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        log: BatchLog,
        clock: Clock,
        listeners: Listeners,
        intake: Intake,
        *,
        waits: bool,
    ) -> None:
        self._evaluation = evaluation
        self._log = log
        self._clock = clock
        self._listeners = listeners
        self._intake = intake
        # Rows must not pass by in a micro-batch that stands for no batch time.
        self._waits = waits or bool(intake.feeds)
        self._interval_ms = evaluation.graph.interval_ms
        self._done_ms = max(evaluation.zero_ms, log.done or 0)
        self._changed = threading.Condition()
        self._thread: int | None = None
        self._stopping = False
        self._ended = False
        self._error: str | None = None

    # --- called by the query -------------------------------------------------------------------------------

    def micro_batch(self, data: DataFrame, batch_id: int) -> None:
        """Run the graph for all batch times that have come since the last micro-batch.

        A micro-batch that Spark replays goes on where the log ends, as any other does. Does not raise for
        errors of the program.
        """
        self._evaluation.session.give_back_to_df()
        due = self._due()
        if not due or not self._enter():
            if self._intake.feeds:
                self._go_on()  # so that Spark does not count its rows as done
            return
        try:
            with self._evaluation.session.active():
                self._intake.take(data, batch_id, due[0])
                for time in due:
                    self._batch(time)
        except InterruptedBatchError:
            raise
        except Exception:
            self.fail(traceback.format_exc())
            raise
        finally:
            self._leave()

    def _due(self) -> range:
        following = self._done_ms + self._interval_ms
        if self._waits and not self._clock.wait_until(following, lambda: self._stopping):
            return range(0)
        return range(following, self._clock.now() + 1, self._interval_ms)

    def _batch(self, time: int) -> None:
        self._go_on()
        self._log.begin(time, self._evaluation.plan(time))
        actions: list[Action] = []
        if self._tries(lambda: actions.extend(self._evaluation.generate(time))):
            for action in self._listeners.batch(time, self._evaluation.inputs(time), actions):
                self._go_on()
                self._tries(action.run)
        else:
            self._log.release(time, self._evaluation.release(time))
        self._log.end(time)
        for feed in self._evaluation.feeds.values():
            feed.done(time)
        self._log.remove(self._evaluation.forget(time))
        with self._changed:
            self._done_ms = time
            self._changed.notify_all()

    def _go_on(self) -> None:
        if self._stopping:
            raise InterruptedBatchError

    def _tries(self, work: Callable[[], None]) -> bool:
        """Whether `work` of the program's went well; if not, the run goes on and the first error is kept."""
        try:
            work()
        except BaseException:
            text = traceback.format_exc()
        else:
            return True
        self._go_on()  # not in the except clause: Spark overflows its stack with a long chain of tracebacks
        self.fail(f"An exception was raised by Python:\n{text}")
        return False

    def _enter(self) -> bool:
        with self._changed:
            if self._stopping:
                return False
            self._thread = threading.get_ident()
            return True

    def _leave(self) -> None:
        with self._changed:
            self._thread = None
            self._changed.notify_all()

    # --- called from elsewhere -----------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the run was stopped, or has ended by itself."""
        return self._stopping or self._ended

    @property
    def in_callback(self) -> bool:
        """Whether the caller is in a batch, in a callback of the program's."""
        return self._thread == threading.get_ident()

    def wait(self, timeout_ms: int | None) -> bool:
        """See `Engine.await_termination`."""
        timeout = None if timeout_ms is None else timeout_ms / 1000
        with self._changed:
            self._changed.wait_for(lambda: self._error is not None or self._ended, timeout)
            if self._error is not None:
                raise StreamingError(self._error)
            return self._ended

    def wait_idle(self, seconds: float | None) -> bool:
        """Wait until no batch runs, `seconds` at most; whether that is so."""
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, seconds)

    def finish(self, until_ms: int) -> None:
        """Wait until the batch at `until_ms` is done, or the run has come to an end."""
        with self._changed:
            self._changed.wait_for(lambda: self._done_ms >= until_ms or self._ended or self._stopping)

    def next_time(self) -> int:
        """The first batch time that has not come yet."""
        following = self._done_ms + self._interval_ms
        now = self._clock.now()
        return (
            following if following > now else now + self._interval_ms - (now - following) % self._interval_ms
        )

    def stop(self) -> None:
        """Begin no further batch, nor output."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._clock.wake()

    def end(self) -> None:
        """The query has ended."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def fail(self, text: str) -> None:
        """Keep an error, unless there was one before or it comes of stopping."""
        with self._changed:
            if self._error is None and not self._stopping:
                self._error = text
                self._changed.notify_all()
