"""Keyed work in Spark's Python workers: what leaves the map side, and what the other side makes of it.

Pickled by value. What is shuffled are chunks ``(keys, values)``, two lists of one length, each
with a *tag*: a number that tells apart the streams that meet in a merge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from pyspark import TaskContext
from pyspark.rdd import portable_hash
from pyspark.resultiterable import ResultIterable
from pyspark.serializers import AutoBatchedSerializer, CPickleSerializer
from pyspark.shuffle import Aggregator, ExternalGroupBy, ExternalMerger

Pairs = Iterable[tuple[Any, Any]]
Chunk = tuple[list[Any], list[Any]]
"""Keys, and their values."""
Tagged = Iterable[tuple[int, Chunk]]

HELD = 1 << 20
"""A map side lets go of what it combined when it holds this many keys (or grouped values): bounded memory."""
BLOCK = 1 << 13
"""Pairs that travel uncombined are taken so many at a time."""


class Scatter(NamedTuple):
    """How pairs go to their partitions."""

    salts: Sequence[int]
    """For each partition, an int that Spark's hash partitioning sends there."""
    function: Callable[[Any], int]
    """From a key to an int; modulo the number of partitions it is the key's partition."""
    combine: str
    """What happens on the way out: a name in COMBINES."""
    settings: Any


# --- the map side -----------------------------------------------------------------------------------------


def scattered(scatter: Scatter, pairs: Pairs) -> Iterator[tuple[int, Chunk]]:
    """(partition, chunk) for all pairs."""
    if scatter.combine == "deal":
        yield from dealt(len(scatter.salts), iter(pairs))
        return
    for keys, values in COMBINES[scatter.combine](scatter.settings, pairs):
        yield from split(scatter, keys, values)


def reduced(function: Callable[[Any, Any], Any], pairs: Pairs) -> Iterator[Chunk]:
    """One value for each key."""
    merged: dict[Any, Any] = {}
    for key, value in pairs:
        if key in merged:
            merged[key] = function(merged[key], value)
        else:
            merged[key] = value
            if len(merged) >= HELD:
                yield list(merged), list(merged.values())
                merged = {}
    yield list(merged), list(merged.values())


def counted(_: None, keys: Iterable[Any]) -> Iterator[Chunk]:
    """How often there is each key: what `reduced` makes of keys with a 1, by a loop in C."""
    keys = iter(keys)
    counts: Counter[Any] = Counter()
    while block := list(islice(keys, BLOCK)):
        counts.update(block)
        if len(counts) >= HELD:
            yield list(counts), list(counts.values())
            counts = Counter()
    yield list(counts), list(counts.values())


def combined(
    settings: tuple[Callable[[Any], Any], Callable[[Any, Any], Any]], pairs: Pairs
) -> Iterator[Chunk]:
    """One combiner for each key."""
    create, merge_value = settings
    merged: dict[Any, Any] = {}
    for key, value in pairs:
        if key in merged:
            merged[key] = merge_value(merged[key], value)
        else:
            merged[key] = create(value)
            if len(merged) >= HELD:
                yield list(merged), list(merged.values())
                merged = {}
    yield list(merged), list(merged.values())


def grouped(_: None, pairs: Pairs) -> Iterator[Chunk]:
    """The list of values for each key."""
    pairs = iter(pairs)
    while True:
        groups: dict[Any, list[Any]] = {}
        taken = 0
        for key, value in islice(pairs, HELD):
            taken += 1
            if key in groups:
                groups[key].append(value)
            else:
                groups[key] = [value]
        yield list(groups), list(groups.values())
        if taken < HELD:
            return


def uncombined(_: None, pairs: Pairs) -> Iterator[Chunk]:
    """The pairs as they are."""
    pairs = iter(pairs)
    while block := list(islice(pairs, BLOCK)):
        yield [key for key, _ in block], [value for _, value in block]


COMBINES: dict[str, Callable[[Any, Iterable[Any]], Iterator[Chunk]]] = {
    "reduce": reduced,
    "count": counted,
    "combine": combined,
    "group": grouped,
    "none": uncombined,
}


