"""What is refused, and with which exception: on both engines, and on `pyspark.streaming` itself."""

from __future__ import annotations

import contextlib
import pickle
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyspark.streaming
import pytest
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext
from pyspark.errors import PySparkException

import compat.streaming
from compat.streaming.kafka import KafkaUtils

JAVA = {
    "java.lang.IllegalArgumentException": ValueError,
    "java.lang.IllegalStateException": RuntimeError,
    "java.lang.UnsupportedOperationException": RuntimeError,
    "java.util.NoSuchElementException": ValueError,
    "org.apache.spark.SparkException": RuntimeError,
}
"""What an exception of the JVM becomes. A call that py4j finds no method for is a TypeError."""


@dataclass(frozen=True)
class Misuse:
    """A wrong call, and what it raises.

    `accepted` says what `pyspark.streaming` does with it in place of an exception.
    """

    sentence: str
    call: Callable[[Any, Any], Any]
    raises: type[Exception]
    message: str
    accepted: str = ""

    def __str__(self) -> str:
        return self.sentence


def other_stream(ssc: Any) -> Any:
    """A stream of another context of the same engine."""
    return context(ssc.sparkContext, type(ssc)).queueStream([[1]])


BEFORE_START = [
    Misuse("an empty queue", lambda ssc, s: ssc.queueStream([]), IndexError, "queue is empty"),
    Misuse("no queue", lambda ssc, s: ssc.queueStream(None), TypeError, "not iterable"),
    Misuse("a queue of numbers", lambda ssc, s: ssc.queueStream([1, 2]), TypeError, "int"),
    Misuse("a queue that is a number", lambda ssc, s: ssc.queueStream(1), TypeError, "int"),
    Misuse("a host that is a number", lambda ssc, s: ssc.socketTextStream(1, 1), TypeError, "hostname"),
    Misuse("a port that is text", lambda ssc, s: ssc.socketTextStream("h", "1"), TypeError, "port"),
    Misuse(
        "a port that no host has",
        lambda ssc, s: ssc.socketTextStream("h", 70000),
        ValueError,
        "between 1 and 65535",
        accepted="the receiver fails, again and again",
    ),
    Misuse(
        "a storage level that is text",
        lambda ssc, s: ssc.socketTextStream("h", 1, "MEMORY_ONLY"),
        TypeError,
        "StorageLevel",
    ),
    Misuse("persist with text", lambda ssc, s: s.persist("MEMORY_ONLY"), TypeError, "StorageLevel"),
    Misuse("a directory that is a number", lambda ssc, s: ssc.textFileStream(1), TypeError, "directory"),
    Misuse(
        "an empty directory name",
        lambda ssc, s: ssc.textFileStream(""),
        ValueError,
        "directory",
        accepted="a warning in each batch",
    ),
    Misuse(
        "records without bytes",
        lambda ssc, s: ssc.binaryRecordsStream("d", 0),
        ValueError,
        "at least 1",
        accepted="batches with files fail",
    ),
    Misuse(
        "a record length that is text", lambda ssc, s: ssc.binaryRecordsStream("d", "4"), TypeError, "int"
    ),
    Misuse("foreachRDD of None", lambda ssc, s: s.foreachRDD(None), AttributeError, "__code__"),
    Misuse("transform of a builtin", lambda ssc, s: s.transform(len), AttributeError, "__code__"),
    Misuse("transform of a partial", lambda ssc, s: s.transform(partial(max)), AttributeError, "__code__"),
    Misuse("transform of no argument", lambda ssc, s: s.transform(lambda: 1), AssertionError, "one or two"),
    Misuse(
        "transformWith of one argument",
        lambda ssc, s: s.transformWith(lambda a: a, s),
        AssertionError,
        "two or three",
    ),
    Misuse(
        "transformWith a list", lambda ssc, s: s.transformWith(lambda a, b: a, [1]), AttributeError, "list"
    ),
    Misuse("join with an RDD", lambda ssc, s: s.join(ssc.sparkContext.emptyRDD()), AttributeError, "RDD"),
    Misuse("cogroup with None", lambda ssc, s: s.cogroup(None), AttributeError, "NoneType"),
    Misuse("union with a list", lambda ssc, s: s.union([1]), AttributeError, "list"),
    Misuse("union of other slides", lambda ssc, s: s.union(s.window(2, 2)), ValueError, "slide duration"),
    Misuse(
        "union across contexts",
        lambda ssc, s: s.union(other_stream(ssc)),
        ValueError,
        "different",
        accepted="its output is refused",
    ),
    Misuse(
        "join across contexts",
        lambda ssc, s: s.join(other_stream(ssc)),
        ValueError,
        "different",
        accepted="its output is refused",
    ),
    Misuse("ssc.union of nothing", lambda ssc, s: ssc.union(), ValueError, "at least one"),
    Misuse("ssc.union of numbers", lambda ssc, s: ssc.union(1, 2), AttributeError, "int"),
    Misuse("ssc.union of slides", lambda ssc, s: ssc.union(s, s.window(2, 2)), ValueError, "slide duration"),
    Misuse(
        "ssc.union across contexts", lambda ssc, s: ssc.union(s, other_stream(ssc)), ValueError, "different"
    ),
    Misuse("ssc.transform of numbers", lambda ssc, s: ssc.transform([1], len), AttributeError, "int"),
    Misuse("ssc.transform of a number", lambda ssc, s: ssc.transform(1, len), TypeError, "int"),
    Misuse("ssc.transform of nothing", lambda ssc, s: ssc.transform([], len), ValueError, "one DStream"),
    Misuse(
        "ssc.transform of slides",
        lambda ssc, s: ssc.transform([s, s.window(2, 2)], lambda rdds: rdds[0]),
        ValueError,
        "slide",
    ),
    Misuse("half a batch as window", lambda ssc, s: s.window(1.5), ValueError, "must be multiple"),
    Misuse("half a batch as slide", lambda ssc, s: s.window(2, 0.5), ValueError, "must be multiple"),
    Misuse("a window of text", lambda ssc, s: s.window("a"), ValueError, "invalid literal"),
    Misuse("a window of digits", lambda ssc, s: s.window("2"), ValueError, "invalid literal"),
    Misuse("countByWindow of half a batch", lambda ssc, s: s.countByWindow(1.5, 1), ValueError, "multiple"),
    Misuse(
        "reduceByKeyAndWindow of half a batch",
        lambda ssc, s: s.reduceByKeyAndWindow(max, None, 1, 0.5),
        ValueError,
        "must be multiple",
    ),
    Misuse("a window of no time", lambda ssc, s: s.window(0), ValueError, "positive", accepted="is empty"),
    Misuse("a negative window", lambda ssc, s: s.window(-2), ValueError, "positive", accepted="is empty"),
    Misuse("a slide of no time", lambda ssc, s: s.window(2, 0), ValueError, "positive", accepted="no batch"),
    Misuse("a negative slide", lambda ssc, s: s.window(2, -1), ValueError, "positive", accepted="no batch"),
    Misuse(
        "reduceByKey into no partition",
        lambda ssc, s: s.reduceByKey(max, 0),
        ValueError,
        "at least 1",
        accepted="every batch is empty",
    ),
    Misuse(
        "repartition into none",
        lambda ssc, s: s.repartition(0),
        ValueError,
        "at least 1",
        accepted="every batch fails",
    ),
    Misuse(
        "partitionBy into -1 partitions",
        lambda ssc, s: s.partitionBy(-1),
        ValueError,
        "at least 1",
        accepted="every batch is empty",
    ),
    Misuse("initialRDD of a number", lambda ssc, s: s.updateStateByKey(max, None, 5), TypeError, "int"),
    Misuse("pprint of text", lambda ssc, s: s.pprint("5"), TypeError, "int", accepted="every batch fails"),
    Misuse("slice before the start", lambda ssc, s: s.slice(0, 1), RuntimeError, "initialized"),
    Misuse("slice of text", lambda ssc, s: s.slice("a", "b"), ValueError, "invalid literal"),
    Misuse("slice of None", lambda ssc, s: s.slice(None, None), TypeError, "NoneType"),
    Misuse("remember of text", lambda ssc, s: ssc.remember("a"), ValueError, "invalid literal"),
    Misuse("checkpoint interval of text", lambda ssc, s: s.checkpoint("a"), ValueError, "invalid literal"),
    Misuse("checkpoint in a number", lambda ssc, s: ssc.checkpoint(1), TypeError, "directory"),
    Misuse(
        "checkpoint in a directory without a name", lambda ssc, s: ssc.checkpoint(""), ValueError, "no name"
    ),
    Misuse(
        "checkpoint in None",
        lambda ssc, s: ssc.checkpoint(None),
        ValueError,
        "no name",
        accepted="checkpoints no more",
    ),
    Misuse(
        "getOrCreate from a directory without a name",
        lambda ssc, s: type(ssc).getOrCreate("", lambda: ssc),
        ValueError,
        "no name",
    ),
    Misuse(
        "getOrCreate from None", lambda ssc, s: type(ssc).getOrCreate(None, lambda: ssc), ValueError, "None"
    ),
    Misuse("getOrCreate from a number", lambda ssc, s: type(ssc).getOrCreate(1, lambda: ssc), TypeError, "1"),
    Misuse(
        "a listener that is none", lambda ssc, s: ssc.addStreamingListener(object()), AttributeError, "object"
    ),
    Misuse("waiting for text", lambda ssc, s: ssc.awaitTerminationOrTimeout("a"), ValueError, "literal"),
    Misuse("start without output", lambda ssc, s: ssc.start(), ValueError, "No output operations"),
    Misuse(
        "start after a start that failed",
        lambda ssc, s: failing(ssc.start) or ssc.start(),
        RuntimeError,
        "already been stopped",
    ),
    Misuse(
        "a checkpoint interval without a directory",
        lambda ssc, s: started(ssc, s.map(str).checkpoint(1), directory=False),
        ValueError,
        "checkpoint directory has not been set",
    ),
    Misuse(
        "state without a directory",
        lambda ssc, s: started(ssc, s.updateStateByKey(max), directory=False),
        ValueError,
        "checkpoint directory has not been set",
    ),
    Misuse(
        "a checkpoint interval below the slide",
        lambda ssc, s: started(ssc, s.map(str).checkpoint(0.5)),
        ValueError,
        "lower than its slide time",
    ),
    Misuse(
        "a checkpoint interval of one slide and a half",
        lambda ssc, s: started(ssc, s.map(str).checkpoint(1.5)),
        ValueError,
        "multiple of its slide time",
    ),
]

