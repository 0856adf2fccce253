"""Directories on any of Hadoop's file systems."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from py4j.java_gateway import JavaClass
from pyspark import SparkContext

from compat.directory.local import BEFORE
from compat.directory.retries import Wait, insist

T = TypeVar("T")

MANAGER = "spark.sql.streaming.checkpointFileManagerClass"
_UPLOADS = "fs.capability.outputstream.abortable"
"""Hadoop's ``ABORTABLE_STREAM``, which S3 has: a file appears when its stream is closed, and never before.
S3's rename would copy, and delete what it replaces first."""


class HadoopDirectory:
    """See `Directory`. With `wait` it is patient with a file system that is away; see `insist`."""

    def __init__(self, jvm: Any, files: Any, uri: str, wait: Wait | None = None) -> None:
        self._jvm = jvm
        self._files = files
        self._uri = uri
        self._wait = wait

    def path(self, name: str) -> str:
        """See `Directory`."""
        return f"{self._uri}/{name}"

    def within(self, name: str) -> HadoopDirectory:
        """See `Directory`."""
        return HadoopDirectory(self._jvm, self._files, self.path(name), self._wait)

    def names(self, name: str = "") -> list[str]:
        """See `Directory`."""
        return list(self.sizes(name))

    def sizes(self, name: str) -> dict[str, int]:
        """See `Directory`."""
        found = self._insist(lambda: self._list(name), "list", name)
        return {entry: size for entry, size in found.items() if not entry.startswith(".")}

    def _list(self, name: str) -> dict[str, int]:
        path = self._path(name)
        if not self._files.exists(path):
            return {}
        return {status.getPath().getName(): status.getLen() for status in self._files.listStatus(path)}

    def has(self, name: str) -> bool:
        """See `Directory`."""
        return self._insist(lambda: bool(self._files.exists(self._path(name))), "look for", name)

    def read(self, name: str) -> bytes:
        """See `Directory`. On S3 a file that is replaced meanwhile cannot be read to its end."""
        return self._insist(lambda: self._read(name), "read", name)

    def _read(self, name: str) -> bytes:
        stream = self._files.open(self._path(name))
        try:
            return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
        finally:
            stream.close()

    def write(self, name: str, content: bytes) -> None:
        """See `Directory`: an upload that can be cancelled, or by Spark's ways a rename that replaces."""
        self._insist(lambda: self._write(name, content), "write", name)

    def _write(self, name: str, content: bytes) -> None:
        path = self._path(name)
        self._files.mkdirs(path.getParent())
        uploads = self._chosen is None and self._files.hasPathCapability(path, _UPLOADS)
        stream = self._files.create(path, True) if uploads else self._manager.createAtomic(path, True)
        try:
            stream.write(bytearray(content))
        except BaseException:
            stream.abort() if uploads else stream.cancel()
            raise
        stream.close()

    def sync(self, name: str) -> None:
        """See `Directory`: such file systems keep what was closed."""

    @functools.cached_property
    def _chosen(self) -> str | None:
        """The manager of checkpoint files that the program has set."""
        active = SparkContext._active_spark_context
        return None if active is None else active.getConf().get(MANAGER)

    @functools.cached_property
    def _manager(self) -> Any:
        """Spark's manager of checkpoint files for this file system, or the one that the program has set."""
        conf = self._jvm.org.apache.hadoop.conf.Configuration(self._files.getConf())
        conf.set("fs.permissions.umask-mode", "077")
        if self._chosen is not None:
            conf.set(MANAGER, self._chosen)
        companion = spark_class(self._jvm, "CheckpointFileManager$")
        return getattr(companion, "MODULE$").create(self._path(""), conf)

    def delete(self, name: str = "") -> None:
        """See `Directory`."""
        self._insist(lambda: self._files.delete(self._path(name), True), "delete", name)

    def set_aside(self) -> str:
        """See `Directory`."""
        aside = self._jvm.org.apache.hadoop.fs.Path(self._uri + BEFORE)
        self._files.delete(aside, True)
        if not self._files.rename(self._path(""), aside):
            raise OSError(f"could not rename {self._uri} to {aside.toString()}")
        return self._uri + BEFORE

    def _insist(self, work: Callable[[], T], what: str, name: str) -> T:
        return insist(work, f"{what} {self.path(name)}", self._wait)

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(self.path(name) if name else self._uri)


def spark_class(jvm: Any, name: str) -> Any:
    """A class of Spark's for checkpoints, whose package is another one since Spark 4.1.

    Raises AttributeError where it is in neither.
    """
    streaming = jvm.org.apache.spark.sql.execution.streaming
    for package in (streaming.checkpointing, streaming):
        found = getattr(package, name)
        if isinstance(found, JavaClass):
            return found
    raise AttributeError(f"Spark has no {name}")
