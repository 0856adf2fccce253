"""Merges with what is kept from the batch before: a state, or a window with an inverse.

Pickled by value, as `merge`. What is kept comes last, and goes by: only what the batch brings is held in
memory. If that is too much, both go through Spark's merger, which spills to disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from pyspark.shuffle import Aggregator, ExternalMerger, get_used_memory

from compat._structured.worker.merge import Chunk, Pairs, Tagged, extended, same, spilled

KEPT = 0
"""The tag of what is kept. Other tags count from 1."""
Function = Callable[[Any, Any], Any]
Sides = tuple[list[Any], ...]
"""What there is of a key with each tag: a list of one, or an empty one."""

_LOOKS = 16
"""After so many chunks it is asked how much memory is used."""


class Parts:
    """The chunks of a partition.

    Args:
        tagged: with their tags; those with KEPT last.
        function: makes one value of two of a key, if neither is kept.
        memory_mb: what may be used before it is spilled.
    """

    def __init__(self, tagged: Tagged, function: Function, memory_mb: int) -> None:
        self._chunks = iter(tagged)
        self._function = function
        self._memory_mb = memory_mb
        self._first: list[Chunk] = []

    def brought(self, sides: Mapping[int, dict[Any, Any]]) -> bool:
        """Fill a dict for each tag with the values by key; False if there is no room for all."""
        function = self._function
        limit = max(self._memory_mb, get_used_memory() * 1.05)  # a worker may be large from work before this
        for number, (tag, (keys, values)) in enumerate(self._others(), 1):
            side = sides[tag]
            for key, value in zip(keys, values, strict=True):
                side[key] = function(side[key], value) if key in side else value
            if number % _LOOKS == 0 and get_used_memory() > limit:
                return False
        return True

    def kept(self) -> Pairs:
        """The pairs that are kept, which come after all that was brought."""
        first = ((KEPT, chunk) for chunk in self._first)
        for tag, (keys, values) in chain(first, self._chunks):
            assert tag == KEPT, "what is kept comes last"
            yield from zip(keys, values, strict=True)

    def by_merger(self, sides: Mapping[int, dict[Any, Any]]) -> Iterator[tuple[Any, Sides]]:
        """Each key with all its values: those brought into `sides`, the rest, and what is kept.

        What is kept of a key may come twice: the first value counts.
        """
        width = len(sides) + 1

        def side(tag: int, value: Any) -> Sides:
            return tuple([value] if tag == number else [] for number in range(width))

        def combined(one: Sides, other: Sides) -> Sides:
            for tag, (mine, more) in enumerate(zip(one, other, strict=True)):
                if not mine:
                    mine.extend(more)
                elif more and tag != KEPT:
                    mine[0] = self._function(mine[0], more[0])
            return one

        def pairs() -> Iterator[tuple[Any, Sides]]:
            for tag, held in sides.items():
                while held:
                    key, value = held.popitem()
                    yield key, side(tag, value)
            for tag, (keys, values) in self._others():
                yield from ((key, side(tag, value)) for key, value in zip(keys, values, strict=True))
            yield from ((key, side(KEPT, value)) for key, value in self.kept())

        merger: Any = ExternalMerger(Aggregator(same, combined, combined), self._memory_mb, spilled())
        merger.mergeCombiners(pairs())
        found: Iterator[tuple[Any, Sides]] = iter(merger.items())
        return found

    def _others(self) -> Iterator[tuple[int, Chunk]]:
        for tag, chunk in self._chunks:
            if tag == KEPT:
                self._first.append(chunk)
                return
            yield tag, chunk


def merged_state(settings: tuple[Callable[[list[Any], Any], Any], bool, int], tagged: Tagged) -> Pairs:
    """KEPT: the state, tag 1: lists of new values. Updates every key; None removes it.

    Args:
        settings: the function, whether no key is kept twice, and how many megabytes may be used.
        tagged: the chunks.
    """
    update, once, memory_mb = settings
    parts = Parts(tagged, extended, memory_mb)
    new: dict[Any, list[Any]] = {}
    if once and parts.brought({1: new}):
        for key, last in parts.kept():
            value = update(new.pop(key, []), last)
            if value is not None:
                yield key, value
        for key, values in new.items():
            value = update(values, None)
            if value is not None:
                yield key, value
    else:
        for key, (state, lists) in parts.by_merger({1: new}):
            value = update(lists[0] if lists else [], state[0] if state else None)
            if value is not None:
                yield key, value


def merged_window(settings: tuple[Function, Function, Any, int], tagged: Tagged) -> Pairs:
    """KEPT: the previous window, tag 1: values that came in, tag 2: values that left. The window now.

    Args:
        settings: the function, its inverse, a filter of pairs or None, and how many megabytes may be used.
        tagged: the chunks.
    """
    function, inverse, keep, memory_mb = settings
    parts = Parts(tagged, function, memory_mb)
    entered: dict[Any, Any] = {}
    left: dict[Any, Any] = {}
    if parts.brought({1: entered, 2: left}):
        for key, value in parts.kept():
            if left.get(key) is not None:
                value = inverse(value, left[key])
            if key in entered:
                value = function(value, entered.pop(key))
            if keep is None or keep((key, value)):
                yield key, value
        for pair in entered.items():
            if keep is None or keep(pair):
                yield pair
    else:
        for key, (window, came, went) in parts.by_merger({1: entered, 2: left}):
            value = window[0] if window else None
            if window and went and went[0] is not None:
                value = inverse(value, went[0])
            if came:
                value = function(value, came[0]) if window else came[0]
            if (window or came) and (keep is None or keep((key, value))):
                yield key, value
