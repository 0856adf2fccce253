"""How many batches of the old program a micro-batch of the new one is.

A query that the slide of its windows triggers, ``trigger(processingTime="10 seconds")``, has the rows of two
batches of five seconds in each of its micro-batches.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from migrate.verify.child.session import wait_until
from migrate.verify.spec import Spec


def batches_in(interval: float | None, spec: Spec) -> int:
    """How many batches there are in an interval of a trigger; 1 where that is no whole number of them.

    Raises:
        TimeoutError: the old program, which runs at the same time, does not say how long its batches are.
    """
    if not interval or not spec.beside:
        return 1
    found: list[float] = []

    def is_known() -> bool:
        events = _events(Path(spec.beside))
        found[:] = [event["seconds"] for event in events if event["event"] == "interval"]
        return bool(found) or any(event["event"] == "finished" for event in events)

    wait_until(is_known, spec.timeout, "the start of the old program")
    number = interval / found[0] if found else 1
    return round(number) if number > 1 and abs(number - round(number)) < 1e-6 else 1


def _events(log: Path) -> list[dict[str, Any]]:
    """What a program has written down so far."""
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True) if log.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]
