"""Which batches are still asked for: what is not may be forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """The batch times after `after`, up to `until`."""

    after: int
    until: int


class Needed:
    """The batch times of a stream, or of the log, that somebody may ask for.

    Args:
        after: batches to come ask for nothing up to this time.
        held: what batches ask for that failed, and that the next run will make again.
    """

    def __init__(self, after: int, held: Iterable[Span] = ()) -> None:
        self.after = after
        self._held = tuple(held)

    def __contains__(self, time: object) -> bool:
        assert isinstance(time, int)
        return time > self.after or any(span.after < time <= span.until for span in self._held)

    def begins_at(self, times: Iterable[int]) -> set[int]:
        """The times in `times` that the needed batches build on: for each part, the last one before it."""
        known = sorted(times)
        parts = [self.after, *(span.after for span in self._held)]
        return {max(before) for part in parts if (before := [time for time in known if time <= part])}
