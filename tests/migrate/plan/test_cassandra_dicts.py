"""Dicts without known types that a library saves to Cassandra: a function of a few lines saves them."""

from __future__ import annotations

import ast
import re

import pytest

from migrate.graph.cassandra_dicts import TWICE
from migrate.migration import migrate
from migrate.model import GraphResult, Options, Outcome
from tests.migrate.programs import kafka_program, module, run, socket_program

HEAD = "import json\nimport pyspark_cassandra, sys\nfrom pyspark_cassandra import streaming\n"
ROWS = "rows = lines.map(json.loads).map(lambda d: {'price': d['price'], 'ticker': d['ticker']})\n"
SAVED = "rows.saveToCassandra('shop', 'prices')"
SAVED_RDD = "rows.foreachRDD(lambda rdd: rdd.saveToCassandra('shop', 'prices'))"
DAY = "{}'shop', 'prices', **{{'spark.cassandra.output.ttl': day}})"


def graph(body: str, options: Options | None = None) -> GraphResult:
    (found,) = run(socket_program(HEAD + body), options).graphs
    return found


@pytest.mark.parametrize(
    ("body", "call"),
    [
        (ROWS + SAVED, "rows.foreachRDD(to_cassandra('shop', 'prices'))"),
        (
            ROWS + "rows.cache()\nrows.saveToCassandra(table=sys.argv[1], keyspace='shop')",
            "rows.foreachRDD(to_cassandra('shop', sys.argv[1]))",
        ),
        (
            "def row(line):\n    d = json.loads(line)\n    if not d:\n"
            "        return {'price': None, 'ticker': ''}\n    return {'ticker': d['t'], 'price': d['p']}\n"
            "lines.map(row).filter(lambda d: d['price']).saveToCassandra('shop', 'prices')",
            "lines.map(row).filter(lambda d: d['price']).foreachRDD(to_cassandra('shop', 'prices'))",
        ),
        (
            ROWS + SAVED + "\nlines.map(lambda l: {'n': json.loads(l)}).saveToCassandra('shop', 'lines')",
            "lines.map(lambda l: {'n': json.loads(l)}).foreachRDD(to_cassandra('shop', 'lines'))",
        ),
        (ROWS + SAVED_RDD, "rows.foreachRDD(to_cassandra('shop', 'prices'))"),
        (f"{ROWS}day = 86400\n{SAVED[:-1]}, ttl=day)", f"rows.foreachRDD({DAY.format('to_cassandra(')})"),
    ],
)
def test_on_compat_a_function_saves_dicts_with_keys_that_are_written_out(body: str, call: str) -> None:
    result = run(socket_program(HEAD + body), Options(target=Outcome.COMPAT))
    assert result.graphs[0].outcome is Outcome.COMPAT
    new = result.files[0].new
    assert call in new and "saveToCassandra" not in new
    assert new.count("def to_cassandra(") == 1 and "from pyspark.sql import SparkSession\n" in new
    assert "pyspark_cassandra" not in new and "import sys\n" in new
    ast.parse(new)


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        (ROWS + SAVED, ["save_dicts(rows, 'shop', 'prices')"]),
        (
            ROWS + SAVED + "\nlines.map(lambda l: {'n': json.loads(l)}).saveToCassandra('shop', 'lines')",
            ["save_dicts(rows, 'shop', 'prices')", "save_dicts(rdd, 'shop', 'lines')"],
        ),
        (
            ROWS + "rows.filter(lambda d: d['price']).saveToCassandra(table=sys.argv[1], keyspace='shop')",
            ["save_dicts(rdd, 'shop', sys.argv[1])"],
        ),
        (ROWS + SAVED_RDD, ["save_dicts(rows, 'shop', 'prices')"]),
        (f"{ROWS}rows.pprint()\n{SAVED_RDD}", ["save_dicts(rows, 'shop', 'prices')"]),
        (f"{ROWS}day = 86400\n{SAVED[:-1]}, ttl=day)", [DAY.format("save_dicts(rows, ")]),
        (
            f"{ROWS}table = 'prices'\n"
            "rows.foreachRDD(lambda rdd: rdd.saveToCassandra('shop', table, ttl=86400))",
            ["save_dicts(rows, 'shop', table, **{'spark.cassandra.output.ttl': 86400})"],
        ),
    ],
)
def test_natively_they_are_rows_of_the_types_of_a_batch(body: str, calls: list[str]) -> None:
    result = run(socket_program(HEAD + body))
    assert result.graphs[0].outcome is Outcome.NATIVE
    new = result.files[0].new.replace('"spark.', "'spark.").replace('.ttl"', ".ttl'")
    assert all(call in new for call in calls) and new.count("def save_dicts(") == 1
    assert "pyspark_cassandra" not in new
    assert "    rows.unpersist()\n" in new or "    batch.unpersist()\n" in new or "rdd.unpersist()\n" in new


