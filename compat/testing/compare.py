"""Compare what two runs gave, batch by batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pyspark.resultiterable import ResultIterable

Compare = Literal["order", "partitions", "elements"]

Partitions = Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Difference:
    """The first batch in which two outputs differ; a side without that batch is None."""

    batch: int
    expected: Partitions | None
    got: Partitions | None

    def __str__(self) -> str:
        if self.expected is None:
            return f"batch {self.batch} should not be there: got {_shown(self.got)}"
        if self.got is None:
            return f"batch {self.batch} is missing: expected {_shown(self.expected)}"
        lines = [
            f"batch {self.batch} differs",
            f"  expected  {_shown(self.expected)}",
            f"  got       {_shown(self.got)}",
        ]
        missing, extra = _bag(self.expected), _bag(self.got)
        lines += [f"  missing   {number} x {value}" for value, number in (missing - extra).items()]
        lines += [f"  too many  {number} x {value}" for value, number in (extra - missing).items()]
        return "\n".join(lines)


def difference(
    expected: Mapping[int, Partitions], got: Mapping[int, Partitions], *, compare: Compare = "order"
) -> Difference | None:
    """The first batch that differs, or None.

    Args:
        expected: the partitions of each batch, by its number.
        got: the same of the other side.
        compare: what counts. ``order``: each partition's elements in their order; ``partitions``: those of
            each partition in any order, as after a shuffle; ``elements``: those of the batch.
    """
    for batch in sorted(expected.keys() | got.keys()):
        one, other = expected.get(batch), got.get(batch)
        if one is None or other is None or _form(one, compare) != _form(other, compare):
            return Difference(batch, one, other)
    return None


def assert_equal(
    expected: Mapping[int, Partitions],
    got: Mapping[int, Partitions],
    *,
    compare: Compare = "order",
    name: str = "",
) -> None:
    """Raise AssertionError, with the first batch that differs, unless `difference` finds none.

    Args:
        expected: the partitions of each batch, by its number.
        got: the same of the other side.
        compare: what counts, as for `difference`.
        name: stands before the message.
    """
    found = difference(expected, got, compare=compare)
    if found is not None:
        raise AssertionError(f"{name}: {found}" if name else str(found))


def canonical(value: Any) -> Hashable:
    """A form that is equal for values which are the same, of the same type, all the way down.

    Unlike ``==`` it tells 1 from 1.0 and from True, and finds nan equal to itself. Dictionaries and sets have
    no order, nor has what `groupByKey` yields (`ResultIterable`): none is promised across partitions.
    """
    kind = type(value).__qualname__
    if isinstance(value, (ResultIterable, set, frozenset)):
        return kind, _sorted(map(canonical, value))
    if isinstance(value, (tuple, list)):
        return kind, tuple(map(canonical, value))
    if isinstance(value, dict):
        return kind, _sorted((canonical(key), canonical(item)) for key, item in value.items())
    if repr(value) == object.__repr__(value):  # it says where it is, not what it is
        return kind, canonical(vars(value))
    return kind, repr(value)


def _sorted(values: Any) -> tuple[Hashable, ...]:
    return tuple(sorted(values, key=repr))


def _form(partitions: Partitions, compare: Compare) -> Hashable:
    if compare == "order":
        return canonical([list(partition) for partition in partitions])
    if compare == "partitions":
        return tuple(_sorted(map(canonical, partition)) for partition in partitions)
    if compare == "elements":
        return _sorted(canonical(value) for partition in partitions for value in partition)
    raise ValueError(f"compare: {compare!r} is none of order, partitions, elements")


def _bag(partitions: Partitions) -> Counter[str]:
    return Counter(_text(value) for partition in partitions for value in partition)


def _text(value: Any) -> str:
    if isinstance(value, ResultIterable):
        return f"ResultIterable({sorted(map(_text, value))})"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def _shown(partitions: Partitions | None) -> str:
    return str([[_Shown(value) for value in partition] for partition in partitions or []])


class _Shown:
    def __init__(self, value: Any) -> None:
        self._text = _text(value)

    def __repr__(self) -> str:
        return self._text
