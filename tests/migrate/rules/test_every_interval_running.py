"""Queries with a batch in every interval: one is there without input, and no row is more than that."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession

from migrate.plan.draft.every_interval import HELPER
from tests.migrate.programs import whole_program
from tests.migrate.rules.running import after_program, before
from tests.migrate.rules.test_running import _batches

BODIES = {
    "a list of batches": (
        "seen = []\n"
        "counts = lines.flatMap(lambda line: line.split(' ')).map(lambda w: (w, 1))"
        ".reduceByKey(lambda a, b: a + b)\n"
        "counts.pprint()\n"
        "counts.foreachRDD(lambda time, rdd: seen.append(sorted(rdd.collect())))\n"
        "lines.foreachRDD(lambda rdd: print(seen))"
    ),
    "a number of intervals": (
        "intervals = 0\n"
        "def count(rdd):\n"
        "    global intervals\n"
        "    intervals += 1\n"
        "    print(intervals, rdd.count(), rdd.isEmpty())\n"
        "lines.map(len).foreachRDD(count)"
    ),
    "an insert in each": (
        "import sqlite3\n"
        "database = sqlite3.connect(':memory:', check_same_thread=False)\n"
        "database.execute('create table counts (n int)')\n"
        "def save(rdd):\n"
        "    database.execute('insert into counts values (%d)' % rdd.count())\n"
        "    print(database.execute('select n from counts').fetchall())\n"
        "lines.foreachRDD(save)"
    ),
    "a state that is read in each": (
        "seen = []\n"
        "totals = lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
        "def keep(rdd):\n"
        "    seen.append(rdd.count())\n"
        "    print(seen)\n"
        "totals.foreachRDD(keep)\n"
        "lines.pprint()"
    ),
}


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 8))])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_callbacks_see_every_interval(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path, body: str, seed: int
) -> None:
    example = f"sc.setCheckpointDir({str(tmp_path)!r})\n{body}"
    batches = [[], *_batches(seed, 4), []]
    (was,) = before([example], batches, spark_context)
    # the micro-batch that the query starts with comes before the first interval
    came = after_program(whole_program(example), [[], *batches], spark)
    assert came.batches == [[], *was.batches]


def test_a_query_runs_batches_without_input_and_has_the_rows_of_its_source_alone(
    spark: SparkSession, tmp_path: Path
) -> None:
    names: dict[str, Any] = {}
    exec(HELPER.source, names)
    source = tmp_path / "in"
    source.mkdir()
    batches: list[list[str]] = []
    changed = threading.Condition()

    def keep(frame: DataFrame, batch_id: int) -> None:
        with changed:
            batches.append([row.value for row in frame.collect()])
            changed.notify_all()

    rows = spark.readStream.text(str(source)).transform(names["every_interval"])
    assert rows.columns == ["value"]
    writer = rows.writeStream.trigger(processingTime="0 seconds").foreachBatch(keep)
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    try:
        with changed:
            assert changed.wait_for(lambda: len(batches) > 2, 60)
        written = tmp_path / "one.txt"
        written.write_text("a\nb\n")
        written.rename(source / "one.txt")
        with changed:
            assert changed.wait_for(lambda: any(batches), 60)
            so_far = len(batches)
            assert changed.wait_for(lambda: len(batches) > so_far + 1, 60)
    finally:
        query.stop()
    assert [batch for batch in batches if batch] == [["a", "b"]]
