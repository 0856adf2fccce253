"""DataFrames out of a stream and into one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StructType

from compat import StreamingError
from compat.streaming import DStream, StreamingContext
from compat.testing import BatchClock
from tests.statements import wait_until


@pytest.fixture(params=[pytest.param("rdd", marks=pytest.mark.full), "structured"])
def engine(request: pytest.FixtureRequest) -> str:
    """Both in the full run: on RDDs it is PySpark's own way to DataFrames."""
    return str(request.param)


@pytest.fixture
def make(spark: SparkSession) -> Iterator[Callable[[str], StreamingContext]]:
    """Makes contexts that are stopped at the end."""
    made: list[StreamingContext] = []

    def new(engine: str) -> StreamingContext:
        made.append(StreamingContext(spark.sparkContext, 1, engine=engine))
        return made[-1]

    yield new
    for ssc in made:
        ssc.stop(stopSparkContext=False)


def partitions(df: DataFrame) -> list[list[Any]]:
    return [[tuple(row) for row in part] for part in df.rdd.glom().collect()]


def flat(batch: list[list[Any]]) -> list[Any]:
    return [element for partition in batch for element in partition]


def collected(stream: DStream[Any]) -> list[list[list[Any]]]:
    """The batches to come, as partitions of elements."""
    batches: list[list[list[Any]]] = []
    stream.foreachRDD(lambda rdd: batches.append(rdd.glom().collect()))
    return batches


def put(directory: Path, name: str, text: str, second: float) -> None:
    """A whole file at once, changed at that second of the manual clock."""
    partial = directory / f".{name}.partial"
    partial.write_text(text, "utf-8")
    os.utime(partial, (second, second))
    partial.rename(directory / name)


# --- out: foreachBatch --------------------------------------------------------------------------------------

EVERYTHING = (
    "flag BOOLEAN, n LONG, x DOUBLE, price DECIMAL(6,2), at TIMESTAMP, raw BINARY,"
    " inner STRUCT<a: ARRAY<INT>, m: MAP<STRING, LONG>>"
)
A_ROW = (True, -1, 0.5, Decimal("1.5"), datetime(2024, 7, 1, 12), bytearray(b"x"), ([1, None], {"a": None}))


def test_batches_as_dataframes(make, spark: SparkSession, engine: str) -> None:
    ssc = make(engine)
    sc = ssc.sparkContext
    seen: dict[str, list[Any]] = {}

    def keep(name: str) -> Callable[[DataFrame, int], None]:
        def func(batch: DataFrame, batch_id: int) -> None:
            assert not batch.isStreaming
            assert batch.sparkSession._jsparkSession.equals(spark._jsparkSession)
            seen.setdefault(name, []).append((batch_id, batch.schema.simpleString(), partitions(batch)))

        return func

    def joined(batch: DataFrame, batch_id: int) -> None:
        batch.createOrReplaceTempView("pairs")
        total = spark.sql("SELECT word, sum(n) AS n FROM pairs GROUP BY word ORDER BY word").collect()
        seen.setdefault("sql", []).append([tuple(row) for row in total])

    pairs = ssc.queueStream([sc.parallelize([("a", 1), ("b", 2)], 2), sc.emptyRDD(), [("a", 3), ("a", 4)]])
    pairs.foreachBatch(keep("pairs"), "word STRING, n LONG")
    pairs.foreachBatch(joined, StructType().add("word", "string").add("n", "long"))
    pairs.map(lambda kv: kv[1]).foreachBatch(keep("numbers"), "bigint")
    dicts = pairs.map(lambda kv: {"n": kv[1]}).filter(lambda d: d["n"] > 1)
    dicts.foreachBatch(keep("dicts"), "n LONG, w STRING")
    pairs.reduceByKey(lambda a, b: a + b, 1).foreachBatch(keep("reduced"), "word STRING, n LONG")
    ssc.queueStream([[A_ROW]]).map(lambda x: x).foreachBatch(keep("everything"), EVERYTHING)
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(3):
        clock.next_batch()
    ssc.awaitTerminationOrTimeout(0.001)
    columns = "struct<word:string,n:bigint>"
    assert seen["pairs"][:2] == [(1000, columns, [[("a", 1)], [("b", 2)]]), (2000, columns, [])]
    assert [flat(part) for _, _, part in seen["pairs"]][2] == [("a", 3), ("a", 4)]
    assert seen["sql"] == [[("a", 1), ("b", 2)], [], [("a", 7)]]
    assert seen["numbers"][0] == (1000, "struct<value:bigint>", [[(1,)], [(2,)]])
    assert seen["dicts"][0][2] == [[], [(2, None)]]
    assert [(number, sorted(flat(part))) for number, _, part in seen["reduced"]] == [
        (1000, [("a", 1), ("b", 2)]),
        (2000, []),
        (3000, [("a", 7)]),
    ]
    [row] = flat(seen["everything"][0][2])
    assert row == (*A_ROW[:6], Row(a=[1, None], m={"a": None}))


