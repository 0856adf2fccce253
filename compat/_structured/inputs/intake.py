"""Rows of DataFrames as batches of a stream: what `from_df` took in.

Streaming DataFrames are part of the engine's one query, united with its heartbeat. Their rows come with a
micro-batch and belong to the first of its batch times. They are set down before that batch runs: in the
checkpoint, under ``rows/<node>/<batch time>-<batch id>``, so that windows, states and a recovered run find
them again whatever the source is; in memory and on disk, for a run that cannot be recovered. What Spark
replays of a micro-batch is not taken in a second time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.storagelevel import StorageLevel

from compat import graph
from compat._structured.batches.frame import Frame, Part
from compat._structured.batches.salt import salts
from compat._structured.batches.unions import union_of_plans
from compat._structured.durable import tables
from compat._structured.inputs.sources import Planned
from compat.directory import not_ours

if TYPE_CHECKING:
    from compat._structured.durable.needed import Needed
    from compat._structured.life.session import Session
    from compat.directory import Directory

_STORED = "partition INT, number INT, chunk BINARY"
"""The number of a partition in its micro-batch, that of a chunk in its partition, and the chunk."""
_HEARTBEAT = -1
_KEPT = StorageLevel.MEMORY_AND_DISK


class StaticRows(Planned[int]):
    """A static DataFrame: the same rows in every batch. Its slices tell nothing."""

    def __init__(self, node: graph.FromDF, session: Session) -> None:
        super().__init__()
        data = session.adopted(frame_of(node, session))
        self._frame = Frame.of_table(data, node.schema) if session.partitions(data) else Frame(())

    def next_slice(self, time: int) -> int:
        """See `Planned`."""
        return 0

    def frame(self, time: int) -> Frame:
        """All rows, in the DataFrame's partitions."""
        return self._frame


@dataclass(frozen=True)
class Taken:
    """The rows of a micro-batch."""

    batch_id: int
    partitions: list[int]
    """The numbers of those that hold rows."""
    data: DataFrame


class StreamingRows(Planned[None]):
    """What a streaming DataFrame gave to each batch."""

    def __init__(self, number: int, session: Session, rows: Directory | None) -> None:
        super().__init__()
        self._number = number
        self._session = session
        self._directory = None if rows is None else rows.within(str(number))
        self._taken: dict[int, Taken] = {}
        for name in [] if self._directory is None else self._directory.names():
            if self._directory is not None and tables.whole(self._directory, name):
                try:
                    time, batch_id = map(int, name.split("-"))
                except ValueError as error:
                    raise not_ours(self._directory, name) from error
                data = self._read(name)
                self._taken[time] = Taken(batch_id, _partitions(data), data)

    def plan(self, time: int) -> None:
        """Nothing is decided: rows belong to the batch with which they came."""

    def release(self, time: int) -> bool:
        """The rows stay where they belong, for windows and states that ask again."""
        return False

    def take(self, time: int, batch_id: int, rows: DataFrame) -> None:
        """Set down what a micro-batch gives to the batch at `time`."""
        if any(taken.batch_id == batch_id for taken in self._taken.values()):
            return
        own = rows.where(F.col("source") == self._number).drop("source").persist(_KEPT)
        partitions = _partitions(own)
        if partitions and self._directory is None:
            self._taken[time] = Taken(batch_id, partitions, own)
            return
        if partitions and self._directory is not None:
            name = f"{time}-{batch_id}"
            tables.write(own, self._directory, name)
            self._taken[time] = Taken(batch_id, partitions, self._read(name))
        own.unpersist()

    def frame(self, time: int) -> Frame:
        """The partitions that hold rows, in their order."""
        if time not in self._taken:
            return Frame(())
        taken = self._taken[time]
        number = len(taken.partitions)
        place = f"CAST(array_position({_array(taken.partitions)}, partition) AS INT)"
        salt = F.expr(f"element_at({_array(salts(number))}, {place})").alias("salt")
        data = taken.data.select(F.col("number").alias("tag"), salt, "chunk").repartition(number, "salt")
        return Frame((Part(data, ("zipped", None)),))

    def forget(self, needed: Needed) -> None:
        """See `Feed`. The last micro-batch stays, for Spark may replay it."""
        super().forget(needed)
        last = max((taken.batch_id for taken in self._taken.values()), default=0)
        done = [when for when, taken in self._taken.items() if taken.batch_id < last]
        for old in [when for when in done if when not in needed]:
            taken = self._taken.pop(old)
            if self._directory is None:
                taken.data.unpersist()
            else:
                tables.delete(self._directory, f"{old}-{taken.batch_id}")

    def _read(self, name: str) -> DataFrame:
        return self._session.spark.read.schema(_STORED).parquet(self._path(name))

    def _path(self, name: str) -> str:
        assert self._directory is not None
        return self._directory.path(name)


class Intake:
    """All streaming DataFrames of a program.

    Args:
        program: the graph.
        session: the engine's.
        rows: where rows are set down; None: nowhere that lasts.
    """

    def __init__(self, program: graph.Graph, session: Session, rows: Directory | None) -> None:
        self._session = session
        self.feeds: dict[graph.FromDF, StreamingRows] = {
            node: StreamingRows(number, session, rows)
            for number, node in enumerate(program.nodes)
            if isinstance(node, graph.FromDF) and node.streaming
        }
        self._numbers = {node: program.nodes.index(node) for node in self.feeds}

    def united(self, heartbeat: DataFrame) -> DataFrame:
        """The heartbeat, and all rows as (source, partition, number, chunk)."""
        beat = (F.lit(value).cast(kind) for value, kind in ((0, "int"), (0, "int"), (None, "binary")))
        rows = [heartbeat.select(F.lit(_HEARTBEAT).alias("source"), *beat)]
        for node, number in self._numbers.items():
            frame = frame_of(node, self._session)
            numbered = Frame.of_table(frame, node.schema).rows(("numbered", None))
            place = F.spark_partition_id().alias("partition")
            rows.append(numbered.select(F.lit(number).alias("source"), place, "number", "chunk"))
        return union_of_plans(rows).toDF("source", "partition", "number", "chunk")

    def take(self, batch: DataFrame, batch_id: int, time: int) -> None:
        """Set down the rows of a micro-batch; they belong to the batch at `time`.

        Raises what Spark raises where it cannot compute them.
        """
        rows = self._session.adopted(batch)
        shared = len(self.feeds) > 1
        if shared:
            rows = rows.persist(_KEPT)
        for feed in self.feeds.values():
            feed.take(time, batch_id, rows)
        if shared:
            rows.unpersist()


def frame_of(node: graph.FromDF, session: Session) -> DataFrame:
    """The DataFrame that the program gave, or its function makes for a recovered run.

    Raises RuntimeError where that is not what it was.
    """
    if node.frame is not None or node.function is None:
        given: DataFrame = node.frame
        return given
    made: DataFrame = node.function(session.program)
    if made.schema != node.schema or made.isStreaming != node.streaming:
        raise RuntimeError(
            "from_df: the function no longer makes the DataFrame that the checkpoint knows, with"
            f" {node.schema.simpleString()}, but one with {made.schema.simpleString()}"
        )
    return made


def _partitions(data: DataFrame) -> list[int]:
    # Each partition that holds rows has one first chunk.
    return sorted(row[0] for row in data.where("number = 0").select("partition").collect())


def _array(numbers: Any) -> str:
    return f"array({', '.join(map(str, numbers))})"
