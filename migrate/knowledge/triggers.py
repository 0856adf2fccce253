"""The triggers that ``--trigger`` names, in place of the batch interval."""

from __future__ import annotations

import re
from dataclasses import dataclass

AVAILABLE_NOW, CONTINUOUS, REAL_TIME = "available-now", "continuous", "realtime"
_UNITS = {"ms": ("millisecond", 1), "s": ("second", 1_000), "m": ("minute", 60_000)}
_EVERY = re.compile(r"([1-9]\d*)(ms|s|m)")
_ARGUMENTS = {CONTINUOUS: "continuous", REAL_TIME: "realTime"}
_SHORTEST = {CONTINUOUS: 1, REAL_TIME: 5_000}
"""In milliseconds; Spark takes no shorter batch in real-time mode."""


@dataclass(frozen=True)
class Trigger:
    """A trigger as the user names it."""

    name: str = ""
    """``available-now``, ``continuous`` or ``realtime``; empty for the batch interval."""
    every: str = ""
    """How often a continuous query writes its checkpoint, or how long a batch in real time is."""

    @staticmethod
    def parse(text: str) -> Trigger:
        """Read ``available-now``, ``continuous=1s``, ``realtime``, ``realtime=30s``; nothing for none.

        Raises:
            ValueError: it is none of these.
        """
        name, _, every = text.partition("=")
        if name == REAL_TIME:
            every = every or "5s"
        if text in ("", AVAILABLE_NOW):
            return Trigger(text)
        match = _EVERY.fullmatch(every)
        if name not in _SHORTEST or match is None:
            raise ValueError("it can be available-now, continuous=1s, or realtime=5s")
        unit, milliseconds = _UNITS[match[2]]
        if int(match[1]) * milliseconds < _SHORTEST[name]:
            raise ValueError("Spark takes no shorter batches in real time than realtime=5s")
        return Trigger(name, f"{match[1]} {unit}{'' if match[1] == '1' else 's'}")

    def __str__(self) -> str:
        return f"--trigger {self.name}"

    @property
    def is_backfill(self) -> bool:
        """Whether the query ends when it has read what was there at its start."""
        return self.name == AVAILABLE_NOW

    @property
    def is_real_time(self) -> bool:
        """Whether it is real-time mode, which knows update mode alone."""
        return self.name == REAL_TIME

    @property
    def is_by_record(self) -> bool:
        """Whether records are put out one by one, by no batch function."""
        return self.name in _SHORTEST

    @property
    def argument(self) -> str:
        """The argument of ``trigger``; empty for the batch interval."""
        if self.is_backfill:
            return "availableNow=True"
        return f'{_ARGUMENTS[self.name]}="{self.every}"' if self.name else ""
