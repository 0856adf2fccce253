"""Sources that a receiver has: compat has them too, Structured Streaming by itself does not."""

from __future__ import annotations

import re

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.migrate.programs import file, module, run

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{imports}

sc = SparkContext(appName="Received")
ssc = StreamingContext(sc, 1)
lines = {stream}
lines.pprint()
ssc.start()
ssc.awaitTermination()
"""

BEFORE_SPARK_4 = Options(spark=SparkVersion.parse("3.5"))
"""From Spark 4 on `compat.sources` has data sources for some of them."""
FORMS = [
    pytest.param(
        "from pyspark.streaming.mqtt import MQTTUtils",
        'MQTTUtils.createStream(ssc, "tcp://broker:1883", "t")',
        "from compat.streaming.mqtt import MQTTUtils",
        "paho-mqtt",
        id="Spark 1.6's MQTT",
    ),
    pytest.param(
        "from mqtt import MQTTUtils  # of Bahir",
        'MQTTUtils.createPairedStream(ssc, "tcp://broker:1883", ["t", "u"])',
        "from compat.streaming.mqtt import MQTTUtils  # of Bahir",
        "paho-mqtt",
        id="Bahir's MQTT",
    ),
    pytest.param(
        "from pyspark.streaming.kinesis import KinesisUtils, InitialPositionInStream",
        'KinesisUtils.createStream(ssc, "app", "s", "url", "r", InitialPositionInStream.LATEST, 2)',
        "from compat.streaming.kinesis import KinesisUtils, InitialPositionInStream",
        "boto3",
        id="Kinesis",
    ),
    pytest.param(
        "import pyspark.streaming.kinesis as kinesis",
        'kinesis.KinesisUtils.createStream(ssc, "app", "s", "url", "r", 0, 2)',
        "import compat.streaming.kinesis as kinesis",
        "boto3",
        id="a module of an alias",
    ),
    pytest.param(
        "from pyspark.streaming.flume import *",
        'FlumeUtils.createStream(ssc, "localhost", 4444)',
        "from compat.streaming.flume import *",
        "Flume",
        id="Flume, with a star",
    ),
    pytest.param(
        "from pyspark.streaming.flume import FlumeUtils",
        'FlumeUtils.createPollingStream(ssc, [("flume", 4000)]).map(lambda event: event[1])',
        "from compat.streaming.flume import FlumeUtils",
        "Flume",
        id="Flume, polled",
    ),
]


@pytest.mark.parametrize(("imports", "stream", "new", "needed"), FORMS)
def test_a_received_source_goes_to_compat(imports: str, stream: str, new: str, needed: str) -> None:
    source = PROGRAM.format(imports=imports, stream=stream)
    (graph,) = run(source, BEFORE_SPARK_4).graphs
    assert graph.outcome is Outcome.COMPAT
    assert re.search("no source |--kinesis aws or databricks", " ".join(graph.reasons))
    assert needed in " ".join(graph.must_change)
    moved = source.replace(imports, new).replace(
        "from pyspark.streaming import StreamingContext", "from compat.streaming import StreamingContext"
    )
    assert file(source, BEFORE_SPARK_4).new == moved
    assert file(moved, BEFORE_SPARK_4).new == moved, "a second rewrite changes nothing"


def test_a_module_called_mqtt_of_the_program_s_own_is_not_bahir_s() -> None:
    own = (
        "class MQTTUtils:\n    @staticmethod\n    def createStream(ssc, url, topic):\n"
        "        return ssc.socketTextStream(url, 1)\n"
    )
    source = PROGRAM.format(
        imports="from mqtt import MQTTUtils", stream='MQTTUtils.createStream(ssc, "host", "t")'
    )
    result = migrate([module(source, "job.py"), module(own, "mqtt.py")], Options(target=Outcome.COMPAT))
    texts = {entry.path: entry.new for entry in result.files}
    assert [graph.outcome for graph in result.graphs] == [Outcome.COMPAT]
    assert "from mqtt import MQTTUtils" in texts["job.py"]
    assert texts["mqtt.py"] == own


def test_what_is_internal_to_a_connector_is_left_for_a_person() -> None:
    source = PROGRAM.format(
        imports="from pyspark.streaming.flume import FlumeUtils",
        stream="FlumeUtils._toPythonDStream(ssc, 1, 2)",
    )
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.MANUAL
    assert "`pyspark.streaming.flume.FlumeUtils._toPythonDStream` is not in compat" in " ".join(graph.reasons)


OFFSETS = (
    "from pyspark.streaming.kafka import TopicAndPartition\n\n\n"
    "def load():\n    return {TopicAndPartition('t', 0): 5}\n"
)
READING = (
    "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    "from pyspark.streaming.kafka import KafkaUtils\n{imports}\n"
    "ssc = StreamingContext(SparkContext(), 1)\n"
    "KafkaUtils.createDirectStream(ssc, ['t'], {{'metadata.broker.list': 'b:9092'}}{more}).pprint()\n"
    "ssc.start()\nssc.awaitTermination()\n"
)


@pytest.mark.parametrize(
    ("imports", "more"),
    [("import offsets", ", fromOffsets=offsets.load()"), ("from settings import topics", "")],
)
def test_modules_that_name_a_connector_go_with_the_program_that_imports_them(imports: str, more: str) -> None:
    """Else `compat` would read the connector, and the next import would look for the one that is gone."""
    files = {
        "job.py": READING.format(imports=imports, more=more),
        "offsets.py": OFFSETS,
        "settings.py": "import offsets\n\ntopics = list(offsets.load())\n",
        "other.py": OFFSETS,
    }
    result = migrate([module(text, path) for path, text in files.items()], Options())
    assert [graph.outcome for graph in result.graphs] == [Outcome.COMPAT]
    assert "offsets.py imports a connector" in " ".join(result.graphs[0].reasons)
    texts = {entry.path: entry.new for entry in result.files}
    assert texts["offsets.py"] == OFFSETS.replace("pyspark.", "compat.")
    assert texts["other.py"] == OFFSETS, "nobody imports it"
    again = migrate([module(text, path) for path, text in texts.items()], Options())
    assert {entry.path: entry.new for entry in again.files} == texts


UNUSED = "from pyspark.streaming.kafka import KafkaUtils{more}\n\n\ndef show(row):\n    print(row{use})\n"


@pytest.mark.parametrize(
    ("star", "more", "use", "user", "outcome"),
    [
        pytest.param("import shown", "", "", "", Outcome.NATIVE, id="unused"),
        pytest.param("import shown", ", TopicAndPartition as T", "", "", Outcome.NATIVE, id="two names"),
        pytest.param("from shown import *", "", "", "", Outcome.NATIVE, id="star import"),
        pytest.param("import shown", "", ", KafkaUtils", "", Outcome.COMPAT, id="read"),
        pytest.param("import shown", "", "", "from shown import KafkaUtils", Outcome.COMPAT, id="imported"),
        pytest.param("import shown", "", "", "import shown\nshown.KafkaUtils", Outcome.COMPAT, id="a member"),
        pytest.param(
            "import shown", "", "", "from shown import *\nprint(KafkaUtils)", Outcome.COMPAT, id="by star"
        ),
    ],
)
def test_a_module_that_does_nothing_with_a_connector_loses_its_import(
    star: str, more: str, use: str, user: str, outcome: Outcome
) -> None:
    helper = UNUSED.format(more=more, use=use)
    files = {"job.py": READING.format(imports=star, more=""), "shown.py": helper, "user.py": user}
    result = migrate([module(text, path) for path, text in files.items()], Options())
    assert [graph.outcome for graph in result.graphs] == [outcome]
    texts = {entry.path: entry.new for entry in result.files}
    native = helper.partition("\n")[2].lstrip("\n")
    assert texts["shown.py"] == (native if outcome is Outcome.NATIVE else helper.replace("pyspark", "compat"))


def test_a_program_on_compat_takes_a_module_as_a_native_one_leaves_it() -> None:
    native = READING.format(imports="import shown", more="")
    files = {
        "job.py": native,
        "other.py": native.replace("pprint()", "foreachRDD(lambda rdd: rdd._jrdd.count())"),
        "shown.py": UNUSED.format(more="", use=""),
    }
    result = migrate([module(text, path) for path, text in files.items()], Options())
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE, Outcome.COMPAT]
    texts = {entry.path: entry.new for entry in result.files}
    assert "KafkaUtils" not in texts["shown.py"]
    assert "compat" not in texts["shown.py"]
