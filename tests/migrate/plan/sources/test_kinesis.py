"""Programs that read Kinesis: native by the source of Amazon or Databricks that the user names."""

from __future__ import annotations

import pytest

from migrate.model import Options, Outcome
from tests.migrate.programs import flat, run

PROGRAM = """\
from pyspark import SparkContext, StorageLevel
from pyspark.streaming import StreamingContext
from pyspark.streaming.kinesis import InitialPositionInStream, KinesisUtils, MetricsLevel

ssc = StreamingContext(SparkContext(), 1)
lines = KinesisUtils.createStream(
    ssc, "app", "clicks", "kinesis.eu-west-1.amazonaws.com", region, {}
)
lines.map(len).pprint()
ssc.start()
ssc.awaitTermination()
"""
LATEST = "InitialPositionInStream.LATEST, 10"
KEYS = "awsAccessKeyId=key, awsSecretKey=secret"
ROLE = 'stsAssumeRoleArn="arn", stsSessionName="me"'


def _program(more: str) -> str:
    return PROGRAM.replace("region, {}", f"region, {more}").replace("ssc = ", "region = read()\nssc = ", 1)


def test_amazon_s_source() -> None:
    result = run(_program(LATEST), Options(kinesis="aws"))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert graph.requires == ()
    new = result.files[0].new
    assert flat(
        'spark.readStream.format("aws-kinesis")'
        '.option("kinesis.streamName", "clicks")'
        '.option("kinesis.endpointUrl", "https://kinesis.eu-west-1.amazonaws.com")'
        '.option("kinesis.region", region)'
        '.option("kinesis.startingPosition", "LATEST")'
        '.load().select(F.decode("data", "UTF-8").alias("value"))'
    ) in flat(new)
    assert "KinesisUtils" not in new and "InitialPositionInStream" not in new
    assert any('the DynamoDB table "app"' in note for note in graph.notes)
    assert any("awslabs/spark-sql-kinesis-connector" in text for text in graph.must_change)


def test_the_source_of_databricks() -> None:
    more = f"InitialPositionInStream.TRIM_HORIZON, 10, MetricsLevel.DETAILED, StorageLevel.DISK_ONLY, {KEYS}"
    new = flat(run(_program(more), Options(kinesis="databricks")).files[0].new)
    assert 'format("kinesis")' in new
    for name, value in {
        "streamName": '"clicks"',
        "endpoint": '"https://kinesis.eu-west-1.amazonaws.com"',
        "region": "region",
        "initialPosition": '"trim_horizon"',
        "awsAccessKey": "key",
        "awsSecretKey": "secret",
    }.items():
        assert flat(f'.option("{name}", {value})') in new


@pytest.mark.parametrize(
    ("more", "option"),
    [
        (f"{LATEST}, StorageLevel.MEMORY_ONLY, {KEYS}", 'option("kinesis.awsSecretKey", secret)'),
        (f'{LATEST}, StorageLevel.MEMORY_ONLY, "k", "s"', 'option("kinesis.awsAccessKeyId", "k")'),
        (f"{LATEST}, {ROLE}", 'option("kinesis.stsRoleArn", "arn").option("kinesis.stsSessionName", "me")'),
    ],
    ids=["keys", "PySpark 2's order", "a role"],
)
def test_credentials_become_options(more: str, option: str) -> None:
    new = run(_program(more), Options(kinesis="aws")).files[0].new
    assert flat(option) in flat(new)


def test_a_decoder_gets_the_bytes() -> None:
    result = run(_program(f"{LATEST}, decoder=lib.decode"), Options(kinesis="aws"))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert "map(lambda row: lib.decode(row.data))" in result.files[0].new


@pytest.mark.parametrize(
    ("more", "options", "why"),
    [
        (LATEST, Options(), "--kinesis aws or databricks"),
        ("position, 10", Options(kinesis="aws"), "its initial position"),
        (f"{LATEST}, level, level", Options(kinesis="aws"), "its 8th argument"),
        (f'{LATEST}, {ROLE}, stsExternalId="x"', Options(kinesis="aws"), "external id"),
        ("checkpointInterval=10", Options(kinesis="aws"), "`initialPositionInStream` is missing"),
    ],
)
def test_other_programs_stay_on_compat(more: str, options: Options, why: str) -> None:
    (graph,) = run(_program(more), options).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in "; ".join(graph.reasons)


@pytest.mark.parametrize(
    "shown",
    [
        "lines.map(lambda x: (x, x)).groupByKey().mapValues(list)",
        "lines.map(float).reduce(lambda a, b: a + b)",
        "lines.map(len).reduce(lambda a, b: a - b)",
    ],
)
def test_an_order_that_shows_is_not_promised(shown: str) -> None:
    source = _program(LATEST).replace("lines.map(len)", shown)
    (graph,) = run(source, Options(kinesis="aws")).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "order" in "; ".join(graph.reasons)
