"""How many batches of the old program a micro-batch of a query is, by its trigger."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from migrate.verify.child.cadence import batches_in
from migrate.verify.spec import Spec

SPEC = Spec("job.py", [], "work", "private", [], interrupt=False, side_effects=False, timeout=0.1)


def beside(path: Path, *events: dict[str, Any]) -> Spec:
    """What the new program is told, where the old one has written these events."""
    log = path / "events.jsonl"
    log.write_text("".join(json.dumps(event) + "\n" for event in events))
    return replace(SPEC, beside=str(log))


@pytest.mark.parametrize(
    ("interval", "number"), [(5.0, 1), (10.0, 2), (30.0, 6), (7.0, 1), (2.5, 1), (None, 1), (0.0, 1)]
)
def test_a_trigger_of_whole_batches_has_their_rows(
    tmp_path: Path, interval: float | None, number: int
) -> None:
    spec = beside(tmp_path, {"event": "source", "name": "socket"}, {"event": "interval", "seconds": 5.0})
    assert batches_in(interval, spec) == number


def test_a_program_that_has_no_batches_is_not_waited_for(tmp_path: Path) -> None:
    assert batches_in(10.0, SPEC) == 1
    assert batches_in(10.0, beside(tmp_path, {"event": "finished", "status": "crashed"})) == 1


def test_one_that_says_nothing_is_waited_for_as_long_as_a_batch(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError, match="the start of the old program"):
        batches_in(10.0, beside(tmp_path))