AFTER_START = [
    Misuse("an output", lambda ssc, s: s.pprint(), RuntimeError, "after starting a context"),
    Misuse("a source", lambda ssc, s: ssc.queueStream([[1]]), RuntimeError, "after starting a context"),
    Misuse("a union", lambda ssc, s: s.union(s), RuntimeError, "after starting a context"),
    Misuse("caching", lambda ssc, s: s.cache(), RuntimeError, "after st"),
    Misuse("a checkpoint interval", lambda ssc, s: s.checkpoint(1), RuntimeError, "after st"),
    Misuse(
        "starting another context",
        lambda ssc, s: started(context(ssc.sparkContext, type(ssc))),
        RuntimeError,
        "Only one StreamingContext may be started",
    ),
    Misuse(
        "slicing what no output reads",
        lambda ssc, s: s.map(str).slice(0, 1),
        RuntimeError,
        "after starting a context|no output reads",
    ),
]

AFTER_STOP = [
    Misuse("a second start", lambda ssc, s: ssc.start(), RuntimeError, "already been stopped"),
    Misuse("a source", lambda ssc, s: ssc.queueStream([[1]]), RuntimeError, "after stopping a context"),
    Misuse("an output", lambda ssc, s: s.pprint(), RuntimeError, "after stopping a context"),
]


