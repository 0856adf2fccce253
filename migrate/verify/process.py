"""One of the two programs, running in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from migrate.kafka import Broker
from migrate.verify.batches import Batch
from migrate.verify.recording import Recording, read_recording
from migrate.verify.spec import LEFT, Kafka, Spec
from migrate.verify.workspace import Workspace

# Without the working directory on the path, which may hold a package of the same name.
_START = "import sys; sys.path.pop(0); from migrate.verify.child.runner import main; main()"
_TO_START = 120.0
_LINES_OF_ERROR = 12
_NO_ARGUMENTS = (
    "it was given no arguments: these stand behind `--`, and {host} and {port} there are those of its input, "
    "as in `verify OLD NEW -- {host} {port}`"
)
_NOT_INSTALLED = re.compile(r"^ModuleNotFoundError: No module named '([\w.]+)'", re.MULTILINE)
_BROKERS = ("KAFKA_BOOTSTRAP_SERVERS", "COMPAT_KAFKA_BOOTSTRAP")
"""Where programs whose predecessors named ZooKeeper look for Kafka's brokers."""


@dataclass(frozen=True)
class Conditions:
    """How both programs are run. See `migrate.verify.verify`."""

    cwd: Path
    arguments: Sequence[str]
    interrupt: bool
    side_effects: bool
    timeout: float
    kafka: Broker | None = None
    partitions: int = 2
    learns: bool = False
    examples: bool = True
    as_they_came: bool = False
    stand_ins: Sequence[str] = ()


class Side:
    """A program that was started on these batches; `root` is where its directories go.

    The log of the old program, which is started before, is given to the new one.
    """

    def __init__(
        self,
        conditions: Conditions,
        root: Path,
        name: str,
        program: Path,
        feed: list[Batch],
        beside: Path | None = None,
    ) -> None:
        self.name = name
        self.total = len(feed)
        self._limit = _TO_START + conditions.timeout * (len(feed) + 1)
        place = Workspace(root, conditions.cwd)
        stale = [f"stale {line}" for lines in feed for line in lines][:20]
        self.spec = Spec(
            program=place.program(program),
            arguments=place.arguments(conditions.arguments, stale),
            work=str(place.work),
            private=str(place.private),
            batches=feed,
            interrupt=conditions.interrupt,
            side_effects=conditions.side_effects,
            timeout=conditions.timeout,
            kafka=_kafka(conditions),
            learns=conditions.learns,
            examples=conditions.examples,
            as_they_came=conditions.as_they_came,
            stand_ins=conditions.stand_ins,
            beside="" if beside is None else str(beside),
        )
        self.is_python_2 = place.is_python_2
        self._began = time.time()
        self._ended = 0.0
        with self.spec.output.open("ab") as output, self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, str(self.spec.write())],
                cwd=place.work,
                env=_environment(place.temporary, self.spec.kafka),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )

    @property
    def _errors(self) -> Path:
        return Path(self.spec.private, "stderr")

    def is_done(self) -> bool:
        """Whether the process has ended; one that takes too long is ended here."""
        if self._process.poll() is None:
            if time.time() - self._began < self._limit:
                return False
            self.kill()
        if not self._ended:
            self._ended = time.time()
            self.kill()
        return True

    def kill(self) -> None:
        """End the program and the JVM that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def batches_done(self) -> int:
        """How far it is."""
        log = self.spec.log
        return log.read_bytes().count(b'"event": "end"') if log.exists() else 0

    def recording(self) -> Recording:
        """What it put out."""
        found = read_recording(self.spec.log, self.spec.output)
        found.seconds = self._ended - self._began
        found.spans.append((self._began, self._ended))
        if found.status == "died" and found.seconds >= self._limit:
            found.status, found.detail = "timeout", f"it was ended after {found.seconds:.0f} s"
        if found.status in ("died", "crashed"):
            errors = self._errors.read_text(encoding="utf-8", errors="replace")
            left = found.detail.startswith(LEFT)
            hint = _NO_ARGUMENTS if left and not self.spec.arguments else ""
            text = "\n".join((errors, found.detail, hint)) if left else found.detail or errors
            found.detail = _last_words(text) + _without_package(text)
        return found


def _kafka(conditions: Conditions) -> Kafka | None:
    """The broker, with names of topics that no other run knows."""
    if conditions.kafka is None:
        return None
    jars = [str(path) for path in conditions.kafka.connector]
    return Kafka(conditions.kafka.address, jars, uuid.uuid4().hex[:8], conditions.partitions)


def _environment(temporary: Path, kafka: Kafka | None) -> dict[str, str]:
    environment = dict(os.environ)
    if kafka is not None:
        environment.update(dict.fromkeys(_BROKERS, kafka.address))
    package = str(Path(__file__).resolve().parents[2])
    if package not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [package, environment.get("PYTHONPATH")]))
    environment.update(
        PYSPARK_PYTHON=sys.executable,
        PYSPARK_DRIVER_PYTHON=sys.executable,
        PYTHONDONTWRITEBYTECODE="1",
        PYTHONIOENCODING="utf-8",
        PYTHONHASHSEED="0",
        TMPDIR=str(temporary),
    )
    environment.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    # A trial lasts seconds: the JVM's second compiler would cost more than it brings.
    options = [environment.get("SPARK_SUBMIT_OPTS"), "-XX:TieredStopAtLevel=1"]
    environment["SPARK_SUBMIT_OPTS"] = " ".join(filter(None, options))
    return environment


def _last_words(text: str) -> str:
    """The end of an error that says what is wrong, without the JVM's stack."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("\tat ", "    at "))]
    return "\n".join(lines[-_LINES_OF_ERROR:])


def _without_package(text: str) -> str:
    """What to do where a package is not installed; nothing else."""
    missing = _NOT_INSTALLED.search(text)
    return f"\ninstall it, or run without it: --stand-in {missing[1].split('.')[0]}" if missing else ""
