"""SIGTERM to `spark-submit`, which stops a program as a StreamingContext of Spark does."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pyspark
import pytest

from tests.e2e.processes import Program, drop, free_port
from tests.statements import wait_until

JOB = """\
import os, sys, time
base, master, graceful = sys.argv[1:]
if "PYSPARK_GATEWAY_PORT" not in os.environ:
    import pyspark
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable  # that of workers has no compat
    submit = os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-submit")
    settings = {
        "spark.master": master,
        "spark.executor.memory": "1g",
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

sc = SparkContext()
sc.parallelize([0]).count()  # an executor is there: Spark waits for a graceful stop no longer than 30 seconds
ssc = StreamingContext(sc, 1)
ssc.textFileStream(os.path.join(base, "in")).foreachRDD(put)
ssc.start()
ssc.awaitTermination()
"""


def terminated(
    base: Path, start: Callable[..., Program], engine: str, graceful: str, master: str = "local[2]"
) -> Program:
    """A program that gets SIGTERM within its first batch."""
    for name in ("begun", "done", "in"):
        (base / name).mkdir()
    (base / "job.py").write_text(JOB)
    job = start(base / "job.py", base, master, graceful, COMPAT_ENGINE=engine)
    job.wait(lambda: any((base / "begun").iterdir()), "a batch")
    drop(base / "in", "late", ["late"])
    job.process.send_signal(signal.SIGTERM)
    return job


def check_graceful(base: Path, job: Program) -> None:
    """All batches that began were put out, and what came before the signal is among them."""
    (base / "go").touch()
    job.process.wait(200)
    begun, done = list((base / "begun").iterdir()), list((base / "done").iterdir())
    assert {path.name for path in begun} == {path.name for path in done}
    assert "late" in "".join(path.read_text() for path in done)


def test_a_graceful_stop_runs_batches_to_their_end(tmp_path: Path, start: Callable[..., Program]) -> None:
    """On `rdd` with a local master it does not: Spark ends the executor before it stops the context."""
    job = terminated(tmp_path, start, "structured", graceful="true")
    check_graceful(tmp_path, job)
    assert "Traceback" not in job.errors


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a master, with a worker that starts executors; nobody sends them a signal."""
    port = free_port()
    address = f"spark://127.0.0.1:{port}"
    place = ["--host", "127.0.0.1", "--webui-port", "0"]
    master = ["org.apache.spark.deploy.master.Master", *place, "--port", str(port)]
    worker = ["org.apache.spark.deploy.worker.Worker", *place, "--cores", "2", "--memory", "2g"]
    worker += ["-d", str(tmp_path / "work"), address]
    classes = str(Path(pyspark.__file__).parent / "bin/spark-class")
    running = []
    with (tmp_path / "cluster.log").open("wb") as log:
        for command in (master, worker):
            started = subprocess.Popen(
                [classes, *command], stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
            running.append(started)
    said = (tmp_path / "cluster.log").read_text
    wait_until(lambda: "Successfully registered with master" in said(), "a cluster", timeout=120)
    yield address
    for process in running:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.full
@pytest.mark.parametrize("engine", ["rdd", "structured"])
def test_a_graceful_stop_on_a_cluster(
    tmp_path: Path, start: Callable[..., Program], cluster: str, engine: str
) -> None:
    check_graceful(tmp_path, terminated(tmp_path, start, engine, "true", cluster))


@pytest.mark.parametrize("engine", [pytest.param("rdd", marks=pytest.mark.full), "structured"])
def test_any_other_stop_cuts_the_batch_off(
    tmp_path: Path, start: Callable[..., Program], engine: str
) -> None:
    job = terminated(tmp_path, start, engine, graceful="false")
    job.process.wait(200)
    assert not list((tmp_path / "done").iterdir())
