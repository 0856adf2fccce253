"""What Spark does around each task of a Python worker that takes longer than a small task does, and how it is
spared: pauses of TCP, archives that are read again, and garbage collection of modules.

Pickled by value with each stage, so this module is another one in each task: what is done once in a worker
process is remembered by modules of Python's."""

from __future__ import annotations

import _socket
import gc
import os
import stat
import sys
import zipimport
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

_LOADED = "compat_loaded"
"""The name under which the number of modules is remembered for which garbage collection is frozen."""
SOCKETS = range(3, 10)
"""Where a worker has the connection to Spark among its first files: it opens it before all else."""


def begin_task() -> None:
    """Do what is due before a task takes its first rows."""
    acknowledge()
    _keep_archives()
    _freeze()


def acknowledge() -> None:
    """Acknowledge at once what came from Spark.

    It sends a task in pieces, and by TCP's rules a small piece waits until the one before is acknowledged,
    which Linux puts off for 40 ms, as an answer might come that says so too. Where Spark uses Unix domain
    sockets (`spark.python.unix.domain.socket.enabled`), nothing waits.
    """
    option = getattr(_socket, "TCP_QUICKACK", None)
    if option is None:
        return
    with _waiting():
        for number in SOCKETS:
            # an OSError: no file, or no connection of TCP
            with suppress(OSError), closing(_connection(number)) as connection:
                connection.setsockopt(_socket.IPPROTO_TCP, option, 1)


def _connection(number: int) -> _socket.socket:
    """A socket that has a connection of this process: not Python's class for it, which gevent replaces."""
    if not stat.S_ISSOCK(os.fstat(number).st_mode):
        raise OSError
    return _socket.socket(fileno=os.dup(number))


@contextmanager
def _waiting() -> Iterator[None]:
    """Let new sockets wait: a program's default timeout would be that of Spark's connection, too."""
    timeout = _socket.getdefaulttimeout()
    _socket.setdefaulttimeout(None)
    try:
        yield
    finally:
        _socket.setdefaulttimeout(timeout)


def _keep_archives() -> None:
    """Let Python read the directory of a zip file again only if the file has changed.

    Spark 3.5 and 4.0 have Python forget what it knows of its path before each task: it reads the directories
    of pyspark.zip and of Spark's largest jar again, some of them several times, which takes 50 ms.
    """
    importer: Any = zipimport.zipimporter
    read = getattr(importer, "invalidate_caches", None)  # since Python 3.10
    if read is None or hasattr(read, "compat_seen"):
        return
    seen: dict[tuple[str, str], tuple[int, int]] = {}

    def invalidate_caches(self: Any) -> None:
        acknowledge()  # Spark 3.5 has sent the beginning of a task by now, and its function is on the way
        try:
            found = Path(self.archive).stat()
        except OSError:
            read(self)
            return
        now = found.st_mtime_ns, found.st_size
        if seen.get((self.archive, self.prefix)) != now:
            read(self)
            seen[self.archive, self.prefix] = now

    invalidate_caches.compat_seen = seen  # type: ignore[attr-defined]
    importer.invalidate_caches = invalidate_caches


def _freeze() -> None:
    """Take the modules that the worker has loaded out of garbage collection.

    Spark's daemon collects garbage after every task: over all that pandas and pyarrow hold it takes 20 ms,
    five times as long as a small task. PySpark loads pandas only for the first rows that a worker gives, and
    functions may load more.
    """
    loaded = len(sys.modules)
    if vars(gc).get(_LOADED) != loaded:
        gc.freeze()
        vars(gc)[_LOADED] = loaded
