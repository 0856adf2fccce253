"""The lattice of types."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from migrate.facts.types import Part, contradictions, join
from tests.migrate.facts.values import TYPES, VALUES, type_of


@given(TYPES, TYPES)
def test_the_order_in_which_types_come_together_does_not_matter(
    one: dict[str, Part], other: dict[str, Part]
) -> None:
    assert join(one, other) == join(other, one)


@given(TYPES, TYPES, TYPES)
def test_nor_does_it_matter_which_come_together_first(
    one: dict[str, Part], other: dict[str, Part], third: dict[str, Part]
) -> None:
    assert join(join(one, other), third) == join(one, join(other, third))


@given(TYPES)
def test_a_type_with_itself_is_itself(one: dict[str, Part]) -> None:
    assert join(one, one) == one


@given(TYPES, TYPES)
def test_what_a_fact_allows_contradicts_it_nowhere(one: dict[str, Part], other: dict[str, Part]) -> None:
    wider = join(one, other)
    assert list(contradictions(wider, one)) == []
    assert list(contradictions(wider, other)) == []


@given(TYPES, TYPES)
def test_a_fact_that_data_widen_is_contradicted(one: dict[str, Part], other: dict[str, Part]) -> None:
    assert bool(list(contradictions(one, other))) == (join(one, other) != one)


@given(st.lists(VALUES, min_size=1, max_size=3), st.lists(VALUES, min_size=1, max_size=3))
def test_data_in_two_runs_are_as_in_one(one: list[object], other: list[object]) -> None:
    assert join(type_of(one), type_of(other)) == type_of([*one, *other])


def test_each_kind_of_int_is_part_of_the_next() -> None:
    assert str(join(type_of([1]), type_of([2**60]))["element"]) == "int64"
    assert str(join(type_of([2**60]), type_of([2**70]))["element"]) == "int"


def test_a_key_that_one_dict_has_not_is_optional() -> None:
    found = type_of([{"a": 1, "b": None}, {"a": 2}])
    assert {path: (str(part), part.optional) for path, part in found.items()} == {
        "element": ("dict", False),
        "element.a": ("int53", False),
        "element.b": ("None", True),
    }


def test_a_dict_with_numbers_as_keys_is_keyed_by_data() -> None:
    found = type_of([{"a": 1}, {7: "x"}])
    assert {path: str(part) for path, part in found.items()} == {
        "element": "map",
        "element{}": "int53 | str",
        "element{key}": "int53 | str",
    }


def test_contradictions_say_what_came_where() -> None:
    fact = type_of([{"n": 1, "s": "x"}])
    data = type_of([{"n": "1"}])
    assert list(contradictions(fact, data)) == [
        ("element.n", "int53", "str"),
        ("element.s", "str", "not in every dict"),
    ]
