"""Seconds per batch: DStream, the drop-in, what the codemod writes, and what a person would write today.

    python tests/bench/run.py [words] [state] [tiny] [raw] [--scale 0.01] [--rounds 3]

Every contender is a program in a process of its own, unmodified, that watches a directory. Files are moved
into it between two batches, and what counts is the time from the start of the batch (a multiple of the batch
interval) to the line that the program prints. The contenders take turns, round after round. Sizes are for
--scale 1: a million lines of ten words per batch; a million keys, then ten thousand changed ones per batch;
ten lines; a million lines of a hundred characters.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from migrate.model import Options, Outcome
from migrate.run import run as plan
from migrate.write.journal import replace_all

PROGRAMS = Path(__file__).parent / "programs"
CONTENDERS = ("DStream", "drop-in", "migrated", "hand-written")
SUBMIT = "--master local[2] --driver-memory 5g --conf spark.ui.enabled=false pyspark-shell"
START_SECONDS, BATCH_SECONDS = 12, 120


@dataclass(frozen=True)
class Workload:
    """What is fed to the contenders, and how its result is recognised on their output."""

    interval: int
    batches: int
    """Batches per round; the first is start-up and is not counted."""
    lines: Callable[[int, float], Iterator[str]]
    """The lines of a batch, from its number and the scale."""
    result: Callable[[int, float], str]
    """A pattern for the line that shows that the batch is done."""


def _words(batch: int, scale: float) -> Iterator[str]:
    rng = random.Random(1)
    return (" ".join(f"w{rng.randrange(1000)}" for _ in range(10)) for _ in range(int(1_000_000 * scale)))


def _keys(batch: int, scale: float) -> Iterator[str]:
    size = int(1_000_000 * scale)
    if batch == 0:
        return (f"k{i}" for i in range(size))
    changed = size // 100
    new = [f"new{batch}"]  # one key more per batch, by which the result is recognised
    return iter([f"k{(i * 37 + batch) % size}" for i in range(changed)] + new)


def _sentences(batch: int, scale: float) -> Iterator[str]:
    return (f"w{i % 5} w{i % 3} again" for i in range(10))


def _number(value: int) -> str:
    """A line with this number alone, in a table or not."""
    return rf"^\|?{value}\|?$"


WORKLOADS = {
    "words": Workload(10, 5, _words, lambda batch, scale: r"\bw\d+\b"),
    "state": Workload(10, 5, _keys, lambda batch, scale: _number(int(1_000_000 * scale) + batch)),
    "tiny": Workload(1, 15, _sentences, lambda batch, scale: r"\bagain\b"),
    "raw": Workload(
        10,
        5,
        lambda batch, scale: ("x" * 100 for _ in range(int(1_000_000 * scale))),
        lambda batch, scale: _number(int(1_000_000 * scale) * 100),
    ),
}


@dataclass
class Process:
    """A running program, and when it printed what."""

    program: Path
    work: Path
    arguments: Sequence[str | Path] = ()
    submit: str = SUBMIT
    environment: Mapping[str, str] = field(default_factory=dict)
    printed: list[tuple[float, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        environment = {
            **os.environ,
            "PYTHONUNBUFFERED": "1",
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_SUBMIT_ARGS": self.submit,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(Path.cwd()), os.environ.get("PYTHONPATH")])),
            **self.environment,
        }
        self.errors = (self.work / "stderr").open("w")
        self.child = subprocess.Popen(
            [sys.executable, self.program, *self.arguments],
            cwd=self.work,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.printed.append((time.time(), line))

    def wait_for(self, pattern: str, since: int, seconds: float) -> float | None:
        """When a line that matches was printed, after the first `since` ones; None if none was in time."""
        deadline = time.time() + seconds
        while time.time() < deadline and self.child.poll() is None:
            for when, line in self.printed[since:]:
                if re.search(pattern, line):
                    return when
            time.sleep(0.002)
        return None

    def stop(self) -> None:
        """End the program and all that it started."""
        os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        self.errors.close()


def measure(program: Path, workload: Workload, scale: float, data: list[Path]) -> list[float]:
    """Seconds of every batch but the first."""
    work = Path(tempfile.mkdtemp(prefix="bench-"))
    watched = work / "in"
    watched.mkdir()
    process = Process(program, work, [watched, work / "checkpoint"])
    time.sleep(START_SECONDS)
    try:
        seconds = [_batch(process, workload, scale, number, path) for number, path in enumerate(data)]
    finally:
        process.stop()
        shutil.rmtree(work, ignore_errors=True)
    return seconds[1:]


def _batch(process: Process, workload: Workload, scale: float, number: int, data: Path) -> float:
    """Seconds from the start of the batch that gets `data` to its result.

    A file that was there before the program listened is none of its input: the first one is given again.
    """
    tries = 5 if number == 0 else 1
    limit = 3 * workload.interval + 5 if number == 0 else workload.interval + BATCH_SECONDS
    for attempt in range(tries):
        start = _give(process, workload.interval, data, f"{number}-{attempt}.txt")
        since = len(process.printed)  # the lines of the batch before have come by now
        done = process.wait_for(workload.result(number, scale), since, limit)
        if done is not None:
            return done - start
    raise SystemExit(f"{process.program}: no result\n{(process.work / 'stderr').read_text()[-2000:]}")


def _give(process: Process, interval: int, data: Path, name: str) -> float:
    """Move a copy of `data` into the watched directory between two batches; when the next one starts."""
    copy = process.work / name
    shutil.copy(data, copy)
    start = between_batches(interval)
    os.utime(copy)
    copy.rename(process.work / "in" / name)
    return start


def between_batches(interval: int) -> float:
    """Wait until half of an interval has gone; when the next one starts."""
    time.sleep(interval - (time.time() + interval / 2) % interval)
    return (time.time() // interval + 1) * interval


def contenders(name: str, directory: Path, written: Path = PROGRAMS) -> dict[str, Path]:
    """The four programs of a workload; the codemod makes two of them now, out of the first."""
    programs = {"DStream": written / f"{name}.py", "hand-written": written / f"{name}_structured.py"}
    for contender, target in (("drop-in", Outcome.COMPAT), ("migrated", Outcome.NATIVE)):
        copy = directory / target.value / f"{name}.py"
        copy.parent.mkdir()
        shutil.copy(programs["DStream"], copy)
        planned = plan([copy.parent], Options(target=target))
        (graph,) = planned.result.graphs
        if graph.outcome is not target:
            raise SystemExit(f"{name} did not become {target.value}: {'; '.join(graph.reasons)}")
        replace_all(directory / "journal", {copy: planned.result.files[0].new.encode()})
        programs[contender] = copy
    return {contender: programs[contender] for contender in CONTENDERS}


def compete(name: str, scale: float, rounds: int, console: Console) -> dict[str, list[float]]:
    """Seconds of all counted batches of a workload, by contender."""
    workload = WORKLOADS[name]
    seconds: dict[str, list[float]] = {contender: [] for contender in CONTENDERS}
    with tempfile.TemporaryDirectory(prefix="bench-") as directory:
        programs = contenders(name, Path(directory))
        data = []
        for number in range(workload.batches):
            data.append(Path(directory, f"{number}.txt"))
            data[-1].write_text("".join(line + "\n" for line in workload.lines(number, scale)))
        for turn in range(rounds):
            for contender, program in programs.items():
                measured = measure(program, workload, scale, data)
                seconds[contender] += measured
                console.print(f"{name} {turn + 1}/{rounds} {contender}: {[round(x, 2) for x in measured]}")
    return seconds


def main() -> None:
    """Run the workloads named on the command line, all without one, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workloads", nargs="*", choices=[*WORKLOADS, []], default=[])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    console = Console(highlight=False)
    table = Table(title=f"median seconds per batch, scale {arguments.scale:g}")
    for heading in (
        "workload",
        *CONTENDERS,
        "DStream / drop-in",
        "DStream / migrated",
        "hand-written / migrated",
    ):
        table.add_column(heading, justify="left" if heading == "workload" else "right")
    for name in arguments.workloads or WORKLOADS:
        seconds = compete(name, arguments.scale, arguments.rounds, console)
        old, dropped_in, migrated, by_hand = (statistics.median(seconds[c]) for c in CONTENDERS)
        ratios = (old / dropped_in, old / migrated, by_hand / migrated)
        table.add_row(
            name,
            *(f"{value:.2f}" for value in (old, dropped_in, migrated, by_hand)),
            *(f"{r:.2f}x" for r in ratios),
        )
    console.print(table)


if __name__ == "__main__":
    main()
