"""Rows in a directory of the driver's machine, so that a query that is started again has them."""

from __future__ import annotations

import contextlib
import json
import pickle
import sys
import time
import uuid
from pathlib import Path
from typing import Any

from pyspark import cloudpickle

cloudpickle.register_pickle_by_value(sys.modules[__name__])

_LOCKED_SECONDS = 10.0
"""How long to wait for a query that ends to let go of its directory."""

Row = tuple[Any, ...]


class Kept:
    """Rows in files, ``run-start-end.rows``, of the numbers from `start` to before `end`.

    A file ``given`` has the name of the run and the offset up to which batches were given rows. A run goes on
    in whoever opens the directory next: rows that were received and are in no batch yet come first. One
    process at a time has it.

    Args:
        directory: is made if it is not there.

    Raises:
        OSError: another query has it, or rows are missing.
    """

    def __init__(self, directory: str) -> None:
        self._directory = Path(directory)
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = _locked(self._directory / "lock")
        self._mark = self._directory / "given"
        if not self._mark.exists():
            self._write(self._mark, json.dumps({"run": uuid.uuid4().hex, "rows": 0}).encode())
        marked = json.loads(self._mark.read_text())
        self.run: str = marked["run"]
        self.given: int = marked["rows"]
        """Up to where batches were given rows, as far as this is known."""

    def rows(self) -> tuple[int, list[Row]]:
        """All rows that are there, and the number of the first one.

        Raises:
            OSError: some are missing in between.
        """
        files = self._files()
        first = files[0][0] if files else self.given
        rows: list[Row] = []
        for start, _, file in files:
            if start != first + len(rows):
                raise OSError(f"{self._directory} lacks the rows {first + len(rows)} to {start}")
            rows += pickle.loads(file.read_bytes())
        return first, rows

    def write(self, start: int, rows: list[Row]) -> None:
        """Keep rows from the number `start` on; they are on the disk then."""
        name = f"{self.run}-{start}-{start + len(rows)}.rows"
        self._write(self._directory / name, pickle.dumps(rows))

    def give(self, end: int) -> None:
        """Note that a batch is about to get rows up to a number."""
        if end > self.given:
            self._write(self._mark, json.dumps({"run": self.run, "rows": end}).encode())
            self.given = end

    def forget(self, end: int) -> None:
        """Remove rows up to a number, in so far as files have no others."""
        for _, last, file in self._files():
            if last <= end:
                file.unlink(missing_ok=True)

    def close(self) -> None:
        """Let another query have the directory."""
        self._lock.close()

    def _files(self) -> list[tuple[int, int, Path]]:
        found = []
        for file in self._directory.glob(f"{self.run}-*.rows"):
            _, start, end = file.stem.split("-")
            found.append((int(start), int(end), file))
        return sorted(found)

    def _write(self, file: Path, data: bytes) -> None:
        import os

        partial = file.with_suffix(".partial")
        with partial.open("wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        partial.replace(file)


def _locked(file: Path) -> Any:
    """The file, open, with a lock that ends with it.

    Raises:
        OSError: another process has it.
    """
    import fcntl

    opened = file.open("w")
    until = time.monotonic() + _LOCKED_SECONDS

    def is_locked() -> bool:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False

    while not is_locked():
        if time.monotonic() > until:
            opened.close()
            raise OSError(f"{file.parent} is the directory of another query, which runs")
        time.sleep(0.1)
    return opened
