"""Small files in a directory of any Hadoop file system, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pyspark import SparkContext

from compat.directory.hadoop import HadoopDirectory
from compat.directory.local import LocalDirectory

if TYPE_CHECKING:
    from compat.directory.retries import Wait

__all__ = ["Directory", "HadoopDirectory", "LocalDirectory", "directory", "not_ours"]


class Directory(Protocol):
    """Names are relative to the directory; they may hold slashes. What fails is tried again."""

    def path(self, name: str) -> str:
        """The full URI of `name`, for Spark."""

    def within(self, name: str) -> Directory:
        """The directory `name`, as patient as this one."""

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


def directory(uri: str, wait: Wait | None = None) -> Directory:
    """The directory at `uri`, which need not exist. A path without a scheme is on the default file system.

    Args:
        uri: its URI.
        wait: called before what failed on a remote file system is tried again; see `insist`.
    """
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
    return HadoopDirectory(jvm, files, whole.toString(), wait)


def not_ours(place: Directory, name: str) -> RuntimeError:
    """The error for a file that is not what this package has written there."""
    return RuntimeError(
        f"{place.path(name)} is not what a streaming program wrote there: it is damaged, or something else."
        " Remove it if it does not belong there, bring it back from a copy, or begin in another checkpoint"
        " directory"
    )
