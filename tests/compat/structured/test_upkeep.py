"""What tasks do in a Python worker before their first rows."""

from __future__ import annotations

import os
import socket
import stat
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat._structured.worker import upkeep

READ = "zipimport.zipimporter.invalidate_caches"
OPTION: int = getattr(socket, "TCP_QUICKACK", 0)


def test_a_worker_has_its_connection_among_its_first_files(spark_context: SparkContext) -> None:
    numbers = upkeep.SOCKETS

    def are_sockets(_: Iterable[Any]) -> Iterator[bool]:
        for number in numbers:
            with suppress(OSError):
                yield stat.S_ISSOCK(os.fstat(number).st_mode)

    assert any(spark_context.parallelize([0], 1).mapPartitions(are_sockets).collect())


@pytest.fixture
def default_timeout() -> Iterator[None]:
    yield
    socket.setdefaulttimeout(None)


@pytest.mark.usefixtures("default_timeout")
@pytest.mark.skipif(not OPTION, reason="only Linux puts acknowledgements off and can be told not to")
def test_what_came_from_spark_is_acknowledged_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as connection,
        (tmp_path / "file").open("w") as file,
    ):
        unix, other = socket.socketpair()
        monkeypatch.setattr(upkeep, "SOCKETS", [-1, file.fileno(), unix.fileno(), connection.fileno()])
        connection.setsockopt(socket.IPPROTO_TCP, OPTION, 0)
        assert not connection.getsockopt(socket.IPPROTO_TCP, OPTION)
        socket.setdefaulttimeout(5)
        upkeep.acknowledge()
        assert socket.getdefaulttimeout() == 5
        assert os.get_blocking(connection.fileno())
        assert connection.getsockopt(socket.IPPROTO_TCP, OPTION)
        assert connection.getpeername() == server.getsockname()
        unix.close()
        other.close()


@pytest.fixture
def reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The archives whose directories are read, one of them on the path."""
    read: list[str] = []
    monkeypatch.setattr(READ, lambda self: read.append(self.archive))
    with zipfile.ZipFile(tmp_path / "one.zip", "w") as archive:
        archive.writestr("in_archive.py", "")
    monkeypatch.syspath_prepend(str(tmp_path / "one.zip"))
    monkeypatch.setattr(sys, "path_importer_cache", {})
    __import__("in_archive")
    monkeypatch.delitem(sys.modules, "in_archive")
    read.clear()
    return read


def forget(path: Path) -> None:
    """What Spark has Python do before each task."""
    importer: Any = sys.path_importer_cache[str(path)]
    importer.invalidate_caches()


@pytest.mark.skipif(sys.version_info < (3, 10), reason="Python read no archive again")
def test_an_archive_is_read_again_if_it_has_changed(reads: list[str], tmp_path: Path) -> None:
    path = tmp_path / "one.zip"
    upkeep.begin_task()
    for _ in range(3):
        forget(path)
    assert reads == [str(path)]
    upkeep.begin_task()
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("another.py", "")
    for _ in range(3):
        forget(path)
    assert reads == [str(path)] * 2
    path.unlink()
    forget(path)
    assert reads == [str(path)] * 3
