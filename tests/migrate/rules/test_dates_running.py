"""Dates and datetimes in columns: keys, conditions, orders, joins, and a function that makes others."""

from __future__ import annotations

from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import after_program, as_printed, before

PROGRAM = """\
import datetime
from collections import namedtuple

FIELDS = ("day", "start", "delay", "place")
Ride = namedtuple("Ride", FIELDS)

def ride(line):
    row = line.split(",")
    row[0] = datetime.datetime.strptime(row[0], "%Y-%m-%d").date()
    row[1] = datetime.datetime.strptime(row[1], "%H%M").time()
    for name in ("delay",):
        try:
            row[FIELDS.index(name)] = float(row[FIELDS.index(name)])
        except ValueError:
            row[FIELDS.index(name)] = None
    return Ride(*row)

def moment(line):
    day, start = line.split(",")[:2]
    return datetime.datetime.strptime(day + start, "%Y-%m-%d%H%M"), day

rides = lines.map(ride)
rides.filter(lambda one: one.delay is not None).map(lambda one: (one.place, one.start.hour)).pprint()
moments = lines.map(moment)
moments.map(lambda one: (one[0].year, one[0].weekday(), one[0].date(), one[1])).pprint()
moments.map(lambda one: (one[0].date(), 1)).reduceByKey(lambda a, b: a + b).pprint()
moments.map(lambda one: (one[1], one[0])).reduceByKey(lambda a, b: max(a, b)).pprint()
moments.filter(lambda one: one[0] >= datetime.datetime(2024, 1, 1) and one[0].minute == 30).pprint()
moments.map(lambda one: (one[0] + datetime.timedelta(days=2), one[0])).join(moments).pprint()
"""
KEPT = """\
import datetime

def day(line):
    return datetime.datetime.strptime(line.split(",")[0], "%Y-%m-%d").date()

def latest(new, last):
    return max(new) if last is None else max([*new, last])

days = lines.map(day)
days.saveAsTextFiles("days")
days.map(lambda one: (one, 1)).saveAsTextFiles("pairs")
days.map(lambda one: (one.month, one)).updateStateByKey(latest).pprint()
"""
BATCHES = [
    ("2024-02-29,2359,1.5,a", "2024-03-02,2359,,b", "2021-03-28,0230,-2,a"),
    (),
    ("0001-01-01,0000,0,c", "9999-12-29,2359,7,c", "1582-10-10,0030,,c", "1969-12-31,2330,x,c"),
]


def test_dates_in_columns_are_those_of_python(spark_context: SparkContext, spark: SparkSession) -> None:
    new = file(socket_program(PROGRAM)).new
    assert ".rdd" not in str(new) and "timestamp_ntz" in str(new)
    (was,) = before([PROGRAM], BATCHES, spark_context)
    assert "0001" in str(was.batches[2]) or "datetime.date(1, 1, 1)" in str(was.batches[2])
    came = after_program(socket_program(PROGRAM), BATCHES, spark).batches
    assert came == [as_printed(expected, after) for expected, after in zip(was.batches, came, strict=True)]


def test_states_and_saved_texts_of_dates(spark_context: SparkContext, spark: SparkSession) -> None:
    new = str(file(socket_program(KEPT)).new)
    assert "state date" in new and ".rdd" not in new
    (was,) = before([KEPT], BATCHES, spark_context)
    assert "9999-12-29" in str(was.batches[2])
    came = after_program(socket_program(KEPT), BATCHES, spark).batches
    assert came == [as_printed(expected, after) for expected, after in zip(was.batches, came, strict=True)]
