"""Files per second: what `check` and `rewrite` take beside a LibCST parse of the same files.

    python tests/bench/codemod.py [--files 4000] [--copies 40] [--rounds 3] [--programs DIR]

The first tree holds files without streams (the standard library's), the second one programs with streams: the
samples and PySpark's examples, many times over, which are short and little else but streams; or, with
``--programs``, those of a directory, such as checkouts of repositories. Everything is timed in one process,
and with as many as there are cores; of the rounds, which take turns, the fastest one counts. The last column
compares CPU time, that of child processes included, to that of the parse of the same round, and is the median
of the rounds: on a busy machine it says more than the seconds do.
"""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import sysconfig
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import Pool
from pathlib import Path
from statistics import median

from migrate import work
from migrate.garbage import OBJECTS
from migrate.model import Options
from migrate.read.linked import is_seed
from migrate.run import run
from migrate.write.files import write

ROOT = Path(__file__).parents[2]
EXAMPLES = Path("examples", "src", "main", "python", "streaming")
"""In PySpark."""
PARSE = "LibCST parse"
PLAIN = gc.get_threshold()
"""When Python looks for garbage by itself."""


def plain(directory: Path, number: int) -> int:
    """Copy `number` files without streams; how many there are."""
    library = Path(sysconfig.get_path("stdlib"))
    found = [path for path in sorted(library.rglob("*.py")) if "site-packages" not in path.parts][:number]
    for position, path in enumerate(found):
        folder = directory / f"part{position % 40}"
        folder.mkdir(exist_ok=True)
        shutil.copy(path, folder / f"m{position}.py")
    return len(found)


def programs(directory: Path, copies: int) -> int:
    """Copy the programs with streams `copies` times; how many files that gives."""
    import pyspark  # not above: the command's processes import this module, and no PySpark

    examples = Path(pyspark.__file__).parent / EXAMPLES
    found = [*sorted((ROOT / "samples" / "legacy").glob("*.py")), *sorted(examples.glob("*.py"))]
    for copy in range(copies):
        folder = directory / f"copy{copy}"
        folder.mkdir()
        for path in found:
            shutil.copy(path, folder / path.name)
    return copies * len(found)


def programs_of(source: Path, directory: Path) -> int:
    """Copy the programs with streams below `source` that LibCST can parse; how many files that gives."""
    number = 0
    for path in sorted(source.rglob("*.py")):
        data = path.read_bytes()
        if is_seed(data) and is_parsed(data):
            folder = directory / f"program{number}"
            folder.mkdir()
            shutil.copy(path, folder / path.name)
            number += 1
    return number


def is_parsed(data: bytes) -> bool:
    """Whether LibCST can parse a file: it is in Python 3, and in an encoding that it knows."""
    import libcst

    try:
        libcst.parse_module(data)
    except (libcst.ParserSyntaxError, UnicodeDecodeError):
        return False
    return True


def parse(path: Path) -> None:
    """Parse one file with LibCST and nothing else."""
    import libcst

    libcst.parse_module(path.read_bytes())


def libcst_alone(directory: Path) -> None:
    """Parse every file in this process."""
    for path in directory.rglob("*.py"):
        parse(path)


def libcst_with_all(directory: Path) -> None:
    """Parse every file, one process per core."""
    with Pool(work._cores()) as pool:
        pool.map(parse, list(directory.rglob("*.py")), chunksize=20)


def check(directory: Path) -> None:
    """Everything that `check` does but printing."""
    run([directory], Options(), write=False)


def rewrite(directory: Path) -> None:
    """Everything that `rewrite` does but printing."""
    planned = run([directory], Options())
    write(planned.result, planned.base, force=True)


def alone(job: Callable[[Path], None]) -> Callable[[Path], None]:
    """`job` in this process only."""

    def do(directory: Path) -> None:
        cores, work._cores = work._cores, lambda: 1
        try:
            job(directory)
        finally:
            work._cores = cores

    return do


@dataclass
class Times:
    """The seconds that a job took, round by round."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def share(self, other: Times) -> float:
        """The CPU time beside that of another job in the same round: the median."""
        return median(own / others for own, others in zip(self.cpu, other.cpu, strict=True))


def timed(jobs: dict[str, Callable[[Path], None]], source: Path, rounds: int) -> dict[str, Times]:
    """The times of each job, on a fresh copy of `source` each time; the jobs take turns."""
    times = {name: Times() for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            with tempfile.TemporaryDirectory() as scratch:
                tree = Path(shutil.copytree(source, Path(scratch) / "tree"))
                gc.collect()  # what the job before leaves is not this one's
                gc.set_threshold(*(PLAIN if name == PARSE else (OBJECTS, *PLAIN[1:])))  # as the command does
                began, used = time.perf_counter(), cpu_seconds()
                job(tree)
                times[name].wall.append(time.perf_counter() - began)
                times[name].cpu.append(cpu_seconds() - used)
    return times


def cpu_seconds() -> float:
    """The CPU time of this process, and of its children that have ended."""
    return sum(os.times()[:4])


def main() -> None:
    """Measure and print a table."""
    from rich.console import Console
    from rich.table import Table

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=4000)
    parser.add_argument("--copies", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--programs", type=Path, metavar="DIR")
    chosen = parser.parse_args()
    table = Table("files", "job", "processes", "seconds", "files/s", "of a LibCST parse", "its CPU time")
    cores = str(work._cores())
    with tempfile.TemporaryDirectory() as scratch:
        without, streams = Path(scratch, "without"), Path(scratch, "with")
        without.mkdir()
        streams.mkdir()
        number = plain(without, chosen.files)
        seconds = min(timed({"check": check}, without, chosen.rounds)["check"].wall)
        table.add_row("without streams", "check", "1", f"{seconds:.2f}", f"{number / seconds:,.0f}", "", "")
        if chosen.programs is None:
            number = programs(streams, chosen.copies)
        else:
            number = programs_of(chosen.programs, streams)
        rivals: tuple[tuple[str, dict[str, Callable[[Path], None]]], ...] = (
            ("1", {PARSE: libcst_alone, "check": alone(check), "rewrite": alone(rewrite)}),
            (cores, {PARSE: libcst_with_all, "check": check, "rewrite": rewrite}),
        )
        for processes, jobs in rivals:
            times = timed(jobs, streams, chosen.rounds)
            parsing = times[PARSE]
            for name, own in times.items():
                seconds = min(own.wall)
                shares = (f"{seconds / min(parsing.wall):.2f}", f"{own.share(parsing):.2f}")
                row = (name, processes, f"{seconds:.2f}", f"{number / seconds:,.0f}", *shares)
                table.add_row("with streams", *row)
    Console().print(table)


if __name__ == "__main__":
    main()
