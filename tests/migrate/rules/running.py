"""Runs a rule's example before and after the rewrite, on the same batches, in one Spark.

Before: all examples are one program on `pyspark.streaming`, whose clock is moved by hand. After: each
example's batch function, as the codemod writes it, is called with a DataFrame of each batch. What leaves an
example is written down: the rows of `pprint` and `show`, the text of `print`, what is saved. The functions of
`foreach` and `foreachPartition` run here, on all elements, so that what they print is among it.
"""

from __future__ import annotations

import ast
import itertools
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from pyspark import RDD, SparkContext
from pyspark.sql import DataFrame, DataFrameWriter, SparkSession
from pyspark.streaming import DStream, StreamingContext
from pyspark.streaming.util import rddToFileName

from migrate.knowledge.cassandra import FORMAT, SAVE, WRITE_OPTIONS
from migrate.model import Options
from tests.migrate.programs import file, whole_program

Batch = Sequence[str]
Message = tuple[bytes | None, bytes | None]
"""Key and value of a record in Kafka."""
_IN_PATH = re.compile(r"-\d+")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?")
_TIMEOUT = 250.0


@dataclass
class Record:
    """What left an example, batch by batch: rows in a canonical order, and lines of text."""

    batches: list[list[str]] = field(default_factory=list)

    def rows(self, rows: Sequence[Any]) -> None:
        """Rows that were shown; an empty table says no more than that nothing was."""
        if rows:
            self.batches[-1].append("rows " + repr(sorted(repr(_flat(row)) for row in rows)))

    def saved(self, path: str, rows: Sequence[Any]) -> None:
        """A directory of text; the time in its name is a clock's that is moved by hand, or the real one's."""
        if rows:
            self.batches[-1].append(f"{_IN_PATH.sub('-<time>', path)}: {sorted(map(str, rows))}")

    def written(
        self, keyspace: str, table: str, rows: Sequence[dict[str, Any]], options: dict[str, Any]
    ) -> None:
        """Rows that were written to a table of Cassandra, with the types of their values."""
        if rows:
            found = sorted(repr(sorted(row.items())) for row in rows)
            self.batches[-1].append(f"{keyspace}.{table} {sorted(options.items())} {found}")

    def print(self, *values: object) -> None:
        """Text, without the times in it."""
        self.batches[-1].append(_MOMENT.sub("<time>", " ".join(map(str, values))))


def _flat(value: Any) -> Any:
    """A row and the tuple that it stands for are the same, and so are an element and a row of it alone."""
    if isinstance(value, tuple):
        items = [item for part in value for item in (_flat(part) if isinstance(part, tuple) else (part,))]
        return items[0] if len(items) == 1 else tuple(items)
    return value


def as_printed(batch: Sequence[str], like: Sequence[str]) -> list[str]:
    """What leaves a batch before the rewrite, as far as it is the same after it where `like` leaves it.

    The only row of a `pprint` is printed by itself, where it is a value of the driver.
    """
    pairs = itertools.zip_longest(batch, like[: len(batch)], fillvalue="rows")
    return [line if other.startswith("rows") else _ONLY_ROW.sub(_text_of, line) for line, other in pairs]


def _text_of(only: re.Match[str]) -> str:
    (row,) = ast.literal_eval(only[1])
    return str(ast.literal_eval(row))


_ONLY_ROW = re.compile(r"rows (\[(?:'[^']*'|\"[^\"]*\")\])")


# --- before -------------------------------------------------------------------------------------------------


