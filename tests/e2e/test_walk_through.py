"""README's walk from a DStream program to Structured Streaming: every step runs, and all do the same."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import ROOT, Program, drop

pytestmark = pytest.mark.timeout(600)  # five Sparks start at once

README = (ROOT / "README.md").read_text(encoding="utf-8")
[_, _, BEFORE, OUTPUTS, SOURCE, REST] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
[IMPORT] = re.findall(r"^\*\*1\. The import\.\*\* With `(.*)` it runs", README, re.MULTILINE)
STEPS = {
    "before": BEFORE,
    "import": BEFORE.replace("from pyspark.streaming import StreamingContext", IMPORT),
    "outputs": OUTPUTS,
    "source": SOURCE,
    "rest": REST,
}

LOGS = [
    ["INFO web started", "ERROR disk is full", "ERROR web no answer: disk"],
    ["ERROR disk is full", "WARN web slow", "ERROR disk gone"],
    ["INFO web stopped"],
]
ERRORS = Counter(tuple(line.split(" ", 2)) for log in LOGS for line in log if line.startswith("ERROR"))
COUNTS = {"disk": 3, "web": 1}


def rows(directory: Path) -> list[dict[str, Any]]:
    lines = (line for path in directory.glob("*.json") for line in path.read_text().splitlines())
    return [row for row in map(json.loads, lines) if row["service"] != "ready"]


def test_every_step_does_the_same(tmp_path: Path, start: Callable[..., Program]) -> None:
    assert "compat" in IMPORT and STEPS["import"] != BEFORE
    jobs = {}
    for name, text in STEPS.items():
        place = tmp_path / name
        (place / "in").mkdir(parents=True)
        (place / "job.py").write_text(text)
        jobs[name] = start(place / "job.py", place / "in", place / "errors", place / "counts")
    for name, job in jobs.items():
        check(tmp_path / name, job)


def check(place: Path, job: Program) -> None:
    names = (f"{number}.log" for number in range(10_000))

    def listening() -> bool:
        drop(place / "in", next(names), ["ERROR ready x"])
        return all(list((place / kind).glob("*.json")) for kind in ("errors", "counts"))

    job.wait(listening, "a sign of life", every=1.0)
    for log in LOGS:
        drop(place / "in", next(names), log)

    def errors() -> Counter[tuple[str, ...]]:
        return Counter((row["level"], row["service"], row["message"]) for row in rows(place / "errors"))

    def counts() -> dict[str, int]:
        total: Counter[str] = Counter()
        for row in rows(place / "counts"):
            total[row["service"]] += row["n"]
        return dict(total)

    job.wait(lambda: errors() == ERRORS, f"{ERRORS}")
    job.wait(lambda: counts() == COUNTS, f"{COUNTS}")
