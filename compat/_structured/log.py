"""The batch log: what sources gave to each batch, before it runs, and which batches are done.

A batch that a crash interrupted is run again, as a whole and with the same input; those before it are not."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compat._structured.sources import Slices
    from compat.directory import Directory

DONE = ".done"


class BatchLog:
    """The log of a run.

    ``batches/<batch time>`` has the slices of the sources that were decided for this batch: its own, and
    those of earlier times that a window asks for only now. ``batches/<batch time>.done`` says that this batch
    and all before it are done: it is a file of its own because not every file system can replace one.

    Args:
        directory: where the log is; None: nowhere, for a run that cannot be recovered.
    """

    def __init__(self, directory: Directory | None) -> None:
        self._directory = directory
        self._entries: dict[int, Slices] = {}
        self.done: int | None = None
        """The last batch time that was run to its end."""

    def restore(self) -> Slices:
        """Read back what an earlier run wrote; all slices that it has."""
        slices: Slices = {}
        names = [] if self._directory is None else self._directory.names()
        ends = [int(name.removesuffix(DONE)) for name in names if name.endswith(DONE)]
        self.done = max(ends, default=None)
        for old in sorted(ends)[:-1]:
            self._forget_end(old)
        for time in sorted(int(name) for name in names if not name.endswith(DONE)):
            self._entries[time] = self._read(time)
            for number, given in self._entries[time].items():
                slices.setdefault(number, {}).update(given)
        return slices

    @property
    def last_time(self) -> int | None:
        """The last batch time that is known to have been begun."""
        return max([*self._entries, *([] if self.done is None else [self.done])], default=None)

    def begin(self, time: int, slices: Slices) -> None:
        """Write down what was decided for the batch at `time`, before it runs."""
        if self._directory is None or not slices:
            return
        entry = self._entries.setdefault(time, {})
        for number, given in slices.items():
            entry.setdefault(number, {}).update(given)
        self._write(time)

    def release(self, time: int, slices: Collection[tuple[int, int]]) -> None:
        """Sources took back what they gave to the batch at `time`: slices by source number and time."""
        entry = self._entries.get(time, {})
        released = [when for number, when in slices if entry.get(number, {}).pop(when, None) is not None]
        if released:
            self._write(time)

    def end(self, time: int) -> None:
        """The batch at `time` is done."""
        before, self.done = self.done, time
        if self._directory is not None:
            self._directory.write(f"{time}{DONE}", b"")
            if before is not None:
                self._forget_end(before)

    def remove(self, horizon: int) -> None:
        """Remove the slices up to `horizon`."""
        for old in [time for time in self._entries if time <= horizon]:
            assert self._directory is not None
            self._directory.delete(str(old))
            del self._entries[old]

    def _forget_end(self, time: int) -> None:
        assert self._directory is not None
        self._directory.delete(f"{time}{DONE}")

    def _write(self, time: int) -> None:
        assert self._directory is not None
        self._directory.write(str(time), json.dumps(self._entries[time]).encode())

    def _read(self, time: int) -> Slices:
        assert self._directory is not None
        # JSON's keys are strings.
        entry = json.loads(self._directory.read(str(time)))
        return {
            int(number): {int(when): value for when, value in given.items()}
            for number, given in entry.items()
        }
