"""A workload on one engine, batch after batch as fast as they go: the clock is moved by hand."""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from py4j.clientserver import JavaClient
from pyspark import RDD, SparkConf, SparkContext

from compat.streaming import StreamingContext
from tests.bench.costs import cpu
from tests.bench.costs.workloads import Workload

LATE_SECONDS = 300
_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "4g",
    "spark.streaming.clock": "org.apache.spark.util.ManualClock",
}
_done = threading.Semaphore(0)


def finish_batch() -> None:
    """Tell the run that a batch was put out; by its name a checkpoint can hold what calls it."""
    _done.release()


class Run:
    """A workload that runs.

    Args:
        workload: what is run.
        engine: ``rdd`` or ``structured``.
        work: an empty directory.
    """

    def __init__(self, workload: Workload, engine: str, work: Path) -> None:
        self._source = workload.source(work, workload.texts)
        self._number = 0
        conf = SparkConf().setMaster("local[2]").setAppName("costs").setAll(list(_SETTINGS.items()))
        self.context = SparkContext(conf=conf)
        self.context.setLogLevel("ERROR")
        self._stream = StreamingContext(self.context, 1, engine=engine)
        self._stream.checkpoint(str(work / "checkpoint"))
        output = workload.output

        def put_out(when: datetime, rdd: RDD[Any]) -> None:
            output(rdd)
            finish_batch()

        workload.program(self._source.stream(self._stream)).foreachRDD(put_out)
        self._stream.start()

    def batch(self) -> float:
        """Run a batch to the end of its output. Returns how many seconds that took."""
        self._number += 1
        self._source.put(self._number)
        begun = time.perf_counter()
        self._stream._engine.advance_clock(1000)
        if not _done.acquire(timeout=LATE_SECONDS):
            self._stream.awaitTerminationOrTimeout(0.001)  # raises its error
            raise SystemExit(f"batch {self._number} was not done within {LATE_SECONDS} s")
        return time.perf_counter() - begun

    def stop(self) -> None:
        """End it, and Spark."""
        self._stream.stop()
        self._source.close()

    @property
    def cpu_seconds(self) -> float:
        """Of this process and all below it, but those that only bring the input."""
        return cpu.seconds(os.getpid(), self._source.helpers)


def figures(run: Run, workload: Workload, batches: int, every: int) -> Iterator[dict[str, float]]:
    """What a batch takes: the median of seconds by the clock, the mean of CPU seconds and of calls.

    For each `every` of so many batches, after those that do not count.
    """
    for _ in range(workload.warm):
        run.batch()
    for first in range(0, batches, every):
        used, calls = run.cpu_seconds, Calls.number
        taken = [run.batch() for _ in range(min(every, batches - first))]
        used, calls = run.cpu_seconds - used, Calls.number - calls
        number = len(taken)
        yield {"wall": statistics.median(taken), "cpu": used / number, "calls": calls / number}


class Calls:
    """The calls of all threads to the JVM."""

    number = 0

    @classmethod
    def count(cls) -> None:
        """Count them from now on, those not that let go of an object: they come when they like."""
        send = JavaClient.send_command

        def counting(self: Any, command: str, *args: Any, **kwargs: Any) -> Any:
            cls.number += not command.startswith("m\nd\n")
            return send(self, command, *args, **kwargs)

        JavaClient.send_command = counting
