"""The batch log: the batch times a micro-batch stands for and what sources gave, before any of it runs.

Spark replays the micro-batch that a crash interrupted, under the same id. What is in the log under that id is
then run again, with the same input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compat._structured.directory import Directory
    from compat._structured.sources import Slices


class BatchLog:
    """The log of a run.

    One file per micro-batch, ``batches/<batch id>``, has its batch times, and the slices of the sources for
    the first of them. The slices for the others follow in ``batches/<batch id>-<time>``, just before each
    runs.

    Args:
        directory: where the log is; None: in memory only, for a run that cannot be recovered.
    """

    def __init__(self, directory: Directory | None) -> None:
        self._directory = directory
        self._times: dict[int, list[int]] = {}

    def restore(self) -> Slices:
        """Read back what an earlier run wrote; all slices that it has."""
        slices: Slices = {}
        if self._directory is None:
            return slices
        for name in self._directory.names():
            entry = json.loads(self._directory.read(name))
            if "times" in entry:
                self._times[int(name)] = entry["times"]
            for number, given in entry["slices"].items():
                for time, value in given.items():
                    slices.setdefault(int(number), {})[int(time)] = value
        return slices

    def times(self, batch_id: int) -> list[int] | None:
        """The batch times of a micro-batch that was begun before, or None."""
        return self._times.get(batch_id)

    @property
    def last_time(self) -> int | None:
        """The last batch time that was begun."""
        return max((times[-1] for times in self._times.values()), default=None)

    def begin(self, batch_id: int, times: list[int], time: int, slices: Slices) -> None:
        """Write down the slices of `time`, one of the `times` of the micro-batch, before it runs."""
        first = batch_id not in self._times
        self._times[batch_id] = times
        if self._directory is None or not (first or slices):
            return
        entry = {"times": times, "slices": slices} if first else {"slices": slices}
        name = f"{batch_id}" if first else f"{batch_id}-{time}"
        self._directory.write(name, json.dumps(entry).encode())

    def remove(self, batch_id: int, horizon: int) -> None:
        """Remove what is older than `batch_id` and has no slices of times after `horizon`."""
        old = [other for other, times in self._times.items() if other < batch_id and times[-1] <= horizon]
        for other in old:
            for time in self._times.pop(other):
                if self._directory is not None:
                    self._directory.delete(f"{other}-{time}")
            if self._directory is not None:
                self._directory.delete(str(other))
