"""Lists of objects of the JVM, of which the next one has most items of the one before, as windows have."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

_RECENT = 16
"""Of how many lists the next one may be made: one for each window of a program."""


class _Made(NamedTuple):
    items: list[Any]
    java: Any


class JavaLists:
    """Makes ``java.util.List``s with few calls: adding an item is one.

    Args:
        jvm: the view of the JVM.
    """

    def __init__(self, jvm: Any) -> None:
        self._array_list = jvm.java.util.ArrayList
        self._recent: deque[_Made] = deque(maxlen=_RECENT)

    def of(self, items: Sequence[Any]) -> Any:
        """A list of items; it is not changed any more."""
        made = next((made for made in self._recent if _kept(made.items, items)), None)
        if made is None:
            java, new = self._array_list(), items
        else:
            self._recent.remove(made)
            kept = _kept(made.items, items)
            last = len(made.items)
            java, new = self._array_list(made.java.subList(last - kept, last)), items[kept:]
        for item in new:
            java.add(item)
        self._recent.append(_Made([*items], java))
        return java


def _kept(before: Sequence[Any], items: Sequence[Any]) -> int:
    """With how many of the last items of a list another one begins."""
    first = next((place for place, one in enumerate(before) if items and one is items[0]), len(before))
    kept = len(before) - first
    same = kept <= len(items) and all(one is other for one, other in zip(before[first:], items, strict=False))
    return kept if same else 0
