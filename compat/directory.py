"""Small files in a directory of any Hadoop file system, written whole or not at all."""

from __future__ import annotations

import functools
import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from py4j.java_gateway import JavaClass
from pyspark import SparkContext

T = TypeVar("T")

BEFORE = ".before"
MANAGER = "spark.sql.streaming.checkpointFileManagerClass"
_UPLOADS = "fs.capability.outputstream.abortable"
"""Hadoop's ``ABORTABLE_STREAM``, which S3 has: a file appears when its stream is closed, and never before.
S3's rename would copy, and delete what it replaces first."""
ATTEMPTS = 3
"""As often does Spark's CheckpointWriter try to write."""
_logger = logging.getLogger(__name__)


class Directory(Protocol):
    """Names are relative to the directory; they may hold slashes."""

    def path(self, name: str) -> str:
        """The full URI of `name`, for Spark."""

    def names(self, name: str = "") -> list[str]:
        """What the directory `name` holds; nothing where it does not exist."""

    def sizes(self, name: str) -> dict[str, int]:
        """The bytes of the files that the directory `name` holds."""

    def has(self, name: str) -> bool:
        """Whether there is a file or directory of that name."""

    def read(self, name: str) -> bytes:
        """The content of a file."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file, one at a time: after a crash there is the whole file or the one before.

        That holds for a loss of power, too: the file is on the disk when this returns. Only its owner may
        read it, where the file system has such permissions.
        """

    def sync(self, name: str) -> None:
        """Have on the disk, too, what Spark has written in the directory `name`."""

    def delete(self, name: str = "") -> None:
        """Remove a file or directory, if it exists."""

    def set_aside(self) -> str:
        """Rename the directory, over what was set aside before; the URI that it has then."""


def directory(uri: str) -> Directory:
    """The directory at `uri`, which need not exist. A path without a scheme is on the default file system."""
    SparkContext._ensure_initialized()
    jvm: Any = SparkContext._jvm
    active: Any = SparkContext._active_spark_context
    running = active is not None and active._jsc is not None
    # Before there is a SparkContext, the settings that spark-submit was given.
    submitted = jvm.org.apache.spark.deploy.SparkHadoopUtil.get
    conf = active._jsc.hadoopConfiguration() if running else submitted().conf()
    path = jvm.org.apache.hadoop.fs.Path(uri)
    files = path.getFileSystem(conf)
    whole = files.makeQualified(path)
    if files.getUri().getScheme() == "file":
        return LocalDirectory(whole.toString(), Path(whole.toUri().getPath()))
    return HadoopDirectory(jvm, files, whole.toString())


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


def not_ours(place: Directory, name: str) -> RuntimeError:
    """The error for a file that is not what this package has written there."""
    return RuntimeError(
        f"{place.path(name)} is not what a streaming program wrote there: it is damaged, or something else."
        " Remove it if it does not belong there, bring it back from a copy, or begin in another checkpoint"
        " directory"
    )


def insist(work: Callable[[], T], what: str) -> T:
    """What `work` gives; it is done again if it fails: a file system may be away for a moment."""
    for _ in range(ATTEMPTS - 1):
        try:
            return work()
        except Exception as error:  # noqa: PERF203 - the file system takes longer
            _logger.warning("Could not %s, trying again: %s", what, error)
    return work()


class LocalDirectory:
    """On a local file system, where Python is quicker than the JVM."""

    def __init__(self, uri: str, root: Path) -> None:
        self._uri = uri
        self.root = root

    def path(self, name: str) -> str:
        """See `Directory`."""
        return f"{self._uri}/{name}"

    def names(self, name: str = "") -> list[str]:
        """See `Directory`."""
        try:
            return [path.name for path in (self.root / name).iterdir() if not path.name.startswith(".")]
        except FileNotFoundError:
            return []

    def sizes(self, name: str) -> dict[str, int]:
        """See `Directory`."""
        return {entry: (self.root / name / entry).stat().st_size for entry in self.names(name)}

    def has(self, name: str) -> bool:
        """See `Directory`."""
        return (self.root / name).exists()

    def read(self, name: str) -> bytes:
        """See `Directory`."""
        return (self.root / name).read_bytes()

    def write(self, name: str, content: bytes) -> None:
        """See `Directory`."""
        path = self.root / name
        _make(path.parent)
        part = path.parent / ".part"
        part.unlink(missing_ok=True)
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)  # a disk that is full needs its room
            raise OSError(error.errno, error.strerror, str(path)) from error
        _sync(path.parent)

    def sync(self, name: str) -> None:
        """See `Directory`."""
        top = self.root / name
        for folder, _, files in os.walk(top):
            for file in files:
                _sync(Path(folder, file))
            _sync(Path(folder))
        for above in top.relative_to(self.root.parent).parents:
            _sync(self.root.parent / above)

    def delete(self, name: str = "") -> None:
        """See `Directory`."""
        path = self.root / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def set_aside(self) -> str:
        """See `Directory`."""
        aside = self.root.with_name(self.root.name + BEFORE)
        shutil.rmtree(aside, ignore_errors=True)
        self.root.rename(aside)
        return self._uri + BEFORE


def _make(folder: Path) -> None:
    """Make a directory and those above it, on the disk."""
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync(folder.parent)


def _sync(path: Path) -> None:
    """Wait until the content of a file or directory is on the disk, where that can be asked for."""
    if path.is_dir() and os.name == "nt":
        return  # Windows opens no directory
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class HadoopDirectory:
    """On any other file system, through Hadoop's API."""

    def __init__(self, jvm: Any, files: Any, uri: str) -> None:
        self._jvm = jvm
        self._files = files
        self._uri = uri

    def path(self, name: str) -> str:
        """See `Directory`."""
        return f"{self._uri}/{name}"

    def names(self, name: str = "") -> list[str]:
        """See `Directory`."""
        return list(self.sizes(name))

    def sizes(self, name: str) -> dict[str, int]:
        """See `Directory`."""
        found = insist(lambda: self._list(name), f"list {self.path(name)}")
        return {entry: size for entry, size in found.items() if not entry.startswith(".")}

    def _list(self, name: str) -> dict[str, int]:
        path = self._path(name)
        if not self._files.exists(path):
            return {}
        return {status.getPath().getName(): status.getLen() for status in self._files.listStatus(path)}

    def has(self, name: str) -> bool:
        """See `Directory`."""
        return insist(lambda: bool(self._files.exists(self._path(name))), f"look for {self.path(name)}")

    def read(self, name: str) -> bytes:
        """See `Directory`. On S3 a file that is replaced meanwhile cannot be read to its end."""
        return insist(lambda: self._read(name), f"read {self.path(name)}")

    def _read(self, name: str) -> bytes:
        stream = self._files.open(self._path(name))
        try:
            return bytes(self._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
        finally:
            stream.close()

    def write(self, name: str, content: bytes) -> None:
        """See `Directory`: an upload that can be cancelled, or by Spark's ways a rename that replaces."""
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
        self._files.delete(self._path(name), True)

    def set_aside(self) -> str:
        """See `Directory`."""
        aside = self._jvm.org.apache.hadoop.fs.Path(self._uri + BEFORE)
        self._files.delete(aside, True)
        if not self._files.rename(self._path(""), aside):
            raise OSError(f"could not rename {self._uri} to {aside.toString()}")
        return self._uri + BEFORE

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(self.path(name) if name else self._uri)
