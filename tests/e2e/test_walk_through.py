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


def written(directory: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in directory.glob("*.json") for line in path.read_text().splitlines()]


def seen(directory: Path, service: str) -> bool:
    return any(row["service"] == service for row in written(directory))


def rows(directory: Path) -> list[dict[str, Any]]:
    return [row for row in written(directory) if row["service"] != "ready"]


def test_the_import_is_the_only_difference_of_the_first_step() -> None:
    assert IMPORT == "from compat.streaming import StreamingContext"
    assert STEPS["import"] != BEFORE


@pytest.mark.full
@pytest.mark.parametrize("step", STEPS)
def test_every_step_does_the_same(tmp_path: Path, start: Callable[..., Program], step: str) -> None:
    path = tmp_path / "job.py"
    path.write_text(STEPS[step])
    watched = tmp_path / "in"
    watched.mkdir()
    job = start(path, watched, tmp_path / "errors", tmp_path / "counts")
    names = (f"{number}.log" for number in range(10_000))

    def listening() -> bool:
        drop(watched, next(names), ["ERROR ready x"])
        return all(seen(tmp_path / kind, "ready") for kind in ("errors", "counts"))

    job.wait(listening, "a sign of life", every=2.0)
    for log in LOGS:
        drop(watched, next(names), log)

    def errors() -> Counter[tuple[str, ...]]:
        return Counter((row["level"], row["service"], row["message"]) for row in rows(tmp_path / "errors"))

    def counts() -> dict[str, int]:
        total: Counter[str] = Counter()
        for row in rows(tmp_path / "counts"):
            total[row["service"]] += row["n"]
        return dict(total)

    job.wait(lambda: errors() == ERRORS, f"{ERRORS}")
    job.wait(lambda: counts() == COUNTS, f"{COUNTS}")
