"""Data sources of MongoDB and Elasticsearch, whose connectors for Spark 2 are gone."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Outcome
from tests.migrate.programs import run, socket_program

FRAME = "spark.read.text('words')"
RDD = (
    "sc.parallelize([]).saveAsNewAPIHadoopFile(path='-', "
    "outputFormatClass='org.elasticsearch.hadoop.mr.EsOutputFormat')"
)


def _told(code: str, spark: str, target: Outcome) -> list[str]:
    body = f"def other(spark):\n    {code}\nlines.pprint()"
    options = Options(target=target, spark=SparkVersion.parse(spark))
    (graph,) = run(socket_program(body), options).graphs
    assert graph.outcome is target
    return [one for one in graph.must_change if "is never defined" not in one]


@pytest.mark.parametrize("target", [Outcome.NATIVE, Outcome.COMPAT])
@pytest.mark.parametrize(
    ("code", "spark", "told"),
    [
        (f'{FRAME}.write.format("com.mongodb.spark.sql").save()', "3.5", "mongo-spark-connector_2.12:10.5.0"),
        (
            f'{FRAME}.write.format("mongo").save()',
            "4.3",
            "mongo-spark-connector_2.13:10.5.0; no release for Spark 4",
        ),
        ('spark.read.load(format="com.mongodb.spark.sql.DefaultSource")', "4.3", 'format("mongodb")'),
        (f'{FRAME}.write.format("es").save("words")', "3.5", "elasticsearch-spark-30_2.12:9.5.6"),
        (f'{FRAME}.write.format("org.elasticsearch.spark.sql").save()', "4.3", "by its client for Python"),
        (RDD, "4.3", "elasticsearch-spark-30_2.13:9.3.2: its `EsOutputFormat`"),
    ],
)
def test_what_must_change(code: str, spark: str, told: str, target: Outcome) -> None:
    (must,) = _told(code, spark, target)
    assert told in must


@pytest.mark.parametrize(
    "code",
    [
        f'{FRAME}.write.format("mongodb").save()',
        'spark.read.text("es")',
        '"""Of com.mongodb.spark.sql."""',
        'print(Translator(source="es", target="en"))',
        'print("from {}".format("es"))',
    ],
)
def test_other_formats_and_words_are_left_alone(code: str) -> None:
    assert not _told(code, "4.3", Outcome.NATIVE)


@pytest.mark.parametrize("target", [Outcome.NATIVE, Outcome.COMPAT])
@pytest.mark.parametrize(
    ("code", "named"),
    [
        ('conf = {"es.nodes": "http://localhost", "es.resource": "words/counts"}', "'words/counts'"),
        ("conf = {'es.resource.write': '/'.join(['words', 'counts'])}", "'/'.join(['words', 'counts'])"),
        ('spark.conf.set("es.resource", "%s/counts" % spark)', "'%s/counts' % spark"),
        ('conf = {}\n    conf["es.resource"] = "words/counts"', "'words/counts'"),
    ],
)
def test_a_type_of_elasticsearch_is_named(code: str, named: str, target: Outcome) -> None:
    (must,) = _told(code, "3.5", target)
    assert f"in the place of `{named}`" in must


def test_a_type_is_named_where_a_frame_is_saved() -> None:
    connector, must = _told(f'{FRAME}.write.format("es").save("words/counts")', "3.5", Outcome.NATIVE)
    assert "elasticsearch-spark-30" in connector
    assert "name the index alone" in must


@pytest.mark.parametrize(
    "code",
    [
        'conf = {"es.resource": "words"}',
        f'{FRAME}.write.format("json").save("words/counts")',
        'conf = {"path": "words/counts"}',
    ],
)
def test_an_index_and_other_paths_are_not(code: str) -> None:
    assert not _told(code, "3.5", Outcome.NATIVE)
