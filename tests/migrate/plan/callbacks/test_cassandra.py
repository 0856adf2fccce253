"""Streams that a library saves to Cassandra are written there with the connector's data source."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import GraphResult, Options, Outcome
from tests.migrate.codemod.written import new_text
from tests.migrate.programs import file, kafka_program, run, socket_program

HEAD = "import pyspark_cassandra\nfrom pyspark_cassandra import Row, streaming\n"
DICT = 'lines.map(lambda l: {"line": l, "n": len(l)})'
WRITTEN = 'batch.select(F.col("value").alias("line"), F.length("value").alias("n"))'
SAVED = '.format("org.apache.spark.sql.cassandra")\n        .options(keyspace="k", table="t")\n'


def graph(body: str, options: Options | None = None) -> GraphResult:
    (found,) = run(socket_program(HEAD + body), options).graphs
    return found


@pytest.mark.parametrize(
    "saved",
    [
        f'{DICT}.saveToCassandra("k", "t")',
        f'{DICT}.saveToCassandra(table="t", keyspace="k")',
        f'{DICT}.saveToCassandra("k", "t", None, write_conf=None)',
        f'{DICT}.saveToCassandra("k", "t", columns=["line", "n"])',
        'lines.map(lambda l: Row(line=l, n=len(l))).saveToCassandra("k", "t")',
        'lines.map(lambda l: (l, len(l))).saveToCassandra("k", "t", columns=["line", "n"])',
        f'{DICT}.foreachRDD(lambda rdd: rdd.saveToCassandra("k", "t"))',
        'lines.foreachRDD(lambda rdd: rdd.map(lambda l: {"line": l, "n": len(l)}).saveToCassandra("k", "t"))',
        "lines.map(lambda l: (l, len(l))).foreachRDD("
        'lambda time, rdd: rdd.saveToCassandra("k", "t", columns=["line", "n"]))',
        'def row(l):\n    """A row."""\n    return {"line": l, "n": len(l)}\n'
        'lines.map(row).saveToCassandra("k", "t")',
    ],
)
def test_a_batch_is_written_by_its_columns(saved: str) -> None:
    text = file(socket_program(HEAD + saved)).new
    assert WRITTEN in text and f'{SAVED}        .mode("append")' in text
    assert "pyspark_cassandra" not in text


def test_options_of_writing_are_options_of_the_writer() -> None:
    text = file(socket_program(f'{HEAD}{DICT}.saveToCassandra("k", "t", ttl=60, batch_size=1024)')).new
    assert '.option("spark.cassandra.output.ttl", 60)' in text
    assert '.option("spark.cassandra.output.batch.size.bytes", 1024)' in text


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ('lines.map(lambda l: json.loads(l)).saveToCassandra("k", "t")', "made by Python code"),
        ('lines.map(lambda l: {**l}).saveToCassandra("k", "t")', "made by Python code"),
        ('lines.map(lambda l: {"a": l, "a": 1}).saveToCassandra("k", "t")', "made by Python code"),
        ('lines.saveToCassandra("k", "t")', "have no names for columns"),
        ('lines.map(lambda l: (l, 1)).saveToCassandra("k", "t")', "have no names for columns"),
        (f'{DICT}.saveToCassandra("k", "t", columns=["line"])', "have no names for columns"),
        ('lines.map(lambda l: {"a": l, "A": 1}).saveToCassandra("k", "t")', "have no names for columns"),
        (f'{DICT}.saveToCassandra("k", "t", columns=NAMES)', "`columns` has no equal"),
        (f'{DICT}.saveToCassandra("k", "t", ttl=timedelta(1))', "`ttl` has no equal"),
        (f'{DICT}.saveToCassandra("k", "t", row_format=0)', "`row_format` has no equal"),
        (f'{DICT}.saveToCassandra("k", "t", consistency_level="ONE")', "not those that are known"),
        (
            f'{DICT}.saveToCassandra("k", "t")\nlines.map(lambda l: {{"line": l}}).saveToCassandra("k", "t")',
            "another output writes to its table",
        ),
        (
            f'{DICT}.saveToCassandra("k", "t")\nlines.foreachRDD(lambda r: r.deleteFromCassandra("k", "u"))',
            "is a member of `pyspark_cassandra`, too",
        ),
        (
            f'SETTING = "spark.cassandra.output.ignoreNulls"\n{DICT}.saveToCassandra("k", "t")',
            "is one that `pyspark_cassandra` passed by",
        ),
    ],
)
def test_what_is_not_known_to_be_columns_is_left_to_a_person(body: str, why: str) -> None:
    found = graph(body)
    assert found.outcome is Outcome.MANUAL
    assert any("saveToCassandra` is no member of pyspark.streaming" in reason for reason in found.reasons)
    assert any(why in reason for reason in found.reasons), found.reasons


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ('lines.map(lambda l: {"a": l.split()}).saveToCassandra("k", "t")', "the part `a` of its elements"),
        ('lines.map(lambda l: {"a": (l, 1)}).saveToCassandra("k", "t")', "the part `a` of its elements"),
    ],
)
def test_dicts_of_what_may_be_written_otherwise_go_to_compat(body: str, why: str) -> None:
    found = graph(body)
    assert found.outcome is Outcome.COMPAT
    assert any(why in reason for reason in found.reasons), found.reasons


@pytest.mark.parametrize(
    "callback",
    [
        'lambda rdd: rdd.saveToCassandra("k", "t")',
        'lambda rdd: rdd.map(lambda l: {"n": other(l)}).saveToCassandra("k", "t")',
        'lambda rdd: rdd.map(lambda l: {"n": l}).saveToCassandra("k", "t", ttl=other())',
        'lambda rdd: rdd.map(lambda l: {"n": l}).saveToCassandra("k", name())',
        'lambda time, rdd: rdd.map(lambda l: {"n": l}).saveToCassandra("k", time)',
        'lambda rdd: rdd.map(lambda l: {"n": l}).joinWithCassandraTable("k", "t").saveToCassandra("k", "u")',
    ],
)
def test_a_callback_that_saves_what_is_not_known_to_be_columns_stays(callback: str) -> None:
    (found,) = run(socket_program(f"{HEAD}lines.foreachRDD({callback})")).graphs
    assert found.outcome is Outcome.COMPAT
    joined = (
        "`joinWithCassandraTable` is of `pyspark_cassandra`, which has no release for a Spark after 2.4, and"
    )
    assert (
        joined if "join" in callback else "`saveToCassandra` of `pyspark_cassandra`: only"
    ) in found.reasons[0]
    assert "`pyspark_cassandra` has no release for a Spark after 2.4" in " ".join(found.must_change)


def test_without_the_library_the_output_fails_as_it_did() -> None:
    (found,) = run(socket_program(f'{DICT}.saveToCassandra("k", "t")')).graphs
    assert found.outcome is Outcome.COMPAT
    assert "the program fails there as it is" in found.reasons[0]


def test_tuples_are_native_or_left_to_a_person() -> None:
    tuples = 'lines.map(lambda l: (l, len(l))).saveToCassandra("k", "t", columns=["line", "n"])'
    assert graph(tuples).outcome is Outcome.NATIVE
    assert graph(tuples, Options(target=Outcome.COMPAT)).outcome is Outcome.MANUAL


@pytest.mark.parametrize(
    ("saved", "outcome"),
    [
        (f'{DICT}.saveToCassandra("k", "t")', Outcome.COMPAT),
        (f'{DICT}.saveToCassandra("k", "t", row_format=0)', Outcome.MANUAL),
    ],
)
def test_a_graph_that_shares_its_file_with_one_on_compat_goes_there_or_stays(
    saved: str, outcome: Outcome
) -> None:
    other = "two = StreamingContext(sc, 1)\ntwo.socketTextStream('h', 1).glom().pprint()\ntwo.start()\n"
    result = run(other.join(socket_program(f"{HEAD}{saved}").split("ssc.start()\n")))
    assert {found.outcome for found in result.graphs} == {outcome}
    must = [line for found in result.graphs for line in found.must_change]
    assert any("spark-cassandra-connector" in line for line in must) is (outcome is Outcome.COMPAT)


def test_a_context_of_the_library_becomes_the_session() -> None:
    program = socket_program(HEAD + f'{DICT}.saveToCassandra("k", "t")').replace(
        'sc = SparkContext(appName="Test")',
        'conf = SparkConf().setAppName("Test").set("spark.cassandra.connection.host", "h")\n'
        "sc = CassandraSparkContext(conf=conf)",
    )
    program = "from pyspark import SparkConf\nfrom pyspark_cassandra import CassandraSparkContext\n" + program
    text = new_text(run(program))
    assert '.config("spark.cassandra.connection.host", "h")' in text
    assert "pyspark_cassandra" not in text and "SparkConf" not in text
    read = "print(sc.cassandraTable({}).count())\nssc.start()"
    reading = new_text(run(program.replace("ssc.start()", read.format('"k", "t"'))))
    assert 'cassandra_table("k", "t").rdd.count()' in reading and "pyspark_cassandra" not in reading
    (found,) = run(program.replace("ssc.start()", read.format('"k", "t", row_format=0'))).graphs
    assert found.outcome is Outcome.MANUAL
    assert any("`sc.cassandraTable` is a member" in reason for reason in found.reasons)


def test_the_report_names_the_connector_and_the_columns_of_the_table() -> None:
    body = f'TABLE = "words"\n{DICT}.saveToCassandra("k", TABLE)'
    check, needed = graph(body, Options(spark=SparkVersion("3.5.9"))).must_change
    assert "the table `k.words` has the columns `line`, `n` and no others" in check
    package = "com.datastax.spark:spark-cassandra-connector_2.12:3.5.1"
    assert needed == f"start it with Cassandra's connector: spark-submit --packages {package} job.py"
    assert not any("no connector" in note for note in graph(body, Options(spark=SparkVersion("3.5.9"))).notes)
    newer = graph(body, Options(spark=SparkVersion("4.0.1")))
    assert "spark-cassandra-connector_2.13:3.5.1" in newer.must_change[1]
    unpublished = "no connector for Cassandra is published for Spark 4.0 yet: 3.5.1 is the newest"
    assert any(unpublished in note for note in newer.notes)


def test_a_table_whose_columns_are_named_needs_no_check() -> None:
    (needed,) = graph(f'{DICT}.saveToCassandra("k", "t", columns=["n", "line"])').must_change
    assert "Cassandra's connector" in needed


def test_packages_that_are_written_out_are_the_connector_s() -> None:
    old = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.0.2,anguenot/pyspark-cassandra:2.4.0"
    program = kafka_program(
        f'{HEAD}messages.map(lambda m: {{"text": m[1]}}).saveToCassandra("k", "t", columns=["text"])'
    )
    program = f'import os\nos.environ["PYSPARK_SUBMIT_ARGS"] = "--packages {old} pyspark-shell"\n{program}'
    result = run(program, Options(spark=SparkVersion("4.2.0")))
    kafka = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0"
    new = f"{kafka},com.datastax.spark:spark-cassandra-connector_2.13:3.5.1"
    assert f'"--packages {new} pyspark-shell"' in result.files[0].new
    assert result.graphs[0].must_change == ()
