"""Runs of public programs by the commands of the tool, for benchmarks that count what came out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PATIENCE = 900
EQUAL, DIFFERENT, NOT_RUN = "equal", "different", "not runnable"
OUTCOMES = {0: EQUAL, 1: DIFFERENT}
"""What the exit codes of `verify` say; with any other the programs were not compared."""


def arguments_of(text: str) -> list[str]:
    """Arguments for a program that reads `sys.argv`: its host and port, or where its files arrive."""
    numbers = [int(n) for n in re.findall(r"len\(sys\.argv\)\s*(?:!=|<)\s*(\d+)", text)]
    read = [int(n) for n in re.findall(r"sys\.argv\[(\d+)\]", text)]
    unpacked = re.search(r"^\s*(\w+(?:,\s*\w+)*),?\s*=\s*sys\.argv\[1:\]", text, re.MULTILINE)
    names = unpacked[1].split(",") if unpacked else []
    wanted = max([*(n - 1 for n in numbers), *read, len(names)], default=0)
    known = ["{host}", "{port}"] if "socketTextStream" in text else ["{dir}"]
    if "KafkaUtils" in text:
        known = ["localhost:9092", "topic"]
    return [known[at] if at < len(known) else "{work}/out" for at in range(wanted)]


def command(*given: str) -> tuple[int, str]:
    """The exit code of a command, and the end of what it said."""
    called = [sys.executable, "-c", "from migrate.cli import main; main()", *given]
    try:
        done = subprocess.run(called, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return 3, "it took too long"
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return done.returncode, " / ".join(lines[-3:])[:300]


def entry(repository: Path, files: tuple[str, ...]) -> str:
    """The file of a program that is run."""
    for path in files:
        text = (repository / path).read_text("utf-8", "replace")
        if "__main__" in text or "awaitTermination" in text:
            return path
    return files[0]


def share(number: int, of: int) -> str:
    """A number, and its share."""
    return f"{number} ({number / of:.0%})" if of else "0"
