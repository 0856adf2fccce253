"""Which partitions share a task."""

from __future__ import annotations

from typing import Any

import pytest

from compat._structured.batches.frame import CHUNKS, LINES, Part
from compat._structured.batches.packing import Group, groups, pays


def part(*sizes: int, **given: Any) -> Part:
    nothing: Any = None
    return Part(nothing, given.pop("reader", LINES), sizes=sizes, **given)


def shape(found: list[Group]) -> list[tuple[int, int]]:
    """For each group the number of its parts and of its tasks."""
    return [(len(group.parts), group.tasks) for group in found]


def test_parts_alike_are_shared_out_evenly() -> None:
    assert shape(groups([part(5)] * 60, 6)) == [(10, 1)] * 6


def test_what_is_much_larger_has_a_task_of_its_own() -> None:
    """A burst in a window: the batches with most of the elements are not worked on in a row."""
    found = groups([*[part(1)] * 20, part(1000), part(1000), part(1000), *[part(1)] * 20], 3)
    assert shape(found) == [(21, 1), (1, 1), (21, 1)]


def test_the_partitions_of_one_part_are_shared_out() -> None:
    assert shape(groups([part(*[1] * 400)], 6)) == [(1, 6)]


@pytest.mark.parametrize(
    "one",
    [part(*[1] * 400, kept=True, reader=CHUNKS), part(*[1] * 390, *[1000] * 10)],
    ids=["kept", "uneven"],
)
def test_a_part_that_coalesce_would_spoil_stays_as_it_is(one: Part) -> None:
    """Of blocks in memory Spark puts together every sixth; of large files all might be in one task."""
    assert shape(groups([one], 6)) == [(1, 400)]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([part(1)] * 7, True),
        ([part(1)] * 6, False),
        ([part()] * 7, False),
        ([part(1, steps=(("glom", None),))] * 7, False),
        ([part(1, steps=(("map_partitions", None),))] * 7, False),
        ([part(1, reader=("merged", None))] * 7, False),
    ],
    ids=["many", "few", "who knows how many", "glom", "mapPartitions", "just shuffled"],
)
def test_when_it_pays(parts: list[Part], expected: bool) -> None:
    assert pays(parts, 6) is expected
