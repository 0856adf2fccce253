"""What is noted of values."""

from __future__ import annotations

import json
from collections import namedtuple
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import Row

from migrate.facts.seen import Seen
from tests.migrate.facts.values import VALUES, seen_of, type_of


def remark(*values: Any, examples: bool = True) -> str:
    seen = Seen(examples=examples)
    for value in values:
        seen.add(value)
    return next(seen.lines())[2]


@given(st.lists(VALUES, min_size=1, max_size=6), st.integers(0, 6))
def test_partitions_are_seen_as_one_however_elements_are_dealt_out(values: list[Any], cut: int) -> None:
    whole, parts = seen_of(values), seen_of(values[:cut])
    parts.merge(seen_of(values[cut:]))
    types = [{path: part for path, part, _ in seen.lines()} for seen in (whole, parts)]
    assert types[0] == types[1]
    assert whole.count == parts.count


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_what_a_worker_writes_down_is_read_as_it_was(values: list[Any]) -> None:
    seen = seen_of(values)
    again = Seen.read(json.loads(json.dumps(seen.document())))
    assert list(again.lines()) == list(seen.lines())


@pytest.mark.parametrize("cut", [0, 600, 700])
def test_too_many_keys_are_data_in_one_partition_and_in_several(cut: int) -> None:
    dicts = [{f"k{number}": number for number in range(start, start + 700)} for start in (0, 700)]
    seen = seen_of([] if cut == 0 else dicts[:1])
    seen.merge(seen_of(dicts if cut == 0 else dicts[1:]))
    assert {path: str(part) for path, part, _ in seen.lines()} == {
        "element": "map",
        "element{}": "int53",
        "element{key}": "str",
    }


def test_few_dicts_that_share_no_keys_are_keyed_by_data() -> None:
    counts = [{f"word{number}": 1} for number in range(20)]
    assert str(type_of(counts)["element"]) == "map"
    assert str(type_of(counts[:10])["element"]) == "dict"


def test_no_code_of_the_program_runs() -> None:
    class Loud(tuple[Any, ...]):
        def __len__(self) -> int:
            raise AssertionError

        def __getattribute__(self, name: str) -> Any:
            raise AssertionError

        def __eq__(self, other: object) -> bool:
            raise AssertionError

        __hash__ = None  # type: ignore[assignment]

    class Proxy:
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError

    found = type_of([Loud((1, "x")), Proxy()])
    assert [str(found[path]) for path in ("element[0]", "element[1]")] == ["int53", "str"]
    assert {kind.rpartition(".")[2] for kind in found["element"].kinds} == {"Loud", "Proxy"}


def test_tuples_with_names_say_them() -> None:
    Tweet = namedtuple("Tweet", ("tag", "count"))
    assert str(type_of([Tweet("#a", 1)])["element"]) == "Tweet(tag, count)"
    assert str(type_of([Row(tag="#a", count=1)])["element"]) == "Row(tag, count)"
    assert str(type_of([Row("a", "b")])["element"]) == "pyspark.sql.types.Row"


def test_what_is_worth_knowing_is_counted() -> None:
    assert remark("a", "", "é") == "3 seen; 1 empty; 1 non-ASCII; like 'a'"
    assert remark(None, 3) == "2 seen; None 1, int53 1; 3..3; like 3"
    assert remark(float("nan"), 1.5) == "2 seen; 1 NaN; sums depend on their order; like nan"
    assert remark(-0.0, 0.5, 0.25) == "3 seen; 1 -0.0; sums exact; like -0.0"
    assert remark(0.1, 0.2) == "2 seen; sums depend on their order; like 0.1"


def test_without_examples_no_value_is_written() -> None:
    assert remark("secret", examples=False) == "1 seen"
    assert remark(4711, examples=False) == "1 seen; up to 13 bits"


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=5), st.randoms())
def test_sums_that_are_said_to_be_exact_are_the_same_in_any_order(values: list[float], random: Any) -> None:
    if "sums exact" in remark(*values):
        shuffled = random.sample(values, len(values))
        assert sum(values) == sum(shuffled)
