"""Callbacks that read the rows of a DataFrame by RDD code: the DataFrame is made by columns all the same."""

from __future__ import annotations

import pytest

from migrate.model import Tier
from tests.migrate.programs import run, socket_program

CALLBACK = """\
from pyspark.sql import Row, SQLContext
sqlc = SQLContext(sc)
def show(rdd):
    if rdd.isEmpty():
        return
    trips = sqlc.createDataFrame(rdd.map(lambda line: Row(parts=line.split(",")[1:])))
    trips.createOrReplaceTempView("trips")
    fares = sqlc.sql("select parts[0] as city, parts[1] as fare from trips")
    {}
lines.foreachRDD(show)
"""


@pytest.mark.parametrize(
    "read",
    [
        'fares.rdd.map(lambda row: row).toDF(["city", "price"]).show()',
        "print(sorted(fares.rdd.map(lambda row: row.city).collect()))",
        "print(fares.rdd.filter(lambda row: row.city).collect())",
    ],
)
def test_methods_that_read_rows_alone_show_no_plan(read: str) -> None:
    result = run(socket_program(CALLBACK.format(read)))
    new = result.files[0].new
    assert Tier.RDD not in {site.tier for site in result.sites}
    assert "trips = batch.select(" in new and read in new
    assert 'fares = batch.sparkSession.sql("select' in new


@pytest.mark.parametrize("read", ["put(fares.rdd)", "print(fares.rdd.toDebugString())", "fares.explain()"])
def test_what_may_show_it_keeps_rdd_code(read: str) -> None:
    sites = run(socket_program(CALLBACK.format(read))).sites
    assert Tier.COLUMN not in {site.tier for site in sites if site.operator == "foreachRDD"}
