"""Micro-batches made by Hypothesis: empty ones, duplicates, unicode, one partition, many, none.

Needs ``pip install hypothesis``.
"""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

# Few, so that keys meet again in other partitions and batches; what they have in them is what breaks
# programs: nothing, blanks, case, characters of two to four bytes, a combining accent, a look like a number.
_WORDS = ["", " x ", "a", "A", "b", "é", "e\u0301", "雪", "𐍈", "\t", "0", "None"]


def words() -> st.SearchStrategy[str]:
    """Short strings, some empty, blank or beyond ASCII, that often come again."""
    return st.sampled_from(_WORDS)


def lines(max_words: int = 4) -> st.SearchStrategy[str]:
    """Words with single and double blanks between them, and lines without any."""
    return st.lists(words(), max_size=max_words).map(" ".join)


def numbers() -> st.SearchStrategy[int]:
    """Integers: small ones that come again, and a few beyond 64 bits."""
    return st.one_of(st.integers(-3, 3), st.integers(-9, 9), st.sampled_from([2**31, -(2**63), 2**64]))


def keys() -> st.SearchStrategy[object]:
    """What programs group by: words, numbers, tuples, None.

    No two of them are equal and of different types, as 1 and True are: which one stands for both is chance.
    """
    return st.one_of(words(), st.integers(-2, 2), st.tuples(words(), st.integers(0, 1)), st.none())


def pairs(
    key: st.SearchStrategy[K] | None = None, value: st.SearchStrategy[V] | None = None
) -> st.SearchStrategy[tuple[object, object]]:
    """Pairs of a key and a value; by default of `keys` and small integers."""
    return st.tuples(keys() if key is None else key, st.integers(-9, 9) if value is None else value)


def batch(
    elements: st.SearchStrategy[T], *, max_partitions: int = 3, max_size: int = 5
) -> st.SearchStrategy[list[list[T]]]:
    """One batch: partitions of elements. `[]` has no partition, `[[]]` an empty one."""
    partition = st.lists(elements, max_size=max_size)
    return st.one_of(
        st.lists(partition, max_size=max_partitions),
        st.just([]),
        st.just([[]]),
        st.lists(elements, min_size=1, max_size=2).map(lambda some: [some * 2]),
    )


def batches(
    elements: st.SearchStrategy[T],
    *,
    min_batches: int = 1,
    max_batches: int = 5,
    max_partitions: int = 3,
    max_size: int = 5,
) -> st.SearchStrategy[list[list[list[T]]]]:
    """The batches of one source, in order; for `compat.testing.Case`."""
    one = batch(elements, max_partitions=max_partitions, max_size=max_size)
    return st.lists(one, min_size=min_batches, max_size=max_batches)