def failing(call: Callable[[], Any]) -> None:
    with contextlib.suppress(Exception):
        call()


def started(ssc: Any, stream: Any = None, *, directory: bool = True) -> None:
    """Start a context, with a checkpoint directory or without one."""
    (ssc.queueStream([[("a", 1)]]) if stream is None else stream).foreachRDD(lambda rdd: None)
    sc = ssc.sparkContext
    kept = sc.getCheckpointDir()
    if not directory:
        sc._jsc.sc().setCheckpointDir(None)
    try:
        ssc.start()
    finally:
        sc.setCheckpointDir(kept)


def context(sc: SparkContext, kind: type, engine: str | None = None) -> Any:
    if kind is compat.streaming.StreamingContext:
        return kind(sc, 1, engine=engine)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return kind(sc, 1)


def test_what_is_refused_for_the_better_is_documented() -> None:
    text = (Path(compat.streaming.__file__).parents[1] / "README.md").read_text("utf-8")
    rows = [
        f"| {misuse} | {misuse.raises.__name__} | {misuse.accepted} |"
        for misuse in BEFORE_START
        if misuse.accepted
    ]
    assert [row for row in rows if row not in text] == []


@pytest.fixture(scope="module", params=["rdd", "structured", "pyspark"])
def side(request: pytest.FixtureRequest) -> str:
    """The engines, and `pyspark.streaming` as the oracle of both."""
    return str(request.param)


