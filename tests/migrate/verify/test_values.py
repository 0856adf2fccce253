"""Records as data, and the canonical order."""

from __future__ import annotations

import datetime
import decimal
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.resultiterable import ResultIterable
from pyspark.sql import Row

from migrate.verify.values import encode, leaves, readable, sort_key

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.binary(max_size=3)
)
records = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.tuples(inner),
    max_leaves=5,
)


def test_a_row_is_a_tuple():
    assert encode(Row(word="a", n=1)) == encode(("a", 1))


@pytest.mark.parametrize(
    ("one", "other"),
    [(3, 3.0), (1, True), ("3", 3), ((1, 2), [1, 2]), (b"a", "a"), (decimal.Decimal(3), 3), (None, "None")],
)
def test_types_count(one, other):
    assert json.dumps(encode(one)) != json.dumps(encode(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"x", "y", "z"}, {"z", "y", "x"}),
        (ResultIterable([1, 2]), ResultIterable([2, 1])),
    ],
)
def test_what_has_no_order_is_in_canonical_order(one, other):
    assert encode(one) == encode(other)


def test_objects_count_by_what_they_print_without_their_address():
    class Point:
        pass

    assert encode(Point()) == encode(Point())


@given(records)
def test_an_encoding_is_json(record):
    assert json.loads(json.dumps(encode(record))) == encode(record)


@given(st.lists(records, max_size=6), st.randoms(use_true_random=False))
def test_the_canonical_order_does_not_depend_on_how_the_rows_came(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = sorted(rows, key=sort_key), sorted(shuffled, key=sort_key)
    assert [leaves(encode(row)) for row in one] == [leaves(encode(row)) for row in other]


@given(st.lists(st.tuples(st.text(max_size=2), st.integers(0, 3)), max_size=6))
def test_the_canonical_order_is_that_of_the_same_rows_with_their_columns_in_another_order(rows):
    swapped = [(count, word) for word, count in rows]
    back = [(word, count) for count, word in sorted(swapped, key=sort_key)]
    assert back == sorted(rows, key=sort_key)


@pytest.mark.parametrize(
    "value",
    [("a", 3), ("a",), [1, None], 2.5, "it's", {"a": [1]}, (("a", 1), [2.0]), True, decimal.Decimal("1.50")],
)
def test_a_report_shows_values_as_python_does(value):
    assert readable(encode(value)) == (str(value) if isinstance(value, decimal.Decimal) else repr(value))


def test_a_report_shows_times():
    assert readable(encode(datetime.date(2026, 5, 1))) == "2026-05-01"


def test_a_text_and_its_json_stand_at_the_same_place():
    rows = [(key, 1) for key in ("a", "é", 'x"y', "", "b c", "null", "[1]", "7", '"')]
    coded = [(json.dumps(key), count) for key, count in rows]
    back = [(json.loads(key), count) for key, count in sorted(coded, key=sort_key)]
    assert back == sorted(rows, key=sort_key)
