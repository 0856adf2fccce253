"""Texts that keep a program from running on the Spark of the new code, without being wrong in Python."""

from __future__ import annotations

import pytest

from migrate.model import GraphResult, Options, Outcome
from tests.migrate.programs import file, run

PROGRAM = """\
import os
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{line}
ssc = StreamingContext(SparkContext(), 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""
CASSANDRA = "datastax:spark-cassandra-connector:2.4.0-s_2.11"
BAHIR = "org.apache.bahir:spark-streaming-twitter_2.11:2.4.0"


def _graph(line: str) -> GraphResult:
    (graph,) = run(PROGRAM.format(line=line), Options()).graphs
    assert graph.outcome is Outcome.NATIVE
    return graph


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f'os.environ["PYSPARK_SUBMIT_ARGS"] = "--packages {BAHIR} pyspark-shell"', "another Scala"),
        (f'os.environ["PYSPARK_SUBMIT_ARGS"] = "--packages {CASSANDRA} pyspark-shell"', "another Scala"),
        ('PATH = "s3n://bucket/words"', "`s3a://`"),
        ('MASTER = "yarn-cluster"', "--deploy-mode cluster"),
        ('PATH = f"s3n://{os.name}/words"', "`s3a://`"),
    ],
)
def test_what_the_new_spark_has_not_must_change(line: str, told: str) -> None:
    (must,) = _graph(line).must_change
    assert told in must and "line 4" in must


@pytest.mark.parametrize(
    ("context", "made"),
    [
        ('SparkContext("yarn-client", "words")', '.master("yarn").appName("words")'),
        ("SparkContext(conf=SparkConf().setMaster('yarn-client'))", ".master('yarn')"),
    ],
)
def test_the_old_name_of_a_master_is_its_name_now(context: str, made: str) -> None:
    source = PROGRAM.format(line="from pyspark import SparkConf").replace("SparkContext()", context)
    assert made in file(source).new
    (graph,) = run(source).graphs
    assert any("`yarn-client` is `yarn`" in note for note in graph.notes)


@pytest.mark.parametrize(
    "line",
    [
        '"""Words of s3n://bucket, with --packages a:b_2.11:1."""',
        'PATH = "s3a://bucket/words"',
        'PACKAGES = "a:b_2.13:1"',
    ],
)
def test_docstrings_and_what_runs_are_left_alone(line: str) -> None:
    assert not _graph(line).must_change
