"""CPU and wall seconds of a batch, DStream beside the drop-in.

    python -m tests.bench.costs ["ten rows" ...] [--rounds 7] [--batches N] [--every N] [--calls]

The two take turns, each time in a process of its own. A row has the medians of the rounds; with `--every`
there is one for each so many batches, which tells whether the cost grows with uptime. CPU is that of all
processes below the driver, divided by the batches; at high load it tells more than seconds by the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench.costs.workloads import WORKLOADS

ENGINES = ("rdd", "structured")
Lines = list[dict[str, float]]
"""What one run printed: the first output, then a line for so many batches each."""


def lines(workload: str, engine: str, options: Sequence[str]) -> Lines:
    """Run a workload once. Raises CalledProcessError if it fails."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.bench.costs.one", workload, engine, *options]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, cwd=Path.cwd(), env=environment
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def medians(runs: Sequence[Lines]) -> Lines:
    """Line by line, of runs that printed as many."""
    return [
        {name: statistics.median(line[name] for line in alike) for name in alike[0]}
        for alike in zip(*runs, strict=True)
    ]


def rows(workload: str, by_engine: dict[str, Lines], table: Table) -> None:
    """Add what was measured."""
    old, new = (by_engine[engine] for engine in ENGINES)
    first = (old[0]["first"], new[0]["first"])
    table.add_row(f"{workload}: first output", "", "", "", *_figures(*first, 1), "")
    for number, (before, after) in enumerate(zip(old[1:], new[1:], strict=True), 1):
        name = workload if len(old) == 2 else f"{workload}, {number}"
        calls = f"{before['calls']:.0f} / {after['calls']:.0f}" if after["calls"] else ""
        times = (_figures(before[kind], after[kind], 3) for kind in ("cpu", "wall"))
        table.add_row(name, *(figure for kind in times for figure in kind), calls)


def _figures(old: float, new: float, digits: int) -> tuple[str, str, str]:
    return f"{old:.{digits}f}", f"{new:.{digits}f}", f"{new / old:.2f}x"


def main() -> None:
    """Run the workloads named on the command line, all without one, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workloads", nargs="*", choices=[*WORKLOADS, []], default=[])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--batches", type=int, help="how many count, in each run")
    parser.add_argument("--every", type=int, help="for how many there is a row")
    parser.add_argument("--calls", action="store_true", help="count the calls to the JVM, too")
    chosen = parser.parse_args()
    options = ["--calls"] if chosen.calls else []
    for name in ("batches", "every"):
        given = getattr(chosen, name)
        options += [] if given is None else [f"--{name}", str(given)]
    console = Console(highlight=False)
    table = Table("workload", "CPU rdd", "structured", "ratio", "wall rdd", "structured", "ratio", "calls")
    for workload in chosen.workloads or WORKLOADS:
        runs: dict[str, list[Lines]] = {engine: [] for engine in ENGINES}
        for turn in range(chosen.rounds):
            for engine in ENGINES:
                runs[engine].append(lines(workload, engine, options))
                console.print(f"{workload} {turn + 1}/{chosen.rounds} {engine}: {runs[engine][-1]}")
        rows(workload, {engine: medians(runs[engine]) for engine in ENGINES}, table)
    console.print(table)


if __name__ == "__main__":
    main()
