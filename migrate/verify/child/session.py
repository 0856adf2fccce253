"""The run inside this process: its batches, its log, and the moment at which they are driven through."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from migrate.verify.child.clock import Clock
from migrate.verify.child.recorder import Recorder
from migrate.verify.spec import Spec

if TYPE_CHECKING:
    from migrate.verify.child.topics import Topics

_WAITS_AFTERWARDS = 200
"""How often a program may wait once all is over before it is interrupted: it may be a loop without end."""


class Refused(BaseException):  # no program should catch it by `except Exception`
    """The program tried something that only --allow-side-effects lets through."""


class Unsupported(BaseException):  # nor this
    """The program needs something that verify cannot supply."""


class Engine(Protocol):
    """What takes batches: a started StreamingContext, or the streaming queries of a native program."""

    def begin(self) -> None:
        """Let run what runs before the first batch is due."""

    def feed(self, index: int, lines: list[str]) -> None:
        """Give the batch to every source, and return when all outputs are done."""

    def clock(self, index: int) -> float:
        """The time of the batch in epoch seconds."""

    def is_over(self) -> bool:
        """Whether the program stopped it."""

    def close(self) -> None:
        """Stop it; raise the error that ended it, if one did."""

    batches: int
    """How many batches it asks for beyond those that the sources are given (a longer queue)."""


class Session:
    """One program's run."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.recorder = Recorder(spec.log, Path(spec.work))
        self.engine: Engine | None = None
        self.driving = False
        self.sources: list[str] = []
        self.clock = Clock()
        self.topics: Topics | None = None
        """The topics of the run, where there is a broker."""
        self._driven = False
        self._waits = 0

    # --- the run --------------------------------------------------------------------------------------------

    def on_wait(self) -> None:
        """The main thread waits: nothing else will happen before the batches do."""
        if threading.current_thread() is not threading.main_thread() or self.driving or self.engine is None:
            return
        if not self._driven:
            self.drive()
            return
        self._waits += 1
        if self._waits > _WAITS_AFTERWARDS:
            signal.raise_signal(signal.SIGINT)

    @property
    def is_over(self) -> bool:
        """Whether all batches have been driven through."""
        return self._driven

    def drive(self) -> None:
        """Feed every batch, one after the other."""
        assert self.engine is not None
        engine, batches = self.engine, [list(lines) for lines in self.spec.batches]
        batches += [[] for _ in range(engine.batches - len(batches))]
        self._driven = self.driving = True
        try:
            engine.begin()
            for index, lines in enumerate(batches):
                if engine.is_over():
                    break
                self.recorder.begin(index, len(lines) if self.sources else 1, engine.clock(index))
                engine.feed(index, lines)
                self.recorder.end(index)
        finally:
            self.driving = False

    def end(self) -> None:
        """What follows the last batch: the run ends as if someone had stopped it, or by Ctrl-C."""
        assert self.engine is not None
        if self.spec.interrupt and not self.engine.is_over():
            signal.raise_signal(signal.SIGINT)
        self.engine.close()

    # --- sources and directories ----------------------------------------------------------------------------

    def source(self, kind: str, address: str) -> int:
        """Take note of a source that the harness feeds; its number, from 0."""
        name = f"{kind} {address}".replace(self.spec.work, "{work}")
        if name not in self.sources:
            self.sources.append(name)
            self.recorder.event("source", name=name)
        return self.sources.index(name)

    def lines_for(self, source: int, index: int) -> list[str]:
        """The lines of one source in one batch: further ones get other batches, without their first lines."""
        batches = self.spec.batches
        if index >= len(batches):
            return []
        full = [place for place, lines in enumerate(batches) if lines]
        if index not in full or source == 0:
            return list(batches[index])
        return list(batches[full[(full.index(index) + source) % len(full)]])[source:]

    def watched(self, directory: str) -> Path:
        """The directory that stands for a watched one: itself in the working directory, else a private."""
        path = self.inside(directory) or Path(self.spec.private, "watched", _file_name(directory))
        path.mkdir(parents=True, exist_ok=True)
        self.ignore(path)
        return path

    def checkpoint(self, directory: str) -> str:
        """A private directory in place of a checkpoint's: each run starts afresh and leaves none behind."""
        path = Path(self.spec.private, "checkpoints", _file_name(os.path.normpath(directory)))
        path.mkdir(parents=True, exist_ok=True)
        return str(path)

    def inside(self, path: str) -> Path | None:
        """The absolute form of a path within the working directory, or None."""
        local = re.sub(r"^file:/*", "/", path)
        if re.match(r"^[a-z][a-z0-9+.-]*:", local):
            return None
        found = Path(os.path.realpath(Path(self.spec.work, local)))
        return found if found.is_relative_to(os.path.realpath(self.spec.work)) else None

    def ignore(self, path: Path) -> None:
        """What is in `path` is no output of the program."""
        work = os.path.realpath(self.spec.work)
        if path.is_relative_to(work):
            self.recorder.ignored.add(os.path.relpath(path, work))

    def refuse(self, what: str) -> None:
        """Note and stop a side effect.

        Raises:
            Refused: always, unless side effects are allowed.
        """
        if not self.spec.side_effects:
            self.recorder.event("refused", what=what)
            raise Refused(what)

    def note_sort(self, path: str, ties: list[int] | None) -> None:
        """Sorted records go to that directory."""
        found = self.inside(path)
        if found is not None and ties and ties[0] != ties[-1]:
            work = os.path.realpath(self.spec.work)
            self.recorder.event("sorted", path=os.path.relpath(found, work), ties=ties)

    def check_target(self, path: str) -> None:
        """Refuse to let Spark write outside of the working directory."""
        private = os.path.realpath(self.spec.private)
        local = re.sub(r"^file:/*", "/", path)
        if self.inside(path) is None and not os.path.realpath(local).startswith(private + os.sep):
            self.refuse(f"writing to {path}")


def wait_until(done: Any, seconds: float, what: str) -> None:
    """Poll `done()` until it holds.

    Raises:
        TimeoutError: it did not within `seconds`.
    """
    deadline = time.monotonic() + seconds
    pause = 0.002
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} took more than {seconds:g} s")
        time.sleep(pause)
        pause = min(pause * 1.3, 0.05)


def _file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]", "_", text).strip("_.") or "root"
