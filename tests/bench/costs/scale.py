"""What one key, one partition and one file more cost the drop-in, and what that makes of a large job.

    python -m tests.bench.costs.scale [--rounds 3]

Each cost is the difference between a small and a large run, divided by how much larger it is: CPU seconds of
all processes, bytes of memory for keys, seconds by the clock for files that the driver only lists. The
projection multiplies them; it knows no network, and takes for granted that cores share the work evenly.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.bench.costs.run import Run, figures
from tests.bench.costs.workloads import WORKLOADS, Workload, ten_lines

KEYS = (200_000, 1_000_000)
PARTITIONS = (50, 400)
OLD_FILES = (1_000, 20_000)
JOB = {"keys": 100_000_000, "cores": 400, "partitions": 1_000, "files": 100_000}
CHANGED = 100
"""One key in so many changes in a batch."""


def with_keys(number: int) -> Workload:
    """A state of so many keys."""

    def texts(batch: int) -> list[str]:
        if batch == 1:
            return ["".join(f"k{i}\n" for i in range(number))]
        return ["".join(f"k{(i * 37 + batch) % number}\n" for i in range(number // CHANGED))]

    return replace(WORKLOADS["a million keys"], texts=texts, warm=3, batches=6)


def with_partitions(number: int) -> Workload:
    """A batch of so many partitions with ten lines each, as of Kafka."""
    return replace(WORKLOADS["ten rows"], texts=lambda _: ten_lines(1) * number, warm=3, batches=6)


@contextmanager
def running(workload: Workload, old_files: int = 0) -> Iterator[Run]:
    """The workload on the drop-in, in a directory with files from before its start."""
    work = Path(tempfile.mkdtemp(prefix="bench-"))
    run = Run(workload, "structured", work)
    try:
        for number in range(old_files):
            file = work / "in" / f"old{number}"
            file.touch()
            os.utime(file, (0, 0))
        yield run
    finally:
        run.stop()
        shutil.rmtree(work, ignore_errors=True)


def measured(workload: Workload, old_files: int = 0) -> dict[str, float]:
    """CPU and wall seconds of a batch, and the bytes of what it keeps."""
    with running(workload, old_files) as run:
        (line,) = figures(run, workload, workload.batches, workload.batches)
        java: Any = run.context._jsc.sc()
        kept = max((info.memSize() for info in java.getRDDStorageInfo()), default=0)
        return {**line, "bytes": float(kept)}


Runs = list[tuple[dict[str, float], dict[str, float]]]
"""Of a small and a large run each."""


def runs(make: Callable[[int], dict[str, float]], sizes: tuple[int, int], rounds: int) -> Runs:
    """The two, turn by turn."""
    return [(make(sizes[0]), make(sizes[1])) for _ in range(rounds)]


def slope(measured: Runs, sizes: tuple[int, int], figure: str) -> float:
    """How much a figure grows with one more."""
    grown = statistics.median(large[figure] - small[figure] for small, large in measured)
    return grown / (sizes[1] - sizes[0])


def costs(rounds: int) -> dict[str, float]:
    """What one more costs."""
    keys = runs(lambda number: measured(with_keys(number)), KEYS, rounds)
    partitions = runs(lambda number: measured(with_partitions(number)), PARTITIONS, rounds)
    files = runs(lambda number: measured(WORKLOADS["ten rows"], number), OLD_FILES, rounds)
    return {
        "CPU seconds of a batch for a key": slope(keys, KEYS, "cpu"),
        "bytes of memory for a key": slope(keys, KEYS, "bytes"),
        "CPU seconds of a batch for a partition": slope(partitions, PARTITIONS, "cpu"),
        "seconds of the driver for a file that is listed": slope(files, OLD_FILES, "wall"),
    }


def projected(cost: Mapping[str, float]) -> dict[str, str]:
    """The same for a large job."""
    key, size, partition, file = cost.values()
    keys, cores, partitions, files = JOB.values()
    return {
        f"{keys:,} keys on {cores} cores, a batch": f"{keys * key / cores:.2f} s",
        f"{keys:,} keys, memory": f"{keys * size / 2**30:.1f} GiB",
        f"{partitions:,} partitions on {cores} cores, a batch": f"{partitions * partition / cores:.2f} s",
        f"{files:,} files in the directory, a batch": f"{files * file:.2f} s",
    }


def main() -> None:
    """Measure, and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    cost = costs(parser.parse_args().rounds)
    one, job = Table("one more", "costs"), Table("a job", "takes")
    for name, value in cost.items():
        one.add_row(name, f"{value:.2e}")
    for name, text in projected(cost).items():
        job.add_row(name, text)
    console = Console(highlight=False)
    console.print(one)
    console.print(job)


if __name__ == "__main__":
    main()
