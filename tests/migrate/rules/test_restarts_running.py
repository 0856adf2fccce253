"""Streams made outside of the function of `getOrCreate`: DStream fails at a start with a checkpoint."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

points, watched = sys.argv[1:]

def create():
    print("anew")
    ssc = StreamingContext(SparkContext("local[2]", "restarts"), 1)
    ssc.checkpoint(points)
    return ssc

ssc = StreamingContext.getOrCreate(points, create)
lines = ssc.textFileStream(watched)
lines.foreachRDD(lambda rdd: print("batch"))
ssc.start()
ssc.awaitTerminationOrTimeout(10)
ssc.stop()
"""


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_start_with_a_checkpoint_fails_before_its_first_batch(tmp_path: Path) -> None:
    program, watched = tmp_path / "program.py", tmp_path / "watched"
    program.write_text(PROGRAM)
    watched.mkdir()
    command = [sys.executable, str(program), str(tmp_path / "points"), str(watched)]
    first, second = (subprocess.run(command, capture_output=True, text=True) for _ in range(2))
    assert "anew" in first.stdout and "batch" in first.stdout
    assert second.stdout == ""
    assert second.returncode != 0
    assert "has not been initialized" in second.stderr
