"""What each batch of a stream gets, written down before it runs: a batch that runs again gets the same."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from compat.directory import directory

if TYPE_CHECKING:
    from compat._rdd.heartbeat import Run

S = TypeVar("S")


class Slices(Generic[S]):
    """Slices by batch time, in ``<checkpoint>/<kind>/<identity of the stream>/<batch time>``.

    Args:
        run: tells which batches are done.
        kind: what the stream reads.
        identity: the stream.
        slice_of: makes a slice of what JSON made of it.
    """

    def __init__(self, run: Run, kind: str, identity: str, slice_of: Callable[[Any], S]) -> None:
        self._run = run
        place = None if run.checkpoint is None else directory(f"{run.checkpoint}/{kind}/{identity}")
        self._log = place
        self.by_time: dict[int, S] = {}
        self.deciding = threading.RLock()
        """Held by who decides, and by who wants that nobody does."""
        for name in [] if place is None else place.names():
            assert place is not None
            self.by_time[int(name)] = slice_of(json.loads(place.read(name)))

    def at(self, time: int, decide: Callable[[], S], take_back: Callable[[S], None]) -> S:
        """What the batch at `time` gets: what was written down, or what is decided now.

        What cannot be written is taken back, so that another batch gets it.
        """
        with self.deciding:
            if time not in self.by_time:
                given = decide()
                try:
                    self._write(time, given)
                except BaseException:
                    take_back(given)
                    raise
                self.by_time[time] = given
            return self.by_time[time]

    def _write(self, time: int, given: S) -> None:
        if self._log is not None:
            self._log.write(str(time), json.dumps(given).encode())

    def done(self, time: int) -> S | None:
        """The last slice of a batch that is done, of those before `time`; None: there is none."""
        before = self._run.first_pending(time)
        done = [when for when in self.by_time if when < before]
        return self.by_time[max(done)] if done else None

    def forget(self, time: int) -> None:
        """Forget what nobody asks for any more when the batch at `time` is due.

        The last slice stays: it says how far the stream was read.
        """
        if self._run.remembers_ms is None:
            return
        last, oldest = max(self.by_time), self._run.first_pending(time) - self._run.remembers_ms
        for old in [when for when in self.by_time if when < oldest and when != last]:
            del self.by_time[old]
            if self._log is not None:
                self._log.delete(str(old))
