"""``--trigger continuous=1s`` and ``--trigger realtime``: the output is a sink, and there are no batches."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import RELEASES, SparkVersion
from migrate.knowledge.triggers import Trigger
from migrate.model import Options, Outcome, Result
from tests.migrate.programs import flat, kafka_program, run, socket_program

CONTINUOUS = Options(trigger=Trigger.parse("continuous=1s"), spark=SparkVersion.parse("4.3"))
REAL_TIME = Options(trigger=Trigger.parse("realtime"), spark=SparkVersion.parse("4.3"))
TEXTS = "messages.map(lambda m: m[1])"
MODE = {
    CONTINUOUS.trigger: 'trigger(continuous="1 second")',
    REAL_TIME.trigger: 'trigger(realTime="5 seconds")',
}


def _native(body: str, options: Options) -> Result:
    result = run(kafka_program(body), options)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert "foreachBatch" not in new
    assert "process_batch" not in new
    assert flat(MODE[options.trigger]) in flat(new)
    assert ('outputMode("update")' in new.replace("'", '"')) is options.trigger.is_real_time
    return result


def _reason(source: str, options: Options) -> str:
    (graph,) = run(source, options).graphs
    assert graph.outcome is Outcome.COMPAT
    return "; ".join(graph.reasons)


PYTHON = "from kafka import KafkaProducer\n"
CONFLUENT = "from confluent_kafka import Producer\n"
SENDING = {
    "a producer of each partition": (
        f"{PYTHON}def send(part):\n"
        '    producer = KafkaProducer(bootstrap_servers=["one:9092", "two:9092"], acks="all", linger_ms=5)\n'
        '    for text in part:\n        message = "got " + text\n'
        '        producer.send("out", message.encode("utf-8"))\n'
        f"    producer.close()\n{TEXTS}.foreachRDD(lambda rdd: rdd.foreachPartition(send))",
        'messages.select(F.concat(F.lit("got "), "value").alias("value"))',
        '.option("kafka.bootstrap.servers", ",".join(["one:9092", "two:9092"]))'
        '.option("kafka.acks", "all").option("kafka.linger.ms", 5).option("topic", "out")',
    ),
    "a producer of the driver": (
        f'{PYTHON}TOPIC = "out"\nproducer = KafkaProducer(bootstrap_servers="one:9092", client_id="me")\n'
        "def handler(message):\n    records = message.collect()\n    for record in records:\n"
        "        producer.send(TOPIC, ('>' + record).encode())\n        producer.flush()\n"
        f"{TEXTS}.map(lambda t: t[:2]).foreachRDD(handler)",
        '.select(F.concat(F.lit(">"), "message").alias("value"))',
        '.option("kafka.bootstrap.servers", "one:9092").option("topic", TOPIC)',
    ),
    "a pair as key and value": (
        f'{CONFLUENT}producer = Producer({{"bootstrap.servers": "one:9092", "compression.type": "lz4"}})\n'
        "def send(part):\n    for key, text in part:\n        producer.produce('out', text, key)\n"
        "    producer.flush()\n"
        "def save(rdd):\n    if not rdd.isEmpty():\n        rdd.foreachPartition(send)\n"
        "messages.foreachRDD(save)",
        "messages.select('key', 'value').writeStream",
        ".option('kafka.bootstrap.servers', \"one:9092\").option('kafka.compression.type', \"lz4\")"
        ".option('topic', 'out')",
    ),
    "a serializer, and waiting for each": (
        f"{PYTHON}producer = KafkaProducer(bootstrap_servers='one:9092',\n"
        "    value_serializer=lambda v: v.encode('utf-8'))\n"
        f"{TEXTS}.foreachRDD(lambda rdd: rdd.foreach(lambda t: producer.send('out', t)))",
        "messages.writeStream",
        ".option('kafka.bootstrap.servers', 'one:9092').option('topic', 'out')",
    ),
}


@pytest.mark.parametrize("version", RELEASES)
def test_continuous_processing_is_in_all_versions(version: str) -> None:
    options = Options(trigger=CONTINUOUS.trigger, spark=SparkVersion.parse(version))
    body = SENDING["a producer of the driver"][0]
    text = _native(f"{body}\n{TEXTS}.pprint(5)", options).files[0].new
    assert '.format("kafka")' in text and '.format("console")' in text


@pytest.mark.parametrize("options", [CONTINUOUS, REAL_TIME], ids=["continuous", "realtime"])
@pytest.mark.parametrize(("body", "messages", "calls"), SENDING.values(), ids=SENDING)
def test_what_sends_each_element_to_kafka_is_its_sink(
    body: str, messages: str, calls: str, options: Options
) -> None:
    result = _native(body, options)
    new = flat(result.files[0].new).replace("'", '"')
    assert flat(messages).replace("'", '"') in new
    assert flat(calls).replace("'", '"') in new
    assert '.option("checkpointLocation",tempfile.mkdtemp())' in new
    assert "Producer" not in new, "neither its import nor what made it is needed"
    assert [site.operator for site in result.sites if not site.safe] == ["foreachRDD"]
    notes = " ".join(result.graphs[0].notes)
    assert "one by one" in notes
    assert "an interval" not in notes


def test_the_text_of_a_pair_is_a_python_function() -> None:
    body = (
        f'{PYTHON}producer = KafkaProducer(bootstrap_servers="one:9092")\n'
        "def handler(rdd):\n    for record in rdd.collect():\n"
        "        producer.send('out', str(record).encode())\n"
        "messages.foreachRDD(handler)"
    )
    new = flat(_native(body, CONTINUOUS).files[0].new).replace("'", '"')
    assert 'messages.select(tuple_text("key","value").alias("value"))' in new
    assert "no Python functions in real-time mode" in _reason(kafka_program(body), REAL_TIME)


KNOWN = 'bootstrap_servers="one:9092"'
NO_MESSAGES = {
    "another client": ("import lib as kafka\n", KNOWN, '"out"'),
    "a setting without a counterpart": ("import kafka\n", f"{KNOWN}, partitioner=max", '"out"'),
    "brokers that are not known": ("import kafka, lib\n", "bootstrap_servers=lib.brokers()", '"out"'),
    "a topic of the element": ("import kafka\n", KNOWN, "t"),
}


@pytest.mark.parametrize(("imported", "settings", "topic"), NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_what_is_not_known_to_be_a_message_is_no_sink(imported: str, settings: str, topic: str) -> None:
    head = f"{imported}producer = kafka.KafkaProducer({settings})\n"
    send = f"{TEXTS}.foreachRDD(lambda rdd: rdd.foreach(lambda t: producer.send({topic}, t.encode())))"
    why = _reason(kafka_program(head + send), CONTINUOUS)
    assert "only pprint and what sends each element to Kafka become sinks" in why
    assert "CANNOT_GET_BATCH_ID" in why


SINKS = {
    "rdd.foreach of a lambda": (
        "import lib\nmessages.foreachRDD(lambda rdd: rdd.foreach(lambda m: lib.send(m)))",
        '.foreach(lambda row: lib.send((row["key"], row["value"])))',
    ),
    "rdd.foreach of a function": (
        "import lib\ndef one(text):\n    lib.send(text)\n"
        f"def save(rdd):\n    rdd.foreach(one)\n{TEXTS}.foreachRDD(save)",
        '.foreach(lambda row: one(row["value"]))',
    ),
    "rdd.foreachPartition": (
        "import lib\ndef send(part):\n    for text in part:\n        lib.send(text)\n"
        f"{TEXTS}.foreachRDD(lambda rdd: rdd.foreachPartition(send))",
        '.foreach(EachPartition(lambda rows: send(row["value"] for row in rows)))',
    ),
}


@pytest.mark.parametrize(("body", "code"), SINKS.values(), ids=SINKS)
def test_other_functions_of_elements_are_called_in_real_time(body: str, code: str) -> None:
    result = _native(body, REAL_TIME)
    new = flat(result.files[0].new)
    assert flat(code) in new or flat(code.replace('(row["key"], row["value"])', "tuple(row)")) in new, new
    assert any("at the end of a batch of 5 seconds" in note for note in result.graphs[0].notes)
    assert "`foreach` fails for Python functions there" in _reason(kafka_program(body), CONTINUOUS)


@pytest.mark.parametrize("options", [CONTINUOUS, REAL_TIME], ids=["continuous", "realtime"])
def test_pprint_is_the_console(options: Options) -> None:
    body = f"words = {TEXTS}.filter(lambda t: t != 'a')\nwords.pprint(5)"
    new = flat(_native(body, options).files[0].new)
    assert 'words=messages.where(~F.col("value").eqNullSafe("a"))' in new
    assert '.format("console").options(truncate=False,numRows=5).trigger(' in new


def test_python_functions_are_made_before_they_are_read() -> None:
    body = f"words = {TEXTS}.map(lambda t: t.title())\nwords.pprint()"
    new = _native(body, CONTINUOUS).files[0].new
    assert new.index("word_udf = F.udf") < new.index("words = messages.select(word_udf")
    assert "needs columns" in _reason(kafka_program(body), REAL_TIME)


def test_records_go_on_from_the_checkpoint_of_the_program() -> None:
    source = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "from pyspark.streaming.kafka import KafkaUtils\nfrom kafka import KafkaProducer\n\n"
        'producer = KafkaProducer(bootstrap_servers="one:9092")\n\n\n'
        "def build():\n    ssc = StreamingContext(SparkContext(), 1)\n    ssc.checkpoint('work')\n"
        '    messages = KafkaUtils.createDirectStream(ssc, ["t"], {"bootstrap.servers": "b:9092"})\n'
        "    messages.map(lambda m: m[1]).foreachRDD(\n"
        "        lambda rdd: rdd.foreach(lambda t: producer.send('out', t.encode()))\n    )\n"
        "    return ssc\n\n\n"
        "ssc = StreamingContext.getOrCreate('work', build)\nssc.start()\nssc.awaitTermination()\n"
    )
    result = run(source, CONTINUOUS)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert 'checkpointLocation\', "work/query"' in new or "work/query" in new
    assert "tempfile" not in new


REFUSED = [
    (kafka_program(f"{TEXTS}.count().pprint()"), "`count`: --trigger continuous works on each record"),
    (
        kafka_program(f"import sys\nif len(sys.argv) > 1:\n    {TEXTS}.pprint()\nmessages.pprint()"),
        "in a branch",
    ),
    (
        kafka_program(f"{TEXTS}.foreachRDD(lambda rdd: print(rdd.collect()))"),
        "become sinks, and nothing else",
    ),
    (kafka_program(f"{TEXTS}.saveAsTextFiles('out')"), "become sinks, and nothing else"),
    (kafka_program(f"{TEXTS}.flatMap(lambda t: t.split(' ')).pprint()"), "no flatMap"),
    (socket_program("lines.pprint()"), "`socketTextStream`: --trigger continuous reads Kafka alone"),
]


@pytest.mark.parametrize(("source", "why"), REFUSED)
def test_what_works_on_batches_goes_to_compat(source: str, why: str) -> None:
    assert why in _reason(source, CONTINUOUS)


def test_flat_map_runs_in_real_time() -> None:
    new = _native(f"{TEXTS}.flatMap(lambda t: t.split(' ')).pprint()", REAL_TIME).files[0].new
    assert "F.explode" in new


def test_typed_functions_do_not_and_other_names_are_not_taken_for_them() -> None:
    typed = f"{TEXTS}.filter(lambda t: t.title() != '').pprint()"
    assert "its elements are made by Python code" in _reason(kafka_program(typed), REAL_TIME)
    assert "F.udf" in _native(typed, CONTINUOUS).files[0].new
    named = (
        f"def explode_udf(text):\n    store(text)\n{TEXTS}.foreachRDD(lambda rdd: rdd.foreach(explode_udf))"
    )
    assert 'explode_udf(row["value"])' in _native(named, REAL_TIME).files[0].new.replace("'", '"')


def test_real_time_is_of_spark_4_3() -> None:
    options = Options(trigger=REAL_TIME.trigger, spark=SparkVersion.parse("4.2"))
    assert "from 4.3 on" in _reason(kafka_program(f"{TEXTS}.pprint()"), options)


def test_a_graceful_stop_is_a_stop() -> None:
    source = kafka_program(f"{TEXTS}.pprint()").replace("ssc.awaitTermination()", "ssc.stop(False, True)")
    new = run(source, CONTINUOUS).files[0].new
    assert "query.stop()" in new
    assert "isTriggerActive" not in new


SEVERAL = (
    f"{PYTHON}producer = KafkaProducer(bootstrap_servers='one:9092')\n"
    "def send(rdd):\n    for text in rdd.collect():\n        producer.send('out', text.encode())\n"
    f"texts = {TEXTS}\n# see them\ntexts.pprint()\n# send them on\ntexts.foreachRDD(send)"
)


@pytest.mark.parametrize("options", [CONTINUOUS, REAL_TIME], ids=["continuous", "realtime"])
def test_each_of_several_outputs_is_a_query(options: Options) -> None:
    result = _native(SEVERAL, options)
    new = result.files[0].new.replace("'", '"')
    first, second = new.split("# see them\n")[1].split("# send them on\n")
    assert first.startswith("query = (")
    assert '.format("console")' in first
    assert second.startswith("streaming_query = (")
    assert '.format("kafka")' in second
    assert second.endswith("spark.streams.awaitAnyTermination()\n")
    assert any("a query of its own" in note for note in result.graphs[0].notes)
    assert not any("those below it" in note for note in result.graphs[0].notes)


def test_all_queries_are_stopped() -> None:
    waits = "ssc.awaitTermination()"
    source = kafka_program(SEVERAL).replace(waits, "ssc.awaitTerminationOrTimeout(10)\nssc.stop(False)")
    new = run(source, CONTINUOUS).files[0].new
    end = "spark.streams.awaitAnyTermination(10)\nquery.stop()\nstreaming_query.stop()\n"
    assert new.endswith(end)


BUILT = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def build():
    ssc = StreamingContext(SparkContext(), 1)
    ssc.checkpoint("work")
    messages = KafkaUtils.createDirectStream(ssc, ["t"], {"bootstrap.servers": "b:9092"})
    messages.pprint()
    messages.map(lambda m: m[1]).pprint()
    return ssc


ssc = BUILD
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize("build", ["build()", 'StreamingContext.getOrCreate("work", build)'])
def test_several_queries_are_started_where_they_are_made(build: str) -> None:
    assert "the context is started elsewhere" in _reason(BUILT.replace("BUILD", build), CONTINUOUS)


@pytest.mark.parametrize("setting", ["receiver.maxRate", "kafka.maxRatePerPartition"])
def test_no_rate_limits_what_has_no_batches(setting: str) -> None:
    """Real-time mode fails with maxOffsetsPerTrigger."""
    head = f'from pyspark import SparkConf\nconf = SparkConf().set("spark.streaming.{setting}", 2)\n'
    made = 'KafkaUtils.createStream(ssc, "z:2181", "g", {"t": 1}, {"bootstrap.servers": "b:9092"})'
    source = kafka_program(f"texts = {made}.map(lambda m: m[1])\ntexts.pprint()")
    source = head + source.replace('SparkContext(appName="Test")', "SparkContext(conf=conf)")
    source = "\n".join(row for row in source.splitlines() if not row.startswith("messages ="))
    (graph,) = run(source, REAL_TIME).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert "maxOffsetsPerTrigger" not in run(source, REAL_TIME).files[0].new
    assert any(f"`spark.streaming.{setting}`" in note and "no effect" in note for note in graph.notes)
    assert not any("limits a whole batch" in line for line in graph.must_change)
