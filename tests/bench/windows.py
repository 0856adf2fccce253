"""Seconds per batch of a sliding window: DStream, the drop-in, and what the codemod writes.

    python -m tests.bench.windows [3 30 300] [--words 100000] [--interval 2] [--batches 10] [--only migrated]

Every contender counts words with `reduceByKeyAndWindow`, once with an inverse and once without, and watches a
directory. It gets a file in every interval, until the window is full and then for the batches that count.
What counts is the time from the start of a batch to the line with the word that only its file has. A
contender that needs more than the interval falls behind, and its seconds grow: so does the last column, the
later half of these batches to the earlier one, if cost grows with uptime. A window of 300 batches takes ten
minutes to fill, for each contender and function: `--only` and `--function` measure a part of them.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench.run import BATCH_SECONDS, START_SECONDS, Process, between_batches, contenders

PROGRAM = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="windows")
sc.setCheckpointDir(sys.argv[2])
ssc = StreamingContext(sc, {interval})
lines = ssc.textFileStream(sys.argv[1])
pairs = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
counts = pairs.reduceByKeyAndWindow(lambda a, b: a + b, {inverse}, {length}, {interval})
counts.map(lambda pair: pair[0]).reduce(lambda a, b: max(a, b)).pprint()
ssc.start()
ssc.awaitTermination()
"""
INVERSES = {"no inverse": "None", "inverse": "lambda a, b: a - b"}
CONTENDERS = ("DStream", "drop-in", "migrated")
IN_LINE, DIFFERENT = 10, 1000


def text(number: int, words: int) -> str:
    """The file of a batch; its last word, the greatest of all so far, is in no other."""
    rng = random.Random(1)
    lines = (
        " ".join(f"w{rng.randrange(DIFFERENT)}" for _ in range(IN_LINE)) for _ in range(words // IN_LINE)
    )
    return "\n".join([*lines, mark(number)]) + "\n"


def mark(number: int) -> str:
    """The word by which a batch is recognised."""
    return f"x{number:06d}"


def measure(program: Path, work: Path, length: int, chosen: argparse.Namespace) -> list[float]:
    """Seconds of the batches after the window is full."""
    watched = work / "in"
    watched.mkdir(parents=True)
    process = Process(program, work, [watched, work / "checkpoint"])
    time.sleep(START_SECONDS)
    try:
        _warm_up(process, chosen)
        starts = [_give(process, number, chosen) for number in range(1, length + chosen.batches + 1)]
        counted = [*enumerate(starts, 1)][length:]
        return [_done(process, number) - start for number, start in counted]
    finally:
        process.stop()


def _warm_up(process: Process, chosen: argparse.Namespace) -> None:
    """Give the first batch until the program, which does not see what was there before it, has put it out."""
    for _ in range(5):
        _give(process, 0, chosen)
        if process.wait_for(mark(0), 0, 3 * chosen.interval + 5) is not None:
            return
    raise SystemExit(f"{process.program}: no result\n{(process.work / 'stderr').read_text()[-2000:]}")


def _give(process: Process, number: int, chosen: argparse.Namespace) -> float:
    """Move a file into the watched directory between two batches; when the next one starts."""
    name = f"{number}-{time.time_ns()}.txt"
    (process.work / name).write_text(text(number, chosen.words))
    start = between_batches(chosen.interval)
    os.utime(process.work / name)
    (process.work / name).rename(process.work / "in" / name)
    return start


def _done(process: Process, number: int) -> float:
    """When a batch was put out, or one after it, into which a late one was merged."""
    later = "|".join(mark(other) for other in range(number, number + 100))
    done = process.wait_for(later, 0, BATCH_SECONDS)
    if done is None:
        raise SystemExit(f"{process.program}: no result\n{(process.work / 'stderr').read_text()[-2000:]}")
    return done


def growth(seconds: list[float]) -> float:
    """How many times as long the later half of some batches takes."""
    half = len(seconds) // 2
    return statistics.median(seconds[half:]) / statistics.median(seconds[:half])


def main() -> None:
    """Have each contender count in each window, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("windows", nargs="*", type=int, default=[3, 30, 300], help="lengths in batches")
    parser.add_argument("--words", type=int, default=100_000, help="words in a batch")
    parser.add_argument("--interval", type=int, default=2, help="seconds")
    parser.add_argument("--batches", type=int, default=10, help="batches that count, two or more")
    parser.add_argument("--only", nargs="+", choices=CONTENDERS, default=CONTENDERS, help="contenders")
    parser.add_argument("--function", nargs="+", choices=[*INVERSES], default=[*INVERSES])
    chosen = parser.parse_args()
    console = Console(highlight=False)
    table = Table("window", "function", "contender", "seconds", "DStream / it", "later / earlier")
    for length in chosen.windows:
        for function in chosen.function:
            with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as directory:
                source = PROGRAM.format(
                    interval=chosen.interval, inverse=INVERSES[function], length=length * chosen.interval
                )
                Path(directory, "windows.py").write_text(source)
                programs = contenders("windows", Path(directory), Path(directory))
                old = 0.0
                for contender in chosen.only:
                    seconds = measure(programs[contender], Path(directory, contender), length, chosen)
                    console.print(f"{length}, {function}, {contender}: {[round(x, 2) for x in seconds]}")
                    median = statistics.median(seconds)
                    old = median if contender == "DStream" else old
                    beside = f"{old / median:.2f}x" if old else ""
                    figures = (f"{median:.2f}", beside, f"{growth(seconds):.2f}x")
                    table.add_row(f"{length}", function, contender, *figures)
    console.print(table)


if __name__ == "__main__":
    main()
