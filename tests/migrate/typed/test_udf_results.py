"""What Spark makes of a result whose type is not the declared one: the facts that typed functions rest on.

Hardly any of them raises. So a function becomes a typed one only where the type of its result is proven, and
`useArrow=True` stands where the type is proven, but not that a column holds the value.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from tests.migrate.columns.both_ways import same

NAN = float("nan")
VALUES: dict[str, Any] = {
    "int": 7,
    "beyond 64 bits": 2**63,
    "float": 7.5,
    "whole float": 7.0,
    "-0.0": -0.0,
    "NaN": NAN,
    "bool": True,
    "None": None,
    "text": "seven",
    "number as text": "7",
    "surrogate": "a\ud800b",
    "NUL": "a\0b",
    "Decimal": Decimal("7.50"),
}
RAISES = "raises"
PICKLED: dict[str, dict[str, Any]] = {
    "bigint": {"int": 7},
    "double": {"float": 7.5, "whole float": 7.0, "-0.0": -0.0, "NaN": NAN},
    "boolean": {"bool": True},
    "string": {
        "int": "7",
        "beyond 64 bits": "9223372036854775808",
        "float": "7.5",
        "whole float": "7.0",
        "-0.0": "-0.0",
        "NaN": "NaN",
        "bool": "true",
        "text": "seven",
        "number as text": "7",
        "surrogate": "a\ufffdb",
        "NUL": "a\0b",
        "Decimal": "7.50",
    },
}
"""By type; what is not listed becomes null: 7.5 as an int, 7 as a float, an int beyond 64 bits."""
OVER_ARROW: dict[str, dict[str, Any]] = {
    "bigint": {
        "int": 7,
        "float": 7,
        "whole float": 7,
        "-0.0": 0,
        "None": None,
        "number as text": 7,
        "Decimal": 7,
    },
    "double": {
        "int": 7.0,
        "float": 7.5,
        "whole float": 7.0,
        "-0.0": -0.0,
        "NaN": NAN,
        "bool": 1.0,
        "None": None,
        "number as text": 7.0,
        "Decimal": 7.5,
    },
    "boolean": {
        "int": True,
        "float": True,
        "whole float": True,
        "-0.0": False,
        "NaN": True,
        "bool": True,
        "None": None,
    },
    "string": {
        "int": "7",
        "beyond 64 bits": "9223372036854775808",
        "float": "7.5",
        "whole float": "7.0",
        "-0.0": "-0.0",
        "NaN": "nan",
        "bool": "true",
        "None": None,
        "text": "seven",
        "number as text": "7",
        "NUL": "a\0b",
        "Decimal": "7.50",
    },
}
"""By type, on Spark 4.3; what is not listed raises."""
NEWEST = "only 4.3 raises over Arrow: 3.5 makes -2**63 of 2**63"


def returned(spark: SparkSession, names: list[str], kind: str, *, arrow: bool) -> dict[str, Any]:
    columns = [
        F.udf(lambda _, value=VALUES[name]: value, kind, useArrow=arrow)("id").alias(f"c{place}")
        for place, name in enumerate(names)
    ]
    return dict(zip(names, spark.range(1).select(*columns).collect()[0], strict=True))


@pytest.mark.parametrize("kind", PICKLED)
def test_without_arrow_another_type_is_null_or_a_text(spark: SparkSession, kind: str) -> None:
    found = returned(spark, list(VALUES), kind, arrow=False)
    expected = {**dict.fromkeys(VALUES), **PICKLED[kind]}
    assert {name: one for name, one in found.items() if not same(one, expected[name])} == {}


@pytest.mark.parametrize("kind", OVER_ARROW)
def test_over_arrow_another_type_is_cast(spark: SparkSession, kind: str) -> None:
    if not spark.version.startswith("4.3"):
        pytest.skip(NEWEST)
    found = returned(spark, list(OVER_ARROW[kind]), kind, arrow=True)
    assert {name: one for name, one in found.items() if not same(one, OVER_ARROW[kind][name])} == {}


@pytest.mark.parametrize(
    ("kind", "name"), [("bigint", "beyond 64 bits"), ("string", "surrogate"), ("bigint", "bool")]
)
def test_over_arrow_what_a_column_cannot_hold_raises(spark: SparkSession, kind: str, name: str) -> None:
    if not spark.version.startswith("4.3"):
        pytest.skip(NEWEST)
    with pytest.raises(Exception, match=r"Overflow|Unicode|Expected integer"):
        returned(spark, [name], kind, arrow=True)


def test_a_struct_and_a_list_of_the_declared_types(spark: SparkSession) -> None:
    value = ("a", 7, -0.0, None, [("b", 1), ("c", 2)])
    kind = "struct<s string, n bigint, x double, o string, items array<struct<key string, n bigint>>>"
    for arrow in [False, True] if spark.version.startswith("4.3") else [False]:
        udf = F.udf(lambda _: value, kind, useArrow=arrow)
        row = spark.range(1).select(udf("id").alias("p")).select("p.*").collect()[0]
        assert same(tuple(row)[:4], value[:4])
        assert [tuple(item) for item in row["items"]] == value[4]


def test_a_struct_is_a_tuple_for_the_function(spark: SparkSession) -> None:
    for arrow in [False, True] if spark.version.startswith("4.3") else [False]:
        udf = F.udf(lambda row: f"{isinstance(row, tuple)} {row[0]} {row[1][1]}", "string", useArrow=arrow)
        nested = F.struct("id", F.struct(F.lit("a").alias("a"), F.lit("b").alias("b")))
        assert spark.range(1).select(udf(nested)).collect()[0][0] == "True 0 b"
