"""Files that appear in a directory, by the rules of Spark's ``FileInputDStream``."""

from __future__ import annotations

import logging
import math
import os
import re
from typing import TYPE_CHECKING, Any

import pyspark
from py4j.protocol import Py4JError

from compat import graph
from compat._structured.frame import LINES, Frame, Part
from compat._structured.sources import Given, Planned

if TYPE_CHECKING:
    from pyspark import SparkContext

    from compat._structured.needed import Needed
    from compat._structured.session import Session

_log = logging.getLogger(__name__)

File = list[Any]
"""``[path, length in bytes, block size]``: JSON has no tuples."""
Entry = list[Any]
"""``[path, files]``: an entry of the watched directory, and the files that it is or holds."""
Status = tuple[str, int, bool, int, int]
"""Path, modification time, whether it is a directory, length, block size."""

_SLOP = 1.1
"""Hadoop lets the last split of a file be this much longer than a block (``FileInputFormat.SPLIT_SLOP``)."""
_SHARES_ROWS = int(pyspark.__version__.partition(".")[0]) < 4
"""Before Spark 4, two readings of a text file in one task, as for ``rdd.zip(rdd)``, write their rows into the
same memory at the same time."""
_GLOB = re.compile(r"([\\*?\[\]{}])")


class Files(Planned[list[Entry]]):
    """Files modified after the stream's creation and not after the batch time, each name once.

    A file that is older than a minute (``spark.streaming.fileStream.minRememberDuration``) when its batch is
    made is too old, as for DStreams. Names that start with a dot or an underscore are ignored; the files of a
    new sub-directory are read. A directory that is missing has no files yet.
    """

    def __init__(self, node: graph.FileStream, session: Session, created_ms: int) -> None:
        super().__init__()
        self._node = node
        self._session = session
        self._created_ms = created_ms
        self._remembers_ms = _remembered(session, node.interval_ms)
        self._taken: dict[str, int] = {}
        sc: Any = session.spark_context
        self._path = sc._jvm.org.apache.hadoop.fs.Path
        pattern = self._path(node.directory)
        self._files = pattern.getFileSystem(sc._jsc.hadoopConfiguration())
        self._pattern = self._files.makeQualified(pattern)
        self._local = self._files.getUri().getScheme() == "file"

    def next_slice(self, time: int) -> list[Entry]:
        """The new entries, in the order in which the file system lists them."""
        oldest = max(self._created_ms, time - self._remembers_ms)
        found = []
        for status in self._listed():
            path, modified, is_directory, *_ = status
            if oldest < modified <= time and path not in self._taken:
                self._taken[path] = time
                files = (
                    [_file(inner) for inner in self._list(path) if not inner[2]]
                    if is_directory
                    else [_file(status)]
                )
                found.append([path, files])
        return found

    def restore(self, time: int, given: list[Entry]) -> None:
        """What an earlier run read is not read again."""
        super().restore(time, given)
        for path, _ in given:
            self._taken[path] = time

    def release(self, time: int) -> bool:
        """The next batch may take them."""
        for path, _ in self.slices.pop(time, []):
            del self._taken[path]
        return True

    def forget(self, needed: Needed) -> None:
        """Names are kept for as long as a file is not too old."""
        super().forget(needed)
        oldest = needed.after - self._remembers_ms
        for path in [path for path, taken in self._taken.items() if taken < oldest]:
            del self._taken[path]

    def expendable(self, time: int) -> int:
        """Names are logged for as long as a file is not too old."""
        return time - self._remembers_ms

    def given(self, time: int) -> Given:
        """The paths of the new entries; how many records are in them nobody knows before they are read."""
        paths = [path for path, _ in self.slices[time]]
        return Given(0, {"files": paths, "Description": "\n".join(paths)})

    def frame(self, time: int) -> Frame:
        """The elements: a partition for each split of each file that is not empty."""
        files = [file for _, files in self.slices[time] for file in files if file[1] > 0]
        options = text_options(self._session.spark_context) if files else {}
        return Frame(tuple(part for file in files for part in self._read(file, options).parts))

    def _read(self, file: File, options: dict[str, str]) -> Frame:
        path, length, block = file
        literal = _GLOB.sub(r"\\\1", path)
        if isinstance(self._node, graph.BinaryRecordsStream):
            records = self._session.spark_context.binaryRecords(literal, self._node.record_length)
            return self._session.from_rdd(records)
        splits_alike = _hadoop_splits(length, block) == math.ceil(length / self._session.split_bytes)
        if splits_alike and not _SHARES_ROWS:
            return Frame((Part(self._session.spark.read.options(**options).text(literal), LINES),))
        # Spark's own reader would cut this file at other places than DStream's, or may give wrong texts.
        java: Any = self._session.spark_context._jsc
        return self._session.lines(java.textFile(literal, 1))

    def _listed(self) -> list[Status]:
        directories = [self._pattern]
        if _GLOB.search(self._node.directory):
            matches = self._files.globStatus(self._pattern) or []
            directories = [status.getPath() for status in matches if status.isDirectory()]
        listed: list[Status] = []
        for path in directories:
            listed.extend(self._list_if_there(path.toString()))
        return listed

    def _list_if_there(self, directory: str) -> list[Status]:
        try:
            return self._list(directory)
        except (OSError, Py4JError) as error:
            _log.warning("No directory to scan: %s: %s", directory, error)
            return []

    def _list(self, directory: str) -> list[Status]:
        return self._list_local(directory) if self._local else self._list_hadoop(directory)

    def _list_local(self, directory: str) -> list[Status]:
        block = self._session.split_bytes
        found = []
        with os.scandir(self._path(directory).toUri().getPath()) as entries:
            for entry in entries:
                if not entry.name.startswith((".", "_")):
                    stat = entry.stat()
                    modified = stat.st_mtime_ns // 1_000_000
                    path = f"{directory}/{entry.name}"
                    found.append((path, modified, entry.is_dir(), stat.st_size, block))
        return found

    def _list_hadoop(self, directory: str) -> list[Status]:
        path = self._path(directory)
        if not self._files.exists(path):
            raise FileNotFoundError(directory)
        found = []
        for status in self._files.listStatus(path):
            inner = status.getPath()
            if not inner.getName().startswith((".", "_")):
                sizes = (status.getLen(), status.getBlockSize())
                found.append((inner.toString(), status.getModificationTime(), status.isDirectory(), *sizes))
        return found


def text_options(spark_context: SparkContext) -> dict[str, str]:
    """Options for Spark's text source: a line ends where Hadoop's ends by the program's settings."""
    java: Any = spark_context._jsc
    delimiter = java.hadoopConfiguration().get("textinputformat.record.delimiter")
    return {} if delimiter is None else {"lineSep": delimiter}


def _file(status: Status) -> File:
    return [status[0], status[3], status[4]]


def _hadoop_splits(length: int, block: int) -> int:
    splits = 0
    while length / block > _SLOP:
        length -= block
        splits += 1
    return splits + (length > 0)


def _remembered(session: Session, interval_ms: int) -> int:
    conf = session.spark_context.getConf()
    asked = conf.get("spark.streaming.minRememberDuration", "60s")
    asked = conf.get("spark.streaming.fileStream.minRememberDuration", asked)
    jvm: Any = session.spark_context._jvm
    seconds: int = jvm.org.apache.spark.network.util.JavaUtils.timeStringAsSec(asked)
    return math.ceil(seconds * 1000 / interval_ms) * interval_ms
