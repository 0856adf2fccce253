"""The batches that later batches build on, written out: state, and windows with an inverse.

A version is one such batch, as Parquet under ``state/<node>/<batch time>``. As DStreams do with their RDDs,
the engine writes one every ten seconds, and what comes in between is made again after a crash: from the last
version and the inputs since.

A version is written when the first output that needs it runs. Where that fails there is none: the next batch
that builds on it tries again, in order, from the last good one and the inputs since."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from pyspark.rdd import RDD
from pyspark.sql import DataFrame

from compat import graph
from compat._structured.batches.frame import PAIRS, PAIRS_SCHEMA, Frame, Hashed, Part
from compat._structured.durable import tables
from compat.directory import not_ours

if TYPE_CHECKING:
    from compat._structured.durable.needed import Needed
    from compat._structured.life.session import Session
    from compat.directory import Directory
    from compat.graph import Node, Stream

INITIAL = "initial"
EMPTY = "empty"
"""A file that says until when a stream had no batch at all."""
_EVERY_MS = 10_000
"""Spark's ``DStream.initialize``: the least multiple of the slide that is not shorter than this."""


def builds_on_itself(node: Node) -> bool:
    """Whether a batch of this stream is made from the one before.

    A window with an inverse is, from five slides on, as in Spark's ``PythonReducedWindowedDStream``.
    """
    if isinstance(node, graph.ReduceByKeyAndWindow):
        return node.inverse is not None and node.window_ms >= 5 * node.every_ms
    return isinstance(node, graph.UpdateStateByKey)