def test_what_they_are_made_by_is_called_once_for_each() -> None:
    seen = "import shop\nrows = lines.map(json.loads).map(lambda d: {'name': shop.name_of(d['id'])})\n"
    new = run(socket_program(f"{HEAD}{seen}rows.pprint()\n{SAVED}")).files[0].new
    assert new.count(".persist()\n") == 1
    assert "    rows.unpersist()\n" in new and "batch.persist()" not in new


def test_what_else_has_no_native_form_takes_them_to_compat() -> None:
    found = graph(ROWS + SAVED + "\nlines.glom().pprint()")
    assert found.outcome is Outcome.COMPAT
    assert "`glom`" in found.reasons[0]


@pytest.mark.parametrize(
    ("imported", "made"),
    [
        ("from pyspark_cassandra import CassandraSparkContext, streaming", "CassandraSparkContext"),
        ("from pyspark_cassandra import CassandraSparkContext as Context", "Context"),
        ("import pyspark_cassandra", "pyspark_cassandra.CassandraSparkContext"),
    ],
)
def test_a_context_of_the_library_becomes_one_of_spark(imported: str, made: str) -> None:
    text = socket_program("import json\n" + imported + "\n" + ROWS + SAVED)
    text = text.replace("SparkContext(", f"{made}(", 1)
    native, compat = (run(text, Options(target=target)) for target in (Outcome.NATIVE, Outcome.COMPAT))
    assert [one.graphs[0].outcome for one in (native, compat)] == [Outcome.NATIVE, Outcome.COMPAT]
    assert not any("assandraSparkContext" in one.files[0].new for one in (native, compat))
    assert "SparkContext" not in native.files[0].new
    assert "\nsc = SparkContext(" in compat.files[0].new
    assert re.search("^from pyspark import SparkContext$", compat.files[0].new, re.MULTILINE)


@pytest.mark.parametrize(
    "saved",
    [
        "rows.foreachRDD(lambda rdd: rdd.saveToCassandra('shop', table))",
        "rows.foreachRDD(lambda rdd: rdd.filter(bool).saveToCassandra('shop', 'prices'))",
    ],
)
def test_a_callback_that_does_more_keeps_the_library(saved: str) -> None:
    found = graph(ROWS + saved)
    assert found.outcome is Outcome.COMPAT
    assert any("`pyspark_cassandra` has no release" in text for text in found.must_change)


@pytest.mark.parametrize("target", [Outcome.NATIVE, Outcome.COMPAT])
def test_the_report_says_what_the_connector_needs(target: Outcome) -> None:
    options = Options(target=target)
    assert graph(ROWS + SAVED_RDD, options).must_change == graph(ROWS + SAVED, options).must_change
    must = " ".join(graph(ROWS + SAVED, options).must_change)
    assert TWICE.format("`shop.prices`") in graph(ROWS + SAVED, options).notes
    assert "spark-submit --packages com.datastax.spark:spark-cassandra-connector_2.13" in must
    assert "the table `shop.prices` has the columns `price`, `ticker` and no others" in must
    assert "each key of the dicts for `shop.prices` has values of one type" in must
    rows = "rows = messages.map(lambda m: {'a': json.loads(m[1])})\n" + SAVED
    (on_kafka,) = run(kafka_program(HEAD + rows), options).graphs
    assert "name Cassandra's connector among the packages" in " ".join(on_kafka.must_change)


