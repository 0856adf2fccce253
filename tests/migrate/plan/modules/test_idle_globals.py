"""``global spark`` goes with what read the session, as DataFrames need none."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native
from tests.migrate.programs import socket_program

BODY = """\
from pyspark.sql import SparkSession
spark = SparkSession(sc)
def show(rdd):
    if not rdd.isEmpty():
        global spark
        {}
lines.map(lambda line: (line, 1)).foreachRDD(show)
"""


def test_one_of_a_session_that_is_read_no_more_goes() -> None:
    new = native(socket_program(BODY.format("spark.createDataFrame(rdd, ['line', 'n']).show()")))
    assert "global" not in new and ".show()" in new


@pytest.mark.parametrize(
    "code",
    [
        "spark.createDataFrame(rdd, ['line', 'n']).show(); print(spark)",
        "spark.createDataFrame(rdd, ['line', 'n']).show(); spark = SparkSession(sc)",
    ],
)
def test_one_of_a_name_that_is_left_stays(code: str) -> None:
    assert "global spark" in native(socket_program(BODY.format(code)))
