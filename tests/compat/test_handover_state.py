"""Keyed state out of an old job and into a new one, which goes on as if it had been one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.streaming import StreamingContext as SparkStreamingContext

from compat.handover import NoStateError, load_state, save_state
from compat.streaming import DStream, StreamingContext
from compat.testing import BatchClock
from tests.statements import wait_until

WORDS = [["a b a"], ["b"], [], ["c a"], ["b b"]]


def totals(lines: DStream[str], initial: Any = None) -> DStream[tuple[str, int]]:
    words = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))
    return words.updateStateByKey(lambda new, last: sum(new) + (last or 0), initialRDD=initial)


def ran(
    sc: SparkContext, engine: str, batches: list[list[str]], states: Path, initial: Any = None
) -> dict[str, int]:
    """A running count over these batches, kept under `states`; its last result."""
    results: list[dict[str, int]] = []
    ssc = StreamingContext(sc, 1, engine=engine)
    counts = totals(ssc.queueStream(batches), initial)
    counts.foreachRDD(lambda rdd: results.append(dict(rdd.collect())))
    save_state(counts, str(states))
    clock = BatchClock(ssc)
    ssc.start()
    for _ in batches:
        clock.next_batch()
    ssc.stop(stopSparkContext=False)
    return results[-1]


def counted(batches: list[list[str]]) -> dict[str, int]:
    return dict(Counter(word for batch in batches for line in batch for word in line.split()))


@pytest.mark.parametrize(
    ("engine", "cut"),
    [
        ("structured", 3),
        pytest.param("rdd", 1, marks=pytest.mark.full),
        pytest.param("structured", 4, marks=pytest.mark.full),
    ],
)
def test_from_one_engine_to_the_other_and_back(
    spark_context: SparkContext, engine: str, tmp_path: Path, cut: int
) -> None:
    other = {"rdd": "structured", "structured": "rdd"}[engine]
    first, second = tmp_path / "first", tmp_path / "second"
    assert ran(spark_context, engine, WORDS[:cut], first) == counted(WORDS[:cut])
    initial = load_state(spark_context, str(first))
    assert ran(spark_context, other, WORDS[cut:], second, initial) == counted(WORDS)
    initial = load_state(spark_context, str(second))
    assert ran(spark_context, engine, WORDS[:1], tmp_path / "third", initial) == counted(WORDS + WORDS[:1])


def test_two_whole_batches_are_kept(spark_context: SparkContext, tmp_path: Path) -> None:
    states = tmp_path / "states"
    ran(spark_context, "structured", WORDS[:3], states)
    assert sorted(path.name for path in states.iterdir()) == ["2000", "3000"]
    (states / "3000/_SUCCESS").unlink()
    assert dict(load_state(spark_context, str(states)).collect()) == counted(WORDS[:2])


def test_where_there_is_none(spark_context: SparkContext, tmp_path: Path) -> None:
    with pytest.raises(NoStateError, match="holds no batch"):
        load_state(spark_context, str(tmp_path / "none"))


def test_a_job_of_pyspark_itself(spark_context: SparkContext, tmp_path: Path) -> None:
    """Batch times longer and shorter than others are in order."""
    states = tmp_path / "states"
    with pytest.warns(FutureWarning, match="deprecated"):
        ssc = SparkStreamingContext(spark_context, 1)
    batches: list[Any] = [[("a", number)] for number in range(11)]
    save_state(ssc.queueStream(batches), str(states))
    clock = ssc._jssc.ssc().scheduler().clock()  # type: ignore[attr-defined]
    ssc.start()
    clock.advance(11_000)
    wait_until((states / "11000/_SUCCESS").exists, "the last batch")
    wait_until(lambda: len(list(states.iterdir())) == 2, "the end of the older ones")
    ssc.stop(stopSparkContext=False)
    assert load_state(spark_context, str(states)).collect() == [("a", 10)]


def test_into_native_code_and_back(spark_context: SparkContext, tmp_path: Path, directory: Path) -> None:
    """As compat's README says: the running count of a batch and what was there before."""
    states, back = tmp_path / "states", tmp_path / "back"
    ran(spark_context, "structured", WORDS[:3], states)
    spark = SparkSession(spark_context).newSession()
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    before = load_state(spark.sparkContext, str(states)).toDF("word STRING, count LONG").cache()

    def process_batch(batch: DataFrame, batch_id: int) -> None:
        counts = batch.unionByName(before).groupBy("word").agg(F.sum("count").alias("count"))
        counts.rdd.map(tuple).saveAsPickleFile(f"{back}/{batch_id}")

    read: Callable[[str], DataFrame] = spark.readStream.text
    words = read(str(directory)).select(F.explode(F.split("value", " ")).alias("word"))
    running = words.groupBy("word").agg(F.count("*").alias("count"))
    (directory / "lines").write_text("".join(f"{line}\n" for batch in WORDS[3:] for line in batch))
    query = running.writeStream.outputMode("complete").foreachBatch(process_batch).start()
    query.processAllAvailable()
    query.stop()
    before.unpersist()
    initial = spark_context.pickleFile(f"{back}/0")
    assert dict(initial.collect()) == counted(WORDS)
    third = ran(spark_context, "structured", WORDS[:1], tmp_path / "third", initial)
    assert third == counted(WORDS + WORDS[:1])
