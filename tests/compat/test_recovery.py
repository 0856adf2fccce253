"""getOrCreate: a program that goes on where it was."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark import SparkContext

from compat.streaming import StreamingContext
from tests.statements import wait_until

pytestmark = pytest.mark.usefixtures("stop_what_runs")


def put(directory: Path, name: str, text: str, second: float) -> None:
    partial = directory / f".{name}"
    partial.write_text(text)
    os.utime(partial, (second, second))
    partial.rename(directory / name)


def word_count(sc: SparkContext, engine: str, inputs: Path, outputs: Path) -> Callable[[], StreamingContext]:
    """A running count of the words in files, written to a file per batch, named by its second."""

    def create() -> StreamingContext:
        out = str(outputs)
        ssc = StreamingContext(sc, 1, engine=engine)
        words = ssc.textFileStream(str(inputs)).flatMap(lambda line: line.split())
        running = words.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))
        recent = words.window(3).countByValue()

        def write(time, rdd, name):
            path = os.path.join(out, f"{name}-{round(time.timestamp())}")  # noqa: PTH118
            with open(path + ".part", "w") as file:  # noqa: PTH123
                json.dump(dict(rdd.collect()), file)
            os.replace(path + ".part", path)  # noqa: PTH105

        running.foreachRDD(lambda time, rdd: write(time, rdd, "running"))
        recent.foreachRDD(lambda time, rdd: write(time, rdd, "recent"))
        return ssc

    return create


def play(ssc: StreamingContext, outputs: Path, second: int) -> dict[str, dict[str, int]]:
    """Move on by one second and give what the batch of that second wrote."""
    ssc._engine.advance_clock(1000)
    last = outputs / f"recent-{second}"
    wait_until(last.exists, f"the batch of second {second}")
    return {name: json.loads((outputs / f"{name}-{second}").read_text()) for name in ("running", "recent")}


def test_state_and_windows_go_on_and_set_up_is_not_called(
    spark_context: SparkContext, engine: str, tmp_path: Path, directory: Path
) -> None:
    outputs = tmp_path / "out"
    outputs.mkdir()
    checkpoint = str(tmp_path / "checkpoint")
    create = word_count(spark_context, engine, directory, outputs)
    ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
    ssc.start()
    put(directory, "one", "a b a", 1)
    assert play(ssc, outputs, 1) == {"running": {"a": 2, "b": 1}, "recent": {"a": 2, "b": 1}}
    put(directory, "two", "b", 2)
    assert play(ssc, outputs, 2)["running"] == {"a": 2, "b": 2}
    ssc.stop(stopSparkContext=False)

    ssc = StreamingContext.getOrCreate(checkpoint, lambda: pytest.fail("it has a checkpoint"), engine=engine)
    assert ssc.sparkContext is spark_context
    ssc.start()
    put(directory, "three", "c", 3)
    assert play(ssc, outputs, 3) == {
        "running": {"a": 2, "b": 2, "c": 1},
        "recent": {"a": 2, "b": 2, "c": 1},
    }
    assert play(ssc, outputs, 4) == {"running": {"a": 2, "b": 2, "c": 1}, "recent": {"b": 1, "c": 1}}


@pytest.mark.parametrize("engine", [pytest.param("rdd", marks=pytest.mark.full), "structured"])
def test_a_file_that_was_read_long_before_the_stop_is_not_read_again(
    spark_context: SparkContext, engine: str, tmp_path: Path, directory: Path
) -> None:
    outputs = tmp_path / "out"
    outputs.mkdir()
    checkpoint = str(tmp_path / "checkpoint")
    create = word_count(spark_context, engine, directory, outputs)
    ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
    ssc.start()
    put(directory, "one", "a b a", 1)
    for second in range(1, 9):
        play(ssc, outputs, second)
    ssc.stop(stopSparkContext=False)

    ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
    ssc.start()
    put(directory, "two", "c", 9)
    assert play(ssc, outputs, 9) == {"running": {"a": 2, "b": 1, "c": 1}, "recent": {"c": 1}}


def test_the_other_engines_checkpoint_is_not_passed_over(
    spark_context: SparkContext, engine: str, tmp_path: Path, directory: Path
) -> None:
    checkpoint = str(tmp_path / "checkpoint")
    create = word_count(spark_context, engine, directory, tmp_path)
    ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
    ssc.start()
    play(ssc, tmp_path, 1)
    ssc.stop(stopSparkContext=False)
    [other] = {"rdd", "structured"} - {engine}
    with pytest.raises(RuntimeError, match=f"checkpoint of the {engine} engine.*COMPAT_ENGINE={engine}"):
        StreamingContext.getOrCreate(checkpoint, create, engine=other)


def test_a_queue_is_not_recovered(spark_context: SparkContext, engine: str, tmp_path: Path) -> None:
    checkpoint = str(tmp_path / "checkpoint")
    out = tmp_path / "out"

    def create() -> StreamingContext:
        path = str(out)
        ssc = StreamingContext(spark_context, 1, engine=engine)
        ssc.queueStream([[1]]).foreachRDD(lambda rdd: open(path, "w").close())  # noqa: PTH123
        return ssc

    ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
    with pytest.warns(RuntimeWarning, match="queueStream"):
        ssc.start()
    ssc._engine.advance_clock(1000)
    wait_until(out.exists, "the first batch")
    ssc.stop(stopSparkContext=False)
    with pytest.raises(RuntimeError, match="queueStream doesn't support checkpointing"):
        StreamingContext.getOrCreate(checkpoint, create, engine=engine).start()
