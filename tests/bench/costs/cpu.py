"""CPU seconds of a process and of all that it started."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _TIMES = 1, slice(11, 15)
"""Where ``/proc/<pid>/stat`` has the parent, and the times of the process and of its dead children."""


def seconds(root: int, apart: Collection[int] = ()) -> float:
    """CPU seconds so far of the process `root` and all below it, but those `apart`. Linux only."""
    below: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended meanwhile
        below.setdefault(int(fields[_PARENT]), []).append(int(entry.name))
        used[int(entry.name)] = sum(map(int, fields[_TIMES]))
    total, waiting = 0, [root]
    while waiting:
        process = waiting.pop()
        if process in apart:
            continue
        total += used.get(process, 0)
        waiting += below.get(process, [])
    return total / _TICKS
