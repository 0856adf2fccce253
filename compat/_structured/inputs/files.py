"""Files that appear in a directory, by the rules of Spark's ``FileInputDStream``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pyspark
from py4j.protocol import Py4JError

from compat import graph
from compat._structured.batches.frame import LINES, Frame, Part
from compat._structured.inputs.listing import GLOB, Listing, Status
from compat._structured.inputs.sources import Given, Planned

if TYPE_CHECKING:
    from pyspark import SparkContext

    from compat._structured.durable.needed import Needed
    from compat._structured.life.session import Session

File = list[Any]
"""``[path, length in bytes, block size]``: JSON has no tuples."""
Entry = list[Any]
"""``[path, files]``: an entry of the watched directory, and the files that it is or holds."""

_SLOP = 1.1
"""Hadoop lets the last split of a file be this much longer than a block (``FileInputFormat.SPLIT_SLOP``)."""
_SHARES_ROWS = int(pyspark.__version__.partition(".")[0]) < 4
"""Before Spark 4, two readings of a text file in one task, as for ``rdd.zip(rdd)``, write their rows into the
same memory at the same time."""
_BRACES = re.compile(r"[{}]")
"""Where Hadoop takes a list of paths apart it counts them, whatever stands before them."""
_SMALL = 1 << 20
"""Files of less than so many bytes are read together. In large ones Spark's reader of lines gains more than a
DataFrame for each of them costs."""


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
        self._listing = Listing(node.directory, session)

    def next_slice(self, time: int) -> list[Entry]:
        """The new entries, in the order in which the file system lists them."""
        oldest = max(self._created_ms, time - self._remembers_ms)
        found = []
        for status in self._listing.entries():
            if oldest < status.modified_ms <= time and status.path not in self._taken:
                self._taken[status.path] = time
                found.append([status.path, self._files_of(status)])
        return found

    def _files_of(self, entry: Status) -> list[File]:
        if not entry.is_directory:
            return [_file(entry)]
        try:
            found = self._listing.within(entry.path)
        except (OSError, Py4JError):
            return [[entry.path, 1, entry.block]]  # Hadoop reads it, and fails the batch if it cannot
        return [_file(status) for status in found if not status.is_directory]

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
        return Frame(tuple(part for run in _runs(files) for part in self._read(run).parts))

    def _read(self, files: Sequence[File]) -> Frame:
        """Neighbouring files, which Hadoop reads in this order."""
        literals = [GLOB.sub(r"\\\1", path) for path, *_ in files]
        # Within braces a comma does not end a path.
        paths = ",".join(literal.replace(",", r"{\,}") for literal in literals)
        if isinstance(self._node, graph.BinaryRecordsStream):
            records = self._session.spark_context.binaryRecords(paths, self._node.record_length)
            return self._session.from_rdd(records)
        if len(files) == 1 and self._as_spark_splits(files[0]):
            reader = self._session.spark.read.options(**text_options(self._session.spark_context))
            return Frame((Part(reader.text(literals[0]), LINES, sizes=_sizes(files)),))
        java: Any = self._session.spark_context._jsc
        return self._session.lines(java.textFile(paths, 1), _sizes(files))

    def _as_spark_splits(self, file: File) -> bool:
        """Whether Spark's own reader can be had, and cuts this file where DStream's does."""
        _, length, block = file
        alike = _hadoop_splits(length, block) == math.ceil(length / self._session.split_bytes)
        return alike and length >= _SMALL and not _SHARES_ROWS


def text_options(spark_context: SparkContext) -> dict[str, str]:
    """Options for Spark's text source: a line ends where Hadoop's ends by the program's settings."""
    java: Any = spark_context._jsc
    delimiter = java.hadoopConfiguration().get("textinputformat.record.delimiter")
    return {} if delimiter is None else {"lineSep": delimiter}


def _runs(files: Sequence[File]) -> Iterator[list[File]]:
    """Neighbours that are read together: small ones, unless a list of paths cannot name them."""
    for together, run in groupby(files, key=_together):
        if together:
            yield list(run)
        else:
            yield from ([file] for file in run)


def _together(file: File) -> bool:
    path, length, _ = file
    return length < _SMALL and not _BRACES.search(path)


def _file(status: Status) -> File:
    return [status.path, status.length, status.block]


def _sizes(files: Sequence[File]) -> list[int]:
    """The bytes of each split, if they are cut evenly."""
    splits = [(length, _hadoop_splits(length, block)) for _, length, block in files]
    return [math.ceil(length / number) for length, number in splits for _ in range(number)]


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
