"""Rows against rows: as they are, without their tuples, within a sort, in any order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from migrate.verify.times import Masks
from migrate.verify.values import leaves, readable

Json = Any
Item = TypeVar("Item")
_LISTED = 5


def masked(encoded: Json, masks: Masks) -> Json:
    """An encoded value with the runs' own times masked in its text."""
    if isinstance(encoded, str):
        return masks.apply(encoded)
    if isinstance(encoded, list):
        return [masked(item, masks) for item in encoded]
    if isinstance(encoded, dict):
        return {kind: masked(inside, masks) for kind, inside in encoded.items()}
    return encoded


def exact(row: Json) -> str:
    """A row as it is."""
    return json.dumps(row, sort_keys=True, ensure_ascii=False)


def flat(row: Json) -> str:
    """A row by its values: the record ("a", 1), the row a, 1 and the record (("a",), 1) are the same."""
    return json.dumps(leaves(row), sort_keys=True, ensure_ascii=False)


def shown(row: Json) -> str:
    """The same, where the text 7 and the number 7 alone are the same, which are printed alike."""
    match leaves(row):
        case [int() | str() as value] if not isinstance(value, bool):
            return flat(str(value))
    return flat(row)


def first_difference(old: Sequence[Item], new: Sequence[Item]) -> int | None:
    """The first place where two sequences differ."""
    for place, (left, right) in enumerate(zip(old, new, strict=False)):
        if left != right:
            return place
    return None if len(old) == len(new) else min(len(old), len(new))


def order_problem(
    old: Sequence[str], new: Sequence[str], old_ties: list[int] | None, new_ties: list[int] | None
) -> int | None:
    """Where the sort is not kept, for rows that are equal as multisets; None if it is.

    Rows with equal sort keys may stand in any order among themselves.
    """
    if old_ties is None:
        return None
    groups = old_ties or new_ties
    if not groups:
        return first_difference(old, new)
    if new_ties is None:
        return 0 if groups[0] != groups[-1] else None
    start = 0
    while start < len(groups):
        end = start
        while end < len(groups) and groups[end] == groups[start]:
            end += 1
        if Counter(old[start:end]) != Counter(new[start:end]):
            return start
        start = end
    return None


def only_in(old: Sequence[Json], new: Sequence[Json], form: Callable[[Json], str] = exact) -> tuple[str, str]:
    """The rows that only one side has, for a report."""
    left, right = Counter(map(form, old)), Counter(map(form, new))
    return listed(_extra(old, left - right, form)), listed(_extra(new, right - left, form))


def listed(rows: Sequence[Json]) -> str:
    """Some rows as Python prints them, one a line."""
    lines = [row if isinstance(row, str) else readable(row) for row in rows[:_LISTED]]
    more = [f"... and {len(rows) - _LISTED} more"] if len(rows) > _LISTED else []
    return "\n".join(lines + more) if rows else "(no other row)"


def _extra(rows: Sequence[Json], extra: Counter[str], form: Callable[[Json], str]) -> list[Json]:
    left, found = Counter(extra), []
    for row in rows:
        key = form(row)
        if left[key] > 0:
            left[key] -= 1
            found.append(row)
    return found