class Versions:
    """All versions of a run.

    Args:
        program: the graph; versions are filed under the numbers of its nodes.
        session: reads and writes them.
        zero_ms: the time before the first batch time.
        directory: where they are; None only where no stream builds on itself.
        check: raises if the run may not write any more.
    """

    def __init__(
        self,
        program: graph.Graph,
        session: Session,
        zero_ms: int,
        directory: Directory | None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._numbers = {node: number for number, node in enumerate(program.nodes)}
        self._session = session
        self._zero_ms = zero_ms
        self._directory = directory
        self._check = check
        self._every: dict[Stream, int] = {}
        self._written: dict[Stream, set[int]] = {}
        self._empty: dict[Stream, int] = {}
        self._pending: dict[tuple[Stream, int], DataFrame] = {}
        for stream in filter(builds_on_itself, program.read):
            self._every[stream] = _every_ms(program, stream)
            self._written[stream] = self._found(stream)
            self._empty[stream] = self._found_empty(stream)

    def has(self, stream: Stream, time: int) -> bool:
        """Whether the version was written."""
        return time in self._written[stream]

    def empty(self, stream: Stream, time: int) -> bool:
        """Whether the stream is known to have had no batch until then: state begins with the first input."""
        return time <= self._empty[stream]

    def last(self, stream: Stream, time: int) -> int:
        """The last time, `time` at most, from which batches can be made without those before it."""
        written = (when for when in self._written[stream] if when <= time)
        return max([*written, min(time, self._empty[stream])])

    def made(self, stream: Stream, time: int, frame: Frame | None) -> None:
        """Note a batch: if it is to be a version, it is written when the first output that needs it runs."""
        if stream not in self._written or self.has(stream, time):
            return
        if frame is None:
            if not self.empty(stream, time) and self._directory is not None:
                self._directory.write(f"{self._numbers[stream]}/{EMPTY}", str(time).encode())
                self._empty[stream] = time
        elif (time - self._zero_ms) % self._every[stream] == 0:
            self._pending[stream, time] = frame.parts[0].data

    def settle(self, streams: Collection[Node]) -> None:
        """Write what is not written yet of `streams`, in the order in which it was made."""
        for (stream, time), data in list(self._pending.items()):
            if stream in streams:
                self._check()
                self._write(stream, str(time), data)
                self._written[stream].add(time)
                del self._pending[stream, time]

    def rows(self, stream: Stream, time: int) -> DataFrame | None:
        """The version as rows (tag 0, salt, chunk), in no order; None if it was not written."""
        return self._read(stream, str(time)) if self.has(stream, time) else None

    def frame(self, stream: Stream, time: int, hashed: Hashed) -> Frame:
        """A version that was written, in its partitions."""
        data = self._read(stream, str(time)).repartition(hashed.partitions, "salt")
        return Frame((Part(data, PAIRS),), hashed)

    def write_initial(self, stream: Stream, rdd: RDD[Any], hashed: Hashed) -> None:
        """Write what the program gave as the state before the first batch."""
        frame = self._session.from_rdd(rdd)
        if frame.parts:
            self._write(stream, INITIAL, frame.scattered(hashed, 0, "none").data)

    def initial(self, stream: Stream) -> DataFrame | None:
        """What the program gave as the state before the first batch, as rows (tag 0, salt, chunk)."""
        assert self._directory is not None
        written = tables.whole(self._directory, f"{self._numbers[stream]}/{INITIAL}")
        return self._read(stream, INITIAL) if written else None

    def anchor(self, stream: Stream, horizon: int, time: int) -> int:
        """The time after which a recovered run may have to make batches of `stream` again.

        Args:
            stream: one that builds on itself.
            horizon: batches of `stream` until then are asked for no more.
            time: the last batch time.
        """
        first = horizon + stream.slide_ms - (horizon - self._zero_ms) % stream.slide_ms
        for when in range(max(first, self._zero_ms + stream.slide_ms), time + 1, stream.slide_ms):
            if not self.has(stream, when) and not self.empty(stream, when):
                return self.last(stream, when)
        return time

    def remove(self, stream: Stream, needed: Needed) -> None:
        """Remove versions that are neither among these batches of `stream` nor what they build on."""
        written = self._written[stream]
        bases = needed.begins_at(written)
        for old in [when for when in written if when not in needed and when not in bases]:
            self._delete(stream, str(old))
            written.remove(old)

    def delete(self) -> None:
        """Remove all of them."""
        if self._directory is not None:
            self._directory.delete()

    def _found(self, stream: Stream) -> set[int]:
        assert self._directory is not None
        number = self._numbers[stream]
        found = set()
        for name in self._directory.names(str(number)):
            if name == EMPTY:
                continue
            if name != INITIAL and not name.isdecimal():
                raise not_ours(self._directory, f"{number}/{name}")
            if not tables.whole(self._directory, f"{number}/{name}"):
                self._delete(stream, name)
            elif name != INITIAL:
                found.add(int(name))
        return found

    def _found_empty(self, stream: Stream) -> int:
        assert self._directory is not None
        name = f"{self._numbers[stream]}/{EMPTY}"
        if not self._directory.has(name):
            return self._zero_ms
        try:
            return int(self._directory.read(name))
        except ValueError as error:
            raise not_ours(self._directory, name) from error

    def _delete(self, stream: Stream, name: str) -> None:
        assert self._directory is not None
        tables.delete(self._directory, f"{self._numbers[stream]}/{name}")

    def _read(self, stream: Stream, name: str) -> DataFrame:
        return self._session.spark.read.schema(PAIRS_SCHEMA).parquet(self._path(stream, name))

    def _write(self, stream: Stream, name: str, data: DataFrame) -> None:
        assert self._directory is not None
        tables.write(data, self._directory, f"{self._numbers[stream]}/{name}")

    def _path(self, stream: Stream, name: str) -> str:
        assert self._directory is not None
        return self._directory.path(f"{self._numbers[stream]}/{name}")


def _every_ms(program: graph.Graph, stream: Stream) -> int:
    """Every how many milliseconds a batch of `stream` is written."""
    usual = math.ceil(_EVERY_MS / stream.slide_ms) * stream.slide_ms
    return program.checkpointed.get(stream, usual)
