"""Sources that a comprehension or a loop makes, and the union of their streams."""

from __future__ import annotations

import pytest

from migrate.model import Options, Outcome
from migrate.plan.sources.sources import SHARED
from tests.migrate.programs import file, flat, run

HEAD = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
"""
UNITED = "lines = ssc.union(*streams)"
TAIL = "ssc.start()\nssc.awaitTermination()\n"
SENDERS = 'senders = [arg.split(":") for arg in sys.argv[1:]]\n'
SOCKETS = "[ssc.socketTextStream(host, int(port)) for host, port in senders]"
PRINTED = 'lines.flatMap(lambda line: line.split(" ")).countByValue().pprint()'
RECEIVER = 'KafkaUtils.createStream(ssc, "zookeeper:2181", "counters", {"pages": 1})'
DIRECT = 'KafkaUtils.createDirectStream(ssc, [topic], {"metadata.broker.list": "broker:9092"})'


def program(body: str, output: str = PRINTED) -> str:
    """A program with `body` between its context and its output."""
    return f"{HEAD}{body}\n{output}\n{TAIL}"


def native(body: str, output: str = PRINTED) -> str:
    """What becomes of it, without layout."""
    result = run(program(body, output))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return result.files[0].new


def reason(body: str, output: str = PRINTED, options: Options | None = None) -> str:
    """Why it goes to compat."""
    (graph,) = run(program(body, output), options).graphs
    assert graph.outcome is Outcome.COMPAT
    return "; ".join(graph.reasons)


def test_a_comprehension_makes_streaming_dataframes() -> None:
    new = native(f"{SENDERS}streams = {SOCKETS}\nlines = ssc.union(*streams)")
    assert (
        "streams = [\n"
        '    spark.readStream.format("socket").options(host=host, port=int(port)).load()\n'
        "    for host, port in senders\n"
        "]\n"
        "lines = reduce(DataFrame.union, streams)\n"
    ) in new
    assert "from functools import reduce\n" in new
    assert new.count(".writeStream") == 1


def test_a_list_that_has_no_name() -> None:
    new = flat(native(f"{SENDERS}lines = ssc.union(*{SOCKETS})"))
    assert 'lines=reduce(DataFrame.union,[spark.readStream.format("socket")' in new
    assert ".load()forhost,portinsenders]" in new


def test_a_loop_stays() -> None:
    new = native(
        "streams = []\n"
        "for port in sys.argv[1:]:\n"
        "    print('listens to', port)\n"
        "    streams.append(ssc.socketTextStream('localhost', int(port)))\n"
        "lines = ssc.union(*streams)"
    )
    assert "streams = []\nfor port in sys.argv[1:]:\n    print('listens to', port)\n" in new
    assert "streams.append(spark.readStream.format('socket')" in flat(new).replace('"', "'")
    assert "lines = reduce(DataFrame.union, streams)\n" in new


def test_a_loop_with_a_variable_for_each_stream() -> None:
    new = native(
        "streams = []\n"
        "for port in sys.argv[1:]:\n"
        "    stream = ssc.socketTextStream('localhost', int(port))\n"
        "    streams.append(stream)\n"
        "lines = ssc.union(*streams)"
    )
    assert "    stream = spark.readStream" in new.replace("(\n        spark", "spark")
    assert "    streams.append(stream)\n" in new


def test_what_is_made_of_each_stream_is_made_of_their_union() -> None:
    each = "ssc.socketTextStream(host, 1).filter(lambda line: line)"
    body = f"lines = ssc.union(*[{each} for host in sys.argv])"
    assert 'lines = text_lines.where(F.col("value") != "")' in native(body, "lines.pprint()")


def test_directories_are_read_from_one_start_on() -> None:
    new = native("streams = [ssc.textFileStream(d) for d in sys.argv]\nlines = ssc.union(*streams)")
    assert new.count("datetime.now()") == 1
    assert new.index("datetime.now()") < new.index("streams = ")


def test_one_heartbeat_is_enough() -> None:
    body = "streams = [ssc.socketTextStream(h, 1) for h in sys.argv]\nlines = ssc.union(*streams)"
    new = native(body, "lines.window(3).countByValue().pprint()")
    assert "lines = reduce(DataFrame.union, streams).transform(every_interval)\n" in new


def test_direct_streams_of_a_topic_each() -> None:
    body = f"topics = sys.argv\nstreams = [{DIRECT} for topic in topics]"
    new = native(f"{body}\nlines = ssc.union(*streams).map(lambda m: m[1])")
    assert '    .option("subscribe", topic)\n' in new
    assert "    for topic in topics\n]\nmessages = reduce(DataFrame.union, streams)\n" in new


@pytest.mark.parametrize(
    "body",
    [
        f"n = int(sys.argv[1])\nstreams = [{RECEIVER} for _ in range(n)]\nmessages = ssc.union(*streams)",
        f"messages = ssc.union(*[{RECEIVER} for _ in range(int(sys.argv[1]))])",
        f"streams = []\nfor i in range(3):\n    streams.append({RECEIVER})\nmessages = ssc.union(*streams)",
    ],
)
def test_receivers_of_one_group_are_one_source(body: str) -> None:
    result = run(program(body, "messages.map(lambda m: m[1]).countByValue().pprint()"))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert [site.reason for site in result.sites if site.operator == "union"] == [SHARED]
    assert "reduce" not in new
    assert "streams" not in new
    assert new.count('.option("subscribe", "pages")') == 1


def test_receivers_of_a_topic_each_are_one_source_of_all_topics() -> None:
    receiver = 'KafkaUtils.createStream(ssc, "zookeeper:2181", "counters", {topic: 1})'
    body = f"topics = sys.argv[1:]\nstreams = [{receiver} for topic in topics]\nlines = ssc.union(*streams)"
    assert '.option("subscribe", ",".join(topics))' in native(body, "lines.pprint()")
    receiver = receiver.replace("topic:", '"logs-" + topic:')
    body = f"topics = sys.argv[1:]\nstreams = [{receiver} for topic in topics]\nlines = ssc.union(*streams)"
    assert '.option("subscribe",",".join(["logs-"+topicfortopicintopics]))' in flat(
        native(body, "lines.pprint()")
    )


def test_receivers_of_one_application_of_kinesis_are_one_source() -> None:
    receiver = (
        'KinesisUtils.createStream(ssc, "app", "clicks", "https://kinesis.eu-west-1.amazonaws.com", '
        '"eu-west-1", InitialPositionInStream.LATEST, 10)'
    )
    source = program(f"lines = ssc.union(*[{receiver} for _ in range(int(sys.argv[1]))])", "lines.pprint()")
    names = "from pyspark.streaming.kinesis import InitialPositionInStream, KinesisUtils\n"
    result = run(names + source, Options(kinesis="aws"))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert result.files[0].new.count('.option("kinesis.streamName", "clicks")') == 1
    assert "reduce" not in result.files[0].new


def test_sources_of_flume_are_registered_once() -> None:
    head = "from pyspark.streaming.flume import FlumeUtils\n"
    body = "lines = ssc.union(*[FlumeUtils.createStream(ssc, host, 4141) for host in sys.argv])"
    new = file(head + program(body, "lines.map(lambda e: e[1]).pprint()")).new
    assert new.count(".dataSource.register(FlumeSource)") == 1
    assert "options(hostname=host, port=4141)" in new
    assert "reduce(" in new


def test_a_limit_of_each_receiver_is_one_of_the_batch() -> None:
    conf = 'conf = SparkConf().set("spark.streaming.receiver.maxRate", "100")\n'
    source = program(f"lines = ssc.union(*[{RECEIVER} for _ in range(3)])", "lines.pprint()")
    source = source.replace("import SparkContext", "import SparkConf, SparkContext")
    source = source.replace("sc = SparkContext(", f"{conf}sc = SparkContext(conf=conf, ")
    assert '.option("maxOffsetsPerTrigger", 300)' in file(source).new
    unknown = run(source.replace("range(3)", "range(int(sys.argv[1]))"))
    assert "maxOffsetsPerTrigger" not in unknown.files[0].new
    assert any("limited each receiver" in note for note in unknown.graphs[0].notes)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            f"{SENDERS}streams = {SOCKETS}\nstreams[0].pprint()\nlines = ssc.union(*streams)",
            "something else than one",
        ),
        (f"{SENDERS}streams = {SOCKETS}\nlines = streams[0]", "something else than one"),
        (
            f"{SENDERS}streams = {SOCKETS}\nmore = ssc.union(*streams)\nlines = ssc.union(*streams)",
            "something else than one",
        ),
        (
            f"{SENDERS}streams = {SOCKETS}\nstreams.append(ssc.textFileStream('in'))\n{UNITED}",
            "something else than one",
        ),
        (f"{SENDERS}more = ssc.textFileStream('in')\nlines = ssc.union(more, *{SOCKETS})", "not followed"),
        (
            "lines = ssc.union(*[ssc.socketTextStream(h, 1).count() for h in sys.argv])",
            "do the rest with their union",
        ),
        (
            "lines = ssc.union(*[ssc.socketTextStream(h, 1).map(lambda x: x + h) for h in sys.argv])",
            "reads a variable of that",
        ),
        (
            "lines = ssc.union(*[ssc.queueStream([sc.parallelize([h])]) for h in sys.argv])",
            "not covered for such sources",
        ),
        (
            "lines = ssc.union(*[KafkaUtils.createStream(ssc, 'z:2181', g, {'t': 1}) for g in sys.argv])",
            "may not be alike",
        ),
        (f"lines = ssc.union(*[{RECEIVER} for _ in open('workers')])", "leaves out what else it does"),
        (
            f"streams = []\nfor i in range(3):\n    print(i)\n    streams.append({RECEIVER})\n{UNITED}",
            "leaves out what else it does",
        ),
        (
            f"streams = []\nfor i in range(3):\n    if ask(i):\n        streams.append({RECEIVER})\n{UNITED}",
            "leaves out what else it does",
        ),
        (
            "lines = ssc.union(*[KafkaUtils.createStream(ssc, 'z', 'g', {t: 1}) for t in sys.argv if t])",
            "leaves out what else it does",
        ),
    ],
)
def test_what_stays_on_compat(body: str, why: str) -> None:
    assert why in reason(body, "lines.pprint()")


def test_order_over_several_sources_is_not_promised() -> None:
    body = "lines = ssc.union(*[ssc.socketTextStream(h, 1) for h in sys.argv])"
    why = reason(body, "lines.map(str.split).reduce(lambda a, b: a + b).pprint()")
    assert "its result may depend on the order of the values" in why
