"""What happens at each heartbeat of the streaming query."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING

from compat._structured.durable.ownership import TakenOverError
from compat.engine import StreamingError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from compat._structured.batches.evaluate import Evaluation
    from compat._structured.batches.registry import Action
    from compat._structured.durable.log import BatchLog
    from compat._structured.inputs.intake import Intake
    from compat._structured.life.clock import Clock
    from compat._structured.life.listeners import Listeners

_logger = logging.getLogger(__name__)

LATE, EARLY = 10, 100
"""How many batches a micro-batch runs at most: if the next one's time has come, and if it has not. Until it
ends Spark keeps all of its jobs, stages and RDDs, some megabytes a batch."""


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
        self._failed_before = sorted(log.failed)
        for time in self._failed_before:
            evaluation.hold(time)
        self._changed = threading.Condition()
        self._thread: int | None = None
        self._stopping = False
        self._ended = False
        self._warned = False
        self._error: str | None = None

    # --- called by the query -------------------------------------------------------------------------------

    def micro_batch(self, data: DataFrame, batch_id: int) -> None:
        """Run the graph for batch times that have come since the last micro-batch, but not for too many.

        A micro-batch that Spark replays goes on where the log ends, as any other does. Does not raise for
        errors of the program.

        Raises:
            InterruptedBatchError: the run was stopped before the rows of the micro-batch were put out; Spark
                must not count them as done.
        """
        self._evaluation.session.give_back_to_df()
        done = not self._failed_before or self._at_work(self._again)
        due = self._due() if done and not self._failed_before else range(0)
        done = bool(due) and self._at_work(lambda: self._batches(data, batch_id, due))
        if not done and self._intake.feeds:
            raise InterruptedBatchError

    def _at_work(self, work: Callable[[], None]) -> bool:
        """Do `work`; returns False if a stop kept it from being done."""
        if not self._enter():
            return False
        try:
            with self._evaluation.session.active():
                work()
        except InterruptedBatchError:
            return False
        except Exception:
            if not self._stopping:
                self.fail(traceback.format_exc())
                raise
            return False
        finally:
            self._leave()
        return True

    def _due(self) -> range:
        following = self._done_ms + self._interval_ms
        self._warn_of_a_clock_that_is_behind()
        if self._waits and not self._clock.wait_until(following, lambda: self._stopping):
            return range(0)
        return range(following, self._clock.now() + 1, self._interval_ms)

    def _warn_of_a_clock_that_is_behind(self) -> None:
        """Warn of a clock that was set back, or of another machine's that ran ahead: batches wait for it."""
        behind_ms = self._done_ms - self._clock.now()
        if behind_ms <= self._interval_ms:
            self._warned = False
        elif not self._warned:
            self._warned = True
            _logger.warning(
                "The clock is %g s behind the last batch, which was at %d ms: the next one waits until it has"
                " caught up",
                behind_ms / 1000,
                self._done_ms,
            )

    def _batches(self, data: DataFrame, batch_id: int, due: range) -> None:
        self._intake.take(data, batch_id, due[0])
        for time in self._some(due):
            self._batch(time)

    def _some(self, times: Iterable[int]) -> Iterator[int]:
        """The first times, as many as one micro-batch takes."""
        following = monotonic() + self._interval_ms / 1000
        for number, time in enumerate(times):
            if number >= EARLY or (number >= LATE and monotonic() >= following):
                return
            yield time

    def _batch(self, time: int) -> None:
        self._go_on()
        made, errors = self._outputs(time)
        # As Spark's JobScheduler has it: a batch waits for its last output, whatever the others did.
        failure = errors[-1] if errors else None
        if not made:
            self._log.release(time, self._evaluation.release(time))
        elif failure is not None:
            if self._log.lasts:
                self._evaluation.hold(time)
            self._log.fail(time, failure)
        settled = failure is not None or (made and not any(errors))
        self._log.end(time, settled=settled)
        if settled and not self._log.failed:
            for feed in self._evaluation.feeds.values():
                feed.done(time)
        self._log.remove(self._evaluation.forget(time if settled else time - self._interval_ms))
        with self._changed:
            self._done_ms = time
            self._changed.notify_all()

    def _again(self) -> None:
        """Run batches that failed in the run before this one, each as it was.

        All of them, if there are rows that have come with this micro-batch.
        """
        times = list(self._failed_before)
        for time in times if self._intake.feeds else self._some(times):
            self._go_on()
            _logger.warning(
                "The batch at %d ms failed and is run again. To give it up remove %s before a start",
                time,
                self._log.where(time),
            )
            made, errors = self._outputs(time)
            if made and not (errors and errors[-1]):
                self._evaluation.let_go(time)
                self._log.mend(time)
            self._log.remove(self._evaluation.forget(time))
            del self._failed_before[0]

    def _outputs(self, time: int) -> tuple[bool, list[str | None]]:
        """Make the batch at `time` and put it out.

        Returns whether it could be made, and for each output what went wrong.
        """
        self._log.begin(time, self._evaluation.plan(time))
        actions: list[Action] = []
        if self._tries(lambda: actions.extend(self._evaluation.generate(time))) is not None:
            return False, []
        errors = []
        for action in self._listeners.batch(time, self._evaluation.inputs(time), actions):
            self._go_on()
            errors.append(self._tries(action.run))
        return True, errors

    def _go_on(self) -> None:
        if self._stopping:
            raise InterruptedBatchError

    def _tries(self, work: Callable[[], None]) -> str | None:
        """Call the program's code. Returns the traceback of what it raises, or None; the run goes on."""
        try:
            work()
        except TakenOverError:
            raise
        except BaseException:
            text = traceback.format_exc()
        else:
            return None
        self._go_on()  # not in the except clause: Spark overflows its stack with a long chain of tracebacks
        self.fail(f"An exception was raised by Python:\n{text}")
        return text

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
        """Wait until no batch runs, `seconds` at most; returns whether none does."""
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, seconds)

    def pause(self, seconds: float) -> None:
        """Wait for `seconds`. Raises InterruptedBatchError as soon as the run is over."""
        with self._changed:
            if self._changed.wait_for(lambda: self.over, seconds):
                raise InterruptedBatchError

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
