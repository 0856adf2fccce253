"""Dataclasses that only the type checker keeps frozen: equal, hashed and copied as those of Python are."""

from __future__ import annotations

import dataclasses
from functools import cached_property

from migrate.frozen import dataclass, replace


@dataclass(frozen=True)
class Word:
    text: str
    counts: tuple[int, ...] = dataclasses.field(default=(), hash=False)

    @cached_property
    def length(self) -> int:
        return len(self.text)


@dataclass(frozen=True, eq=False)
class Place:
    line: int


def test_equal_values_are_one_key() -> None:
    assert Word("a", (1,)) == Word("a", (1,)) != Word("a", (2,))
    assert hash(Word("a", (1,))) == hash(Word("a", (2,)))


def test_without_eq_each_value_is_a_key_of_its_own() -> None:
    assert len({Place(1), Place(1)}) == 2


def test_a_copy_has_new_values_and_nothing_that_was_found_of_the_old_ones() -> None:
    word = Word("a", (1,))
    assert word.length == 1
    longer = replace(word, text="abc")
    assert longer == Word("abc", (1,))
    assert longer.length == 3
    assert word == Word("a", (1,))