def test_on_compat_a_package_that_the_program_names_must_be_another() -> None:
    old = "import os\nos.environ['ARGS'] = '--packages anguenot:pyspark-cassandra:2.4.0'\n"
    must = " ".join(graph(old + ROWS + SAVED, Options(target=Outcome.COMPAT)).must_change)
    assert "in the place of `anguenot:pyspark-cassandra:2.4.0`" in must


@pytest.mark.parametrize(
    "body",
    [
        "lines.map(json.loads).saveToCassandra('shop', 'prices')",
        "lines.map(lambda l: {**json.loads(l)}).saveToCassandra('shop', 'prices')",
        "lines.map(lambda l: {'a': json.loads(l), 'A': 1}).saveToCassandra('shop', 'prices')",
        "lines.flatMap(lambda l: [{'a': json.loads(l)}]).saveToCassandra('shop', 'prices')",
        "def row(l):\n    if l:\n        return {'a': json.loads(l)}\n    return {'b': 1}\n"
        "lines.map(row).saveToCassandra('shop', 'prices')",
        "def row(l):\n    if l:\n        return {'a': json.loads(l)}\n"
        "lines.map(row).saveToCassandra('shop', 'prices')",
        ROWS + "rows = rows.map(list)\n" + SAVED,
        ROWS + "rows.saveToCassandra('shop', 'prices', row_format=0)",
        ROWS + "rows.saveToCassandra(*sys.argv)",
        ROWS + SAVED + "\n" + SAVED,
        ROWS + SAVED + "\nrows.foreachRDD(lambda rdd: rdd.deleteFromCassandra('shop', 'old'))",
        ROWS + SAVED + "\nlines.foreachRDD(lambda rdd: rdd.map(json.loads).saveToCassandra('shop', 'old'))",
        ROWS + SAVED + "\nprint(pyspark_cassandra.Row)",
        "from decimal import Decimal\n" + ROWS + SAVED,
        "def to_cassandra(x): pass\n" + ROWS + SAVED,
        "SETTING = 'spark.cassandra.output.ttl'\n" + ROWS + SAVED,
    ],
)
def test_other_elements_and_needs_are_left_for_a_person(body: str) -> None:
    assert graph(body).outcome is Outcome.MANUAL


def test_a_table_that_a_native_callback_still_reads_by_the_library_is_told_of() -> None:
    body = "def show(rdd):\n    print(sc.cassandraTable(*names).count(), rdd.count())\nlines.foreachRDD(show)"
    found = graph(body)
    assert found.outcome is Outcome.NATIVE
    assert any("`cassandraTable`" in must for must in found.must_change)
    assert not any("`cassandraTable`" in must for must in graph(ROWS + SAVED).must_change)


def test_the_library_stays_where_another_program_needs_it() -> None:
    one = module(socket_program(HEAD + ROWS + SAVED + "\nlines.glom().pprint()"), "one.py")
    body = "lines.foreachRDD(lambda rdd: rdd.map(json.loads).saveToCassandra('shop', 'all'))"
    two = module(socket_program(HEAD + body), "two.py")
    result = migrate([one, two], Options())
    assert [found.outcome for found in result.graphs] == [Outcome.COMPAT, Outcome.COMPAT]
    first, second = (file.new for file in result.files)
    assert "to_cassandra" in first and "pyspark_cassandra" not in first
    assert "to_cassandra" not in second and "import pyspark_cassandra, sys\n" in second
