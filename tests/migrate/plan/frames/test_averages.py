"""A sum of floats and a number of rows, of which only the quotient is read, are an average."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from tests.migrate.programs import flat, native_body

PAIRS = "pairs = lines.map(lambda line: (line[:1], (len(line) / 7, 1)))\n"
SUMS = "sums = pairs.reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))\n"
AVERAGE = '.groupBy(F.col("value").substr(1, 1).alias("key")).agg(F.avg(F.length("value") / 7)'


@pytest.mark.parametrize(
    "read",
    [
        "sums.mapValues(lambda v: v[0] / v[1])",
        "sums.map(lambda pair: (pair[0], pair[1][0] / pair[1][1]))",
    ],
)
def test_a_quotient_that_is_all_that_is_read_is_an_average(read: str) -> None:
    body = native_body(f"{PAIRS}{SUMS}averages = {read}\naverages.pprint()")
    assert flat(f'averages = (batch{AVERAGE}.alias("value")))') in flat(body)


def test_so_it_is_in_a_chain() -> None:
    body = native_body(f"{PAIRS}{SUMS}".rstrip() + ".mapValues(lambda v: v[0] / v[1])\nsums.pprint()")
    assert flat(AVERAGE) in flat(body)


def test_its_rows_are_left_out_and_changed_as_others() -> None:
    body = native_body(
        f"{PAIRS}{SUMS}many = sums.mapValues(lambda v: v[0] / v[1]).filter(lambda pair: pair[1] > 2)\n"
        "many.pprint()"
    )
    assert flat(AVERAGE + '.alias("value")).where(') in flat(body)


@pytest.mark.parametrize(
    "read",
    [
        "sums.mapValues(lambda v: v[1] / v[0])",
        "sums.mapValues(lambda v: (v[0] / v[1], v[1]))",
        "sums.map(lambda pair: (pair[1][0] / pair[1][1], pair[0]))",
        "sums.map(lambda pair: pair[1][0] / pair[1][1])",
    ],
)
def test_what_is_another_quotient_or_more_is_none(read: str) -> None:
    body = native_body(f"{PAIRS}{SUMS}averages = {read}\naverages.pprint()")
    assert "F.sum" in body
    assert "F.avg" not in body


def test_sums_that_something_else_reads_stay() -> None:
    body = native_body(f"{PAIRS}{SUMS}sums.pprint()\nsums.mapValues(lambda v: v[0] / v[1]).pprint()")
    assert 'F.col("value") / F.col("count")' in body


def test_ints_are_summed_since_an_average_adds_doubles() -> None:
    ints = "pairs = lines.map(lambda line: (line[:1], (int(line), 1)))\n"
    body = native_body(f"{ints}{SUMS}averages = sums.mapValues(lambda v: v[0] / v[1])\naverages.pprint()")
    assert "F.avg" not in body


@settings(max_examples=20, deadline=None)
@given(numbers=st.lists(st.floats(), min_size=1, max_size=30), groups=st.integers(1, 3))
def test_an_average_is_the_quotient_bit_by_bit(
    spark: SparkSession, numbers: list[float], groups: int
) -> None:
    rows = [(place % groups, number) for place, number in enumerate(numbers)]
    frame = spark.createDataFrame(rows, "key int, value double").coalesce(1)
    pair = F.avg("value"), F.sum("value") / F.count("*")
    for average, quotient in frame.groupBy("key").agg(*pair).drop("key").collect():
        assert average == quotient or (math.isnan(average) and math.isnan(quotient))
        assert math.copysign(1, average) == math.copysign(1, quotient) or math.isnan(average)
