"""A program that runs for long, a batch a second, and what it costs as time goes by.

``python -m tests.e2e.soak --minutes 60`` prints a row a minute. It reads files and a socket, and has state,
a window and a window with an inverse."""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.processes import Program, Server, drop

JOB = """\
import json, operator, os, sys, time
from pyspark import SparkContext
from compat.streaming import StreamingContext

base, port = sys.argv[1:]

def put(name):
    def write(when, rdd):
        counts = dict(rdd.collect())
        row = {"second": round(when.timestamp()), "late": time.time() - when.timestamp(), "counts": counts}
        with open(os.path.join(base, name), "a") as out:
            out.write(json.dumps(row) + "\\\\n")
    return write

sc = SparkContext(appName="soak")
sc.setLogLevel("ERROR")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(os.path.join(base, "checkpoint"))
lines = ssc.textFileStream(os.path.join(base, "in")).union(ssc.socketTextStream("127.0.0.1", int(port)))
words = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))
words.reduceByKey(operator.add, 2).foreachRDD(put("batch"))
words.window(10).reduceByKey(operator.add, 2).foreachRDD(put("window"))
words.reduceByKeyAndWindow(operator.add, operator.sub, 30, 1, 2).foreachRDD(put("inverse"))
words.updateStateByKey(lambda new, last: sum(new) + (last or 0), 2).foreachRDD(put("total"))
ssc.start()
ssc.awaitTermination()
""".replace("\\\\n", "\\n")
NAMES = ("batch", "window", "inverse", "total")
WORDS = 200
"""Different words."""


@dataclass(frozen=True)
class Figures:
    """A minute of the run."""

    minute: int
    batches: int
    """How many were put out."""
    late: float
    """Seconds from a batch's time to the end of its last output, the median."""
    latest: float
    """The same, the longest."""
    cpu: float
    """Seconds of all processes."""
    memory: int
    """MB of all processes, resident."""
    threads: int
    descriptors: int
    """Files and sockets that the driver's processes have open."""
    files: int
    """In the checkpoint."""
    kilobytes: int
    """Of these files."""


class Soak:
    """The program, and what it was sent.

    Args:
        base: a directory for it.
        seed: of what is sent.
    """

    def __init__(self, base: Path, seed: int) -> None:
        self._base = base
        self._random = random.Random(seed)
        self._files = 0
        self.sent: Counter[str] = Counter()
        self.figures: list[Figures] = []
        self._cpu = 0.0
        (base / "in").mkdir()
        (base / "job.py").write_text(JOB)
        self._server = Server()
        self.job = Program(base / "job.py", base, self._server.port, work=base)

    def run(self, minutes: float) -> Iterable[Figures]:
        """Send words for so long; a row a minute."""
        self.job.wait(lambda: bool(self.rows("batch")) and bool(self._server.accepted), "a first batch")
        end = time.monotonic() + minutes * 60
        seen = len(self.rows("batch"))
        self._cpu = self._processes()[0]
        while time.monotonic() < end:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                assert self.job.process.poll() is None, self.job.errors[-3000:]
                self._send()
                time.sleep(self._random.uniform(0.1, 0.5))
            rows = self.rows("batch")
            self.figures.append(self._figures(rows[seen:]))
            seen = len(rows)
            yield self.figures[-1]

    def finish(self) -> None:
        """Wait until all that was sent is put out."""
        all_are_there = lambda: self.rows("total")[-1]["counts"] == self.sent  # noqa: E731
        self.job.catch_up(all_are_there, lambda: len(self.rows("total")), "all words")

    def close(self) -> None:
        """End the program, whatever it does."""
        self.job.kill()
        self._server.close()

    def rows(self, name: str) -> list[dict]:
        """What was put out, batch by batch; a line that is being written is none yet."""
        try:
            text = (self._base / name).read_text()
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    def _send(self) -> None:
        words = [f"w{self._random.randrange(WORDS)}" for _ in range(self._random.randint(1, 50))]
        self.sent.update(words)
        if self._random.random() < 0.5:
            drop(self._base / "in", f"{self._files}", [" ".join(words)])
            self._files += 1
        else:
            self._server.send(" ".join(words))

    def _figures(self, rows: list[dict]) -> Figures:
        late = [row["late"] for row in rows]
        cpu, memory, threads, descriptors = self._processes()
        spent, self._cpu = cpu - self._cpu, cpu
        files = [path for path in (self._base / "checkpoint").rglob("*") if path.is_file()]
        return Figures(
            len(self.figures) + 1,
            len(rows),
            statistics.median(late or [0.0]),
            max(late, default=0.0),
            spent,
            memory,
            threads,
            descriptors,
            len(files),
            sum(path.stat().st_size for path in files if path.exists()) // 1024,
        )

    def _processes(self) -> tuple[float, int, int, int]:
        """CPU seconds, MB, threads and descriptors of all processes of the program's session."""
        asked = ["ps", "-e", "-o", "pid=,sess=,cputimes=,rss=,nlwp="]
        listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        rows = [[int(value) for value in line.split()] for line in listed.splitlines()]
        ours = [row for row in rows if row[1] == self.job.process.pid]
        descriptors = sum(len(list(Path(f"/proc/{row[0]}/fd").glob("*"))) for row in ours)
        _, _, cpu, memory, threads = map(sum, zip(*ours, strict=True))
        return cpu, memory // 1024, threads, descriptors


def check(soak: Soak) -> None:
    """No batch is missing, none was put out twice, and all follows from what was sent."""
    outputs = {name: {row["second"]: row["counts"] for row in soak.rows(name)} for name in NAMES}
    for name in NAMES:
        seconds = [row["second"] for row in soak.rows(name)]
        assert seconds == list(range(seconds[0], seconds[-1] + 1)), f"batches of {name} are missing, or twice"
    batches, last = outputs["batch"], min(max(batches) for batches in outputs.values())
    first = min(batches)
    total: Counter[str] = Counter()
    for second in range(first, last + 1):
        total.update(batches[second])
        assert outputs["total"].get(second, {}) == total
        for name, length in (("window", 10), ("inverse", 30)):
            expected: Counter[str] = Counter()
            for within in range(max(first, second - length + 1), second + 1):
                expected.update(batches[within])
            assert +Counter(outputs[name].get(second, {})) == expected, (name, second)
    assert total == soak.sent


def table(figures: Iterable[Figures]) -> str:
    """Rows under their names."""
    rows = [[f"{value:.2f}".removesuffix(".00") for value in vars(row).values()] for row in figures]
    return "\n".join("".join(f"{cell:>12}" for cell in row) for row in [list(Figures.__annotations__), *rows])


def main() -> None:
    """Run for the minutes that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    with tempfile.TemporaryDirectory() as base:
        soak = Soak(Path(base), asked.seed)
        try:
            for number, row in enumerate(soak.run(asked.minutes)):
                print(table([row]).splitlines()[-1] if number else table([row]), flush=True)
            soak.finish()
        finally:
            soak.close()
        check(soak)
        print(f"{len(soak.rows('total'))} batches, {sum(soak.sent.values())} words: none lost, none twice")


if __name__ == "__main__":
    sys.exit(main())