def test_to_df_of_an_rdd_is_in_the_programs_session(make, spark: SparkSession, engine: str) -> None:
    ssc = make(engine)
    seen: list[list[Any]] = []

    def query(rdd: Any) -> None:
        rdd.toDF("word STRING").createOrReplaceTempView("words_of_the_batch")
        seen.append([row.word for row in spark.sql("SELECT word FROM words_of_the_batch").collect()])

    ssc.queueStream([[("a",)], [("b",)]]).foreachRDD(query)
    clock = BatchClock(ssc)
    ssc.start()
    clock.next_batch()
    clock.next_batch()
    ssc.awaitTerminationOrTimeout(0.001)
    assert seen == [["a"], ["b"]]


def test_a_value_that_is_none_of_the_column_fails_the_batch(make, engine: str) -> None:
    ssc = make(engine)
    counts: list[int] = []
    stream = ssc.queueStream([[("a", 1)], [("a", "1")], [("a", 3)]])
    stream.foreachBatch(lambda batch, _: counts.append(batch.agg(F.sum("n")).first()[0]), "w STRING, n LONG")
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(3):
        clock.next_batch()
    assert counts == [1, 3]
    with pytest.raises(StreamingError, match=r"n: '1' of builtins\.str is no bigint"):
        ssc.awaitTerminationOrTimeout(60)


def test_columns_are_known_or_given(make, engine: str, directory: Path) -> None:
    ssc = make(engine)
    queue = ssc.queueStream([[1]])

    def nothing(batch: DataFrame, batch_id: int) -> None:
        pass

    lines = ssc.textFileStream(str(directory))
    lines.filter(bool).window(2).repartition(2).foreachBatch(nothing)
    assert ssc._graph.outputs[-1].schema.simpleString() == "struct<value:string>"  # type: ignore[attr-defined]
    ssc.from_df(make_static(ssc, 1)).filter(bool).foreachBatch(nothing)
    assert ssc._graph.outputs[-1].schema.simpleString() == "struct<id:bigint>"  # type: ignore[attr-defined]
    queue.foreachBatch(nothing, LongType())
    with pytest.raises(ValueError, match=r"foreachBatch: what map yields can be anything\. Give the columns"):
        lines.map(str).foreachBatch(nothing)
    with pytest.raises(ValueError, match="what queueStream yields can be anything"):
        queue.foreachBatch(nothing)
    with pytest.raises(TypeError, match="interval year to month is not supported"):
        queue.foreachBatch(nothing, "i INTERVAL YEAR TO MONTH")
    with pytest.raises(TypeError, match="neither a DataType nor a DDL string"):
        queue.foreachBatch(nothing, ["word"])  # type: ignore[arg-type]
    with pytest.raises(PySparkException):
        queue.foreachBatch(nothing, "word NO_SUCH_TYPE")
    with pytest.raises(TypeError, match="is no function of a DataFrame and a batch id"):
        queue.foreachBatch("print")  # type: ignore[arg-type]


