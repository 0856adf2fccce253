"""The batches that later batches build on, written out: state, and windows with an inverse.

A version is one such batch, as Parquet under ``state/<node>/<batch time>``. It is written when the first
output that needs it runs. Where that fails there is no version: the next batch that builds on it tries again,
in order, from the last good one and the inputs since."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.rdd import RDD
from pyspark.sql import DataFrame

from compat import graph
from compat._structured.frame import PAIRS, PAIRS_SCHEMA, Frame, Hashed, Part

if TYPE_CHECKING:
    from compat._structured.session import Session
    from compat.directory import Directory
    from compat.graph import Node, Stream

INITIAL = "initial"


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
    """

    def __init__(
        self, program: graph.Graph, session: Session, zero_ms: int, directory: Directory | None
    ) -> None:
        self._numbers = {node: number for number, node in enumerate(program.nodes)}
        self._session = session
        self._directory = directory
        self._written: dict[Stream, set[int]] = {}
        self._known: dict[Stream, int] = {}
        self._pending: dict[tuple[Stream, int], DataFrame] = {}
        read = {stream for output in program.outputs for stream in graph.ancestors(output)}
        for stream in filter(builds_on_itself, read):
            self._written[stream] = self._found(stream)
            self._known[stream] = max(self._written[stream], default=zero_ms)

    def has(self, stream: Stream, time: int) -> bool:
        """Whether the version was written."""
        return time in self._written[stream]

    def known(self, stream: Stream) -> int:
        """The last batch time of `stream` that was made, or found to be without a batch."""
        return self._known[stream]

    def made(self, stream: Stream, time: int, frame: Frame | None) -> None:
        """Note a batch: it is written when the first output that needs it runs."""
        if stream not in self._written:
            return
        self._known[stream] = max(time, self._known[stream])
        if frame is not None and not self.has(stream, time):
            self._pending[stream, time] = frame.parts[0].data

    def settle(self, streams: Collection[Node]) -> None:
        """Write what is not written yet of `streams`, in the order in which it was made."""
        for (stream, time), data in list(self._pending.items()):
            if stream in streams:
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
            self._write(stream, INITIAL, frame.scattered(hashed, 0, "none"))

    def initial(self, stream: Stream) -> DataFrame | None:
        """What the program gave as the state before the first batch, as rows (tag 0, salt, chunk)."""
        assert self._directory is not None
        written = self._directory.has(f"{self._numbers[stream]}/{INITIAL}/_SUCCESS")
        return self._read(stream, INITIAL) if written else None

    def settled(self, time: int) -> int:
        """The last time up to which every stream that builds on itself is written, `time` at most."""
        unwritten = [when - stream.slide_ms for stream, when in self._pending]
        return min([time, *self._known.values(), *unwritten])

    def remove(self, horizons: Mapping[Stream, int]) -> None:
        """Remove the versions that nobody asks for who asks for times after the horizon of the stream.

        The first of these builds on the last version up to the horizon: that one stays.
        """
        for stream, written in self._written.items():
            last = max((when for when in written if when <= horizons[stream]), default=0)
            for old in [when for when in written if when < last]:
                self._delete(stream, str(old))
                written.remove(old)

    def _found(self, stream: Stream) -> set[int]:
        assert self._directory is not None
        number = self._numbers[stream]
        found = set()
        for name in self._directory.names(str(number)):
            if not self._directory.has(f"{number}/{name}/_SUCCESS"):
                self._delete(stream, name)
            elif name != INITIAL:
                found.add(int(name))
        return found

    def _delete(self, stream: Stream, name: str) -> None:
        assert self._directory is not None
        version = f"{self._numbers[stream]}/{name}"
        # First of all it must no longer seem to be whole.
        self._directory.delete(f"{version}/_SUCCESS")
        self._directory.delete(version)

    def _read(self, stream: Stream, name: str) -> DataFrame:
        return self._session.spark.read.schema(PAIRS_SCHEMA).parquet(self._path(stream, name))

    def _write(self, stream: Stream, name: str, data: DataFrame) -> None:
        writer = data.write.mode("overwrite").option(
            "mapreduce.fileoutputcommitter.marksuccessfuljobs", "true"
        )
        writer.parquet(self._path(stream, name))

    def _path(self, stream: Stream, name: str) -> str:
        assert self._directory is not None
        return self._directory.path(f"{self._numbers[stream]}/{name}")
