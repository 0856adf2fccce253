"""Programs that read MQTT: native by the data source of `compat.sources`, from Spark 4 on."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Outcome
from migrate.report.document import document
from tests.migrate.programs import run

HEAD = (
    "from pyspark import SparkContext, StorageLevel\nfrom pyspark.streaming import StreamingContext\n{}\n"
    "ssc = StreamingContext(SparkContext(), 1)\n"
)
TAIL = "ssc.start()\nssc.awaitTermination()\n"
SPARK = "from pyspark.streaming.mqtt import MQTTUtils"
FOUR, OLD = (Options(spark=SparkVersion.parse(text)) for text in ("4.0", "3.5"))


def program(body: str, imported: str = SPARK) -> str:
    return HEAD.format(imported) + body + "\n" + TAIL


@pytest.mark.parametrize("imported", [SPARK, "from mqtt import MQTTUtils"], ids=["Spark 1.6", "Bahir"])
def test_messages_become_rows_of_the_data_source(imported: str) -> None:
    body = "lines = MQTTUtils.createStream(ssc, 'tcp://h:1883', 'a')\nlines.map(lambda m: m.upper()).pprint()"
    result = run(program(body, imported), FOUR)
    (graph,) = result.graphs
    new = result.files[0].new
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert graph.requires == ("compat.sources",)
    assert document(result)["graphs"][0]["requires"] == ["compat.sources"]
    assert any("dstream-migrate[mqtt]" in text for text in graph.must_change)
    assert any("lost in a crash" in text for text in graph.notes)
    assert "from compat.sources import MqttSource" in new and "MQTTUtils" not in new
    assert (
        "spark.dataSource.register(MqttSource)\nlines = (\n    spark.readStream.format('mqtt')\n"
        "    .options(broker='tcp://h:1883', topic='a')\n    .load()\n    .select('value')\n)\n"
    ) in new
    (site,) = [site for site in result.sites if site.operator == "createStream"]
    assert site.rule == "mqtt_create_stream"


@pytest.mark.parametrize(
    "output", ["lines.pprint()", "lines.map(lambda m: (m,)).foreachRDD(lambda rdd: print(rdd.collect()))"]
)
def test_a_batch_that_is_put_out_whole_has_the_message_alone(output: str) -> None:
    """The data source has the topic beside it."""
    body = f"lines = MQTTUtils.createStream(ssc, 'tcp://h:1883', 'a')\n{output}"
    assert "    .load()\n    .select('value')\n" in run(program(body), FOUR).files[0].new


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ("StorageLevel.MEMORY_ONLY", ""),
        ("None, None", ""),
        ("'user', 'secret'", ", username='user', password='secret'"),
        ("username='user', password=secret", ", username='user', password=secret"),
        ("'user', None, StorageLevel.MEMORY_ONLY", ", username='user'"),
        ("storageLevel=StorageLevel.MEMORY_ONLY", ""),
    ],
)
def test_a_user_becomes_options(more: str, options: str) -> None:
    body = f"MQTTUtils.createStream(ssc, 'tcp://h', 'a', {more}).pprint()"
    assert f"options(broker='tcp://h', topic='a'{options})" in run(program(body), FOUR).files[0].new


def test_pairs_have_the_topic() -> None:
    body = (
        "pairs = MQTTUtils.createPairedStream(ssc, url, topics)\n"
        "pairs.filter(lambda p: p[0] == 'a').map(lambda p: p[1]).pprint()"
    )
    new = run(program("url, topics = read()\n" + body), FOUR).files[0].new
    assert "options(broker=url, topics='\\n'.join(topics))" in new
    assert "pairs.where(F.col('topic') == 'a')\n    .select('value')\n" in new


@pytest.mark.parametrize(
    ("body", "options", "why"),
    [
        ("MQTTUtils.createStream(ssc, 'tcp://h', 'a').pprint()", OLD, "before Spark 4"),
        ("MQTTUtils.createStream(ssc, 'tcp://h', 'a', level).pprint()", FOUR, "storage level or a name"),
        ("MQTTUtils.createPickleStream(ssc, 'tcp://h', 'a').pprint()", FOUR, "is handed on"),
        ("MQTTUtils.createStream(ssc, 'tcp://h').pprint()", FOUR, "its broker or topic is missing"),
    ],
)
def test_other_programs_stay_on_compat(body: str, options: Options, why: str) -> None:
    (graph,) = run(program(body), options).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in "; ".join(graph.reasons)
    assert graph.requires == ()


@pytest.mark.parametrize(
    ("reduced", "told"),
    [
        ("numbers.reduce(lambda a, b: (a + b) / 2).pprint()", "in one block"),
        ("numbers.reduce(lambda a, b: a + b).pprint()", "differ from run to run"),
        ("numbers.map(lambda n: (n > 0, [n])).reduceByKey(lambda a, b: a + b).pprint()", "which they came"),
        ("numbers.map(lambda n: (n > 0, n)).groupByKey().mapValues(list).pprint()", "in which they came"),
    ],
)
def test_messages_are_reduced_as_in_one_block(reduced: str, told: str) -> None:
    body = f"numbers = MQTTUtils.createStream(ssc, 'tcp://h:1883', 'a').map(float)\n{reduced}"
    result = run(program(body), FOUR)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any(told in note for note in graph.notes), graph.notes