# --- in: from_df --------------------------------------------------------------------------------------------


def make_static(ssc: StreamingContext, end: int) -> DataFrame:
    return SparkSession(ssc.sparkContext).range(0, end, 1, 2)


def test_a_static_dataframe_has_all_its_rows_in_every_batch(make, engine: str) -> None:
    ssc = make(engine)
    spark = SparkSession(ssc.sparkContext)
    names = spark.createDataFrame([("a", "one"), ("b", "two")], "word STRING, name STRING")
    pairs = ssc.queueStream([[("a", 1)], [("b", 2)]])
    joined = collected(pairs.join(ssc.from_df(names).map(lambda row: (row.word, row.name)), 1))
    rows = collected(ssc.from_df(make_static(ssc, 3)))
    everything = collected(ssc.from_df(spark.createDataFrame([A_ROW], EVERYTHING)))
    none = collected(ssc.from_df(spark.createDataFrame([], "n LONG")).count())
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(2):
        clock.next_batch()
    ssc.awaitTerminationOrTimeout(0.001)
    assert [flat(batch) for batch in joined] == [[("a", (1, "one"))], [("b", (2, "two"))]]
    assert rows == [[[Row(id=0)], [Row(id=1), Row(id=2)]]] * 2
    assert none == [[[0]]] * 2
    [row] = flat(everything[0])
    assert isinstance(row, Row) and row.inner.a == [1, None]
    assert tuple(row) == (*A_ROW[:6], Row(a=[1, None], m={"a": None}))


def words_of(spark: SparkSession, directory: Path) -> DataFrame:
    lines = spark.readStream.text(str(directory))
    return lines.select(F.explode(F.split("value", " ")).alias("word"))


def test_a_streaming_dataframe_in_windows_and_state(make, spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "other").mkdir()
    texts = iter(["a b a", None, "b", None, None])

    def drop(_: object = None) -> None:
        text = next(texts)
        if text is not None:
            put(tmp_path / "words", str(len(counts)), text, 1)
            put(tmp_path / "other", str(len(counts)), text, 1)

    ssc = make("structured")
    words = ssc.from_df(words_of(spark, tmp_path / "words"))
    pairs = words.map(lambda row: (row.word, 1))
    other = ssc.from_df(spark.readStream.text(str(tmp_path / "other"))).map(lambda row: row.value)
    counts = collected(words.count())
    window = collected(pairs.window(2).reduceByKey(lambda a, b: a + b, 1))
    state = collected(pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0), 1))
    lines = collected(other)
    late = collected(pairs.countByWindow(3, 3))
    ssc.queueStream([[]]).foreachRDD(drop)  # what is there when a batch ends belongs to the next
    drop()
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(4):
        clock.next_batch()
    ssc.awaitTerminationOrTimeout(0.001)
    assert [flat(batch) for batch in counts] == [[3], [], [1], []], "no rows, no partition to be counted"
    assert [dict(flat(batch)) for batch in window] == [{"a": 2, "b": 1}] * 2 + [{"b": 1}] * 2
    assert [dict(flat(batch)) for batch in state] == [{"a": 2, "b": 1}] * 2 + [{"a": 2, "b": 2}] * 2
    assert lines == [[["a b a"]], [], [["b"]], []]
    assert late == [[[4]]]


def test_rows_of_a_late_micro_batch_come_first(make, spark: SparkSession, directory: Path) -> None:
    put(directory, "1", "a", 1)
    ssc = make("structured")
    batches = collected(ssc.from_df(spark.readStream.text(str(directory))).map(lambda row: row.value))
    done: list[object] = []
    ssc.queueStream([[]]).foreachRDD(lambda rdd: done.append(rdd))
    ssc.start()
    ssc._engine.advance_clock(3000)
    wait_until(lambda: len(done) == 3, "three batches at once")
    assert batches == [[["a"]], [], []]


