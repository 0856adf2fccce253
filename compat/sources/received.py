"""A stream of rows that a receiver of `compat` gets, as Spark's Python data sources read it.

The receiver runs in the process that plans the query's batches, on the driver's machine. Rows travel to the
executors inside the partitions of their batch.

Classes in here are pickled by value: Spark runs that process, as the executors, by the Python of the workers,
which need not have `compat`.
"""

from __future__ import annotations

import logging
import pickle
import sys
import threading
import uuid
from abc import abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pyspark import cloudpickle
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition

from compat.receivers import receiver as receivers
from compat.receivers.receiver import Receiver, Stopping, Store

for _module in (__name__, receivers.__name__):
    cloudpickle.register_pickle_by_value(sys.modules[_module])

_log = logging.getLogger(__name__)
_RECONNECT_SECONDS = 2.0
_STOP_SECONDS = 10.0

Row = tuple[Any, ...]
Offset = dict[str, Any]
"""``{"run": ..., "rows": n}``: up to the n-th row that was received since the query was started."""


class Rows(InputPartition):
    """The rows of a batch."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__(None)
        self.rows = rows


class ReceivedStream(DataSourceStreamReader):
    """Plans batches of what was received since the one before.

    Args:
        options: `maxrecordspertrigger` is how many rows a batch gets at most; `directory` is where rows are
            written before a batch gets them, so that a query that is started again from its checkpoint has
            those of its last batch again. Without it they are lost in a crash, as with Spark's receivers.
    """

    def __init__(self, options: dict[str, str]) -> None:
        self._most = positive(options, "maxRecordsPerTrigger")
        self._directory = options.get("directory")
        self._intake: _Intake | None = None
        self._planned = 0

    @abstractmethod
    def receiver(self) -> Receiver:
        """What receives."""

    @abstractmethod
    def row(self, element: Any) -> Row:
        """The row for an element that was received."""

    # --- on the driver --------------------------------------------------------------------------------------

    def initialOffset(self) -> Offset:
        """Before the first row of this run."""
        return {"run": self._started().run, "rows": 0}

    def latestOffset(self, start: Offset | None = None, limit: Any = None) -> Offset:
        """Up to where the next batch reads; Spark tells from 4.3 on where it starts."""
        intake = self._started()
        rows = intake.count()
        if self._most is not None:
            rows = min(rows, self._planned + self._most)
        if start is not None and start["run"] != intake.run and not rows:
            return start
        if self._directory is not None and rows > self._planned:
            _Log(self._directory).write(intake.run, self._planned, intake.rows(self._planned, rows))
        return {"run": intake.run, "rows": rows}

    def partitions(self, start: Offset, end: Offset) -> list[Rows]:
        """One partition, which keeps the rows in the order in which they came; none for no rows."""
        intake = self._started()
        first = start["rows"] if start["run"] == end["run"] else 0
        if end["run"] == intake.run:
            rows = intake.rows(first, end["rows"])
            self._planned = max(self._planned, end["rows"])
        elif self._directory is not None:
            rows = _Log(self._directory).read(end["run"], first, end["rows"])
        else:
            rows = []
            _log.warning("%d rows of the last batch are lost: they have no directory", end["rows"] - first)
        return [Rows(rows)]

    def commit(self, end: Offset) -> None:
        """Let go of rows that no batch will ask for again."""
        intake = self._started()
        if end["run"] == intake.run:
            intake.forget(end["rows"])
        if self._directory is not None:
            _Log(self._directory).forget(end["run"], end["rows"], intake.run)

    def stop(self) -> None:
        """Disconnect."""
        if self._intake is not None:
            self._intake.stop()

    def _started(self) -> _Intake:
        if self._intake is None:
            self._intake = _Intake(self.receiver(), self.row)
        return self._intake

    # --- on executors ---------------------------------------------------------------------------------------

    def read(self, partition: InputPartition) -> Iterator[Row]:
        """The rows that a partition holds."""
        if isinstance(partition, Rows):
            yield from partition.rows


class _Intake:
    """A receiver at work, and the rows that no batch is done with."""

    def __init__(self, receiver: Receiver, row: Callable[[Any], Row]) -> None:
        self.run = uuid.uuid4().hex
        self._receiver = receiver
        self._row = row
        self._changing = threading.Lock()
        self._rows: list[Row] = []
        self._gone = 0
        """How many rows were let go of."""
        self._stopping = Stopping()
        self._thread = threading.Thread(target=self._receive, name=f"receiver-{receiver.place}", daemon=True)
        self._thread.start()

    def count(self) -> int:
        """How many rows have been received."""
        with self._changing:
            return self._gone + len(self._rows)

    def rows(self, start: int, end: int) -> list[Row]:
        """Rows by their numbers."""
        with self._changing:
            return self._rows[start - self._gone : end - self._gone]

    def forget(self, end: int) -> None:
        """Let go of the first rows."""
        with self._changing:
            del self._rows[: max(0, end - self._gone)]
            self._gone = max(self._gone, end)

    def stop(self) -> None:
        """Disconnect, and wait until that is done."""
        self._stopping.set()
        self._thread.join(_STOP_SECONDS)

    def _receive(self) -> None:
        while not self._stopping:
            try:
                message = self._receiver.receive(Store(self._store), self._stopping)
            except Exception as failure:
                message = str(failure)
            if not self._stopping:
                _log.warning("%s, connecting again", message)
            self._stopping.wait(_RECONNECT_SECONDS)

    def _store(self, element: Any) -> None:
        if not self._stopping:
            row = self._row(element)
            with self._changing:
                self._rows.append(row)


class _Log:
    """Rows in files, one for each offset that was given out: ``run-start-end.rows``."""

    def __init__(self, directory: str) -> None:
        self._directory = Path(directory)
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)

    def write(self, run: str, start: int, rows: list[Row]) -> None:
        """Keep rows from the number `start` on; they are on the disk then."""
        import os

        made = self._directory / f"{run}-{start}-{start + len(rows)}.rows"
        partial = made.with_suffix(".partial")
        with partial.open("wb") as file:
            pickle.dump(rows, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(made)

    def read(self, run: str, start: int, end: int) -> list[Row]:
        """The rows between two numbers.

        Raises:
            OSError: some are not there.
        """
        found: dict[int, Row] = {}
        for file, (owner, first, last) in self._files():
            if owner == run and first < end and last > start:
                with file.open("rb") as opened:
                    found.update(enumerate(pickle.load(opened), first))
        if any(number not in found for number in range(start, end)):
            raise OSError(
                f"{self._directory} lacks rows of the batch that was not finished: {run} {start}-{end}"
            )
        return [found[number] for number in range(start, end)]

    def forget(self, run: str, end: int, current: str) -> None:
        """Remove what no batch will ask for again, once it has gone up to a row of a run."""
        for file, (owner, _, last) in self._files():
            if (owner == run and last <= end) or (run == current and owner != current):
                file.unlink(missing_ok=True)

    def _files(self) -> list[tuple[Path, tuple[str, int, int]]]:
        found = []
        for file in self._directory.glob("*.rows"):
            run, start, end = file.stem.split("-")
            found.append((file, (run, int(start), int(end))))
        return sorted(found, key=lambda each: each[1])


def positive(options: dict[str, str], name: str) -> int | None:
    """An option that is a number above 0.

    Raises:
        ValueError: it is none.
    """
    text = options.get(name.lower())
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{name} must be a number above 0, not {text!r}")
    return int(text)


def required(options: dict[str, str], name: str, what: str) -> str:
    """An option that must be there.

    Raises:
        ValueError: it is not.
    """
    text = options.get(name)
    if not text:
        raise ValueError(f"the option `{name}` is missing: {what}")
    return text
