"""The time that batches are made by."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Milliseconds since the epoch."""

    def now(self) -> int:
        """The time."""

    def wait_until(self, due: int, cancelled: Callable[[], bool]) -> bool:
        """Wait until the time is `due` (True), or `cancelled()` after a `wake` (False)."""

    def wake(self) -> None:
        """Have waiters look again."""


class SystemClock:
    """The real time."""

    def __init__(self) -> None:
        self._woken = threading.Condition()

    def now(self) -> int:
        """See `Clock`."""
        return time.time_ns() // 1_000_000

    def wait_until(self, due: int, cancelled: Callable[[], bool]) -> bool:
        """See `Clock`."""
        with self._woken:
            while not cancelled():
                left = due - self.now()
                if left <= 0:
                    return True
                self._woken.wait(left / 1000)
        return False

    def wake(self) -> None:
        """See `Clock`."""
        with self._woken:
            self._woken.notify_all()


class ManualClock:
    """A time that is moved by hand, for tests; it starts at 0, as Spark's own."""

    def __init__(self, now: int = 0) -> None:
        self._now = now
        self._woken = threading.Condition()

    def now(self) -> int:
        """See `Clock`."""
        return self._now

    def advance(self, milliseconds: int) -> None:
        """Move the time on."""
        with self._woken:
            self._now += milliseconds
            self._woken.notify_all()

    def set(self, now: int) -> None:
        """Move the time to `now`."""
        with self._woken:
            self._now = now
            self._woken.notify_all()

    def wait_until(self, due: int, cancelled: Callable[[], bool]) -> bool:
        """See `Clock`."""
        with self._woken:
            self._woken.wait_for(lambda: cancelled() or self._now >= due)
            return not cancelled()

    def wake(self) -> None:
        """See `Clock`."""
        with self._woken:
            self._woken.notify_all()
