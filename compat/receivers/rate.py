"""How fast a receiver may take elements."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compat.receivers.receiver import Stopping

_BURST_SECONDS = 1.0


class Rate:
    """A limit to elements per second, as Spark's ``RateLimiter``: after a pause those of one second at once.

    Args:
        per_second: above 0.
    """

    def __init__(self, per_second: float) -> None:
        self._seconds = 1 / per_second
        self._free_at = time.monotonic()
        self._changing = threading.Lock()

    def wait(self, stopping: Stopping) -> None:
        """Wait until the next element may come, or the program ends."""
        now = time.monotonic()
        with self._changing:
            turn = max(self._free_at, now - _BURST_SECONDS)
            self._free_at = turn + self._seconds
        if turn > now:
            stopping.wait(turn - now)
