"""Rows through Arrow and back: nothing is lost, and values are those that `collect` gives."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import types as T
from pyspark.sql.types import Row, StructType

from compat._structured.worker.arrow import from_elements, to_rows

INNER = StructType().add("a", "long").add("b", "string")
SCHEMA = (
    StructType()
    .add("flag", "boolean")
    .add("n", "long")
    .add("f", "double")
    .add("text", "string")
    .add("raw", "binary")
    .add("day", "date")
    .add("at", "timestamp")
    .add("wall", T.TimestampNTZType())
    .add("took", T.DayTimeIntervalType())
    .add("price", T.DecimalType(10, 2))
    .add("list", T.ArrayType(INNER))
    .add("map", T.MapType(T.StringType(), T.ArrayType(T.TimestampType())))
    .add("inner", INNER)
    .add("none", T.NullType())
)


def through(schema: StructType, elements: list[Any]) -> list[Row]:
    back = to_rows(schema)
    return [row for batch in from_elements(schema)(elements) for row in back(batch)]


def or_none(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


INNERS = or_none(
    st.tuples(or_none(st.integers(-(2**63), 2**63 - 1)), or_none(st.text())).map(lambda t: Row("a", "b")(*t))
)
# No change of clocks falls into these weeks: a local time says what it is.
TIMES = st.datetimes(datetime(2001, 6, 1), datetime(2001, 8, 1))
ROWS = st.tuples(
    or_none(st.booleans()),
    or_none(st.integers(-(2**63), 2**63 - 1)),
    or_none(st.floats(allow_nan=False)),
    or_none(st.text()),
    or_none(st.binary().map(bytearray)),
    or_none(st.dates()),
    or_none(TIMES),
    or_none(st.datetimes()),
    or_none(st.timedeltas(timedelta(-1000), timedelta(1000))),
    or_none(st.integers(-(10**9), 10**9).map(lambda n: Decimal(n).scaleb(-2))),
    or_none(st.lists(INNERS, max_size=3)),
    or_none(st.dictionaries(st.text(), or_none(st.lists(or_none(TIMES), max_size=2)), max_size=3)),
    INNERS,
    st.none(),
)


@settings(max_examples=100)
@given(elements=st.lists(ROWS, max_size=5))
def test_rows_come_back_as_they_went(elements: list[Any]) -> None:
    assert through(SCHEMA, elements) == [Row(*SCHEMA.names)(*element) for element in elements]


def test_names_of_columns_are_those_of_the_schema() -> None:
    [row] = through(INNER, [{"b": "x", "a": 1}])
    assert row.asDict() == {"a": 1, "b": "x"}


@pytest.mark.parametrize(
    ("data_type", "value", "comes_back"),
    [
        ("date", datetime(2024, 2, 29, 23, 59), date(2024, 2, 29)),
        ("binary", b"ab", bytearray(b"ab")),
        ("float", 0.1, 0.10000000149011612),
        ("timestamp", datetime(2024, 1, 1, tzinfo=timezone.utc), datetime.fromtimestamp(1704067200)),
        (T.DecimalType(4, 2), Decimal("1.5"), Decimal("1.50")),
        (T.ArrayType(T.LongType()), (1, 2), [1, 2]),
    ],
    ids=str,
)
def test_values_that_spark_keeps_in_another_form(data_type: Any, value: Any, comes_back: Any) -> None:
    [row] = through(StructType().add("x", data_type), [(value,)])
    assert row.x == comes_back and type(row.x) is type(comes_back)


def test_long_partitions_are_cut_into_batches() -> None:
    schema = StructType().add("x", "long")
    sizes = [batch.num_rows for batch in from_elements(schema)(iter(range(10_000)))]
    assert sizes == [4096, 4096, 1808]
    assert list(from_elements(schema)([])) == []


def test_a_vector_of_mllib_is_a_user_defined_type() -> None:
    from pyspark.ml.linalg import Vectors, VectorUDT

    dense, sparse = Vectors.dense(1.0, 2.0), Vectors.sparse(3, {1: 4.0})
    schema = StructType().add("x", VectorUDT())
    assert [row.x for row in through(schema, [(dense,), (sparse,), (None,)])] == [dense, sparse, None]
