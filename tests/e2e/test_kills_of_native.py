"""Native programs on files that go on from a checkpoint, killed with SIGKILL at random moments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.kills_of_native import Story
from tests.e2e.processes import Program, drop

LINES = "    lines.foreachRDD(save)"
TOTALS = """\
    pairs = lines.map(lambda line: (line, 1))
    totals = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))
    totals.foreachRDD(save)"""
KILLS = [1, pytest.param(10, marks=pytest.mark.full)]


class Files(Story):
    """Files that appear in a directory."""

    head = """\
import sys

base, watched = sys.argv[1:]
"""
    source = """\
    lines = ssc.textFileStream(watched)
"""

    def __init__(self, body: str, base: Path, start: Callable[..., Program], seed: int) -> None:
        self._watched = base / "watched"
        self._watched.mkdir()
        self._number = 0
        super().__init__(body, base, lambda job: start(job, base, self._watched), seed)
        # earlier files are none of its, and a start that was not written down is none, as on DStreams
        self.wait((base / "points" / "started" / "_SUCCESS").exists)

    def deliver(self, words: list[str]) -> None:
        self._number += 1
        drop(self._watched, f"words-{self._number}", words)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kills", KILLS)
def test_kills_lose_no_lines(tmp_path: Path, start: Callable[..., Program], kills: int) -> None:
    """Files that come while the program is down are read at its next start."""
    Files(LINES, tmp_path, start, seed=kills).lose_nothing(kills)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kills", [10])
def test_kills_leave_the_state_right(tmp_path: Path, start: Callable[..., Program], kills: int) -> None:
    Files(TOTALS, tmp_path, start, seed=kills).keep_the_state(kills)
