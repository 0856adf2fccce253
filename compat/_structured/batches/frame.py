"""One batch of one stream: DataFrames, and the Python work on them that waits to be fused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, NamedTuple

from pyspark import cloudpickle
from pyspark.rdd import portable_hash
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, IntegerType, StringType, StructField, StructType
from pyspark.storagelevel import StorageLevel

from compat import schema
from compat._structured.batches import packing
from compat._structured.batches.salt import salts
from compat._structured.batches.unions import aligned, union
from compat._structured.worker import arrow, kept, lines, merge, stages, upkeep, words
from compat._structured.worker.stages import Reader, Sink, Step

# Executors do not have `compat`.
for module in (schema, arrow, kept, lines, merge, stages, upkeep, words):
    cloudpickle.register_pickle_by_value(module)

LINES: Reader = ("lines", None)
CHUNKS: Reader = ("chunks", None)
PAIRS: Reader = ("pairs", None)
RECORD_BATCHES: Reader = ("record_batches", None)

_TEXT = StructType([StructField("value", StringType())])
_CHUNK = StructType([StructField("chunk", BinaryType())])
PAIRS_SCHEMA = StructType(
    [
        StructField("tag", IntegerType()),
        StructField("salt", IntegerType()),
        StructField("chunk", BinaryType()),
    ]
)
_SCHEMAS = {
    "text": _TEXT,
    "chunks": _CHUNK,
    "single": _CHUNK,
    "pairs": PAIRS_SCHEMA,
    "scattered": PAIRS_SCHEMA,
    "numbered": StructType([StructField("number", IntegerType()), *_CHUNK]),
}


@dataclass(frozen=True)
class Part:
    """Partitions of a batch that are read alike."""

    data: DataFrame
    """Rows for `reader`: ``value`` (lines), ``chunk``, or ``tag, salt, chunk``."""
    reader: Reader
    steps: tuple[Step, ...] = ()
    """Narrow operators that are not applied yet."""
    sizes: Sequence[int] = ()
    """For each partition how much is in it, in bytes or elements of the source; empty: not known."""
    kept: bool = False
    """Whether `data` is persisted."""

    @property
    def plain(self) -> bool:
        """Whether `data` is all there is: rows that need no Python to become elements."""
        return not self.steps and self.reader in (LINES, CHUNKS, PAIRS)


@dataclass(frozen=True)
class Hashed:
    """A partitioner: each pair is in the partition `function(key) % partitions`.

    Equal for the same function, as Spark's ``PythonPartitioner`` is.
    """

    partitions: int
    function: Callable[[Any], int] = field(default=portable_hash, compare=False)
    identity: int = field(default=id(portable_hash))

    def scatter(self, combine: str, settings: Any = None) -> merge.Scatter:
        """How pairs are sent to their partitions."""
        return merge.Scatter(salts(self.partitions), self.function, combine, settings)


class Scattered(NamedTuple):
    """Pairs as rows (tag, salt, chunk), in chunks that have one salt each."""

    data: DataFrame
    in_place: bool
    """Whether each row is in the partition that its salt says."""
    kept: bool = False
    """Whether it comes from the batch before: then it stands behind all others."""


@dataclass(frozen=True)
class Frame:
    """The partitions of one batch, in order. Without parts it has none, as an empty RDD."""

    parts: tuple[Part, ...]
    partitioner: Hashed | None = None
    """How the batch is said to be partitioned: streams that agree are united partition by partition."""
    sure: bool = True
    """Whether it is so. A program may claim it of a function that changes keys (`preservesPartitioning`)."""

    @classmethod
    def of_table(cls, data: DataFrame, columns: StructType) -> Frame:
        """The partitions of a DataFrame with these columns; its rows are Rows."""
        return cls((Part(data, ("rows", arrow.to_rows(columns))),))

    @property
    def hashed(self) -> Hashed | None:
        """The partitioner, if it is certain that the pairs are where it says."""
        return self.partitioner if self.sure else None

    def then(
        self, name: str, argument: Any = None, *, keys_stay: bool = False, claimed: bool = False
    ) -> Frame:
        """The frame with one more narrow step, a name in `stages.STEPS`.

        Args:
            name: the step.
            argument: its argument.
            keys_stay: the step cannot change a key.
            claimed: the program says so.
        """
        parts = tuple(replace(part, steps=(*part.steps, (name, argument))) for part in self.parts)
        if keys_stay:
            return replace(self, parts=parts)
        return Frame(parts, self.partitioner, sure=False) if claimed else Frame(parts)

    def indexed(self, function: Callable[..., Any], *, claimed: bool = False) -> Frame:
        """The frame after `mapPartitionsWithIndex`.

        A worker does not know its partition: the number in its TaskContext counts through whatever union the
        job runs, today's or a later one's. So the rows carry it, and there is at least one in each partition.
        """
        if not self.parts:
            return self
        data = self.rows(("chunks", None)).select(F.spark_partition_id().alias("index"), "chunk")
        made = Frame((Part(data, ("indexed", function)),))
        return replace(made, partitioner=self.partitioner, sure=False) if claimed else made

    def rows(self, sink: Sink) -> DataFrame:
        """The elements as rows for a sink, a name in `stages.SINKS`; as many partitions."""
        return union([part.data.mapInArrow(*_stage(part, sink)) for part in self._fewest_parts()])

    def table(self, columns: StructType) -> DataFrame:
        """The elements as rows of these columns; as many partitions."""
        sink = ("rows", arrow.from_elements(columns))
        parts = self._fewest_parts()
        return union([p.data.mapInArrow(stages.stage(p.reader, p.steps, sink), columns) for p in parts])

    def scattered(
        self, hashed: Hashed, tag: int, combine: str, settings: Any = None, *, tasks: int = 0
    ) -> Scattered:
        """The pairs on the way to their partitions, or there already if the frame says that they are.

        What is there as one value per key, and needs no more combining, goes without Python.

        Args:
            hashed: where they are going.
            tag: tells these rows apart from others in the same merge.
            combine: what happens on the way, a name in `merge.COMBINES`.
            settings: for it.
            tasks: how many tasks are enough for it; 0: one for each partition.
        """
        sink = ("scattered", (tag, hashed.scatter(combine, settings)))
        if self.hashed == hashed:
            plain = combine == "reduce" and all(part.plain for part in self.parts)
            data = union([_tagged(part.data, tag) for part in self.parts]) if plain else self.rows(sink)
            return Scattered(data, in_place=True)
        if combine != "deal" and tasks > 0 and packing.pays(self.parts, tasks):
            packed = self._packed(tasks)
            return Scattered(union([_one_by_one(part, sink) for part in packed]), in_place=False)
        return Scattered(self.rows(sink), in_place=False)

    def persisted(self, level: StorageLevel) -> Frame:
        """The frame, to be computed once."""
        if not self.parts:
            return self
        if self.hashed is not None:
            reader, data = PAIRS, self._plain(PAIRS, ("pairs", self.hashed.scatter("none")))
        elif all(part.reader == LINES and not part.steps for part in self.parts):
            reader, data = LINES, union([part.data for part in self.parts])
        else:
            reader, data = CHUNKS, self._plain(CHUNKS, ("chunks", None))
        known = all(part.sizes for part in self.parts)
        sizes = [size for part in self.parts for size in part.sizes] if known else []
        return replace(self, parts=(Part(data.persist(level), reader, sizes=sizes, kept=True),))

    def unpersist(self) -> None:
        """Give back the memory of a frame that `persisted` made."""
        for part in self.parts:
            part.data.unpersist()

    def chunks(self) -> DataFrame:
        """The elements as rows of one chunk."""
        return self._plain(CHUNKS, ("chunks", None))

    def _plain(self, reader: Reader, sink: Sink) -> DataFrame:
        """The elements as rows for `reader`; parts that are such rows already are not touched."""
        return union(
            [
                part.data
                if part.plain and part.reader == reader
                else part.data.mapInArrow(*_stage(part, sink))
                for part in self._fewest_parts()
            ]
        )

    def _fewest_parts(self) -> list[Part]:
        """Neighbours with the same work ahead as one part, so that there is one Python stage for them."""
        return [replace(run[0], data=union([part.data for part in run])) for run in self._runs()]

    def _packed(self, tasks: int) -> list[Part]:
        """The parts with about `tasks` partitions in all.

        A first column tells for each row which partition it was in.
        """
        packed = []
        for run in self._runs():
            share = max(1, round(tasks * _size(run) / _size(self.parts)))
            groups = packing.groups(run, share)
            packed.append(replace(run[0], data=union([_packed(group) for group in groups])))
        return packed

    def _runs(self) -> list[list[Part]]:
        """Neighbours with the same work ahead."""
        return [list(run) for _, run in groupby(self.parts, key=lambda part: (part.reader, part.steps))]


def united(frames: Sequence[Frame]) -> Frame:
    """``SparkContext.union``: partition after partition, but those of frames partitioned alike together."""
    frames = [frame for frame in frames if frame.parts]
    if len(frames) == 1:
        return frames[0]
    partitioner = frames[0].partitioner if frames else None
    if partitioner is not None and all(frame.partitioner == partitioner for frame in frames):
        # The place of a row is that of its partition, not that of its keys, of which a program may be wrong.
        data = aligned([frame.chunks() for frame in frames], partitioner.partitions)
        return Frame((Part(data, CHUNKS),), partitioner, all(frame.sure for frame in frames))
    return Frame(tuple(part for frame in frames for part in frame.parts))


def _packed(group: packing.Group) -> DataFrame:
    data = union([part.data for part in group.parts])
    data = data.select(F.spark_partition_id().alias("partition"), "*")
    return data.coalesce(group.tasks) if group.tasks < sum(len(part.sizes) for part in group.parts) else data


def _size(parts: Iterable[Part]) -> int:
    return sum(sum(part.sizes) for part in parts)


def _one_by_one(part: Part, sink: Sink) -> DataFrame:
    function, columns = _stage(part, sink)
    return part.data.mapInArrow(stages.one_by_one(function), columns)


def _stage(part: Part, sink: Sink) -> tuple[Callable[..., Any], StructType]:
    return stages.stage(part.reader, part.steps, sink), _SCHEMAS[sink[0]]


def _tagged(data: DataFrame, tag: int) -> DataFrame:
    return data if tag == 0 else data.select(F.lit(tag).alias("tag"), "salt", "chunk")
