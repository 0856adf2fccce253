"""Tables of Cassandra that a library reads, as DataFrames of the connector."""

from __future__ import annotations

import pytest

from migrate.graph.cassandra_tables import READ
from migrate.model import Options, Outcome
from migrate.plan.callbacks.cassandra_tables import TYPES
from tests.migrate.programs import run, socket_program

BODY = """\
import pyspark_cassandra


def show(rdd):
    for name in rdd.collect():
        prices = {}
        prices.show()


lines.foreachRDD(show)
"""
LIBRARY = "pyspark_cassandra.CassandraSparkContext("


def _program(read: str, body: str = BODY) -> str:
    return socket_program(body.format(read)).replace("SparkContext(", LIBRARY, 1)


@pytest.mark.parametrize(
    ("read", "becomes"),
    [
        ('sc.cassandraTable("shop", "prices").toDF()', 'cassandra_table("shop", "prices")'),
        (
            'sc.cassandraTable(table="prices", keyspace="shop").select("price", "day").toDF()',
            'cassandra_table(table="prices", keyspace="shop").select("price", "day")',
        ),
        (
            'sc.cassandraTable("shop", "prices").select("price").where("name=?", name).toDF()',
            'cassandra_table("shop", "prices").select("price").where(F.col("name") == name)',
        ),
        (
            'sc.cassandraTable("shop", "prices").where("name = ? AND day >= ?", name, 3 or 4).toDF()',
            '.where((F.col("name") == name) & (F.col("day") >= (3 or 4)))',
        ),
        (
            'framed(sc.cassandraTable("shop", "prices").where("name = ?", name), schema)',
            'framed(cassandra_table("shop", "prices").where(F.col("name") == name).rdd, schema)',
        ),
        (
            'sc.cassandraTable("shop", "prices").select("price").map(odd).toDF()',
            'cassandra_table("shop", "prices").select("price").rdd.map(odd).toDF()',
        ),
        ('sc.cassandraTable("shop", "prices").where("n in (1, 2)").toDF()', '.rdd.where("n in (1, 2)")'),
    ],
)
def test_the_connector_reads_a_table(read: str, becomes: str) -> None:
    result = run(_program(read))
    new = result.files[0].new
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert "".join(becomes.split()) in "".join(new.split())
    assert "\ndef cassandra_table(keyspace, table):\n" in new
    assert READ not in new and "pyspark_cassandra" not in new
    assert TYPES in result.graphs[0].notes
    must = " ".join(result.graphs[0].must_change)
    assert "spark-cassandra-connector" in must and "has no release" not in must


def test_lines_of_a_chain_stay() -> None:
    read = 'sc.cassandraTable("shop", "prices")\\\n            .where("name=?", name)\\\n            .toDF()'
    new = run(_program(read)).files[0].new
    assert 'cassandra_table("shop", "prices")\\\n            .where(F.col("name") == name)\n' in new


@pytest.mark.parametrize(
    "read", ['sc.cassandraTable("shop", "prices", row_format=0)', "sc.cassandraTable(*names).toDF()"]
)
def test_other_reads_need_the_library(read: str) -> None:
    (found,) = run(_program(read)).graphs
    assert any("`pyspark_cassandra` has no release" in text for text in found.must_change)


def test_on_compat_the_library_reads_them() -> None:
    read = 'sc.cassandraTable("shop", "prices").toDF()'
    result = run(_program(read), Options(target=Outcome.COMPAT))
    assert read in result.files[0].new
    assert any("`pyspark_cassandra` has no release" in text for text in result.graphs[0].must_change)
