"""Sorts of what a variable of the batch function holds sorted already."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body

RANKED = (
    "counts = lines.countByValue()\n"
    "ranked = counts.transform(lambda rdd: rdd.sortBy(lambda pair: {}))\n"
    "top = ranked.transform(lambda rdd: sc.parallelize(rdd.take(5)))\ntop.pprint()\n"
)


@pytest.mark.parametrize("key", ["-pair[1]", "pair[0]"])
def test_the_first_rows_of_a_sort_are_those_of_its_variable(key: str) -> None:
    new = native_body(RANKED.format(key))
    assert "top = ranked.limit(5)\n" in new
    assert new.count("orderBy(") == 1


def test_rows_that_are_persisted_are_sorted_again() -> None:
    """A limit of what is persisted may take others than the first."""
    new = native_body(RANKED.format("-pair[1]") + "ranked.pprint()")
    assert 'top = ranked.orderBy(F.desc("count")).limit(5)\n' in new


def test_another_sort_stays() -> None:
    again = "again = ranked.transform(lambda rdd: rdd.sortBy(lambda pair: pair[0]))\nagain.pprint()"
    body = RANKED.format("-pair[1]").partition("top = ")[0]
    assert native_body(body + again).count("orderBy(") == 2
