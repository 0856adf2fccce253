"""Dates and datetimes as elements: columns of dates, and of timestamps that have no time zone."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, flat, native_body, run, socket_program

BEFORE = """\
import datetime
from collections import namedtuple
DAY = "%Y-%m-%d"
FIELDS = ("day", "start", "delay", "place")
Ride = namedtuple("Ride", FIELDS)
def visit(line):
    day, place = line.split(",")[:2]
    return datetime.datetime.strptime(day, DAY).date(), place
def moment(line):
    return datetime.datetime.strptime(line, "%Y-%m-%d %H:%M"), 1
def zoned(line):
    return datetime.datetime.strptime(line, "%Y-%m-%d %z"), 1
def given(line):
    return datetime.datetime.fromisoformat(line), 1
def ride(line):
    row = line.split(",")
    row[0] = datetime.datetime.strptime(row[0], DAY).date()
    row[1] = datetime.datetime.strptime(row[1], "%H%M").time()
    for place in (2,):
        row[place] = float(row[place])
    return Ride(*row)
def measured(line):
    row = line.split(",")
    for name in ["start", "delay"]:
        try:
            row[FIELDS.index(name)] = float(row[FIELDS.index(name)])
        except ValueError:
            row[FIELDS.index(name)] = None
            continue
    return row[0], row[1], row[2]
"""


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        ("lines.map(visit)", 'F.udf(visit, "struct<key date, place string>")'),
        ("lines.map(moment)", 'F.udf(moment, "struct<key timestamp_ntz, count bigint>")'),
        (
            "lines.map(visit).map(lambda v: (v[0], 1)).reduceByKey(lambda a, b: a + b)",
            '.groupBy("key").count()',
        ),
        ("lines.map(visit).filter(lambda v: v[0].year == 2024)", '.where(F.year("key") == 2024)'),
        ("lines.map(visit).map(lambda v: v[0].weekday())", 'F.weekday("key").alias("weekday")'),
        ("lines.map(moment).map(lambda m: (m[0].date(), m[0].hour))", 'F.to_date("key").alias("date")'),
        ("lines.map(visit).map(lambda v: (v[1], v[0])).reduceByKey(lambda a, b: max(a, b))", 'F.max("key")'),
        ("lines.map(visit).transform(lambda rdd: rdd.sortByKey())", '.orderBy("key")'),
    ],
)
def test_dates_are_columns(stream: str, expected: str) -> None:
    assert flat(expected) in flat(str(file(socket_program(f"{BEFORE}{stream}.pprint()")).new))


@pytest.mark.parametrize("function", ["zoned", "given"])
def test_datetimes_that_may_have_a_time_zone_are_none(function: str) -> None:
    """A column would have the time without its zone."""
    body = f"{BEFORE}lines.map({function}).pprint()"
    assert "timestamp" not in str(run(socket_program(body)).files[0].new)


def test_what_is_made_of_other_times_is_a_column() -> None:
    """A `datetime.time` is in no column: the next function gets it from the one before."""
    stream = "lines.map(ride).map(lambda r: (r.place, r.start.hour)).reduceByKey(lambda a, b: a + b)"
    body = str(file(socket_program(f"{BEFORE}{stream}.pprint()")).new)
    assert '@F.udf("struct<key string, hour bigint>")' in body and "r = ride(value)" in body


def test_each_turn_of_a_loop_over_constants_changes_its_own_item() -> None:
    body = native_body(f"{BEFORE}lines.map(measured).pprint()")
    assert 'F.udf(measured, "struct<field1 string, field2 double, field3 double>")' in body


@pytest.mark.parametrize(
    "rows",
    [
        "createDataFrame(rdd, ['day', 'place'])",
        "createDataFrame(rdd, 'day date, place string')",
    ],
)
def test_a_frame_of_dates(rows: str) -> None:
    body = (
        f"{BEFORE}from pyspark.sql import SparkSession\n"
        f"def show(rdd):\n    SparkSession.builder.getOrCreate().{rows}.show()\n"
        "lines.map(visit).foreachRDD(show)"
    )
    assert ".rdd" not in str(file(socket_program(body)).new)


def test_a_frame_of_datetimes_has_another_type_for_them() -> None:
    """`createDataFrame` makes timestamps of them that have a time zone, that of the session."""
    body = (
        f"{BEFORE}from pyspark.sql import SparkSession\n"
        "def show(rdd):\n    SparkSession.builder.getOrCreate().createDataFrame(rdd, ['at', 'n']).show()\n"
        "lines.map(moment).foreachRDD(show)"
    )
    assert "timestamp_ntz" not in str(file(socket_program(body)).new)
