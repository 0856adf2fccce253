"""A batch that fails while windows hold those before it: the query ends, and nothing stays persisted."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

from tests.migrate.programs import file

PROGRAM = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
lines = ssc.textFileStream(sys.argv[1])


def output(rdd):
    counts.append(rdd.count())
    if len(counts) == 3:
        raise ValueError("the third output")


{body}
ssc.start()
try:
    ssc.awaitTermination()
except Exception as error:
    print("goes on after", error)
"""
ADD, SUBTRACT = "lambda a, b: a + b", "lambda a, b: a - b"
PAIRS = "pairs = lines.map(lambda line: (line, 1))\n"
WINDOWS = {
    "rows": "lines.window(3).foreachRDD(output)",
    "sums in two windows": (
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 4, 2).foreachRDD(output)\n"
        f"pairs.reduceByKeyAndWindow({ADD}, None, 30).foreachRDD(output)"
    ),
    "sums that keep their keys": (
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 60).foreachRDD(output)"
    ),
    "RDD code": "lines.map(lambda line: {'line': line}).window(4, 2).foreachRDD(output)",
}


@pytest.mark.parametrize("name", WINDOWS)
def test_what_a_window_holds_is_released_when_a_batch_fails(
    spark_context: SparkContext,
    spark: SparkSession,
    directory: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    (directory / "lines.txt").write_text("a\nb\na\n")
    later = time.time() + 30
    os.utime(directory / "lines.txt", (later, later))
    monkeypatch.setattr("sys.argv", ["job.py", str(directory)])
    counts: list[int] = []
    names: dict[str, Any] = {"counts": counts, "__name__": "__main__"}
    new = file(PROGRAM.format(body=WINDOWS[name])).new
    before = spark_context._jsc.getPersistentRDDs().size()
    with contextlib.suppress(StreamingQueryException):
        exec(compile(new, "job.py", "exec"), names)
    assert len(counts) == 3 and max(counts) > 0
    assert spark._jsparkSession.sharedState().cacheManager().isEmpty()
    if name == "RDD code":  # others may have made checkpoints, which go with their last references
        assert spark_context._jsc.getPersistentRDDs().size() <= before
