"""Elements as rows: what is taken, what is refused, and that nothing is changed on the way."""

from __future__ import annotations

from collections import namedtuple
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import types as T
from pyspark.sql.types import Row, StructType

from compat.schema import rows

PAIR = StructType().add("word", "string").add("n", "long")
Point = namedtuple("Point", ["word", "n"])


def one(data_type: T.DataType, nullable: bool = True) -> StructType:
    return StructType().add("x", data_type, nullable)


def row(schema: StructType, element: Any) -> Any:
    [made] = rows(schema)([element])
    return made


@pytest.mark.parametrize(
    "element",
    [("a", 1), ["a", 1], Row(word="a", n=1), Row(other="a", names=1), Point("a", 1), {"n": 1, "word": "a"}],
    ids=repr,
)
def test_a_row_is_given_by_position_or_by_name(element: Any) -> None:
    assert list(row(PAIR, element)) == ["a", 1]


def test_what_a_dict_lacks_is_null() -> None:
    assert list(row(PAIR, {"word": "a", "unknown": 2})) == ["a", None]


def test_anything_else_is_the_value_of_the_only_column() -> None:
    assert list(row(one(T.StringType()), "a")) == ["a"]
    assert list(row(one(T.StringType()), ("a",))) == ["a"]
    assert list(row(one(T.LongType()), None)) == [None]
    assert list(row(one(T.ArrayType(T.LongType())), ([1],))) == [[1]]


@pytest.mark.parametrize(
    ("element", "error", "message"),
    [
        ("a", TypeError, "no tuple, list, Row or dict, and there are 2 columns"),
        (None, TypeError, "no tuple, list, Row or dict"),
        (("a",), ValueError, r"has 1 values, the schema 2: \['word', 'n'\]"),
        (("a", 1, 2), ValueError, "has 3 values"),
        (("a", "1"), TypeError, "^n: '1' of builtins.str is no bigint$"),
        (("a", True), TypeError, "^n: True of builtins.bool is no bigint$"),
        (("a", 1.0), TypeError, "^n: 1.0 of builtins.float is no bigint$"),
        ((b"a", 1), TypeError, "^word: b'a' of builtins.bytes is no string$"),
        ((1, 1), TypeError, "^word: 1 of builtins.int is no string$"),
        (("a", 2**63), ValueError, "^n: 9223372036854775808 is out of the range of bigint$"),
    ],
    ids=repr,
)
def test_what_is_no_row_of_two_columns(element: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        row(PAIR, element)


NESTED = (
    StructType().add("a", T.ArrayType(T.ShortType(), False)).add("m", T.MapType(T.StringType(), T.LongType()))
)


@pytest.mark.parametrize(
    ("data_type", "value"),
    [
        (T.BooleanType(), True),
        (T.ByteType(), -128),
        (T.ShortType(), 32767),
        (T.IntegerType(), -(2**31)),
        (T.LongType(), 2**63 - 1),
        (T.DoubleType(), float("nan")),
        (T.FloatType(), 1.5),
        (T.DecimalType(4, 2), Decimal("99.99")),
        (T.DecimalType(4, 2), Decimal("1E+1")),
        (T.DecimalType(4, 2), Decimal("0.000")),
        (T.DecimalType(2, 2), Decimal("0.10000")),
        (T.BinaryType(), b"\x00"),
        (T.BinaryType(), bytearray(b"x")),
        (T.DateType(), date(1969, 12, 31)),
        (T.TimestampType(), datetime(2024, 1, 1, tzinfo=timezone.utc)),
        (T.TimestampNTZType(), datetime(2024, 1, 1)),
        (T.DayTimeIntervalType(), timedelta(microseconds=-1)),
        (T.NullType(), None),
        (NESTED, ([1, 2], {"a": None})),
        (NESTED, {"a": None}),
    ],
    ids=repr,
)
def test_values_of_a_type(data_type: T.DataType, value: Any) -> None:
    assert row(one(data_type), (value,))[0] is value


@pytest.mark.parametrize(
    ("data_type", "value", "error", "message"),
    [
        (T.ByteType(), 128, ValueError, "x: 128 is out of the range of tinyint"),
        (T.DoubleType(), 1, TypeError, "x: 1 of builtins.int is no double"),
        (T.BooleanType(), 0, TypeError, "no boolean"),
        (T.DecimalType(4, 2), Decimal("1.555"), ValueError, r"1.555 does not fit into decimal\(4,2\)"),
        (T.DecimalType(4, 2), Decimal("100"), ValueError, "100 does not fit"),
        (T.DecimalType(4, 2), Decimal("NaN"), ValueError, "NaN does not fit"),
        (T.DecimalType(4, 2), 1.5, TypeError, "no decimal"),
        (T.TimestampType(), date(2024, 1, 1), TypeError, "no timestamp"),
        (T.NullType(), 1, TypeError, "no void"),
        (NESTED, ([None], {}), ValueError, r"x\.a\[\]: None, where the schema says that it is not null"),
        (NESTED, ([1], {None: 1}), ValueError, r"x\.m, a key: None"),
        (NESTED, ([1], {"a": "b"}), TypeError, r"x\.m\[\]: 'b' of builtins.str is no bigint"),
        (NESTED, ("ab", {}), TypeError, r"x\.a: 'ab' of builtins.str is no array<smallint>"),
    ],
    ids=repr,
)
def test_what_is_no_value_of_a_type(
    data_type: T.DataType, value: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        row(one(data_type), (value,))


def test_null_where_none_may_be() -> None:
    with pytest.raises(ValueError, match=r"^x: None, where the schema says that it is not null$"):
        row(one(T.LongType(), nullable=False), None)


def test_a_type_without_python_values_is_refused_at_once() -> None:
    with pytest.raises(TypeError, match=r"^x: a column of interval year to month is not supported$"):
        rows(one(T.YearMonthIntervalType()))
