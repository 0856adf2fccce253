"""A stream as a streaming DataFrame, for queries of the program's own.

Operators within a partition make of an unbounded frame what they make of a batch's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from compat import graph
from compat._structured.batches.frame import LINES, Frame, Part
from compat._structured.batches.registry import OPERATORS
from compat._structured.inputs.files import text_options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

_ALL_TIMES = 0


class Unbounded:
    """Stands for a run whose only batch is the whole stream.

    Args:
        spark: the session that reads the source.
        created_ms: when file streams were created: older files are not theirs.
    """

    def __init__(self, spark: SparkSession, created_ms: dict[graph.Stream, int]) -> None:
        self._spark = spark
        self._created_ms = created_ms

    def frame(self, stream: graph.Stream, time: int) -> Frame:
        """See `Evaluation.frame`."""
        if isinstance(stream, graph.Narrow):
            made: Frame = OPERATORS[type(stream)].evaluate(stream, self, time)  # type: ignore[arg-type, assignment]
            return made
        return self._source(stream)

    def to_df(self, stream: graph.Stream, schema: StructType) -> DataFrame:
        """The elements as rows of `schema`.

        Raises ValueError where the source cannot be read by another query.
        """
        return self.frame(stream, _ALL_TIMES).table(schema)

    def _source(self, node: graph.Stream) -> Frame:
        reader: Any = self._spark.readStream
        if isinstance(node, graph.TextFileStream):
            modified = f"_metadata.file_modification_time > timestamp_millis({self._created_ms[node]})"
            reader = reader.options(**text_options(self._spark.sparkContext))
            return Frame((Part(reader.text(node.directory).where(modified).select("value"), LINES),))
        if isinstance(node, graph.SocketTextStream):
            at = {"host": node.receiver.hostname, "port": node.receiver.port}
            return Frame((Part(reader.format("socket").options(**at).load(), LINES),))
        if isinstance(node, graph.FromDF) and node.streaming:
            return Frame.of_table(node.frame, node.schema)
        static = "from_df with a static DataFrame" if isinstance(node, graph.FromDF) else node.operator
        raise ValueError(
            f"to_df: {static} has no streaming source that another query could read."
            " Take its batches as DataFrames: foreachBatch(func, schema)"
        )