def before(
    examples: Sequence[str], batches: Sequence[Batch], spark_context: SparkContext, *, blocks: int = 2
) -> list[Record]:
    """What leaves the examples on `pyspark.streaming`; a receiver's batch has at most so many blocks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        ssc = StreamingContext(spark_context, 1)
    records = [Record() for _ in examples]
    for example, record in zip(examples, records, strict=True):
        names = {"ssc": ssc, "sc": spark_context, "print": record.print}
        with (
            patch.object(DStream, "pprint", _recorded(record)),
            patch.object(DStream, "saveAsTextFiles", _saved(record)),
            cassandra(record),
        ):
            if "numbers" in example and "queueStream" not in example:
                names["numbers"] = ssc.queueStream(numbers(spark_context))
            elif "messages" in example:
                pairs = [[decoded(message) for message in messages(batch)] for batch in batches]
                names["messages"] = ssc.queueStream([spark_context.parallelize(part, 2) for part in pairs])
            elif "lines" in example:
                names["lines"] = ssc.queueStream([_lines(spark_context, batch, blocks) for batch in batches])
            exec(example, names)
    with (
        patch.object(RDD, "foreach", _foreach),
        patch.object(RDD, "foreachPartition", _foreach_partition),
        # as without `spark.default.parallelism`, which the session of the tests sets, and no program does
        patch.object(RDD, "_defaultReducePartitions", RDD.getNumPartitions),
        # callbacks that save are in programs of their own
        patch.object(RDD, "saveAsTextFile", lambda rdd, path: records[-1].saved(path, rdd.collect())),
    ):
        _run(ssc, records, len(batches))
    return records


def _foreach(data: Any, function: Callable[[Any], object]) -> None:
    """Call a function for the elements of an RDD, or the rows of a DataFrame, in a canonical order."""
    _foreach_partition(data, lambda elements: [function(element) for element in elements])


def _foreach_partition(data: Any, function: Callable[[Iterator[Any]], object]) -> None:
    """Call a function for all elements as for one partition."""

    def place(element: Any) -> str:
        return repr(element if isinstance(element, tuple) else (element,)).partition("(")[2]

    function(iter(sorted(data.collect(), key=lambda element: place(_plain(element)))))


def _plain(value: Any) -> Any:
    """A value with tuples for its rows."""
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _recorded(record: Record) -> Callable[..., None]:
    def pprint(stream: Any, num: int = 10) -> None:
        stream.foreachRDD(lambda rdd: record.rows(rdd.collect()))

    return pprint


def _saved(record: Record) -> Callable[..., None]:
    def save(stream: Any, prefix: str, suffix: str | None = None) -> None:
        stream.foreachRDD(lambda t, rdd: record.saved(rddToFileName(prefix, suffix, t), rdd.collect()))

    return save


@contextmanager
def cassandra(record: Record) -> Iterator[None]:
    """The library that writes to Cassandra, which writes to a record."""
    library = ModuleType("pyspark_cassandra")
    library.streaming = ModuleType("pyspark_cassandra.streaming")  # type: ignore[attr-defined]
    library.Row = dict  # type: ignore[attr-defined]

    def save(stream: Any, keyspace: str, table: str, columns: Any = None, **options: object) -> None:
        def written(element: Any) -> dict[str, Any]:
            row = element if isinstance(element, dict) else dict(zip(columns, element, strict=True))
            return row if columns is None else {name: row.get(name) for name in columns}

        def write(rdd: Any) -> None:
            record.written(keyspace, table, [written(one) for one in rdd.collect()], options)

        stream.foreachRDD(write)

    modules = {"pyspark_cassandra": library, "pyspark_cassandra.streaming": library.streaming}
    with patch.dict(sys.modules, modules), patch.object(DStream, SAVE, save, create=True):
        yield


def numbers(spark_context: SparkContext) -> list[Any]:
    """The queue of `tests.migrate.programs.QUEUE`."""
    parts = [([1, 2, 3], 2), ([], 1), ([5, 8, 5, 1], 3)]
    return [spark_context.parallelize(values, count) for values, count in parts]


def messages(batch: Batch) -> list[Message]:
    """Records whose values are these texts, some of them with keys."""
    return [(None if place % 3 else b"key", text.encode()) for place, text in enumerate(batch)]


def decoded(message: Message) -> tuple[str | None, str | None]:
    """A record as `utf8_decoder` decodes it."""
    key, value = message
    return None if key is None else key.decode(), None if value is None else value.decode()


def _lines(spark_context: SparkContext, batch: Batch, blocks: int) -> Any:
    """A receiver's RDD: none of its blocks is empty, so a batch without lines has no partition."""
    if not batch:
        return spark_context.emptyRDD().map(lambda x: x)
    return spark_context.parallelize(list(batch), min(blocks, len(batch)))


