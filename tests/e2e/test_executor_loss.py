"""Programs on executors that are killed: nothing is lost, and nothing is counted twice."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.processes import SUBMIT, Program
from tests.e2e.test_kills import Story, check

pytestmark = [pytest.mark.full, pytest.mark.timeout(1200)]


def executors(job: Program) -> list[int]:
    """The processes of the program's executors; they are in the session of its driver."""
    columns = ["ps", "-e", "-ww", "-o", "pid=,pgid=,args="]
    listed = subprocess.run(columns, capture_output=True, text=True, check=True)
    rows = (line.split(None, 2) for line in listed.stdout.splitlines())
    return [
        int(pid)
        for pid, group, command in rows
        if int(group) == job.process.pid and "CoarseGrainedExecutorBackend" in command and "java" in command
    ]


def test_executors_are_killed(tmp_path: Path, start: Callable[..., Program], engine: str) -> None:
    """One of two, and then, when Spark has started another, both."""
    jvm = os.environ["SPARK_SUBMIT_OPTS"]
    submit = SUBMIT.replace("local[2]", "local-cluster[2,1,1024]")
    settings = f"--conf 'spark.executor.extraJavaOptions={jvm}' {submit}"
    cluster = partial(start, PYSPARK_SUBMIT_ARGS=settings, SPARK_LOCAL_IP="127.0.0.1")
    story = Story(tmp_path, cluster, seed=21, engine=engine)
    for count in (1, 2):
        more(story, 2)
        story.job.wait(lambda: len(executors(story.job)) == 2, "two executors")
        before = executors(story.job)
        for process in before[:count]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        story.live(2)
        story.job.wait(lambda: len({*executors(story.job)} - {*before}) >= count, "more executors")  # noqa: B023
    more(story, 2)
    story.finish()
    check(story)


def more(story: Story, batches: int) -> None:
    """Let so many batches more be put out; files come meanwhile."""
    wanted = len(story.read("totals")) + batches

    def done() -> bool:
        story.live(0.3)
        return len(story.read("totals")) >= wanted

    story.job.wait(done, f"{wanted} batches", seconds=300)
