"""What a program does with its batches."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from pyspark import RDD, SparkContext

from compat.streaming import StreamingContext
from compat.testing import BatchClock, rdd_of

BATCHES: list[list[list[str]]] = [[["b", "a"], ["c"]], [], [[]]]


@pytest.fixture
def ssc(spark_context: SparkContext, engine: str):
    context = StreamingContext(spark_context, 1, engine=engine)
    yield context
    context.stop(stopSparkContext=False)


def play(ssc: StreamingContext, batches: int) -> None:
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(batches):
        clock.next_batch()
    assert ssc.awaitTerminationOrTimeout(0.001) is False


def source(ssc: StreamingContext):
    return ssc.queueStream([rdd_of(ssc.sparkContext, batch) for batch in BATCHES])


class Sink:
    def __init__(self) -> None:
        self.seen: list[object] = []

    def timed(self, time: datetime, rdd: RDD) -> None:
        self.seen.append((time.timestamp(), rdd.collect()))


def test_foreach_rdd_is_called_for_every_batch_by_the_number_of_its_arguments(ssc: StreamingContext) -> None:
    one, two, default, variadic, method = [], [], [], [], Sink()
    stream = source(ssc)
    stream.foreachRDD(lambda rdd: one.append((rdd.getNumPartitions(), rdd.collect())))
    stream.foreachRDD(lambda time, rdd: two.append((time, rdd.count())))
    stream.foreachRDD(lambda rdd, x=1: default.append((type(rdd), x.collect())))
    stream.foreachRDD(lambda *args: variadic.append(type(args[0]).__name__))
    stream.foreachRDD(method.timed)
    play(ssc, 4)
    assert one == [(2, ["b", "a", "c"]), (0, []), (1, []), (1, [])]
    times = [datetime.fromtimestamp(second) for second in (1, 2, 3, 4)]
    assert two == list(zip(times, [3, 0, 0, 0], strict=True))
    assert default == [(datetime, ["b", "a", "c"]), (datetime, []), (datetime, []), (datetime, [])]
    assert variadic == ["datetime"] * 4
    assert method.seen == [(1, ["b", "a", "c"]), (2, []), (3, []), (4, [])]


def test_outputs_run_in_the_order_of_the_program(ssc: StreamingContext) -> None:
    order: list[str] = []
    stream = source(ssc)
    mapped = stream.map(lambda x: x)
    mapped.foreachRDD(lambda rdd: order.append("first"))
    stream.foreachRDD(lambda rdd: order.append("second"))
    mapped.count().foreachRDD(lambda rdd: order.append("third"))
    play(ssc, 2)
    assert order == ["first", "second", "third"] * 2


def test_functions_are_called_for_each_output_on_rdd_and_once_on_structured(
    ssc: StreamingContext, engine: str
) -> None:
    calls = ssc.sparkContext.accumulator(0)
    stream = source(ssc).map(lambda x: calls.add(1) or x)
    stream.foreachRDD(lambda rdd: rdd.foreach(print))
    stream.filter(lambda x: x != "a").foreachRDD(lambda rdd: rdd.foreach(print))
    play(ssc, 1)
    assert calls.value == {"rdd": 6, "structured": 3}[engine]


def test_functions_are_pickled_for_each_batch(ssc: StreamingContext) -> None:
    batch = {"number": 0}
    got: list[list[int]] = []

    def output(rdd: RDD) -> None:
        got.append(rdd.collect())
        batch["number"] += 1

    ssc.queueStream([[1], [1], [1]]).map(lambda x: batch["number"]).foreachRDD(output)
    play(ssc, 3)
    assert got == [[0], [1], [2]]


def test_a_cached_stream_gives_the_same(ssc: StreamingContext) -> None:
    got: list[list[object]] = []
    stream = source(ssc).map(lambda x: x * 2).cache()
    assert stream.is_cached
    stream.count().foreachRDD(lambda rdd: got.append(rdd.collect()))
    stream.foreachRDD(lambda rdd: got.append(rdd.glom().collect()))
    play(ssc, 2)
    assert got == [[3], [["bb", "aa"], ["cc"]], [], []]


def test_pprint(ssc: StreamingContext, capsys: pytest.CaptureFixture[str]) -> None:
    stream = source(ssc)
    stream.pprint()
    stream.pprint(np.int64(2))  # type: ignore[arg-type]
    stream.map(lambda x: (x, None)).pprint(3)
    stream.pprint(0)
    play(ssc, 2)

    def block(second: int, *records: str) -> str:
        line = "-" * 43
        return "\n".join([line, f"Time: {datetime.fromtimestamp(second)}", line, *records, "", ""])

    pairs = ["('b', None)", "('a', None)", "('c', None)"]
    expected = block(1, "b", "a", "c") + block(1, "b", "a", "...") + block(1, *pairs) + block(1, "...")
    assert capsys.readouterr().out == expected + block(2) * 4


def test_save_as_text_files(ssc: StreamingContext, directory: Path) -> None:
    stream = source(ssc)
    stream.map(lambda x: (x, "é")).saveAsTextFiles(f"{directory}/out", "txt")
    stream.saveAsTextFiles(f"{directory}/plain")
    stream.saveAsTextFiles(f"{directory}/dot", "")
    play(ssc, 2)
    names = {path.name for path in directory.iterdir()}
    assert names == {"out-1000.txt", "out-2000.txt", "plain-1000", "plain-2000", "dot-1000.", "dot-2000."}
    written = sorted(path for path in (directory / "out-1000.txt").glob("part-*"))
    assert [path.read_text("utf-8") for path in written] == ["('b', 'é')\n('a', 'é')\n", "('c', 'é')\n"]
    assert not list((directory / "out-2000.txt").glob("part-*"))
    assert (directory / "out-2000.txt" / "_SUCCESS").exists()


def test_save_as_text_files_writes_bytes_as_java_reads_them(ssc: StreamingContext, directory: Path) -> None:
    stream = ssc.queueStream([[b"\xc3\xa9", b"\xff half a pair \xed\xa0\x80", None]])
    stream.saveAsTextFiles(f"{directory}/out")
    play(ssc, 1)
    written = sorted((directory / "out-1000").glob("part-*"))
    assert "".join(path.read_text("utf-8") for path in written) == "é\n\ufffd half a pair \ufffd\nNone\n"


def test_save_as_text_files_writes_over_what_a_crash_left(ssc: StreamingContext, directory: Path) -> None:
    (directory / "out-1000").mkdir()
    (directory / "out-1000" / "part-00000").write_text("half a li")
    source(ssc).saveAsTextFiles(f"{directory}/out")
    play(ssc, 1)
    assert (directory / "out-1000" / "part-00000").read_text() == "b\na\n"
    assert (directory / "out-1000" / "_SUCCESS").exists()
