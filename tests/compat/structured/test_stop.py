"""What a stop leaves in the log: nothing that looks like an error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.statements import wait_until

PROGRAM = """
import logging, threading, time

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from compat.streaming import StreamingContext

logging.basicConfig(level=logging.WARNING)
conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
sc = SparkContext(conf=conf)


def plain(ssc):
    return ssc.queueStream([[1], [2]])


def streaming_rows(ssc):
    spark = SparkSession.builder.getOrCreate()
    return ssc.from_df(spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load())


def stop_while_it_runs(stream_of):
    ssc = StreamingContext(sc, 1, engine="structured")
    begun = threading.Event()

    def first(rdd):
        begun.set()
        while not ssc._engine._running.over:
            time.sleep(0.01)

    stream = stream_of(ssc)
    stream.foreachRDD(first)
    stream.foreachRDD(lambda rdd: print("not reached"))
    ssc.start()
    ssc._engine.advance_clock(1000)
    assert begun.wait(120)
    ssc.stop(stopSparkContext=False)


def stop_while_it_waits(stream_of):
    ssc = StreamingContext(sc, 1, engine="structured")
    done = threading.Event()
    stream_of(ssc).foreachRDD(lambda rdd: done.set())
    ssc.start()
    ssc._engine.advance_clock(1000)
    assert done.wait(120)
    ssc.stop(stopSparkContext=False)


for stream_of in (plain, streaming_rows):
    stop_while_it_runs(stream_of)
    stop_while_it_waits(stream_of)
print("stopped")
sc.stop()
"""


def test_a_plain_stop_logs_no_error(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    run = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, env=os.environ.copy(), timeout=600
    )
    assert run.stdout == "stopped\n", run.stderr
    assert "ERROR" not in run.stderr
    assert "Traceback" not in run.stderr


LEFT = """
import os, sys, threading

from pyspark import SparkContext

from compat.streaming import StreamingContext

sc = SparkContext("local[1]", "left")
ssc = StreamingContext(sc, 1, engine="structured")
done = threading.Event()
ssc.queueStream([[1]]).foreachRDD(lambda rdd: done.set())
ssc.start()
assert done.wait(120)
print(len([name for name in os.listdir(os.environ["TMPDIR"]) if name.startswith("compat-query")]))
sys.stdout.flush()
os._exit(0)
"""


def test_a_killed_driver_leaves_no_temporary_files(tmp_path: Path) -> None:
    """The JVM outlives it for a moment, and tidies up."""
    program, temporary = tmp_path / "program.py", tmp_path / "tmp"
    program.write_text(LEFT)
    temporary.mkdir()
    environment = os.environ | {"TMPDIR": str(temporary)}
    run = subprocess.run(
        [sys.executable, str(program)], stdout=subprocess.PIPE, text=True, env=environment, timeout=300
    )
    assert run.stdout == "1\n"
    wait_until(lambda: not list(temporary.glob("compat-query*")), "the JVM to tidy up", timeout=60)