@pytest.fixture
def ssc(spark_context: SparkContext, side: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    if side == "pyspark":
        made = context(spark_context, pyspark.streaming.StreamingContext)
    else:
        monkeypatch.setenv("COMPAT_ENGINE", side)
        made = context(spark_context, compat.streaming.StreamingContext)
    yield made
    made.stop(False)


def check(misuse: Misuse, ssc: Any, stream: Any, side: str) -> None:
    if side == "pyspark":
        assert outcome(misuse, ssc, stream) is (None if misuse.accepted else misuse.raises)
        return
    with pytest.raises(misuse.raises, match=misuse.message) as caught:
        misuse.call(ssc, stream)
    assert type(caught.value) is misuse.raises


def outcome(misuse: Misuse, ssc: Any, stream: Any) -> type[Exception] | None:
    """What the oracle raises, as the table has it."""
    try:
        misuse.call(ssc, stream)
    except Py4JJavaError as error:
        return JAVA[error.java_exception.getClass().getName()]
    except PySparkException as error:
        return JAVA[error._origin.getClass().getName()]  # type: ignore[attr-defined]
    except Py4JError:
        return TypeError
    except Exception as error:
        return type(error)
    return None


@pytest.mark.parametrize("misuse", BEFORE_START, ids=str)
def test_before_start(misuse: Misuse, ssc: Any, side: str) -> None:
    check(misuse, ssc, ssc.queueStream([[("a", 1)]]), side)


@pytest.fixture
def running(ssc: Any) -> tuple[Any, Any]:
    stream = ssc.queueStream([[("a", 1)]])
    stream.foreachRDD(lambda rdd: None)
    ssc.start()
    return ssc, stream


@pytest.mark.parametrize("misuse", AFTER_START, ids=str)
def test_after_start(misuse: Misuse, running: tuple[Any, Any], side: str) -> None:
    check(misuse, *running, side)


@pytest.mark.parametrize("misuse", AFTER_STOP, ids=str)
def test_after_stop(misuse: Misuse, running: tuple[Any, Any], side: str) -> None:
    running[0].stop(False)
    check(misuse, *running, side)


@pytest.mark.parametrize(
    ("interval", "error"),
    [(None, AssertionError), ("a", ValueError), (object(), TypeError)],
)
def test_the_interval_of_a_context(
    spark_context: SparkContext, engine: str, interval: Any, error: type[Exception]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        with pytest.raises(error):
            pyspark.streaming.StreamingContext(spark_context, interval)
    with pytest.raises(error):
        compat.streaming.StreamingContext(spark_context, interval, engine=engine)


def test_a_context_needs_a_spark_context(engine: str) -> None:
    with pytest.raises(AttributeError):
        compat.streaming.StreamingContext(None, 1, engine=engine)  # type: ignore[arg-type]


@pytest.mark.parametrize("setup", [None, 5])
def test_get_or_create_needs_a_function_that_makes_a_context(engine: str, tmp_path: Path, setup: Any) -> None:
    for kind in (pyspark.streaming.StreamingContext, compat.streaming.StreamingContext):
        with pytest.raises(TypeError, match="callable"):
            kind.getOrCreate(str(tmp_path), setup)
        with pytest.raises(TypeError, match="callable"):
            kind.getActiveOrCreate(str(tmp_path), setup)
        with pytest.raises(AttributeError):
            kind.getOrCreate(str(tmp_path), lambda: setup)


def test_a_checkpoint_after_start_only_warns(
    spark_context: SparkContext, engine: str, tmp_path: Path
) -> None:
    ssc = compat.streaming.StreamingContext(spark_context, 1, engine=engine)
    started(ssc)
    with pytest.warns(RuntimeWarning, match="nothing is checkpointed"):
        ssc.checkpoint(str(tmp_path))
    ssc.stop(False)
    assert not list(tmp_path.iterdir())


def test_what_is_captured_must_be_picklable(spark_context: SparkContext, engine: str, tmp_path: Path) -> None:
    ssc = compat.streaming.StreamingContext(spark_context, 1, engine=engine)
    ssc.checkpoint(str(tmp_path))
    ssc.textFileStream(str(tmp_path)).foreachRDD(lambda rdd: spark_context.emptyRDD())
    with pytest.raises(pickle.PicklingError):
        ssc.start()
    ssc.stop(False)


def test_kafka_without_its_connector(spark_context: SparkContext, engine: str) -> None:
    """The error has the line that brings it, for this Spark and its Scala."""
    ssc = compat.streaming.StreamingContext(spark_context, 1, engine=engine)
    version = re.escape(spark_context.version)
    line = rf"spark-submit --packages org\.apache\.spark:spark-sql-kafka-0-10_2\.1[23]:{version} "
    with pytest.raises(RuntimeError, match=line):
        KafkaUtils.createDirectStream(ssc, ["topic"], {"bootstrap.servers": "127.0.0.1:1"})
