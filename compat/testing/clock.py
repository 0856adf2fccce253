"""Batches by hand: one at a time, each waited for."""

from __future__ import annotations

import threading
from datetime import datetime

from compat.streaming import StreamingContext


def batch_number(ssc: StreamingContext, time: datetime) -> int:
    """The number of the batch of that time, by the manual clock, which starts at 0; the first is 1."""
    return round(time.timestamp() * 1000 / ssc._interval_ms)


class BatchClock:
    """Moves the clock of a context from batch to batch.

    Create it after the program's last output and before `start`: it adds an output of its own, which runs
    after all others and thus tells when a batch is done.

    Args:
        ssc: a context whose SparkContext has ``spark.streaming.clock`` set to Spark's ManualClock.
        timeout: seconds to wait for a batch.
    """

    def __init__(self, ssc: StreamingContext, timeout: float = 60.0) -> None:
        self._ssc = ssc
        self._timeout = timeout
        self._number = 0
        self._done: set[int] = set()
        self._changed = threading.Condition()
        ssc.queueStream([ssc.sparkContext.emptyRDD()]).foreachRDD(lambda time, rdd: self._mark(time))

    def next_batch(self) -> int:
        """Run the next batch to its end and return its number; the first is 1.

        Raises:
            TimeoutError: the batch did not come to its outputs; a `transform` callback that raises is one
                reason. The error of the run, if there is one, is its cause.
        """
        number = self.skip_batch()
        with self._changed:
            if not self._changed.wait_for(lambda: number in self._done, self._timeout):
                late = TimeoutError(f"batch {number} was not done within {self._timeout:g} s")
                raise late from self._error()
        return number

    def skip_batch(self) -> int:
        """Move on by a batch interval and return the number of the batch, without waiting for it."""
        self._ssc._engine.advance_clock(self._ssc._interval_ms)
        self._number += 1
        return self._number

    def _mark(self, time: datetime) -> None:
        with self._changed:
            self._done.add(batch_number(self._ssc, time))
            self._changed.notify_all()

    def _error(self) -> Exception | None:
        try:
            self._ssc.awaitTerminationOrTimeout(0.001)
        except Exception as error:
            return error
        return None
