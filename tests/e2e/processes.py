"""Programs as users start them: processes of their own, real sockets, real directories."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyspark
from pyspark import SparkContext
from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
EXAMPLES = Path(pyspark.__file__).parent / "examples/src/main/python/streaming"
HAS_COMPAT = """\
def has_compat(_):
    try:
        import compat
    except ImportError:
        return False
    return True

"""
"""A function for workers, with which a program begins that asks whether they can import `compat`."""
SUBMIT = "--master local[2] --conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1 pyspark-shell"
SECONDS = 200
"""How long anything may take before a test gives up; nothing waits longer than it must."""

ROW = re.compile(r"^(?:\('(\w+)', (\d+)\)|\|\s*(\w+)\s*\|\s*(\d+)\s*\|)$", re.MULTILINE)


class Server:
    """A text server: whoever connects gets the lines that are sent from then on."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._clients: list[socket.socket] = []
        self.accepted = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                self._clients.append(client)
                self.accepted += 1

    def send(self, *lines: str) -> None:
        """Send lines to all that are connected."""
        for client in self._clients:
            with contextlib.suppress(OSError):
                client.sendall("".join(line + "\n" for line in lines).encode())

    def hang_up(self) -> None:
        """Close every connection, and listen for new ones."""
        while self._clients:
            self._clients.pop().close()

    def close(self) -> None:
        """Close everything."""
        self.hang_up()
        self._socket.close()


class Program:
    """A running program and what it has printed."""

    def __init__(self, path: Path, *arguments: object, work: Path, **environment: str) -> None:
        self._log = work / f"{path.stem}-{time.monotonic_ns()}"
        self.path = path
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, path, *map(str, arguments)],
                cwd=work,
                stdout=out,
                stderr=err,
                start_new_session=True,
                env={
                    **os.environ,
                    "PYTHONUNBUFFERED": "1",
                    "PYTHONPATH": str(ROOT),
                    "PYSPARK_SUBMIT_ARGS": SUBMIT,
                    **environment,
                },
            )

    @property
    def _out(self) -> Path:
        return self._log.with_suffix(".out")

    @property
    def _err(self) -> Path:
        return self._log.with_suffix(".err")

    @property
    def printed(self) -> str:
        """Standard output so far."""
        return self._out.read_text(encoding="utf-8", errors="replace")

    @property
    def errors(self) -> str:
        """Standard error so far."""
        return self._err.read_text(encoding="utf-8", errors="replace")

    def rows(self) -> Iterator[tuple[str, int]]:
        """The (word, number) pairs that were printed by `pprint` or `show`, in order."""
        for match in ROW.finditer(self.printed):
            yield match[1] or match[3], int(match[2] or match[4])

    def sums(self) -> dict[str, int]:
        """The numbers printed for each word, added up."""
        total: Counter[str] = Counter()
        for word, number in self.rows():
            total[word] += number
        return dict(total)

    def last(self) -> dict[str, int]:
        """The last number printed for each word."""
        return dict(self.rows())

    def wait(
        self, done: Callable[[], bool], what: str, every: float = 0.05, seconds: float = SECONDS
    ) -> None:
        """Wait until `done`; fail when the program ends before, or it takes too long."""
        deadline = time.monotonic() + seconds
        while not done():
            ended = self.process.poll() is not None
            if (ended and not done()) or time.monotonic() > deadline:
                raise AssertionError(
                    f"{self.path.name} {'ended' if ended else 'went on'} without {what}\n"
                    f"{self.printed[-2000:]}\n{self.errors[-3000:]}"
                )
            time.sleep(every)

    def catch_up(self, done: Callable[[], bool], progress: Callable[[], int], what: str) -> None:
        """Wait until `done`, for as long as `progress` goes on: a slow machine is given its time."""
        while not done():
            before = progress()
            self.wait(lambda: done() or progress() != before, what)  # noqa: B023

    def kill(self) -> None:
        """End it and all it started, without a chance to clean up."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def drop(directory: Path, name: str, lines: Sequence[str]) -> None:
    """Let a file appear in `directory`, whole."""
    draft = directory.parent / f"{name}.draft"
    draft.write_text("".join(line + "\n" for line in lines))
    draft.rename(directory / name)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def end_jvm() -> None:
    """End the JVM of this process, if there is one: its class path cannot be changed."""
    gateway = SparkContext._gateway
    if gateway is not None:
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(60)
        SparkContext._gateway = SparkContext._jvm = None
        SparkSession._instantiatedSession = None  # `F.udf` asks it, although its context has been stopped
