"""Where Spark evaluates conditions of typed functions: the facts that `asNondeterministic()` rests on."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F


def keep(n):  # type: ignore[no-untyped-def]  # Spark warns of type hints that are not those of pandas
    return n != 0


def divide(n):  # type: ignore[no-untyped-def]
    return 6 // n


def divides(n):  # type: ignore[no-untyped-def]
    return 6 // n > 0


def numbers(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame([(0,), (1,), (2,), (3,)], "n bigint")


def rows(frame: DataFrame) -> Any:
    try:
        return sorted(row[0] for row in frame.collect())
    except Exception as error:
        assert "ZeroDivisionError" in str(error)
        return "it saw 0"


@pytest.mark.parametrize(("pinned", "found"), [(False, "it saw 0"), (True, [1, 2, 3])])
def test_a_condition_behind_a_condition(spark: SparkSession, pinned: bool, found: Any) -> None:
    first, second = F.udf(keep, "boolean"), F.udf(divides, "boolean")
    first = first.asNondeterministic() if pinned else first
    assert rows(numbers(spark).where(first("n")).where(second("n"))) == found
    assert rows(numbers(spark).where(first("n")).distinct().where(second("n"))) == found


@pytest.mark.parametrize(("pinned", "found"), [(False, "it saw 0"), (True, [2, 3, 6])])
def test_a_condition_that_reads_what_a_function_made(spark: SparkSession, pinned: bool, found: Any) -> None:
    first, second = F.udf(keep, "boolean"), F.udf(divide, "bigint")
    first = first.asNondeterministic() if pinned else first
    assert rows(numbers(spark).where(first("n")).select(second("n").alias("q")).where("q > 0")) == found


@pytest.mark.parametrize(("pinned", "found"), [(False, "it saw 0"), (True, [1, 2, 3])])
def test_a_condition_of_columns_between(spark: SparkSession, pinned: bool, found: Any) -> None:
    first, second = F.udf(abs, "bigint"), F.udf(divides, "boolean")
    first = first.asNondeterministic() if pinned else first
    assert rows(numbers(spark).select(first("n").alias("a")).where("a != 0").where(second("a"))) == found


def test_where_the_order_stays(spark: SparkSession) -> None:
    first, second, third = F.udf(keep, "boolean"), F.udf(divide, "bigint"), F.udf(divides, "boolean")
    listed = F.udf(lambda n: [n], "array<bigint>")
    frame = numbers(spark)
    assert rows(frame.where("n != 0").where(third("n"))) == [1, 2, 3]
    assert rows(frame.where("n != 0").select(second("n"))) == [2, 3, 6]
    assert rows(frame.where(first("n")).select(second("n"))) == [2, 3, 6]
    assert rows(frame.where(first("n")).select(F.explode(listed("n")).alias("n")).where(third("n"))) == [
        1,
        2,
        3,
    ]
