"""Run one workload on one engine.

    python -m tests.bench.costs.one WORKLOAD rdd|structured [--batches N] [--every N] [--calls]

Prints JSON: first the seconds from the start of this process to the first output, then a line for each
`--every` batches, with the seconds by the clock and of CPU, of all processes, that one batch took. `--calls`
adds the calls to the JVM, and takes some CPU itself.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
from pathlib import Path

from tests.bench.costs.run import Calls, Run, figures
from tests.bench.costs.workloads import WORKLOADS


def begun() -> float:
    """When this process began, in seconds since the epoch."""
    ticks = int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
    up = float(Path("/proc/uptime").read_text().split()[0])
    return time.time() - up + ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("engine", choices=["rdd", "structured"])
    parser.add_argument("--batches", type=int, help="how many count")
    parser.add_argument("--every", type=int, help="for how many there is a line")
    parser.add_argument("--calls", action="store_true")
    chosen = parser.parse_args()
    os.environ["PYTHONPATH"] = str(Path.cwd())  # the workers import the workloads
    if chosen.calls:
        Calls.count()
    workload = WORKLOADS[chosen.workload]
    batches = chosen.batches or workload.batches
    work = Path(tempfile.mkdtemp(prefix="bench-"))
    try:
        run = Run(workload, chosen.engine, work)
        run.batch()
        print(json.dumps({"first": time.time() - begun()}), flush=True)
        for line in figures(run, workload, batches, chosen.every or batches):
            print(json.dumps(line), flush=True)
        run.stop()
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