def test_a_graceful_stop_works_off_what_was_taken_in(make, spark: SparkSession, directory: Path) -> None:
    put(directory, "1", "a", 1)
    ssc = make("structured")
    batches = collected(ssc.from_df(spark.readStream.text(str(directory))).map(lambda row: row.value))
    ssc.start()
    ssc.stop(stopSparkContext=False, stopGraceFully=True)
    assert [flat(batch) for batch in batches] == [["a"], []]


def test_a_streaming_dataframe_that_fails_ends_the_run(make, spark: SparkSession, directory: Path) -> None:
    put(directory, "1", "a", 1)
    ssc = make("structured")
    fails = spark.readStream.text(str(directory)).select(F.raise_error(F.lit("no such row")))
    batches = collected(ssc.from_df(fails))
    ssc.start()
    ssc._engine.advance_clock(1000)
    with pytest.raises(StreamingError, match="no such row"):
        ssc.awaitTerminationOrTimeout(60)
    assert batches == []


def test_what_came_in_survives(make, spark: SparkSession, tmp_path: Path) -> None:
    """A recovered run finds rows of earlier batches in the checkpoint: the source has them no more."""
    watched = tmp_path / "in"
    watched.mkdir()
    out: list[tuple[str, int, dict[str, int]]] = []
    SEEN["out"] = out
    checkpoint = str(tmp_path / "checkpoint")
    path = str(watched)

    def create() -> StreamingContext:
        ssc = make("structured")
        words = ssc.from_df(lambda spark: words_of(spark, Path(path)))
        pairs = words.map(lambda row: (row.word, 1))
        pairs.window(3).reduceByKey(lambda a, b: a + b).foreachBatch(seen("window"), "word STRING, n LONG")
        running = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))
        running.foreachBatch(seen("state"), "word STRING, n LONG")
        return ssc

    def play(ssc: StreamingContext, second: int) -> tuple[dict[str, int], dict[str, int]]:
        ssc._engine.advance_clock(1000)
        wait_until(lambda: ("state", second * 1000) in [(n, t) for n, t, _ in out], f"batch {second}")
        found = {name: counts for name, time, counts in out if time == second * 1000}
        return found["window"], found["state"]

    put(watched, "1", "a b a", 1)
    ssc = StreamingContext.getOrCreate(checkpoint, create, engine="structured")
    ssc.start()
    assert play(ssc, 1) == ({"a": 2, "b": 1}, {"a": 2, "b": 1})
    ssc.stop(stopSparkContext=False)
    (watched / "1").unlink()
    put(watched, "2", "c", 1)
    ssc = StreamingContext.getOrCreate(checkpoint, lambda: pytest.fail("checkpointed"), engine="structured")
    ssc.start()
    try:
        everything = {"a": 2, "b": 1, "c": 1}
        # The micro-batch that waited when the run was stopped is replayed: it had no rows.
        play(ssc, 2)
        assert play(ssc, 3) == (everything, everything)
        assert play(ssc, 4) == ({"c": 1}, everything)
        ssc.awaitTerminationOrTimeout(0.001)
    finally:
        ssc.stop(stopSparkContext=False)


SEEN: dict[str, list[Any]] = {}


def seen(name: str) -> Callable[[DataFrame, int], None]:
    def func(batch: DataFrame, batch_id: int) -> None:
        from tests.compat.test_frames import SEEN

        SEEN["out"].append((name, batch_id, {row.word: row.n for row in batch.collect()}))

    return func


