"""A broker of one node, on the loopback address and free ports, that goes when it is not needed any more."""

from __future__ import annotations

import base64
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from migrate.errors import EnvironmentProblemError
from migrate.java import java
from migrate.kafka.jars import jars

_TO_START = 120.0
_PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={data}
num.partitions=1
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
"""


@dataclass(frozen=True)
class Broker:
    """A broker that runs."""

    address: str
    connector: tuple[Path, ...]
    """The jars that a Spark needs to talk to it."""


class Server:
    """A broker's process, which can be stopped and started again on the same data.

    Args:
        work: a directory for its data and its log.
        settings: lines for its ``server.properties``, beside those that a single node needs.

    Raises:
        EnvironmentProblemError: its jars cannot be fetched, or its data cannot be set up.
    """

    def __init__(self, work: Path, settings: str = "") -> None:
        found = jars()
        self.port, controller = free_ports()
        self.broker = Broker(f"127.0.0.1:{self.port}", found.connector)
        self._work = work
        self._log = work / "log"
        self._properties = work / "server.properties"
        text = _PROPERTIES.format(port=self.port, controller=controller, data=work / "data")
        self._properties.write_text(text + settings, encoding="utf-8")
        self._classes = os.pathsep.join(map(str, found.broker))
        self._process: subprocess.Popen[bytes] | None = None
        _format(self._classes, self._properties, work)

    def start(self) -> None:
        """Start it, and wait until it takes connections.

        Raises:
            EnvironmentProblemError: it does not.
        """
        command = [java(), "-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp", self._classes, "kafka.Kafka"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, str(self._properties)],
                cwd=self._work,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        _wait(self._process, self.port, self._log)

    def stop(self, *, seconds: float = 0.0) -> None:
        """Stop it; it may take so long to bring its data in order."""
        if self._process is None:
            return
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            if seconds:
                self._process.terminate()
                self._process.wait(seconds)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def broker() -> Iterator[Broker]:
    """Start a broker, and end it and remove its data afterwards.

    Raises:
        EnvironmentProblemError: its jars cannot be fetched, or it does not start.
    """
    work = Path(tempfile.mkdtemp(prefix="dstream-kafka-"))
    try:
        server = Server(work)
        try:
            server.start()
            yield server.broker
        finally:
            server.stop()
    finally:
        shutil.rmtree(work, ignore_errors=True)


def free_ports() -> list[int]:
    """Two ports that nobody listens on."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    ports = [int(each.getsockname()[1]) for each in taken]
    for each in taken:
        each.close()
    return ports


def _format(path: str, properties: Path, work: Path) -> None:
    name = base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
    tool = [java(), "-cp", path, "kafka.tools.StorageTool", "format", "-t", name.replace("-", "A", 1)]
    tool += ["-c", str(properties)]
    done = subprocess.run(tool, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode:
        raise EnvironmentProblemError(f"a Kafka broker cannot be set up: {done.stderr or done.stdout}")


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Until it takes connections: a broker opens its port when it is ready to serve."""
    deadline = time.monotonic() + _TO_START
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if process.poll() is not None or time.monotonic() > deadline:
            last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-5:]
            raise EnvironmentProblemError("a Kafka broker does not start:\n" + "\n".join(last))
        time.sleep(0.1)
