"""Notes the types of what `json.loads`, or one like it, gives to functions of elements, in Python workers.

A call in the middle of a function makes no stream, and its type shows in none. A worker writes down what its
calls gave when a task ends.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark import daemon

from migrate.facts.seen import Seen
from migrate.knowledge.libraries import JSON_READERS
from migrate.verify.child.calls import Calls
from migrate.verify.child.written import write

LEARN = "DSTREAM_LEARN"
"""The variable that says to workers where the program is, and where to write."""


def ask_workers(work: str, program: str, seen: str, *, examples: bool) -> None:
    """Have the workers of this driver note what they see.

    Args:
        work: the copy of the working directory.
        program: the program.
        seen: the directory for what was seen.
        examples: whether to note examples of values, too.
    """
    os.environ[LEARN] = json.dumps({"work": work, "program": program, "seen": seen, "examples": examples})


def tap_workers() -> None:
    """Tap the workers that PySpark's daemon will fork, if the driver asked for it."""
    if LEARN not in os.environ:
        return
    asked = json.loads(os.environ[LEARN])
    seen = _Seen(Calls(Path(asked["work"]), Path(asked["program"])), examples=asked["examples"])
    for reader in JSON_READERS:
        package, _, function = reader.rpartition(".")
        if importlib.util.find_spec(package) is not None:
            module = importlib.import_module(package)
            setattr(module, function, _tapped(getattr(module, function), seen))
    daemon.worker = _flushing(daemon.worker, seen, Path(asked["seen"]))


def _tapped(original: Callable[..., Any], seen: _Seen) -> Callable[..., Any]:
    def loads(*args: Any, **kwargs: Any) -> Any:
        value = original(*args, **kwargs)
        seen.add(sys._getframe(1), value)
        return value

    return loads


class _Seen:
    """What the calls of a worker's task gave, by the names of the calls."""

    def __init__(self, calls: Calls, *, examples: bool) -> None:
        self._calls = calls
        self._examples = examples
        self._facts: dict[tuple[str, str], Seen] = {}
        self._tasks = itertools.count()

    def add(self, frame: Any, value: Any) -> None:
        """Note a value, if a call of the program made it."""
        fact = self._calls.name(frame, "loads")
        if fact is not None:
            if fact not in self._facts:
                self._facts[fact] = Seen(examples=self._examples)
            self._facts[fact].add(value)

    def flush(self, directory: Path) -> None:
        """Write down what was seen since the last time."""
        for number, (fact, seen) in enumerate(self._facts.items()):
            name = f"json-{os.getpid()}-{next(self._tasks)}-{number}-{seen.count:012}.json"
            write(directory / name, seen, fact)
        self._facts.clear()


def _flushing(worker: Callable[..., Any], seen: _Seen, directory: Path) -> Callable[..., Any]:
    def serve(*args: Any) -> Any:
        try:
            return worker(*args)
        finally:
            seen.flush(directory)

    return serve
