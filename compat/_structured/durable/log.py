"""The batch log: what sources gave to each batch, before it runs, and how the batch ended.

A batch that a crash interrupted is run again, as a whole and with the same input; so is one that failed. The
others are not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from compat.directory import not_ours

if TYPE_CHECKING:
    from compat._structured.durable.needed import Needed
    from compat._structured.inputs.sources import Slices
    from compat.directory import Directory

DONE = ".done"
FAILED = ".failed"
_NAME = re.compile(rf"[0-9]+({re.escape(DONE)}|{re.escape(FAILED)})?")


class BatchLog:
    """The log of a run.

    ``batches/<batch time>`` has the slices of the sources that were decided for this batch: its own, and
    those of earlier times that a window asks for only now. ``batches/<batch time>.done`` says that this batch
    and all before it are done: it is a file of its own because not every file system can replace one. Of
    these, the batches with a ``batches/<batch time>.failed`` failed: the next run begins with them. The file
    has the text of the error; a batch whose file somebody removes is given up.

    Args:
        directory: where the log is; None: nowhere, for a run that cannot be recovered.
        check: raises if the run may not write any more.
    """

    def __init__(self, directory: Directory | None, check: Callable[[], None] = lambda: None) -> None:
        self._directory = directory
        self._check = check
        self._entries: dict[int, Slices] = {}
        self._unwritten: int | None = None
        self.done: int | None = None
        """The last batch time that was run to its end."""
        self.failed: set[int] = set()
        """Batches before it that failed, to be run again by a run that goes on from this log."""

    def restore(self) -> Slices:
        """Read back what an earlier run wrote; all slices that it has.

        Raises RuntimeError for a file that no run has written.
        """
        slices: Slices = {}
        names = [] if self._directory is None else self._directory.names()
        for name in names:
            if self._directory is not None and not _NAME.fullmatch(name):
                raise not_ours(self._directory, name)
        ends = _times(names, DONE)
        self.done = max(ends, default=None)
        for old in ends[:-1]:
            self._delete(old, DONE)
        for time in _times(names, FAILED):
            if self.done is not None and time <= self.done:
                self.failed.add(time)
            else:
                self._delete(time, FAILED)  # it has not ended, and is run again for that
        for time in sorted(int(name) for name in names if name.isdecimal()):
            self._entries[time] = self._read(time)
            for number, given in self._entries[time].items():
                slices.setdefault(number, {}).update(given)
        return slices

    @property
    def last_time(self) -> int | None:
        """The last batch time that is known to have been begun."""
        return max([*self._entries, *([] if self.done is None else [self.done])], default=None)

    @property
    def lasts(self) -> bool:
        """Whether a later run can go on from this log."""
        return self._directory is not None

    def where(self, time: int) -> str:
        """The file that says that the batch at `time` failed."""
        assert self._directory is not None
        return self._directory.path(f"{time}{FAILED}")

    def begin(self, time: int, slices: Slices) -> None:
        """Write down what was decided for the batch at `time`, before it runs."""
        if self._directory is None:
            return
        self._check()
        if slices:
            entry = self._entries.setdefault(time, {})
            for number, given in slices.items():
                entry.setdefault(number, {}).update(given)
            self._write(time)
        self._write_end()

    def release(self, time: int, slices: Collection[tuple[int, int]]) -> None:
        """Sources took back what they gave to the batch at `time`: slices by source number and time."""
        entry = self._entries.get(time, {})
        released = [when for number, when in slices if entry.get(number, {}).pop(when, None) is not None]
        if released:
            self._write(time)

    def fail(self, time: int, error: str) -> None:
        """The batch at `time`, which is about to end, is to be run again by the next run."""
        self.failed.add(time)
        if self._directory is not None:
            self._store(f"{time}{FAILED}", error.encode())

    def mend(self, time: int) -> None:
        """The batch at `time` failed in an earlier run, and went well now."""
        self._delete(time, FAILED)
        self.failed.remove(time)

    def end(self, time: int, *, settled: bool = True) -> None:
        """The batch at `time` is done.

        Unless that is `settled`, it is written when the next batch begins: a run that ends before is followed
        by one that runs this batch again.
        """
        if self._directory is None:
            self.done = time
            return
        self._check()
        self._unwritten = time
        if settled:
            self._write_end()

    def remove(self, needed: Needed) -> None:
        """Remove the slices that no batch needs."""
        for old in [time for time in self._entries if time not in needed]:
            self._delete(old)
            del self._entries[old]

    def _write_end(self) -> None:
        if self._unwritten is not None:
            before, self.done, self._unwritten = self.done, self._unwritten, None
            self._store(f"{self.done}{DONE}", b"")
            if before is not None:
                self._delete(before, DONE)

    def _write(self, time: int) -> None:
        self._store(str(time), json.dumps(self._entries[time]).encode())

    def _store(self, name: str, content: bytes) -> None:
        assert self._directory is not None
        self._directory.write(name, content)

    def _delete(self, time: int, kind: str = "") -> None:
        assert self._directory is not None
        self._directory.delete(f"{time}{kind}")

    def _read(self, time: int) -> Slices:
        assert self._directory is not None
        try:
            # JSON's keys are strings.
            return {
                int(number): {int(when): value for when, value in given.items()}
                for number, given in json.loads(self._directory.read(str(time))).items()
            }
        except (ValueError, AttributeError) as error:
            raise not_ours(self._directory, str(time)) from error


def _times(names: Collection[str], kind: str) -> list[int]:
    """The times of the files of a kind, in order."""
    return sorted(int(name.removesuffix(kind)) for name in names if name.endswith(kind))
