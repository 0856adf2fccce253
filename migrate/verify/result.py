"""What `verify` found, as data for the terminal, for JSON and for the demo's table."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from migrate.errors import Exit


@dataclass(frozen=True)
class Difference:
    """Something that left the old program and did not leave the new one in the same way."""

    where: str
    expected: str
    came: str


@dataclass(frozen=True)
class BatchResult:
    """One batch on both sides."""

    name: str
    """``batch 3``, ``before the first batch`` or ``after the last batch``."""
    input_rows: int
    differences: tuple[Difference, ...]
    missing: bool
    """The input was empty and the new program had no micro-batch for it; the old one put something out."""
    seconds_old: float
    seconds_new: float
    no_headers: bool = False
    """The new program prints no header for what shows no record in any batch."""


@dataclass(frozen=True)
class VerifyResult:
    """The outcome of one comparison."""

    old: str
    new: str
    batches: tuple[BatchResult, ...] = ()
    failures: tuple[str, ...] = ()
    """Why nothing is proven: a crash, a time-out, no output at all."""
    notes: tuple[str, ...] = ()
    unreadable: bool = False
    """A program could not be read or compiled."""
    environment: bool = False
    """A side effect was refused, or a source cannot be supplied."""
    old_crashed: bool = False
    """The old program failed in a batch: the input may not be what it reads."""
    seconds_old: float = 0.0
    """Sum over the batches, without the start of Python and Spark."""
    seconds_new: float = 0.0
    wall_old: float = 0.0
    """The whole process."""
    wall_new: float = 0.0

    @property
    def equal(self) -> bool:
        """Whether everything that left the programs is the same, and there was something."""
        return not self.failures and not any(batch.differences for batch in self.batches)

    @property
    def first_difference(self) -> BatchResult | None:
        """The first batch that differs."""
        return next((batch for batch in self.batches if batch.differences), None)

    @property
    def exit_code(self) -> int:
        """0 equal, 1 different or unproven, 2 a program is unreadable, 3 the environment stood in the way."""
        if self.environment:
            return Exit.ENVIRONMENT
        if self.unreadable:
            return Exit.UNREAD
        return Exit.DONE if self.equal else Exit.PENDING

    def document(self) -> dict[str, Any]:
        """The result for `json.dumps`."""
        return {"equal": self.equal, "exit_code": int(self.exit_code), **asdict(self)}
