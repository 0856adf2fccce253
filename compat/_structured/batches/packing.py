"""Several partitions in one task, ahead of a shuffle: a task costs as much as some thousand elements.

Each is still worked on by itself, one after the other (`stages.one_by_one`), so what is shuffled is the same,
in the same order. That holds within one host: Spark's `coalesce` puts blocks together by their hosts. But of
what comes from several hosts no shuffle keeps the order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from compat._structured.batches.frame import Part

TASKS_PER_CORE = 3
"""Enough for tasks that take longer than others to be made up for."""
_READERS = {"lines", "words", "record_batches", "chunks", "pairs", "rows"}
"""Readers that make as many elements of a row whatever stands before it."""
_SEES_PARTITIONS = {"map_partitions", "glom"}
"""Steps that make something of a partition without rows: there is none where partitions are told by rows."""


class Group(NamedTuple):
    """Neighbouring parts that so many tasks work on; one task, unless it is a single part."""

    parts: list[Part]
    tasks: int


def pays(parts: Sequence[Part], tasks: int) -> bool:
    """Whether the parts have more partitions than `tasks`, of which several can be in one task."""
    return all(map(_packs, parts)) and sum(len(part.sizes) for part in parts) > tasks


def groups(parts: Sequence[Part], tasks: int) -> list[Group]:
    """About as many tasks, with about as much to do in each."""
    share = sum(sum(part.sizes) for part in parts) / tasks
    found: list[Group] = []
    before, place = 0, -1
    for part in parts:
        size = sum(part.sizes)
        if len(part.sizes) > 1 and size > share:
            found.append(Group([part], _tasks(part, share)))
            place = -1
        elif place == (place := int((before + size / 2) / share)):
            found[-1].parts.append(part)
        else:
            found.append(Group([part], 1))
        before += size
    return found


def _packs(part: Part) -> bool:
    names = {name for name, _ in part.steps}
    return bool(part.sizes) and part.reader[0] in _READERS and not names & _SEES_PARTITIONS


def _tasks(part: Part, share: float) -> int:
    """Of the partitions of one part each task gets as many, so they should be alike."""
    number = len(part.sizes)
    tasks = min(number, round(sum(part.sizes) / share))
    bounds = [number * task // tasks for task in range(tasks + 1)]
    most = max(sum(part.sizes[first:last]) for first, last in pairwise(bounds))
    return number if part.kept or most > 2 * share else tasks
