"""A stream of rows that a receiver of `compat` gets, as Spark's Python data sources read it.

The receiver runs in the process that plans the query's batches, on the driver's machine. Rows travel to the
executors inside the partitions of their batch.

Classes in here are pickled by value: Spark runs that process, as the executors, by the Python of the workers,
which need not have `compat`.
"""

from __future__ import annotations

import logging
import sys
import threading
import uuid
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from pyspark import cloudpickle
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition

from compat.receivers import receiver as receivers
from compat.receivers.receiver import Receiver, Stopping, Store
from compat.sources.kept import Kept, Row

for _module in (__name__, receivers.__name__):
    cloudpickle.register_pickle_by_value(sys.modules[_module])

_log = logging.getLogger(__name__)
_RECONNECT_SECONDS = 2.0
_STOP_SECONDS = 10.0

Offset = dict[str, Any]
"""``{"run": ..., "rows": n}``: up to the n-th row of a run.

A run is all that was received by a directory, or without one since the query was started.
"""


class Rows(InputPartition):
    """The rows of a batch."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__(None)
        self.rows = rows


class ReceivedStream(DataSourceStreamReader):
    """Plans batches of what was received since the one before.

    Args:
        options: `maxrecordspertrigger` is how many rows a batch gets at most; `directory` is where rows are
            written before their sender or a batch counts on them, so that a query that is started again from
            its checkpoint has those of its last batch again, and those that no batch had. Without it they are
            lost in a crash, as with Spark's receivers.
    """

    def __init__(self, options: dict[str, str]) -> None:
        self._most = positive(options, "maxRecordsPerTrigger")
        self._directory = options.get("directory")
        self._kept: Kept | None = None
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
        """Before the first row that there is."""
        intake = self._started()
        self._planned = intake.first
        return {"run": intake.run, "rows": intake.first}

    def latestOffset(self, start: Offset | None = None, limit: Any = None) -> Offset:
        """Up to where the next batch reads; Spark tells from 4.3 on where it starts."""
        intake = self._started()
        rows = intake.count()
        if start is not None and start["run"] == intake.run:
            self._planned = max(self._planned, start["rows"])
        if self._most is not None:
            rows = min(rows, self._planned + self._most)
        if start is not None and start["run"] != intake.run and rows == intake.first:
            return start
        if self._kept is not None:
            self._kept.give(rows)
        return {"run": intake.run, "rows": rows}

    def partitions(self, start: Offset, end: Offset) -> list[Rows]:
        """One partition, which keeps the rows in the order in which they came; none for no rows.

        Raises:
            OSError: the directory lacks some.
        """
        intake = self._started()
        first = start["rows"] if start["run"] == end["run"] else intake.first
        if end["run"] == intake.run:
            rows = intake.rows(first, end["rows"])
            self._planned = max(self._planned, end["rows"])
        elif self._directory is not None:
            raise OSError(f"{self._directory} lacks the rows of the batch that was not finished")
        else:
            rows = []
            _log.warning("%d rows of the last batch are lost: they have no directory", end["rows"] - first)
        return [Rows(rows)]

    def commit(self, end: Offset) -> None:
        """Let go of rows that no batch will ask for again."""
        intake = self._started()
        if end["run"] == intake.run:
            intake.forget(end["rows"])

    def stop(self) -> None:
        """Disconnect."""
        if self._intake is not None:
            self._intake.stop()

    def _started(self) -> _Intake:
        if self._intake is None:
            kept = None if self._directory is None else Kept(self._directory)
            try:
                self._intake = _Intake(self.receiver(), self.row, kept)
            except OSError:
                if kept is not None:
                    kept.close()
                raise
            if kept is not None:
                self._kept, self._planned = kept, kept.given
        return self._intake

    # --- on executors ---------------------------------------------------------------------------------------

    def read(self, partition: InputPartition) -> Iterator[Row]:
        """The rows that a partition holds."""
        if isinstance(partition, Rows):
            yield from partition.rows


class _Intake:
    """A receiver at work, and the rows that no batch is done with.

    Args:
        receiver: receives.
        row: the row for an element.
        kept: where rows are written down before the sender or a batch counts on them; None: nowhere.
    """

    def __init__(self, receiver: Receiver, row: Callable[[Any], Row], kept: Kept | None) -> None:
        self.run = uuid.uuid4().hex if kept is None else kept.run
        self._receiver = receiver
        self._row = row
        self._kept = kept
        self._changing = threading.Lock()
        self._writing = threading.Lock()
        self._gone, self._rows = (0, []) if kept is None else kept.rows()
        """How many rows were let go of, and the others."""
        self._written = self._gone + len(self._rows)
        self._stopping = Stopping()
        self._thread = threading.Thread(target=self._receive, name=f"receiver-{receiver.place}", daemon=True)
        self._thread.start()

    @property
    def first(self) -> int:
        """The number of the first row that was not let go of."""
        return self._gone

    def count(self) -> int:
        """How many rows have been received, all of them written down where there is a directory."""
        if self._kept is not None:
            self._settle()
            return self._written
        with self._changing:
            return self._gone + len(self._rows)

    def rows(self, start: int, end: int) -> list[Row]:
        """Rows by their numbers.

        Raises:
            OSError: they were let go of, or never came.
        """
        with self._changing:
            if not self._gone <= start <= end <= self._gone + len(self._rows):
                raise OSError(f"the rows {start} to {end} of {self._receiver.place} are not there")
            return self._rows[start - self._gone : end - self._gone]

    def forget(self, end: int) -> None:
        """Let go of the first rows."""
        with self._changing:
            del self._rows[: max(0, end - self._gone)]
            self._gone = max(self._gone, end)
        if self._kept is not None:
            self._kept.forget(end)

    def stop(self) -> None:
        """Disconnect, and wait until that is done."""
        self._stopping.set()
        self._thread.join(_STOP_SECONDS)
        if self._kept is not None:
            self._kept.close()

    def _receive(self) -> None:
        while not self._stopping:
            try:
                message = self._receiver.receive(Store(self._store, self._settle), self._stopping)
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

    def _settle(self) -> None:
        """Write down what came, if there is a directory; several senders wait for one write."""
        if self._kept is None:
            return
        with self._writing:
            with self._changing:
                new = self._rows[self._written - self._gone :]
            if new:
                self._kept.write(self._written, new)
                self._written += len(new)


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
