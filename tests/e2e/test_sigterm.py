"""SIGTERM to `spark-submit`, which stops a program as a StreamingContext of Spark does."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.processes import Program, drop

JOB = """\
import os, sys, time
base, graceful = sys.argv[1:]
if "PYSPARK_GATEWAY_PORT" not in os.environ:
    import pyspark
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable  # that of workers has no compat
    submit = os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-submit")
    settings = {
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.shutdown.timeout": "200s",
        "spark.streaming.stopGracefullyOnShutdown": graceful,
    }
    pairs = [word for setting in settings.items() for word in ("--conf", "=".join(setting))]
    os.execv(submit, [submit, *pairs, *sys.argv])

from pyspark import SparkContext
from compat.streaming import StreamingContext

def put(when, rdd):
    number = str(round(when.timestamp()))
    open(os.path.join(base, "begun", number), "w").close()
    while not os.path.exists(os.path.join(base, "go")):
        time.sleep(0.05)
    words = rdd.collect()
    with open(os.path.join(base, "done", number), "w") as file:
        file.write(" ".join(words))

ssc = StreamingContext(SparkContext(), 1)
ssc.textFileStream(os.path.join(base, "in")).foreachRDD(put)
ssc.start()
ssc.awaitTermination()
"""


def terminated(base: Path, start: Callable[..., Program], engine: str, graceful: str) -> Program:
    """A program that gets SIGTERM within its first batch."""
    for name in ("begun", "done", "in"):
        (base / name).mkdir()
    (base / "job.py").write_text(JOB)
    job = start(base / "job.py", base, graceful, COMPAT_ENGINE=engine)
    job.wait(lambda: any((base / "begun").iterdir()), "a batch")
    drop(base / "in", "late", ["late"])
    job.process.send_signal(signal.SIGTERM)
    return job


def test_a_graceful_stop_runs_batches_to_their_end(tmp_path: Path, start: Callable[..., Program]) -> None:
    """On `rdd` with a local master it does not: Spark ends the executor before it stops the context."""
    job = terminated(tmp_path, start, "structured", graceful="true")
    (tmp_path / "go").touch()
    job.process.wait(200)
    begun, done = list((tmp_path / "begun").iterdir()), list((tmp_path / "done").iterdir())
    assert {path.name for path in begun} == {path.name for path in done}
    assert "late" in "".join(path.read_text() for path in done)
    assert "Traceback" not in job.errors


@pytest.mark.parametrize("engine", [pytest.param("rdd", marks=pytest.mark.full), "structured"])
def test_any_other_stop_cuts_the_batch_off(
    tmp_path: Path, start: Callable[..., Program], engine: str
) -> None:
    job = terminated(tmp_path, start, engine, graceful="false")
    job.process.wait(200)
    assert not list((tmp_path / "done").iterdir())