def _run(ssc: Any, records: Sequence[Record], count: int) -> None:
    done = threading.Semaphore(0)
    sentinel = ssc.queueStream([ssc.sparkContext.emptyRDD()])
    sentinel.foreachRDD(lambda rdd: done.release())
    clock = ssc._jssc.ssc().scheduler().clock()
    ssc.start()
    try:
        for _ in range(count):
            for record in records:
                record.batches.append([])
            clock.advance(1000)
            assert done.acquire(timeout=_TIMEOUT), "a batch did not end"
        ssc.awaitTerminationOrTimeout(0.001)
    finally:
        ssc.stop(stopSparkContext=False)


# --- after --------------------------------------------------------------------------------------------------


def after(example: str, batches: Sequence[Batch], spark: SparkSession) -> Record:
    """What leaves an example's native form."""
    source = whole_program(example)
    if "messages" in example:
        return after_program(source, batches, spark, lambda batch: kafka_frame(messages(batch), spark))
    return after_program(source, batches, spark)


def kafka_frame(records: Sequence[Message], spark: SparkSession) -> DataFrame:
    """What Spark's Kafka source gives for records."""
    rows = [(key, value, "pages", place % 2, place) for place, (key, value) in enumerate(records)]
    columns = "key binary, value binary, topic string, partition int, offset long"
    return spark.createDataFrame(rows, columns)


def after_program(
    source: str,
    batches: Sequence[Batch],
    spark: SparkSession,
    framed: Callable[[Batch], DataFrame] | None = None,
    options: Options | None = None,
    times: Sequence[int] | None = None,
) -> Record:
    """What leaves the native form of a whole program.

    Args:
        source: the program.
        batches: the lines of each batch.
        spark: a session.
        framed: makes what the source gives of a batch.
        options: of the migration.
        times: the batch times, in intervals; one batch in each interval if they are not given.
    """
    result = file(source, options)
    assert result.status.value == "native", result.error
    record = Record()
    reader = _Reader()
    names: dict[str, Any] = {"print": record.print, "__name__": "__main__"}
    with _recorded_frames(record), patch.object(SparkSession, "readStream", reader):
        exec(compile(_LOOP.sub(_as_call, result.new), "after", "exec"), names)
        names["_loop"] = lambda rows, shown: record.rows([shown(row) for row in rows.collect()])
        if "pprint" in names:
            names["pprint"] = lambda rdd, time, num=10: record.rows(rdd.collect())
        assert reader.function is not None
        interval, slide = _BATCH_TIME.search(result.new), _slide(source, result.new)
        rows: list[str] = []
        for place, more in enumerate(batches):
            record.batches.append([])
            rows += more
            if place % slide:
                continue
            number, batch, rows = place // slide, tuple(rows), []
            if interval is not None:
                each = next(filter(None, interval.groups()), "1")
                time = _clock(number if times is None else times[number], float(each))
                names["datetime"] = time
                if "time" in names:
                    names["time"] = SimpleNamespace(time=lambda: time.now().timestamp())  # noqa: B023
            lines = [(line,) for line in batch]
            frame = framed(batch) if framed else spark.createDataFrame(lines, "value string")
            for method, given in reader.before:
                # as foreachBatch does, so that nothing of what comes before is left out as unread
                selected = getattr(frame, method)(*given)
                frame = spark.createDataFrame(selected.rdd, selected.schema)
            reader.function(frame, number)
    return record


def _slide(source: str, new: str) -> int:
    """The batches of a program that a micro-batch of its native form has, behind the one at the start."""
    intervals = (_INTERVAL.search(source), _TRIGGER.search(new))
    interval, trigger = (1.0 if found is None else float(found[1]) for found in intervals)
    return max(1, round(trigger / interval))


_INTERVAL = re.compile(r"StreamingContext\(\w+, ([\d.]+)\)")
_TRIGGER = re.compile(r'processingTime="([\d.]+) seconds?"')


