"""HDFS on this machine: a name node and a data node, in a process of their own."""

from __future__ import annotations

import getpass
import os
import signal
import subprocess
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from migrate.java import java
from tests.e2e.processes import free_port
from tests.e2e.stores.jars import of_hdfs
from tests.statements import wait_until

SECONDS = 120


class Hdfs:
    """A name node and a data node with replication 1, which answer when this is made.

    Args:
        work: a directory for their data.
    """

    def __init__(self, work: Path) -> None:
        self._work = work
        self._log = work / "log"
        self._port, self._http = free_port(), free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.uri = f"hdfs://localhost:{self._port}"
        self._start("-format")

    def start(self) -> None:
        """Start them again, with their data."""
        self._start()

    def _start(self, *options: str) -> None:
        classes = os.pathsep.join(map(str, of_hdfs()))
        command = [java(), "-Xmx512m", "-XX:TieredStopAtLevel=1", f"-Dtest.build.data={self._work / 'data'}"]
        command += ["-cp", classes, "org.apache.hadoop.test.MiniDFSClusterManager", *options]
        command += ["-datanodes", "1", "-nnport", str(self._port), "-httpport", str(self._http)]
        command += ["-Ddfs.namenode.replication.min=1", "-Ddfs.replication=1"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self._work,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        wait_until(self._answers, f"HDFS ({self._log.read_text()[-2000:]})", timeout=SECONDS)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text()[-2000:]
        try:
            self.put("/", "answers", ["yes"])
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """End them at once; their data stays."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def put(self, directory: str, name: str, lines: Sequence[str]) -> None:
        """Let a file appear in a directory, whole."""
        draft = f"/.drafts/{name}"
        content = "".join(line + "\n" for line in lines).encode()
        location = self._ask("PUT", draft, "CREATE", overwrite="true", noredirect="true")
        url = location.partition(b'"Location":"')[2].partition(b'"')[0].decode().replace("\\/", "/")
        _answer(urllib.request.Request(url, data=content, method="PUT"))
        self._ask("PUT", directory, "MKDIRS")
        self._ask("PUT", draft, "RENAME", destination=f"{directory.rstrip('/')}/{name}")

    def has(self, path: str) -> bool:
        """Whether there is a file or directory."""
        try:
            self._ask("GET", path, "GETFILESTATUS")
        except OSError:
            return False
        return True

    def _ask(self, method: str, path: str, operation: str, **parameters: str) -> bytes:
        query = urlencode({"op": operation, "user.name": getpass.getuser(), **parameters})
        return _answer(
            urllib.request.Request(f"http://localhost:{self._http}/webhdfs/v1{path}?{query}", method=method)
        )


def _answer(request: urllib.request.Request) -> bytes:
    with urllib.request.urlopen(request, timeout=10) as answer:
        content: bytes = answer.read()
    return content
