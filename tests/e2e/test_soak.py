"""A program that runs for long: nothing is lost, and it does not grow."""

from __future__ import annotations

import os
import statistics
from pathlib import Path

import pytest

from tests.e2e.soak import Figures, Soak, check, table

MINUTES = float(os.environ.get("SOAK_MINUTES", "60"))


@pytest.mark.full
@pytest.mark.timeout(MINUTES * 60 + 900)
def test_a_soak(tmp_path: Path) -> None:
    """``SOAK_MINUTES`` says how long; what it costs is printed."""
    soak = Soak(tmp_path, seed=31)
    try:
        figures = list(soak.run(MINUTES))
        soak.finish()
    finally:
        soak.close()
    print(table(figures))
    check(soak)
    if len(figures) >= 9:
        third = len(figures) // 3
        before, after = figures[third : 2 * third], figures[-third:]
        for name in ("files", "kilobytes", "descriptors", "threads"):
            assert typical(after, name) <= 1.5 * typical(before, name), name


def typical(figures: list[Figures], name: str) -> float:
    return statistics.median(getattr(row, name) for row in figures)