def _clock(number: int, interval: float) -> type[datetime]:
    """A clock that stands within an interval."""

    class Standing(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Standing:
            return cls.fromtimestamp((_MORNING + number + 0.25) * interval, tz)

    return Standing


_BATCH_TIME = re.compile(
    r"batch_time = datetime\..*(?:// ([\d.]+) \* \1|microsecond=0)"
    r"|now = int\((?:time\.time|datetime\.now\(\)\.timestamp)\(\)\)(?: // (\d+) \* \2)?"
    r"|now = int\(time\.time\(\) // ([\d.]+)\)"
)
_MORNING = 1_700_000_000
_LOOP = re.compile(
    r"for (\w+|\(\w+,\)|\w+(?:, \w+)+) in (.+)\.take\((.+)\):\n"
    r"(?: +(\w+) = (.+)\n)? +print\((.*\b(?:\1|\4)\b.*|.*\bjson\.loads\(.*)\)"
)
"""What `pprint` becomes for objects of Python: all elements are compared, as those of `pprint` are."""


def _as_call(loop: re.Match[str]) -> str:
    row, rows, _, name, value, shown = loop.groups()
    made = f"(lambda {name}: {shown})({value})" if name else shown
    if "," in row:
        made, row = f"(lambda {row.strip('(,)')}: {made})(*row)", "row"
    return f"_loop({rows}, lambda {row}: {made})"


class _Reader:
    """Stands for a streaming DataFrame, its reader, its writer and its query; keeps the batch function."""

    function: Callable[[DataFrame, int], None] | None = None

    def __init__(self) -> None:
        self.before: list[tuple[str, tuple[Any, ...]]] = []
        """The methods that come before the batch function, and are called on each batch."""

    def select(self, *columns: Any) -> _Reader:
        self.before.append(("select", columns))
        return self

    def where(self, *conditions: Any) -> _Reader:
        self.before.append(("where", conditions))
        return self

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: self

    @property
    def writeStream(self) -> _Reader:  # noqa: N802 - Spark's name
        return self

    def format(self, name: str) -> _Reader:
        """The format of a source, or the console, which shows each batch."""
        if name == "console":
            self.function = lambda frame, _: frame.show()
        return self

    def foreach(self, function: Callable[[Any], None]) -> _Reader:
        """A sink of rows, as Spark has it: it calls the function with each."""
        self.function = lambda frame, _: frame.foreach(function)
        return self

    def foreachBatch(self, function: Callable[[DataFrame, int], None]) -> _Reader:  # noqa: N802
        self.function = function
        return self


@contextmanager
def _recorded_frames(record: Record) -> Iterator[None]:
    from pyspark.sql import dataframe

    classes = [dataframe.DataFrame]
    try:  # PySpark 4 has a class of frames below the public one
        from pyspark.sql.classic.dataframe import DataFrame as Classic
    except ImportError:
        pass
    else:
        classes.append(Classic)

    def show(frame: Any, n: int = 20, truncate: bool = True, vertical: bool = False) -> None:
        record.rows(frame.collect())

    def save(rdd: Any, path: str, compressionCodecClass: str | None = None) -> None:  # noqa: N803 - Spark's
        record.saved(path, rdd.collect())

    def options(writer: Any, **given: object) -> Any:
        vars(writer).setdefault("given", {}).update(given)
        return writer

    def write(writer: Any) -> None:
        assert writer.source == FORMAT
        given = {names.get(name, name): value for name, value in writer.given.items()}
        rows = [row.asDict() for row in writer._df.collect()]
        record.written(given.pop("keyspace"), given.pop("table"), rows, given)

    def source(writer: Any, name: str) -> Any:
        writer.source = name
        return writer

    names = {option: name for name, option in WRITE_OPTIONS.items()}

    def text(writer: Any, path: str) -> None:
        record.saved(path, [row[0] for row in writer._df.collect()])

    patches: list[Any] = [patch.object(cls, "show", show) for cls in classes]
    for cls in (*classes, RDD):
        patches.append(patch.object(cls, "foreach", _foreach))
        patches.append(patch.object(cls, "foreachPartition", _foreach_partition))
    patches.append(patch.object(DataFrameWriter, "text", text))
    patches.append(patch.object(DataFrameWriter, "format", source))
    patches.append(patch.object(DataFrameWriter, "options", options))
    patches.append(
        patch.object(DataFrameWriter, "option", lambda writer, name, value: options(writer, **{name: value}))
    )
    patches.append(patch.object(DataFrameWriter, "save", write))
    patches.append(patch.object(RDD, "saveAsTextFile", save))
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()
