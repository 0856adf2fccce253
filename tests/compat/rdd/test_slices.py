"""What batches of DStreams get is written down first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from compat._rdd.heartbeat import Run
from compat._rdd.slices import Slices


class Running:
    """A run of which all batches are done."""

    def __init__(self, place: Path | None) -> None:
        self.checkpoint = None if place is None else place.as_uri()
        self.remembers_ms: int | None = 2000

    def first_pending(self, time: int) -> int:
        return time


def slices(place: Path | None) -> Slices[list[int]]:
    return Slices(cast("Run", Running(place)), "kafka", "s", lambda logged: list(logged))


def refuse(given: Any) -> None:
    raise AssertionError(f"{given} was taken back")


def test_a_later_run_has_what_was_decided(tmp_path: Path) -> None:
    assert slices(tmp_path).at(1000, lambda: [1], refuse) == [1]
    assert json.loads((tmp_path / "kafka/s/1000").read_text()) == [1]
    later = slices(tmp_path)
    assert later.at(1000, lambda: [2], refuse) == [1]
    assert later.done(1000) is None
    assert later.done(1001) == [1]


def test_what_nobody_asks_for_is_forgotten_but_the_last(tmp_path: Path) -> None:
    run = slices(tmp_path)
    for time in (1000, 2000, 5000):
        run.at(time, list, refuse)
    run.forget(4000)
    assert sorted(run.by_time) == [2000, 5000]
    run.forget(9000)
    assert [path.name for path in (tmp_path / "kafka/s").iterdir()] == ["5000"]
    assert slices(None).by_time == {}


def test_what_cannot_be_written_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = slices(tmp_path)
    back: list[list[int]] = []

    def full(*_: Any) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("compat.directory.local.LocalDirectory.write", full)
        with pytest.raises(OSError, match="the disk is full"):
            run.at(1000, lambda: [1], back.append)
    assert back == [[1]]
    assert run.at(1000, lambda: [2], refuse) == [2]
