"""Writes down what leaves the program, and in which batch."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from migrate.verify.child.files import Snapshot
from migrate.verify.recording import marker


class Recorder:
    """The log of one run: an event per line, with offsets into the program's standard output."""

    def __init__(self, log: Path, work: Path) -> None:
        # A descriptor of its own, so that nothing that the program does to files can hold a line back.
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._lock = threading.Lock()
        self._displays = 0
        self._snapshot = Snapshot(work)
        self.ignored: set[str] = set()
        """Directories under the working directory that are no output: sources, checkpoints."""

    def event(self, kind: str, /, **fields: Any) -> None:
        """Add a line to the log."""
        line = json.dumps({"event": kind, **fields}, ensure_ascii=True) + "\n"
        with self._lock:
            os.write(self._log, line.encode())

    def display(self, **fields: Any) -> None:
        """Note rows that `pprint` or `show` prints, and put a mark in their place in the output."""
        with self._lock:
            self._displays += 1
            number = self._displays
        self.event("display", number=number, **fields)
        print(marker(number))

    def position(self) -> int:
        """Bytes of standard output so far."""
        sys.stdout.flush()
        return os.fstat(1).st_size

    def begin(self, index: int, rows: int, clock: float) -> None:
        """A batch is about to be fed; `clock` is its time in epoch seconds."""
        self.event("begin", index=index, rows=rows, clock=clock, at=time.time(), offset=self.position())

    def end(self, index: int) -> None:
        """All outputs of the batch are done."""
        changes = self._snapshot.changes(self.ignored)
        self.event("end", index=index, at=time.time(), offset=self.position(), files=changes)

    def ran(self, query: int, begin: int) -> None:
        """A micro-batch of a native query printed what stands between `begin` and now."""
        self.event("ran", query=query, begin=begin, end=self.position())

    def finished(self, status: str, detail: str = "") -> None:
        """The program ended; what it wrote since the last batch is its summary."""
        changes = self._snapshot.changes(self.ignored)
        self.event("finished", status=status, detail=detail, offset=self.position(), files=changes)
