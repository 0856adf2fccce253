"""Recordings made by hand: what two runs wrote down, without running any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from migrate.verify.recording import Batch, Display, Partial, Recording
from migrate.verify.times import Masks
from migrate.verify.values import encode


class Pages:
    """Builds the batches of one run."""

    def batch(
        self,
        index: int,
        *output: str | Display,
        rows: int = 1,
        runs: int | None = None,
        partials: Sequence[Partial] = (),
        files: Sequence[dict[str, Any]] = (),
    ) -> Batch:
        text = ""
        displays = {}
        for number, piece in enumerate(output):
            if isinstance(piece, Display):
                displays[number] = piece
                text += f"\x1e{number}\x1e\n"
            else:
                text += piece
        return Batch(index, rows, runs, text, displays, list(partials), list(files))

    def run(self, *batches: Batch, before: str = "", after: str = "") -> Recording:
        return Recording(list(batches), Batch(-1, text=before), Batch(-2, text=after), status="ended")

    def pprint(self, *records: Any, ties: list[int] | None = None, limit: int = 10) -> Display:
        texts = [str(record) for record in records[:limit]]
        return Display("pprint", [encode(record) for record in records], limit, ties, texts)

    def show(
        self, *rows: Any, columns: Sequence[str] = ("word", "count"), limit: int = 10, **how: Any
    ) -> Display:
        return Display("show", [encode(row) for row in rows], limit, columns=list(columns), **how)

    def taken(self, *rows: Any, limit: int, call: str = "take") -> Partial:
        return Partial(call, [encode(row) for row in rows], limit)


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
def masks() -> Masks:
    """Runs between 2026-05-01 12:00:00 and 12:10:00, local time."""
    import datetime

    start = datetime.datetime(2026, 5, 1, 12).timestamp()
    return Masks([(start, start + 600)], [("/tmp/run/old/work", "{work}"), ("/tmp/run/new/work", "{work}")])
