"""DataFrames out of a stream and into one, so that a program can move operator by operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DataType, Row, StringType, StructField, StructType, _parse_datatype_string

from compat import graph
from compat.schema import rows
from compat.streaming._operators import Operators, T_co

if TYPE_CHECKING:
    from pyspark import SparkContext

    from compat.engine import Engine
    from compat.streaming.dstream import DStream

    Schema = DataType | str | None

_TEXT = StructType([StructField("value", StringType())])


class FramesOut(Operators[T_co]):
    """`to_df` and `foreachBatch`, which `pyspark.streaming` has not.

    Both make rows of the elements by a schema, with the rules of ``SparkSession.createDataFrame``: a tuple,
    list or Row gives a row's values by position, a dict by name; anything else is the value of the only
    column. A type alone, like ``"int"``, is that of one column named ``value``. A value that is none of its
    column's type fails the batch. Nothing is inferred: without a schema the columns must be known, which they
    are for lines of text (``value STRING``) and for what `from_df` took in, also filtered, repartitioned or
    windowed.
    """

    def foreachBatch(self, func: Callable[[DataFrame, int], Any], schema: Schema = None) -> None:
        """Call `func(batch, batch_id)` with each batch as a DataFrame of the program's SparkSession.

        An output like `foreachRDD`: every batch, also an empty one, in the program's order. `func` can be
        given to ``DataStreamWriter.foreachBatch`` as it is when the rest of the program has moved. As there,
        a batch that is used twice is computed twice, unless `func` persists it.

        Args:
            func: takes a batch DataFrame, and the batch time in milliseconds since the epoch as its id. A
                batch that is run again after a crash has the same id.
            schema: the columns, as a StructType or a DDL string like ``word STRING, n LONG``.

        Raises:
            TypeError: `func` cannot be called, or a type of `schema` has no Python values.
            ValueError: there is no schema, and the columns are not known.
        """
        if not callable(func):
            raise TypeError(f"foreachBatch: {func!r} is no function of a DataFrame and a batch id")
        self._output(graph.ForeachBatch(self._node, func, _columns(self._node, schema, "foreachBatch")))

    def to_df(self, schema: Schema = None) -> DataFrame:
        """The elements as a *streaming* DataFrame of the program's SparkSession.

        Engine ``rdd``: none; it says so, and `foreachBatch` works there.

        There must be nothing between the source and here but operators within a partition: `map`, `flatMap`,
        `filter`, `mapValues`, `flatMapValues`, `mapPartitions`, `mapPartitionsWithIndex`, `glom`. What comes
        after them in the program works on batches: `foreachBatch` has those.

        A query on it is the program's own: it reads the source by itself (from a socket by a second
        connection, of a directory the files that are modified after the stream's creation), has
        micro-batches, a checkpoint and a life of its own, and `getOrCreate` does not recover it. Functions
        are pickled now.

        Args:
            schema: the columns, as a StructType or a DDL string like ``word STRING, n LONG``.

        Raises:
            TypeError: a type of `schema` has no Python values.
            ValueError: an operator works on whole batches; the source cannot be read by a query of its own
                (a queue, a static DataFrame); the engine is ``rdd``; there is no schema, and the columns are
                not known.
        """
        node = self._node
        while isinstance(node, graph.Narrow):
            node = node.parent
        if not isinstance(node, graph.Source):
            raise ValueError(
                f"to_df: {node.operator} works on batches, which a streaming DataFrame does not have."
                " Take each of them as a DataFrame: foreachBatch(func, schema)"
            )
        return self._ssc._engine.to_df(self._node, _columns(self._node, schema, "to_df"))


class FramesIn:
    """`from_df`, which `pyspark.streaming` has not."""

    _sc: SparkContext
    _interval_ms: int
    _engine: Engine

    def _add_stream(self, node: graph.Stream) -> DStream[Any]:
        raise NotImplementedError

    def from_df(self, df: DataFrame | Callable[[SparkSession], DataFrame]) -> DStream[Row]:
        """The rows of a DataFrame, each as a `pyspark.sql.Row` with the values that ``collect()`` gives.

        A *static* DataFrame has all its rows in every batch, in its partitions; it is computed for each batch
        anew unless it is cached. Works on both engines.

        Engine ``rdd``: static DataFrames only.

        A *streaming* DataFrame is read by the engine's one query, in append mode: a batch has the rows that
        came since the batch before, in the partitions that hold any. The rows of a late micro-batch belong to
        the first of its batch times. If Spark cannot compute them the query ends, as every streaming query
        does, and `awaitTermination` raises.

        Args:
            df: the DataFrame, or a function that makes it from a SparkSession. A DataFrame cannot be written
                into a checkpoint, the function can: with it `getOrCreate` recovers a program, with the rows
                that it had taken in, on the engine ``structured``.

        Raises:
            TypeError: it is no DataFrame; a column's type has no Python values.
            ValueError: a streaming DataFrame on the engine ``rdd``; a DataFrame of another SparkContext.
        """
        function = None if isinstance(df, DataFrame) else df
        frame = df if function is None else frame_of(function)
        if not isinstance(frame, DataFrame):
            raise TypeError(
                f"from_df: {frame!r} is no DataFrame of pyspark.sql, nor a function that makes one"
            )
        if frame.sparkSession.sparkContext is not self._sc:
            raise ValueError("from_df: the DataFrame belongs to another SparkContext")
        if not frame.columns:
            raise ValueError("from_df: the DataFrame has no columns")
        rows(frame.schema)
        node = graph.FromDF(self._interval_ms, frame, function, frame.schema, frame.isStreaming)
        return self._add_stream(node)


def frame_of(function: Any) -> Any:
    """What `function` makes of the program's session, or `function` itself if it cannot be called."""
    return function(SparkSession.builder.getOrCreate()) if callable(function) else function


def _columns(node: graph.Stream, schema: Schema, operator: str) -> StructType:
    given = _known(node) if schema is None else schema
    if given is None:
        raise ValueError(
            f"{operator}: what {node.operator} yields can be anything. Give the columns:"
            f" schema='word STRING, n LONG'"
        )
    if isinstance(given, str):
        given = _parse_datatype_string(given)  # DataType.fromDDL is of Spark 4.0
    if not isinstance(given, DataType):
        raise TypeError(f"{operator}: schema is {given!r}, neither a DataType nor a DDL string")
    if not isinstance(given, StructType):
        given = StructType([StructField("value", given)])
    rows(given)
    return given


def _known(node: graph.Stream) -> StructType | None:
    if isinstance(node, graph.FromDF):
        return cast("StructType", node.schema)
    if isinstance(node, (graph.TextFileStream, graph.SocketTextStream)):
        return _TEXT
    return _known(node.parents[0]) if isinstance(node, graph.KEEPS_ELEMENTS) else None
