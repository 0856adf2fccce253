"""Elements as programs have them, for Hypothesis."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from migrate.facts.seen import Seen
from migrate.facts.types import Part

Point = namedtuple("Point", ("x", "y"))
KEYS = st.sampled_from(["a", "b", "user name", "a?", 'q"uote', "ü", "[0]", "{key}"])
LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=4),
    st.binary(max_size=2),
    st.sampled_from([2**53, 2**53 + 1, -(2**63), 2**63, -0.0]),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.builds(Point, inner, inner),
        st.dictionaries(KEYS, inner, max_size=3),
        st.dictionaries(st.integers(0, 3), inner, max_size=2),
    ),
    max_leaves=8,
)


def seen_of(values: Iterable[Any]) -> Seen:
    """What is seen of some values."""
    seen = Seen()
    for value in values:
        seen.add(value)
    return seen


def type_of(values: Iterable[Any]) -> dict[str, Part]:
    """The type of some values."""
    return {path: part for path, part, _ in seen_of(values).lines()}


TYPES = st.lists(VALUES, min_size=1, max_size=4).map(type_of)
