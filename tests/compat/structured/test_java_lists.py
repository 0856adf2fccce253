"""Lists of the JVM that are made of the ones before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from compat._structured.batches.java_lists import JavaLists


class ArrayList(list[Any]):
    """What is called of Java's; counts the items that were put into any."""

    added = 0

    def subList(self, begin: int, end: int) -> list[Any]:  # noqa: N802 (Java's name)
        """The items from `begin` to before `end`."""
        return self[begin:end]

    def add(self, item: Any) -> None:
        """Put an item at the end."""
        ArrayList.added += 1
        self.append(item)


JVM = SimpleNamespace(java=SimpleNamespace(util=SimpleNamespace(ArrayList=ArrayList)))


def test_a_window_puts_only_what_is_new_into_its_list() -> None:
    items = [object() for _ in range(30)]
    lists = JavaLists(JVM)
    ArrayList.added = 0
    for begin in range(20):
        assert lists.of(items[begin : begin + 10]) == items[begin : begin + 10]
    assert ArrayList.added == 29


def test_two_windows_have_a_list_each() -> None:
    items, others = [object() for _ in range(30)], [object() for _ in range(30)]
    lists = JavaLists(JVM)
    ArrayList.added = 0
    for begin in range(20):
        assert lists.of(items[begin : begin + 10]) == items[begin : begin + 10]
        assert lists.of(others[begin : begin + 5]) == others[begin : begin + 5]
    assert ArrayList.added == 29 + 24


def test_a_list_is_not_changed_by_the_next_one() -> None:
    items = [object() for _ in range(5)]
    lists = JavaLists(JVM)
    first = lists.of(items[:3])
    lists.of(items[1:])
    assert first == items[:3]


@given(st.lists(st.lists(st.integers(0, 4), max_size=8), max_size=40))
def test_any_lists_have_their_items(places: list[list[int]]) -> None:
    pool = [object() for _ in range(5)]
    lists = JavaLists(JVM)
    for chosen in places:
        items = [pool[place] for place in chosen]
        assert lists.of(items) == items
