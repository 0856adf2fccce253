"""The table that the demo ends with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.table import Table

from migrate.model import Result, Tier
from migrate.verify import VerifyResult

_SHOWN = [tier for tier in Tier if tier is not Tier.CONTEXT]


@dataclass(frozen=True)
class Row:
    """One program."""

    program: str
    sites: str
    """How many calls are in each tier, but for those of the context."""
    outcome: str
    equal: bool
    seconds_old: float
    seconds_new: float

    @classmethod
    def of(cls, program: str, result: Result, verified: VerifyResult) -> Row:
        """The row of `program`, from what the migration and `verify` say of it."""
        tiers = Counter(site.tier for site in result.sites if site.path == program)
        (status,) = [file.status for file in result.files if file.path == program]
        return cls(
            program,
            ", ".join(f"{tiers[tier]} {tier.value}" for tier in _SHOWN if tiers[tier]),
            status.value,
            verified.equal,
            verified.seconds_old,
            verified.seconds_new,
        )


def table(rows: Sequence[Row]) -> Table:
    """One line for each program."""
    shown = Table(box=SIMPLE_HEAD)
    for heading in ("program", "sites", "outcome", "equal"):
        shown.add_column(heading)
    for heading in ("old, s", "new, s"):
        shown.add_column(heading, justify="right")
    for row in rows:
        equal = "[green]yes[/]" if row.equal else "[red]NO[/]"
        shown.add_row(
            row.program, row.sites, row.outcome, equal, f"{row.seconds_old:.1f}", f"{row.seconds_new:.1f}"
        )
    return shown