def test_a_dataframe_itself_is_not_recovered(make, spark: SparkSession, tmp_path: Path, engine: str) -> None:
    def create() -> StreamingContext:
        ssc = make(engine)
        ssc.from_df(spark.range(1)).foreachRDD(lambda rdd: None)
        return ssc

    ssc = StreamingContext.getOrCreate(str(tmp_path), create, engine=engine)
    with pytest.warns(RuntimeWarning, match="doesn't support checkpointing"):
        ssc.start()
    ssc._engine.advance_clock(1000)
    written = "*/graph" if engine == "structured" else "*/checkpoint-*"
    wait_until(lambda: any(tmp_path.glob(written)), "a checkpoint")
    ssc.stop(stopSparkContext=False)
    with pytest.raises(RuntimeError, match="doesn't support checkpointing"):
        StreamingContext.getOrCreate(str(tmp_path), create, engine=engine).start()


def test_what_from_df_does_not_take(make, spark: SparkSession, engine: str) -> None:
    ssc = make(engine)
    with pytest.raises(TypeError, match=r"is no DataFrame of pyspark\.sql, nor a function that makes one"):
        ssc.from_df([1])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="i: a column of interval year is not supported"):
        ssc.from_df(spark.sql("SELECT INTERVAL '1' YEAR AS i"))
    with pytest.raises(ValueError, match="has no columns"):
        ssc.from_df(spark.range(1).drop("id"))


def test_rdds_have_no_streaming_dataframes(make, spark: SparkSession, directory: Path) -> None:
    ssc = make("rdd")
    with pytest.raises(ValueError, match=r"from_df: a streaming DataFrame needs .*COMPAT_ENGINE=structured"):
        ssc.from_df(spark.readStream.text(str(directory)))
    with pytest.raises(ValueError, match=r"to_df: a streaming DataFrame needs .*foreachBatch"):
        ssc.textFileStream(str(directory)).to_df()


# --- out: to_df ---------------------------------------------------------------------------------------------


def test_a_streaming_dataframe_of_narrow_operators(make, spark: SparkSession, directory: Path) -> None:
    put(directory, "1", "a b\n\nc", 1)
    ssc = make("structured")
    lines = ssc.textFileStream(str(directory))
    taken = ssc.from_df(spark.readStream.text(str(directory)))
    assert lines.filter(bool).to_df().schema.simpleString() == "struct<value:string>"
    numbered = lines.mapPartitionsWithIndex(lambda index, it: [(index, len(list(it)))])
    words = lines.flatMap(str.split).map(lambda w: (w, 1)).mapValues(lambda n: n + 1)
    frames = {
        "words": words.to_df("word STRING, n INT"),
        "numbered": numbered.to_df("partition INT, size INT"),
        "again": taken.map(lambda row: len(row.value)).to_df("int"),
    }
    found = {}
    for name, frame in frames.items():
        assert frame.isStreaming
        query = frame.writeStream.format("memory").queryName(name).trigger(availableNow=True).start()
        query.processAllAvailable()
        query.stop()
        found[name] = [tuple(row) for row in spark.table(name).collect()]
    assert found["words"] == [("a", 2), ("b", 2), ("c", 2)]
    assert found["numbered"] == [(0, 3)]
    assert found["again"] == [(3,), (0,), (1,)]


def test_what_works_on_batches_has_no_streaming_dataframe(make, engine: str, directory: Path) -> None:
    ssc = make(engine)
    pairs = ssc.textFileStream(str(directory)).map(lambda line: (line, 1))
    message = "to_df: reduceByKey works on batches, .* foreachBatch"
    with pytest.raises(ValueError, match=message):
        pairs.reduceByKey(max).map(lambda kv: kv[0]).to_df("string")


def test_sources_that_no_other_query_can_read(make, spark: SparkSession) -> None:
    ssc = make("structured")
    with pytest.raises(ValueError, match="to_df: queueStream has no streaming source"):
        ssc.queueStream([[1]]).to_df("int")
    with pytest.raises(ValueError, match="to_df: from_df with a static DataFrame has no streaming source"):
        ssc.from_df(spark.range(1)).to_df()
