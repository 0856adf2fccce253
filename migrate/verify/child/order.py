"""Results in canonical order: what Spark does not promise about order must not count as a difference.

A result that was sorted keeps its sort; only rows with equal sort keys are put in canonical order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from migrate.verify.values import encode, sort_key


@dataclass(frozen=True)
class Ordered:
    """All rows of a result, in an order that two right programs agree on."""

    rows: list[Any]
    ties: list[int] | None
    """None: not sorted. Else the number of each row's group of equal sort keys; [] when it is not known."""

    def encoded(self) -> list[Any]:
        """The rows as data."""
        return [encode(row) for row in self.rows]


_moves = True
"""Whether rows that come in no promised order are put in one."""


def leave_as_they_came() -> None:
    """Let rows of no promised order stay as they came, for this process."""
    global _moves
    _moves = False


def unsorted(rows: Sequence[Any]) -> Ordered:
    """Rows that come in no promised order."""
    return Ordered(sorted(rows, key=sort_key) if _moves else list(rows), None)


def by_keys(pairs: Sequence[tuple[Any, Any]]) -> Ordered:
    """Sorted (sort key, row) pairs: neighbours with equal keys are ties."""
    rows: list[Any] = []
    ties: list[int] = []
    group: list[Any] = []
    last: Any = None
    for key, row in [(encode(key), row) for key, row in pairs]:
        if group and key != last:
            _close(group, rows, ties)
            group = []
        last = key
        group.append(row)
    _close(group, rows, ties)
    return Ordered(rows, ties)


def with_keys(rows: Sequence[Any], pairs: Sequence[tuple[Any, Any]]) -> Ordered:
    """Sorted rows, with the keys of the same rows computed by another way; no keys if the two disagree."""
    wanted, came = by_keys(pairs), by_keys([(key, row) for (key, _), row in zip(pairs, rows, strict=False)])
    if len(rows) != len(pairs) or wanted.encoded() != came.encoded():
        return as_they_came(rows)
    return came


def as_they_came(rows: Sequence[Any]) -> Ordered:
    """Sorted rows whose sort keys cannot be had."""
    return Ordered(list(rows), [])


def _close(group: list[Any], rows: list[Any], ties: list[int]) -> None:
    ties += [ties[-1] + 1 if ties else 0] * len(group)
    rows += sorted(group, key=sort_key)