def split(scatter: Scatter, keys: list[Any], values: list[Any]) -> Iterator[tuple[int, Chunk]]:
    """One chunk for each partition that gets any of the pairs."""
    buckets: list[Chunk] = [([], []) for _ in scatter.salts]
    for partition, key, value in zip(partitions(scatter, keys), keys, values, strict=True):
        bucket = buckets[partition]
        bucket[0].append(key)
        bucket[1].append(value)
    for partition, chunk in enumerate(buckets):
        if chunk[0]:
            yield partition, chunk


def partitions(scatter: Scatter, keys: list[Any]) -> list[int]:
    """The partition of each key."""
    number, function = len(scatter.salts), scatter.function
    if function is portable_hash:
        # It is `hash` for all but None and tuples; asking it for each key would cost more than all the rest.
        plain = (str, int, bytes, float)
        return [(hash(key) if type(key) in plain else portable_hash(key)) % number for key in keys]
    return [function(key) % number for key in keys]


def dealt(number: int, elements: Iterator[Any]) -> Iterator[tuple[int, Chunk]]:
    """Elements dealt out evenly, ten at a time as `RDD.repartition` does."""
    context = TaskContext.get()
    position = context.partitionId() if context else 0
    while block := list(islice(elements, 10 * number)):
        for start in range(0, len(block), 10):
            position += 1
            yield position % number, ([], block[start : start + 10])


# --- the other side ---------------------------------------------------------------------------------------


def merged_none(_: None, tagged: Tagged) -> Pairs:
    """The pairs as they came."""
    return chain.from_iterable(zip(keys, values, strict=True) for _, (keys, values) in tagged)


def merged_deal(_: None, tagged: Tagged) -> Iterable[Any]:
    """The elements as they came."""
    return chain.from_iterable(values for _, (_, values) in tagged)


def merged_combine(settings: tuple[Callable[[Any, Any], Any], int], tagged: Tagged) -> Pairs:
    """One combiner for each key; spills to disk above the memory limit."""
    function, memory_mb = settings
    merger: Any = ExternalMerger(Aggregator(same, function, function), memory_mb, spilled())
    merger.mergeCombiners(merged_none(None, tagged))
    pairs: Pairs = merger.items()
    return pairs


def merged_group(memory_mb: int, tagged: Tagged) -> Pairs:
    """A `ResultIterable` of the values for each key; spills to disk above the memory limit."""
    groups: Any = Aggregator(listed, appended, extended)
    merger: Any = ExternalGroupBy(groups, memory_mb, spilled())
    merger.mergeCombiners(merged_none(None, tagged))
    return ((key, ResultIterable(values)) for key, values in merger.items())


# --- joins: what a group of (side, value) becomes ----------------------------------------------------------


def sides(group: Iterable[tuple[int, Any]]) -> tuple[list[Any], list[Any]]:
    """The values of the left and of the right side."""
    both: tuple[list[Any], list[Any]] = ([], [])
    for side, value in group:
        both[side].append(value)
    return both


def joined(
    group: Iterable[tuple[int, Any]], left_outer: bool, right_outer: bool
) -> Iterator[tuple[Any, Any]]:
    """Every pair of a left and a right value; None for a side without any, if the join is outer there."""
    left, right = sides(group)
    if left_outer and not right:
        right = [None]
    if right_outer and not left:
        left = [None]
    return ((one, other) for one in left for other in right)


def cogrouped(group: Iterable[tuple[int, Any]]) -> tuple[Any, Any]:
    """The values of the two sides."""
    left, right = sides(group)
    return ResultIterable(left), ResultIterable(right)


# --- helpers of the mergers -------------------------------------------------------------------------------


def same(value: Any) -> Any:
    """A value that is its own combiner."""
    return value


def listed(value: Any) -> list[Any]:
    """The first value of a group."""
    return [value]


def appended(values: list[Any], value: Any) -> list[Any]:
    """One more value of a group."""
    values.append(value)
    return values


def extended(values: list[Any], more: list[Any]) -> list[Any]:
    """Two groups of one key."""
    values.extend(more)
    return values


def spilled() -> AutoBatchedSerializer:
    """How mergers write to disk."""
    return AutoBatchedSerializer(CPickleSerializer())
