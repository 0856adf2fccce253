"""Programs that read Kafka: what becomes of both ways of making a stream of it."""

from __future__ import annotations

import ast

import pytest

from migrate.knowledge.kafka_connector import coordinate
from migrate.knowledge.spark_version import SparkVersion, installed
from migrate.migration import migrate
from migrate.model import Options, Outcome, Status, Tier
from migrate.rules._kafka import KEYS_NOT_READ
from tests.migrate.programs import KAFKA, file, flat, kafka_program, module, run
from tests.migrate.read.notebook import notebooks

HEAD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Pages")
ssc = StreamingContext(sc, 5)
"""
TAIL = "ssc.start()\nssc.awaitTermination()\n"
DIRECT = 'KafkaUtils.createDirectStream(ssc, ["pages"], {"metadata.broker.list": "broker:9092"}'
RECEIVER = 'KafkaUtils.createStream(ssc, "zookeeper:2181", "counters", {"pages": 1}'


def program(stream: str, body: str = "messages.pprint()") -> str:
    """A program whose stream of messages is made by an expression."""
    return f"{HEAD}messages = {stream}\n{body}\n{TAIL}"


def reading(stream: str, options: Options | None = None, head: str = "") -> str:
    """What a stream becomes: the statement that makes the streaming DataFrame, without layout."""
    result = run(head + program(stream), options)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    for node in ast.parse(result.files[0].new).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "messages":
            return ast.unparse(node.value).removeprefix("spark.readStream.format('kafka').option(")
    raise AssertionError(result.files[0].new)


WORD_COUNT = program(
    DIRECT + ")",
    "lines = messages.map(lambda x: x[1])\n"
    'words = lines.flatMap(lambda line: line.split(" "))\n'
    "counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)\n"
    "counts.pprint()",
)
WORD_COUNT_AFTER = """\
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("Pages").getOrCreate()
lines = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", "broker:9092")
    .option("subscribe", "pages")
    .load()
    .select(F.decode("value", "UTF-8").alias("value"))
)


def process_batch(batch, batch_id):
    words = batch.select(F.explode(F.split("value", " ")).alias("word"))
    counts = words.groupBy("word").count()
    counts.show(10, truncate=False)


query = lines.writeStream.trigger(processingTime="5 seconds").foreachBatch(process_batch).start()
query.awaitTermination()
"""


def test_the_word_count() -> None:
    result = run(WORD_COUNT)
    assert result.files[0].new == WORD_COUNT_AFTER
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE
    said = " ".join(graph.notes)
    for word in ("failOnDataLoss", "after its start"):
        assert word in said
    start = f"spark-submit --packages {coordinate(installed())} job.py"
    assert graph.must_change == (f"start it with Spark's connector for Kafka: {start}",)
    assert {site.tier for site in result.sites} == {Tier.CONTEXT, Tier.COLUMN}


def _two_programs(more: str = "") -> str:
    """Two programs in one file, each below a test whether it is run, and code below them."""
    parts = []
    for stream in (DIRECT, RECEIVER):
        lines = program(f"{stream})").removeprefix(HEAD.partition("sc =")[0]).splitlines()
        parts.append('if __name__ == "__main__":\n' + "".join(f"    {line}\n" for line in lines))
    return HEAD.partition("sc =")[0] + "\n".join(parts) + more


def test_two_programs_in_one_file_read_kafka_each() -> None:
    result = run(_two_programs())
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE, Outcome.NATIVE]
    assert "KafkaUtils" not in result.files[0].new


def test_the_old_connector_may_be_named_for_nothing() -> None:
    start = "ssc.start()"
    named = program(f"{DIRECT})").replace(start, f"KafkaUtils.createDirectStream\n{start}")
    assert file(named).new == file(program(f"{DIRECT})")).new
    misspelt = named.replace("createDirectStream\n", "createDirectstream\n")
    assert run(misspelt).graphs[0].outcome is Outcome.COMPAT


def test_another_use_of_the_old_connector_is_gone() -> None:
    result = run(_two_programs("\ndef made(ssc):\n    return KafkaUtils.createRDD\n"))
    reasons = {reason for graph in result.graphs for reason in graph.reasons}
    assert "`KafkaUtils` is still used for something else than a stream, and it is gone" in reasons


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("lines = messages.map(lambda m: m[1])\nlines.pprint()", "lines"),
        ("lines = messages.map(lambda m: m[1])\nlines.pprint()\nmessages.count().pprint()", "messages"),
        ("lines = messages.map(lambda m: m[1])\nlines.pprint()\nprint(messages)", "messages"),
        ("lines = messages.map(lambda m: m[1].strip('x'))\nlines.pprint()", "messages"),
        ("lines = messages.map(lambda m: m[1])\nlines.pprint()\nlines = 3\nprint(lines)", "messages"),
    ],
)
def test_the_dataframe_has_the_name_of_what_is_read(body: str, name: str) -> None:
    assert f"\n{name} = (\n    spark.readStream" in file(kafka_program(body)).new


@pytest.mark.parametrize(
    ("interval", "name"),
    [
        ("1)", "lines"),
        ("2)", "kvs"),  # with `lines` the statement that starts the query has five lines
        ("300)", "lines"),
        ("2)  # seconds", "lines"),
    ],
)
def test_a_name_that_breaks_the_start_of_the_query_is_not_taken(interval: str, name: str) -> None:
    source = AS_IN_SPARK.replace("(sc, 2)", f"(sc, {interval}")
    assert f"\n    {name} = (\n        spark.readStream" in file(source).new


def test_a_callback_with_a_short_name_leaves_room_for_it() -> None:
    source = AS_IN_SPARK.replace("counts.pprint()", "lines.foreachRDD(show)")
    source = source.replace("if __name__", "def show(rdd):\n    print(rdd.count())\n\nif __name__")
    assert "query = lines.writeStream" in file(source).new


PAIRS = DIRECT + ")"
READS = [
    ("messages.map(lambda m: m[1]).pprint()", "value"),
    ("messages.map(lambda m: m[0]).countByValue().pprint()", "key"),
    ("messages.flatMap(lambda m: [m]).map(lambda m: m[1]).pprint()", "value"),
    ("messages.map(lambda m: (m[1], m[0])).pprint()", "key value"),
    ("messages.map(lambda m: m[1].split(' ')).filter(len).pprint()", "value"),
    ("messages.filter(lambda m: m[0] == 'a').map(lambda m: m[1]).pprint()", "key value"),
    ("messages.filter(lambda m: m[1] == 'a').map(lambda m: m[1]).pprint()", "value"),
    ("messages.mapValues(len).map(lambda kv: kv[1]).pprint()", "value"),
    ("messages.mapValues(len).pprint()", "key value"),
    ("messages.flatMap(itself).pprint()", "key value"),
    ("messages.map(second).pprint()", "value"),
    ("messages.map(unpacked).pprint()", "value"),
    ("messages.map(lambda m: second(m)).pprint()", "value"),
    ("messages.map(lambda m: m[-1]).pprint()", "key value"),
    ("messages.map(lambda m: len(m)).pprint()", "key value"),
    ("messages.map(lambda m: [m for m in m[1]]).pprint()", "key value"),
    ("messages.map(lambda m: m[1]).pprint()\nmessages.map(lambda m: m[0]).pprint()", "key value"),
    ("messages.map(lambda m: m[1]).pprint()\nmessages.cache().pprint()", "key value"),
    ("messages.repartition(3).map(lambda m: m[1]).pprint()", "value"),
    ("messages.map(lambda m: m).map(lambda m: m[1]).pprint()", "value"),
]
FUNCTIONS = (
    "def second(pair):\n    return pair[1]\n"
    "def unpacked(pair):\n    key, value = pair\n    return value\n"
    "def itself(pair):\n    return pair\n"
)


@pytest.mark.parametrize(("body", "columns"), READS, ids=[body for body, _ in READS])
def test_only_what_is_read_is_decoded(body: str, columns: str) -> None:
    result = run(program(PAIRS, FUNCTIONS + body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    selected = ", ".join(f'F.decode("{name}", "UTF-8").alias("{name}")' for name in columns.split())
    assert flat(f".select({selected})") in flat(result.files[0].new)
    notes = result.graphs[0].notes
    assert (KEYS_NOT_READ in notes) is ("key" not in columns)
    assert any("values that are not UTF-8" in note for note in notes) is ("value" not in columns)


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("lambda m: repr(m)", "F.udf(lambda m: repr(tuple(m)), 'string')"),
        ("lambda m: json.dumps(m)", "F.udf(lambda m: json.dumps(m), 'string')"),
        ("shown", "F.udf(lambda row: shown(tuple(row)), 'string')"),
    ],
)
def test_a_typed_function_that_shows_its_tuple_is_given_one(function: str, code: str) -> None:
    head = "import json\ndef shown(pair):\n    return str(pair)\n"
    new = file(head + program(PAIRS, f"messages.map({function}).pprint()")).new
    assert code in new.replace('"', "'")


def test_a_count_decodes_nothing() -> None:
    new = file(program(PAIRS, "messages.count().pprint()")).new
    assert ".load()\n)\n" in new and "select" not in new and "decode" not in new


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("messages.map(lambda m: m[1]).count().pprint()", False),
        ("messages.map(lambda m: m[1]).repartition(2).count().pprint()", False),
        ("keys = messages.map(lambda m: m[0])\nmessages.count().pprint()", False),
        ("messages.map(lambda m: m[1]).map(len).count().pprint()", True),
        ("lines = messages.map(lambda m: m[1])\nlines.count().pprint()\nlines.pprint()", True),
    ],
)
def test_what_is_only_counted_or_never_put_out_is_not_decoded(body: str, read: bool) -> None:
    new = file(program(PAIRS, body)).new
    assert ('F.decode("value"' in new) is read and 'F.decode("key"' not in new


def test_a_source_that_is_only_counted_has_no_columns_beside_another_one() -> None:
    other = "lines = KafkaUtils.createDirectStream(ssc, ['p'], {'bootstrap.servers': 'b:1'})"
    body = f"messages.count().pprint()\n{other}.map(lambda m: m[1])\nlines.pprint()"
    new = file(program(PAIRS, body)).new
    assert "    .load()\n    .select()\n" in new and 'batch.where("source = 0")\n' in new


def test_rdd_code_gets_the_value_through_a_function_that_returns_its_argument() -> None:
    body = "pages = messages.map(lambda m: m)\npages.map(lambda m: parse(m[1])).pprint()"
    new = file(program(PAIRS, body)).new
    assert flat('.select(F.decode("value", "UTF-8").alias("value"))') in flat(new)
    assert 'batch.rdd.map(lambda row: parse(row["value"]))' in new


def test_rdd_code_gets_pairs_whose_unread_parts_are_not_decoded() -> None:
    body = "def text(m):\n    return m[1]\nmessages.map(lambda m: parse(text(m))).pprint()"
    new = file(program(PAIRS, body)).new
    assert flat('.select("key", F.decode("value", "UTF-8").alias("value"))') in flat(new)


AS_IN_SPARK = """\
from __future__ import print_function

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: direct_kafka_wordcount.py <broker_list> <topic>", file=sys.stderr)
        sys.exit(-1)

    sc = SparkContext(appName="DirectKafkaWordCount")
    ssc = StreamingContext(sc, 2)

    brokers, topic = sys.argv[1:]
    kvs = KafkaUtils.createDirectStream(ssc, [topic], {"metadata.broker.list": brokers})
    lines = kvs.map(lambda x: x[1])
    counts = lines.flatMap(lambda line: line.split(" ")) \\
        .map(lambda word: (word, 1)) \\
        .reduceByKey(lambda a, b: a+b)
    counts.pprint()

    ssc.start()
    ssc.awaitTermination()
"""


def test_the_word_count_of_spark_s_examples_grows_by_six_lines_at_most() -> None:
    """It is a person's code: one select, one function, no helper."""
    new = file(AS_IN_SPARK, Options(spark=SparkVersion.parse("4"))).new
    assert len(new.splitlines()) <= len(AS_IN_SPARK.splitlines()) + 6, new
    assert new.count("def ") == 1
    assert '.select(F.decode("value", "UTF-8").alias("value"))' in new


def test_a_source_is_not_called_by_a_stream_that_says_so() -> None:
    """It keeps its own name then, with and without its keys."""
    source = AS_IN_SPARK.replace("lines", "dStream").replace("(sc, 2)", "(sc, 2)  # seconds")
    new = file(source, Options(spark=SparkVersion.parse("4"))).new
    assert "    kvs = (\n" in new and " dStream" not in new
    both = source.replace("counts.pprint()", "counts.pprint()\n    kvs.pprint()")
    assert "    kvs = (\n" in file(both, Options(spark=SparkVersion.parse("4"))).new


SERVERS = "'kafka.bootstrap.servers', 'broker:9092')"
TEXTS = ".load().select(F.decode('key', 'UTF-8').alias('key'), F.decode('value', 'UTF-8').alias('value'))"


@pytest.mark.parametrize(
    ("topics", "of_receiver", "code"),
    [
        ('["pages", "clicks"]', "{'pages': 1, 'clicks': 1}", "'pages,clicks'"),
        ("[topic]", "{topic: 1}", "topic"),
        ("[topic, 'b']", "{topic: 1, 'b': 2}", "','.join([topic, 'b'])"),
        ("topics", "topics", "','.join(topics)"),
        ("arguments.topics.split(',')", "arguments.topics.split(',')", "arguments.topics"),
        ("topics.split()", "topics.split()", "','.join(topics.split())"),
    ],
)
def test_topics(topics: str, of_receiver: str, code: str) -> None:
    stream = f'KafkaUtils.createDirectStream(ssc, {topics}, {{"bootstrap.servers": "broker:9092"}})'
    assert reading(stream) == f"{SERVERS}.option('subscribe', {code}){TEXTS}"
    stream = f'KafkaUtils.createStream(ssc, "z", "g", {of_receiver}, {{"bootstrap.servers": "broker:9092"}})'
    assert reading(stream) == f"{SERVERS}.option('subscribe', {code}){TEXTS}"


@pytest.mark.parametrize(
    ("stream", "head", "found"),
    [
        ('createStream(ssc, "z", "g", {"pages", 1})', "", "a set, and `createStream` takes a dict"),
        ('createStream(ssc, "z", "g", ["pages"])', "", "a list, and `createStream` takes a dict"),
        ('createStream(ssc, "z", "g", t)', "t = 'pages'\n", "a constant, and `createStream` takes a dict"),
        ('createDirectStream(ssc, "pages", PARAMS)', "", "a constant, and `createDirectStream` takes a list"),
        ('createDirectStream(ssc, {"a": 1}, PARAMS)', "", "a dict, and `createDirectStream` takes a list"),
        ('createDirectStream(ssc, ("a",), PARAMS)', "", "a tuple, and `createDirectStream` takes a list"),
    ],
)
def test_topics_of_another_kind_raise_as_they_did(stream: str, head: str, found: str) -> None:
    text = head + program(f"KafkaUtils.{stream}".replace("PARAMS", '{"bootstrap.servers": "b:9092"}'))
    (graph,) = run(text).graphs
    assert graph.outcome is Outcome.COMPAT
    assert f"its topics are {found} alone: it raises a TypeError there as it is" in graph.reasons[0]


@pytest.mark.parametrize(
    ("parameter", "option"),
    [
        ('"auto.offset.reset": "smallest"', ".option('startingOffsets', 'earliest')"),
        ('"auto.offset.reset": "SMALLEST"', ".option('startingOffsets', 'earliest')"),
        ('"auto.offset.reset": "largest"', ".option('startingOffsets', 'latest')"),
        # Spark 2.4 knows one word alone, so that the new one means latest there
        ('"auto.offset.reset": "earliest"', ".option('startingOffsets', 'latest')"),
        ('"group.id": "g", "zookeeper.connect": "z:2181"', ""),
        ('"security.protocol": "SSL"', ".option('kafka.security.protocol', 'SSL')"),
        ('"sasl.jaas.config": secret()', ".option('kafka.sasl.jaas.config', secret())"),
        ('"fetch.message.max.bytes": str(n)', ".option('kafka.max.partition.fetch.bytes', str(n))"),
        ('"isolation.level": "read_committed"', ".option('kafka.isolation.level', 'read_committed')"),
        ('"auto.commit.interval.ms": "10"', ""),
    ],
)
def test_parameters(parameter: str, option: str) -> None:
    stream = (
        f'KafkaUtils.createDirectStream(ssc, ["p"], {{"metadata.broker.list": "broker:9092", {parameter}}})'
    )
    start, rest = ("", option) if "startingOffsets" not in option else (option, "")
    assert reading(stream) == f"{SERVERS}.option('subscribe', 'p'){start}{rest}{TEXTS}"


@pytest.mark.parametrize(
    "name", ["group.id", "consumer.timeout.ms", "auto.commit.interval.ms", "zookeeper.session.timeout.ms"]
)
def test_each_parameter_that_goes_is_named(name: str) -> None:
    given = f'{{"metadata.broker.list": "broker:9092", "{name}": "1"}}'
    for stream in (
        f'KafkaUtils.createDirectStream(ssc, ["p"], {given})',
        f'KafkaUtils.createStream(ssc, "z:2181", "g", {{"p": 1}}, {given})',
    ):
        (graph,) = run(program(stream)).graphs
        assert any(f"`{name}`" in note and "left out" in note for note in graph.notes)


@pytest.mark.parametrize(("reset", "noted"), [("earliest", True), ("latest", False), ("smallest", False)])
def test_a_word_that_spark_did_not_know_is_noted(reset: str, noted: bool) -> None:
    stream = (
        'KafkaUtils.createDirectStream(ssc, ["p"], {"metadata.broker.list": "broker:9092", '
        f'"auto.offset.reset": "{reset}"}})'
    )
    (graph,) = run(program(stream)).graphs
    assert any("auto.offset.reset=earliest" in note for note in graph.notes) is noted


@pytest.mark.parametrize("name", ["kafka.startingOffsets", "startingOffsets", "kafka.bootstrap.servers"])
def test_what_was_no_parameter_of_the_consumer_is_left_out(name: str) -> None:
    stream = (
        f'KafkaUtils.createDirectStream(ssc, ["p"], {{"bootstrap.servers": "broker:9092", "{name}": "x"}})'
    )
    assert reading(stream) == f"{SERVERS}.option('subscribe', 'p'){TEXTS}"
    (graph,) = run(program(stream)).graphs
    assert any(f"`{name}` is no parameter of Kafka's consumer" in note for note in graph.notes)


@pytest.mark.parametrize("name", ["brokers", "bootstrap_servers", "host", "Group.Id"])
def test_a_name_that_no_consumer_knows_is_left_out(name: str) -> None:
    stream = f'KafkaUtils.createStream(ssc, "z:2181", "g", {{"p": 1}}, {{"{name}": "x", "client.id": "c"}})'
    code = reading(stream)
    assert f"kafka.{name}" not in code and ".option('kafka.client.id', 'c')" in code
    (graph,) = run(program(stream)).graphs
    assert any(f"`{name}` is no parameter of Kafka's consumer" in note for note in graph.notes)


@pytest.mark.parametrize(
    ("head", "kept", "code"),
    [
        ("topics = {'pages': 1}\n", "topics = 'pages'\n", "topics"),
        ("topics = {'pages': 1, 'clicks': 2}\n", 'topics = "pages,clicks"\n', "topics"),
        ("topic = sys.argv[1]\ntopics = {topic: 1}\n", "topic = sys.argv[1]\n", "topic"),
        ("topics = {'pages': 1}\nprint(topics)\n", "topics = {'pages': 1}\n", "','.join(topics)"),
        ("topics = {'pages': 1}\ntopics['b'] = 1\n", "topics = {'pages': 1}\n", "','.join(topics)"),
        ("topics = {**others, 'pages': 1}\n", "topics = {**others, 'pages': 1}\n", "','.join(topics)"),
        ("topics = {'a' + b: 1}\n", "topics = {'a' + b: 1}\n", "','.join(topics)"),
    ],
)
def test_numbers_of_threads_go_with_their_dict(head: str, kept: str, code: str) -> None:
    stream = 'KafkaUtils.createStream(ssc, "b:9092", "g", topics)'
    assert f".option('subscribe', {code})" in reading(stream, head=head)
    (new,) = run(head + program(stream)).files
    assert kept in str(new.new) and ("topics = {" in str(new.new)) is ("topics = {" in kept)


@pytest.mark.parametrize(
    ("head", "kept", "code"),
    [
        ("topics = ['pages']\n", "topics = 'pages'\n", "topics"),
        ("topics = [sys.argv[1]]\n", "topics = sys.argv[1]\n", "topics"),
        ("topic = sys.argv[1]\ntopics = [topic]\n", "topic = sys.argv[1]\n", "topic"),
        ("topics = ['pages', 'clicks']\n", "topics = ['pages', 'clicks']\n", "','.join(topics)"),
        ("topics = ['pages']\nprint(topics)\n", "topics = ['pages']\n", "','.join(topics)"),
        ("topics = ['pages']\ntopics.append('b')\n", "topics = ['pages']\n", "','.join(topics)"),
        ("topics = [*others]\n", "topics = [*others]\n", "','.join(topics)"),
    ],
)
def test_a_list_of_one_topic_is_that_topic(head: str, kept: str, code: str) -> None:
    stream = 'KafkaUtils.createDirectStream(ssc, topics, {"bootstrap.servers": "broker:9092"})'
    assert f".option('subscribe', {code})" in reading(stream, head=head)
    assert kept in str(run(head + program(stream)).files[0].new)


def test_a_dict_of_parameters_stays_and_is_read() -> None:
    head = 'PARAMETERS = {"metadata.broker.list": "a:1", "bootstrap.servers": "b:1", "ssl.ca.location": ca}\n'
    code = reading("KafkaUtils.createDirectStream(ssc, ['p'], kafkaParams=PARAMETERS)", head=head)
    assert code.startswith("'kafka.bootstrap.servers', PARAMETERS['metadata.broker.list'])")
    assert ".option('kafka.ssl.ca.location', PARAMETERS['ssl.ca.location'])" in code


@pytest.mark.parametrize("value", ["'a:1'", "BROKERS"])
def test_a_dict_of_parameters_that_nothing_else_reads_goes(value: str) -> None:
    head = f"BROKERS = 'a:1'\nPARAMETERS = {{'bootstrap.servers': {value}, 'group.id': 'g'}}\n"
    stream = "KafkaUtils.createDirectStream(ssc, ['p'], PARAMETERS)"
    assert reading(stream, head=head).startswith(f"'kafka.bootstrap.servers', {value})")
    assert "PARAMETERS" not in file(head + program(stream)).new


@pytest.mark.parametrize(
    "more",
    [
        "print(PARAMETERS['group.id'])\n",
        "PARAMETERS = {'bootstrap.servers': BROKERS, 'group.id': name()}\n",
        "BROKERS = 'b:1'\n",
    ],
)
def test_it_stays_where_its_values_may_be_others(more: str) -> None:
    head = "BROKERS = 'a:1'\nPARAMETERS = {'bootstrap.servers': BROKERS, 'group.id': 'g'}\n"
    if more.startswith("PARAMETERS"):
        head = head.splitlines(keepends=True)[0]
    stream = "KafkaUtils.createDirectStream(ssc, ['p'], PARAMETERS)"
    assert "PARAMETERS['bootstrap.servers']" in reading(stream, head=head + more)


@pytest.mark.parametrize(
    "head",
    [
        'PARAMETERS = {"bootstrap.servers": "a:1"}\nPARAMETERS["x"] = 1\n',
        'PARAMETERS = {"bootstrap.servers": "a:1"}\nPARAMETERS.update(more)\n',
        'PARAMETERS = {"bootstrap.servers": "a:1"}\nchange(PARAMETERS)\n',
        'PARAMETERS = {"bootstrap.servers": "a:1", **more}\n',
        "PARAMETERS = dict(more)\n",
        'PARAMETERS = {"bootstrap.servers": "a:1"}\nPARAMETERS = {}\n',
    ],
)
def test_parameters_that_are_not_known_stay_on_compat(head: str) -> None:
    (graph,) = run(head + program("KafkaUtils.createDirectStream(ssc, ['p'], PARAMETERS)")).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "its Kafka parameters are not written out" in graph.reasons[0]


def test_direct_streams_share_a_dict_of_parameters() -> None:
    head = 'PARAMETERS = {"bootstrap.servers": "a:1", "group.id": "g"}\n'
    streams = (
        'clicks = KafkaUtils.createDirectStream(ssc, ["clicks"], kafkaParams=PARAMETERS)\nclicks.pprint()\n'
        "messages.pprint()"
    )
    own = 'KafkaUtils.createDirectStream(ssc, ["pages"], PARAMETERS)'
    result = run(head + program(own, streams))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert new.count('.option("kafka.bootstrap.servers", PARAMETERS["bootstrap.servers"])') == 2
    receiver = streams.replace('createDirectStream(ssc, ["clicks"]', 'createStream(ssc, "z:1", "g", {"c": 1}')
    (graph,) = run(head + program(own, receiver)).graphs
    assert "its Kafka parameters are not written out" in graph.reasons[0]


@pytest.mark.parametrize(
    "given",
    [
        'dict(PARAMETERS, **{"group.id": "g", "auto.offset.reset": "smallest"})',
        'dict(dict(PARAMETERS, group="x"), **{"auto.offset.reset": "smallest"})',
        'dict({"bootstrap.servers": "a:1"}, **{"auto.offset.reset": "smallest"})',
    ],
)
def test_a_copy_of_parameters_with_more(given: str) -> None:
    head = 'PARAMETERS = {"bootstrap.servers": "a:1"}\n'
    made = reading(f"KafkaUtils.createDirectStream(ssc, ['p'], {given})", head=head)
    assert "'a:1'" in made
    assert "option('startingOffsets', 'earliest')" in made


@pytest.mark.parametrize(
    ("settings", "more", "outcome"),
    [
        ('PARAMETERS = {"bootstrap.servers": "a:1"}\n', "", Outcome.NATIVE),
        ('PARAMETERS = {"bootstrap.servers": "a:1"}\nPARAMETERS.update(more)\n', "", Outcome.COMPAT),
        ('PARAMETERS = {"bootstrap.servers": "a:1"}\n', "PARAMETERS['x'] = 1\n", Outcome.COMPAT),
        ('PARAMETERS = {"bootstrap.servers": "a:1"}\n', "settings.PARAMETERS = {}\n", Outcome.COMPAT),
        ('PARAMETERS = make({"bootstrap.servers": "a:1"})\n', "", Outcome.COMPAT),
    ],
)
@pytest.mark.parametrize("given", ["PARAMETERS", 'dict(PARAMETERS, **{"group.id": "g"})'])
def test_parameters_of_another_module(settings: str, more: str, outcome: Outcome, given: str) -> None:
    head = f"import settings\nfrom settings import PARAMETERS\n{more}"
    files = {
        "job.py": head + program(f'KafkaUtils.createDirectStream(ssc, ["p"], {given})'),
        "settings.py": "from values import *\n",
        "values.py": settings,
    }
    result = migrate([module(text, path) for path, text in files.items()], Options())
    (graph,) = result.graphs
    assert graph.outcome is outcome, graph.reasons
    if outcome is Outcome.NATIVE:
        assert '.option("kafka.bootstrap.servers", PARAMETERS["bootstrap.servers"])' in result.files[0].new
        assert "from settings import PARAMETERS\n" in result.files[0].new


def test_parameters_of_the_function_that_makes_the_stream() -> None:
    source = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "from pyspark.streaming.kafka import KafkaUtils\n\n"
        "def messages(ssc, topic):\n"
        '    parameters = {"bootstrap.servers": "b:1"}\n'
        "    return KafkaUtils.createDirectStream(ssc, [topic], parameters)\n\n"
        'ssc = StreamingContext(SparkContext(), 1)\nmessages(ssc, "t").pprint()\n' + TAIL
    )
    new = file(source).new
    assert 'option("kafka.bootstrap.servers", "b:1")' in new
    loop = source.replace("    parameters =", "    for _ in range(2): parameters =")
    assert file(loop).status is Status.COMPAT


def test_producers_stay_as_they_are() -> None:
    """A producer may do anything with what it sends, but a loop that unpacks rows takes them for tuples."""
    send = (
        "from kafka import KafkaProducer\n\n"
        "def send(partition):\n"
        '    producer = KafkaProducer(bootstrap_servers="broker:9092")\n'
        "    for word, count in partition:\n"
        '        producer.send("counts", ("%s %d" % (word, count)).encode())\n'
        "    producer.flush()\n\n"
    )
    output = "counts.foreachRDD(lambda rdd: rdd.foreachPartition(send))"
    result = run(send + WORD_COUNT.replace("counts.pprint()", output))
    new = result.files[0].new
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert new.startswith("from kafka import KafkaProducer\n")
    assert send[send.index("def") :] in new
    assert "    counts.foreachPartition(send)\n" in new


def test_a_group_is_not_gone_on_from_by_a_checkpoint_that_lacks_windows() -> None:
    (graph,) = run(program(RECEIVER + ")").replace(".pprint()", ".window(60, 10).pprint()", 1)).graphs
    assert any("nor what windows or states held" in text for text in graph.must_change)
    assert not any("give the query a `checkpointLocation`" in text for text in graph.must_change)


def test_a_receiver_s_group_is_spoken_of() -> None:
    (graph,) = run(program(RECEIVER + ")")).graphs
    assert any("its group had left off" in text for text in graph.must_change)
    assert any("commits no offsets" in note for note in graph.notes)


def test_a_direct_stream_committed_no_offsets_either() -> None:
    (graph,) = run(program(DIRECT + ")")).graphs
    assert not any("commits no offsets" in note for note in graph.notes)


@pytest.mark.parametrize(("asked", "told"), [("4.0", False), ("4.2", False), ("4.3", True)])
def test_a_release_without_a_connector_of_its_own_gets_an_older_one(asked: str, told: bool) -> None:
    for stream in (program(DIRECT + ")"), program(DIRECT + ")", "messages.transform(other).pprint()")):
        (graph,) = run(stream, Options(spark=SparkVersion.parse(asked))).graphs
        said = [note for note in graph.notes if "no connector is published for Spark 4.3 yet" in note]
        assert len(said) == told


def test_brokers_of_the_command_line() -> None:
    options = Options(bootstrap_servers="a:9092,b:9092")
    assert reading(RECEIVER + ")", options).startswith("'kafka.bootstrap.servers', 'a:9092,b:9092')")
    assert "os.environ" not in file(program(RECEIVER + ")"), options).new


def test_offsets_are_assigned() -> None:
    head = "from pyspark.streaming.kafka import TopicAndPartition as P\n"
    stream = DIRECT + ', {P("pages", 0): 5, P("pages", partition=1): 7})'
    code = reading(stream, head=head)
    assert ".option('assign', '{\"pages\": [0, 1]}')" in code
    assert '.option(\'startingOffsets\', \'{"pages": {"0": 5, "1": 7}}\')' in code
    stream = DIRECT + ", {P(topic, 0): int(start)})"
    code = reading(stream, head=head)
    assert ".option('assign', json.dumps({topic: [0]}))" in code
    assert ".option('startingOffsets', json.dumps({topic: {0: int(start)}}))" in code
    assert "import json\n" in file(head + program(stream)).new


def test_offsets_of_each_partition_of_a_topic() -> None:
    head = "from pyspark.streaming.kafka import TopicAndPartition as P\n"
    code = reading(DIRECT + ", {P('pages', i): int(start) for i in range(3)})", head=head)
    assert ".option('assign', json.dumps({'pages': [i for i in range(3)]}))" in code
    assert ".option('startingOffsets', json.dumps({'pages': {i: int(start) for i in range(3)}}))" in code


def test_offsets_of_one_partition_of_each_topic() -> None:
    head = "from pyspark.streaming.kafka import TopicAndPartition as P\n"
    code = reading(DIRECT + ", {P(one, 0): 5 for one in ['a', 'b'] if one != 'b'})", head=head)
    assert ".option('assign', json.dumps({one: [0] for one in ['a', 'b'] if one != 'b'}))" in code
    assert "json.dumps({one: {0: 5} for one in ['a', 'b'] if one != 'b'})" in code


HELD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

ssc = StreamingContext(SparkContext(), 1)
first = TopicAndPartition("pages", 0)
offsets = {{{offsets}}}
{more}params = {{"metadata.broker.list": "broker:9092"}}
messages = KafkaUtils.createDirectStream(ssc, ["pages"], params, fromOffsets=offsets)
messages.map(lambda message: message[1]).pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_variables_that_only_hold_offsets_go() -> None:
    result = run(HELD.format(offsets="first: 5, TopicAndPartition('pages', 1): 7", more=""))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert '.option("startingOffsets", \'{"pages": {"0": 5, "1": 7}}\')' in new
    assert "TopicAndPartition" not in new
    assert "offsets =" not in new
    assert "first" not in new


@pytest.mark.parametrize(
    ("offsets", "more"),
    [
        ("first: 5", "print(offsets)\n"),
        ("first: 5", "offsets[TopicAndPartition('pages', 1)] = 7\n"),
        ("first: latest()", ""),
        ("first: sizes[0]", "sizes = [1]\n"),
        ("TopicAndPartition(one, 0): 5 for one in names", "names.append('more')\n"),
        ("TopicAndPartition(one, one): 5 for one in [1, 2]", ""),
    ],
    ids=["read elsewhere", "changed", "of a call", "of an item", "of a list that grows", "both vary"],
)
def test_variables_of_offsets_that_may_change_stay(offsets: str, more: str) -> None:
    source = HELD.format(offsets=offsets, more=more).replace("first = ", "names = ['pages']\nfirst = ")
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "offsets" in graph.reasons[0]


UNREAD = HELD.replace(", fromOffsets=offsets", "")


@pytest.mark.parametrize("offsets", ["first: 5", "", "first: 5, TopicAndPartition('pages', 1): 7"])
def test_so_do_those_that_nothing_reads(offsets: str) -> None:
    result = run(UNREAD.format(offsets=offsets, more=""))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert "TopicAndPartition" not in new
    assert ("offsets = {}" in new) is (not offsets)


@pytest.mark.parametrize("more", ["print(offsets)\n", "if offsets:\n    last = first\n", "last = first\n"])
def test_what_reads_them_still_needs_the_old_connector(more: str) -> None:
    (graph,) = run(UNREAD.format(offsets="first: 5", more=more)).graphs
    assert "`TopicAndPartition` is still used for something else than a stream" in graph.reasons[0]


LIMITED = HEAD.replace(
    'SparkContext(appName="Pages")', 'SparkContext(conf=SparkConf().set("spark.streaming.{}", "100"))'
).replace("import SparkContext", "import SparkConf, SparkContext")


@pytest.mark.parametrize(
    ("setting", "stream", "option"),
    [
        ("receiver.maxRate", RECEIVER + ")", 500),
        (
            "kafka.maxRatePerPartition",
            DIRECT + ", {TopicAndPartition('p', 0): 5, TopicAndPartition('p', 1): 0})",
            1000,
        ),
        ("kafka.maxRatePerPartition", DIRECT + ")", None),
    ],
)
def test_limits_of_the_rate(setting: str, stream: str, option: int | None) -> None:
    source = LIMITED.format(setting).replace(
        "import KafkaUtils", "import KafkaUtils, TopicAndPartition, TopicAndPartition as P"
    )
    result = run(f"{source}messages = {stream}\nmessages.pprint()\n{TAIL}")
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    said = [line for line in (*graph.notes, *graph.must_change) if f"spark.streaming.{setting}" in line]
    if option is None:
        assert "maxOffsetsPerTrigger" not in result.files[0].new
        assert any("times the partitions times the interval" in line for line in graph.must_change)
    else:
        assert f'.option("maxOffsetsPerTrigger", {option})' in result.files[0].new
        assert not said


def test_a_limit_of_direct_streams_says_nothing_of_a_receiver() -> None:
    source = LIMITED.format("kafka.maxRatePerPartition")
    (graph,) = run(f"{source}messages = {RECEIVER})\nmessages.pprint()\n{TAIL}").graphs
    assert not [line for line in graph.must_change if "maxOffsetsPerTrigger" in line]
    assert any("`spark.streaming.kafka.maxRatePerPartition` is for DStreams" in note for note in graph.notes)


def test_a_message_handler_is_a_select() -> None:
    code = reading(DIRECT + ", messageHandler=lambda m: (m.topic, m.offset, m.message))")
    assert code.endswith(".load().select('topic', 'offset', F.decode('value', 'UTF-8').alias('message'))")
    code = reading(DIRECT + ", messageHandler=lambda m: (m.offset + 1, m.key))")
    assert code.count(".select(") == 2
    result = run(program(DIRECT + ", messageHandler=lambda m: parse(m.message))"))
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert "batch.rdd.map(lambda m: parse(m.message))" in result.files[0].new


def test_a_function_that_reads_fields_is_a_select() -> None:
    head = (
        "def parts(message):\n    topic = message.topic\n    text = message.message\n"
        "    return topic, text.split(',')[0]\n"
    )
    code = reading(DIRECT + ", messageHandler=parts)", head=head)
    assert code.count(".select(") == 2
    assert "F.split('message', ',')" in code


def test_a_handler_of_another_file_is_called_there() -> None:
    handlers = "PREFIX = 'a'\n\ndef parts(message):\n    return PREFIX + message.topic, message.message\n"
    job = "from handlers import parts\nPREFIX = 'b'\n" + program(f"{DIRECT}, messageHandler=parts)")
    result = migrate([module(job), module(handlers, "handlers.py")], Options())
    assert "batch.rdd.map(parts)" in next(one.new for one in result.files if one.path == "job.py")


@pytest.mark.parametrize(
    "decoder",
    [
        "lambda data: data.decode('utf-8')",
        "lambda data: data.decode()",
        "lambda data: data.decode(encoding='UTF8')",
        "lambda data: str(data, 'utf8')",
        "lambda data: None if data is None else data.decode('utf-8')",
        "lambda data: data.decode('utf-8') if data is not None else None",
        "text",
    ],
)
def test_decoders_of_utf_8_are_columns(decoder: str) -> None:
    head = "def text(data):\n    if data is None:\n        return None\n    return data.decode('utf-8')\n"
    stream = f"{DIRECT}, keyDecoder={decoder}, valueDecoder={decoder})"
    code = reading(stream, head=head)
    assert code.endswith(
        ".select(F.decode('key', 'UTF-8').alias('key'), F.decode('value', 'UTF-8').alias('value'))"
    )
    (graph,) = run(head + program(stream)).graphs
    fails = "None" not in decoder and decoder != "text"
    assert any(f"None for the decoder `{decoder}`" in note for note in graph.notes) == fails


def test_the_name_of_an_encoding_in_the_place_of_a_decoder() -> None:
    stream = f"{DIRECT}, valueDecoder='utf-8')"
    assert reading(stream).endswith(TEXTS)
    (graph,) = run(program(stream)).graphs
    (told,) = [line for line in graph.must_change if "decoder" in line]
    assert "the decoder `'utf-8'` is a text, which cannot be called" in told


@pytest.mark.parametrize("decoder", ["'latin-1'", "None", "1"])
def test_other_constants_in_the_place_of_a_decoder_fail_as_they_did(decoder: str) -> None:
    (graph,) = run(program(f"{DIRECT}, keyDecoder={decoder})")).graphs
    assert graph.outcome is Outcome.COMPAT
    assert f"its decoder is `{decoder}`, which cannot be called" in graph.reasons[0]


@pytest.mark.parametrize(
    "decoder",
    [
        "lambda data: data.decode('latin-1')",
        "lambda data: data.decode('utf-8', 'replace')",
        "lambda data: data and data.decode('utf-8')",
        "lambda data: str(data)",
        "lambda data: data.decode('utf-8') + '!'",
    ],
)
def test_other_decoders_stay_functions_of_bytes(decoder: str) -> None:
    result = run(program(f"{DIRECT}, valueDecoder={decoder})"))
    called = decoder.removeprefix("lambda data: ").replace("data", "value")
    assert flat(f"print((key, {called}))") in flat(result.files[0].new)
    assert flat('.select(F.decode("key", "UTF-8").alias("key"), "value")') in flat(result.files[0].new)
    assert Tier.RDD not in {site.tier for site in result.sites}


OPTIONS = '{"metadata.broker.list": "b:9092", "auto.offset.reset": "smallest" if args.rewind else "largest"}'
PARSED = "import argparse\nargs = argparse.ArgumentParser().parse_args()\n"


@pytest.mark.parametrize(
    ("made", "given"),
    [
        ("", OPTIONS),
        (f"opts = {OPTIONS}\n", "opts"),
    ],
)
def test_one_of_two_starts(made: str, given: str) -> None:
    stream = f'KafkaUtils.createDirectStream(ssc, ["pages"], {given})'
    new = file(PARSED + made + program(stream)).new
    assert '.option("startingOffsets", "earliest" if args.rewind else "latest")' in new
    assert "smallest" not in new
    changed = run(PARSED + made + "args.rewind = input()\n" + program(stream)).graphs[0]
    assert (changed.outcome is Outcome.NATIVE) == (not made)
    same = stream.replace('"smallest"', '"largest"'), made.replace('"smallest"', '"largest"')
    assert '.option("startingOffsets", "latest")' in file(PARSED + same[1] + program(same[0])).new


def test_a_variable_of_another_function_may_have_the_name_of_the_arguments() -> None:
    asked = (
        "import argparse\ndef asked():\n    args = argparse.ArgumentParser().parse_args()\n    return args\n"
    )
    options = OPTIONS.replace('"b:9092"', "args.brokers")
    made = f"args = asked()\nopts = {options}\n"
    stream = 'KafkaUtils.createDirectStream(ssc, ["pages"], opts)'
    new = file(asked + made + program(stream)).new
    assert '.option("startingOffsets", "earliest" if args.rewind else "latest")' in new
    assert '.option("kafka.bootstrap.servers", args.brokers)' in new and "opts" not in new
    changing = f"def again():\n    global args\n    args = asked()\n{made}"
    assert run(asked + changing + program(stream)).graphs[0].outcome is Outcome.COMPAT


IDENTITIES = ["lambda data: data", "raw", "bytes"]


@pytest.mark.parametrize("decoder", IDENTITIES)
def test_bytes_that_a_decoder_gives_back_are_a_column(decoder: str) -> None:
    head = "def raw(data):\n    return data\n"
    body = "def show(rdd):\n    for key, value in rdd.collect():\n        print(key, len(value))\n"
    result = run(head + program(f"{DIRECT}, valueDecoder={decoder})", body + "messages.foreachRDD(show)"))
    new = flat(result.files[0].new)
    assert flat('.select(F.decode("key", "UTF-8").alias("key"), "value")') in new
    assert flat("for key, value in batch.collect():") in new
    assert Tier.RDD not in {site.tier for site in result.sites}
    notes = result.graphs[0].notes
    assert any("None for the decoder `bytes`" in note for note in notes) == (decoder == "bytes")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("messages.pprint()", "for key, value in batch.take(10): print((key, value))"),
        ("messages.map(lambda m: m[1]).pprint(3)", "for (value,) in batch.take(3): print(value)"),
        ("messages.count().pprint()", "print(batch.count())"),
        (
            "messages.map(lambda m: m[1].decode('utf-8').upper()).map(len).pprint()",
            'F.decode("value", "UTF-8")',
        ),
        ("messages.map(lambda m: len(m[1])).pprint()", 'F.length("value")'),
        (
            "messages.filter(lambda m: m[1] is not None).map(lambda m: m[0]).pprint()",
            'where(F.col("value").isNotNull())',
        ),
        (
            "messages.map(lambda m: m[1].decode('latin-1')).map(lambda s: (s, 1)).reduceByKey(max).pprint()",
            "F.udf(lambda value: value.decode('latin-1'), \"string\"",
        ),
    ],
)
def test_what_is_made_of_bytes(body: str, code: str) -> None:
    result = run(program(f"{DIRECT}, valueDecoder=lambda data: data)", body))
    assert flat(code) in flat(result.files[0].new)
    assert Tier.RDD not in {site.tier for site in result.sites}


def test_a_table_of_bytes_beside_the_exact_text_of_pprint() -> None:
    stream = f"{DIRECT}, valueDecoder=lambda data: data)"
    new = file(program(stream), Options(pprint_exact=True)).new
    assert "def pprint(" in new and ".rdd" in new


LOADS = "lambda data: json.loads(data.decode('utf-8'))"


@pytest.mark.parametrize(
    ("decoder", "body", "code"),
    [
        pytest.param(
            LOADS, "messages.map(lambda m: m[1]['n']).pprint()", "print(json.loads(value)['n'])", id="a value"
        ),
        pytest.param(
            LOADS,
            "messages.map(lambda m: (m[1]['a'], m[1]['b'])).map(str).pprint()",
            "decoded = json.loads(value)\n    return str((decoded['a'], decoded['b']))",
            id="read twice",
        ),
        pytest.param(
            LOADS,
            "messages.filter(lambda m: m[0] == 'a').map(lambda m: len(m[1])).pprint()",
            "decoded = json.loads(value)\n    return [len(decoded)] if key == 'a' else []",
            id="a filter of keys",
        ),
        pytest.param(
            LOADS,
            "messages.filter(lambda m: m[1]['a'] > 3).map(lambda m: m[1]['b']).pprint()",
            "for (value,) in rows.take(10): decoded = json.loads(value) print(decoded['b'])",
            id="a filter of values",
        ),
        pytest.param(
            LOADS,
            "messages.map(lambda m: m[1]).map(lambda e: (e['name'], 1)).reduceByKey(max).pprint()",
            "F.udf(lambda value: only_text(json.loads(value)['name']), \"string\")",
            id="keys",
        ),
        pytest.param(
            LOADS,
            "messages.foreachRDD(lambda rdd: print(rdd.map(lambda m: m[1]).collect()))",
            "print([json.loads(value) for (value,) in batch.collect()])",
            id="a callback",
        ),
        pytest.param(
            "load",
            "messages.map(lambda m: m[1]).map(lambda e: e['n']).map(str).pprint()",
            "F.udf(lambda value: str(load(value)['n']), \"string\"",
            id="a function",
        ),
    ],
)
def test_the_next_function_calls_a_decoder_of_the_program(decoder: str, body: str, code: str) -> None:
    head = "import json\ndef load(data):\n    return json.loads(data.decode('utf-8'))\n"
    result = run(head + program(f"{DIRECT}, valueDecoder={decoder})", body))
    new = result.files[0].new
    assert flat(code) in flat(new)
    reads = "value" if decoder == "load" else 'F.decode("value","UTF-8").alias("value")'
    assert reads in flat(new) and ".rdd" not in new
    assert Tier.RDD not in {site.tier for site in result.sites}


def test_keys_that_nothing_reads_are_not_decoded_in_rdd_code() -> None:
    head = "import codec\n"
    stream = f"{DIRECT}, valueDecoder=codec.load)"
    new = file(head + program(stream, "messages.map(lambda m: m[1]).pprint()")).new
    assert '.select("key", "value")' in new and "row.key, codec.load(row.value)" in new
    (graph,) = run(head + program(stream, "messages.map(lambda m: m[1]).pprint()")).graphs
    assert KEYS_NOT_READ in graph.notes


def test_decoders_beside_a_message_handler() -> None:
    handler = "messageHandler=lambda m: (m.topic, m.message))"
    code = reading(f"{DIRECT}, valueDecoder=lambda v: v.decode('utf-8'), {handler}")
    assert code.endswith(".select('topic', F.decode('value', 'UTF-8').alias('message'))")
    new = file(program(f"{DIRECT}, valueDecoder=lambda v: v, {handler}")).new
    assert '.select("topic", F.col("value").alias("message"))' in new
    assert flat("for topic, message in batch.take(10): print((topic, message))") in flat(new)
    (graph,) = run(program(f"{DIRECT}, valueDecoder=lambda v: v[1:], {handler}")).graphs
    assert "a decoder of its own that does not decode UTF-8" in graph.reasons[0]


@pytest.mark.parametrize(
    ("decoders", "code"),
    [
        ("keyDecoder=utf8_decoder, valueDecoder=codec.load", "lambda row: (row.key, codec.load(row.value))"),
        ("valueDecoder=lambda v: codec.load(v)", "lambda row: (row.key, codec.load(row.value))"),
        (
            "valueDecoder=lambda v: v and codec.load(v)",
            "lambda row: (row.key, (lambda v: v and codec.load(v))(row.value))",
        ),
        ("keyDecoder=decode", "lambda row: (decode(row.key), row.value)"),
    ],
)
def test_decoders_of_the_program_are_called_in_rdd_code(decoders: str, code: str) -> None:
    head = (
        "from pyspark.streaming.kafka import utf8_decoder\nimport codec, json\n"
        "def decode(data):\n    return data[1:]\n"
    )
    result = run(head + program(f"{DIRECT}, {decoders})"))
    new = result.files[0].new
    assert flat(f"batch.rdd.map({code})") in flat(new)
    if "valueDecoder" in decoders:
        assert flat('.select(F.decode("key", "UTF-8").alias("key"), "value")') in flat(new)
    assert "utf8_decoder" not in new
    assert Tier.RDD in {site.tier for site in result.sites if site.operator == "createDirectStream"}


def test_decoders_get_bytes_where_rows_have_bytearrays() -> None:
    new = file(program(DIRECT + ", valueDecoder=lambda v: v)"), ON_SPARK_4).new
    assert "lambda row: (row.key, raw(row.value))" in new and "def raw(value):" in new


@pytest.mark.parametrize(
    ("stream", "body", "why"),
    [
        (
            DIRECT + ")",
            "messages.foreachRDD(lambda rdd: print(rdd.offsetRanges()))",
            "a partition without new messages has a range as well",
        ),
        (DIRECT + ", offsets)", "messages.pprint()", "its offsets are not written out"),
        (DIRECT + ", messageHandler=lambda m: m)", "messages.pprint()", "does more than read the fields"),
        (DIRECT + ", messageHandler=handle)", "messages.pprint()", "not a function of this file"),
        (
            "KafkaUtils.createDirectStream(ssc, ['p'], {'group.id': 'g'})",
            "messages.pprint()",
            "its Kafka parameters name no brokers",
        ),
        (
            "KafkaUtils.createDirectStream(ssc, ['p'], {'bootstrap.servers': b, 'auto.offset.reset': r})",
            "messages.pprint()",
            "its auto.offset.reset is not a literal",
        ),
        (DIRECT + ")", "messages.glom().pprint()", "glom"),
        (DIRECT + ")", "messages.pprint()\nprint(KafkaUtils)", "`KafkaUtils` is still used"),
        (
            DIRECT + ")",
            "from pyspark.streaming.kafka import *\nmessages.pprint()\nBroker()",
            "`Broker` is still used",
        ),
    ],
)
def test_what_stays_on_compat(stream: str, body: str, why: str) -> None:
    result = run(program(stream, body))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.COMPAT, result.files[0].new
    assert why in graph.reasons[0]
    assert result.files[0].new == program(stream, body).replace("pyspark.streaming", "compat.streaming")
    assert any("--packages" in text for text in graph.must_change)


def test_compat_names_a_connector_of_queries_of_another_spark() -> None:
    old = "org.apache.spark:spark-sql-kafka-0-10_2.11:2.4.0"
    source = f'PACKAGES = "{old}"\n' + program(DIRECT + ")")
    (graph,) = run(source, Options(target=Outcome.COMPAT)).graphs
    assert any(f'`PACKAGES = "{old}"` names the connector of another Spark' in note for note in graph.notes)


def test_compat_says_where_the_brokers_go() -> None:
    result = run(program(RECEIVER + ")"), Options(target=Outcome.COMPAT))
    assert any("COMPAT_KAFKA_BOOTSTRAP" in text for text in result.graphs[0].must_change)


PACKAGE = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.0.0"
ON_SPARK_4 = Options(spark=SparkVersion.parse("4.0.0"))


@pytest.mark.parametrize(
    ("line", "new"),
    [
        (
            "os.environ['A'] = '--packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8,a:b:1'",
            f"os.environ['A'] = '--packages {PACKAGE},a:b:1'",
        ),
        (
            'args = ("--master x "  # why\n    "--jars lib/spark-streaming-kafka-assembly_2.10-1.6.1.jar s")',
            f'args = ("--master x "  # why\n    "--packages {PACKAGE} s")',
        ),
        (
            'findspark.add_packages(["org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.5"])',
            f'findspark.add_packages(["{PACKAGE}"])',
        ),
        (
            'os.environ["A"] = f"{home} --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.5"',
            f'os.environ["A"] = f"{{home}} --packages {PACKAGE}"',
        ),
        (
            'conf.set("spark.jars", "lib/spark-streaming-kafka-0-8-assembly_2.11-2.4.3.jar")',
            f'conf.set("spark.jars.packages", "{PACKAGE}")',
        ),
        (
            "conf.set('spark.jars', here + '/../' + '/spark-streaming-kafka-0-8-assembly_2.11-2.4.3.jar')",
            f"conf.set('spark.jars.packages', \"{PACKAGE}\")",
        ),
        (
            'conf.set("spark.jars", f"{here}/spark-streaming-kafka-0-8-assembly_2.11-2.4.3.jar")',
            f'conf.set("spark.jars.packages", "{PACKAGE}")',
        ),
        (
            'conf.set("spark.jars", os.path.join(here, "spark-streaming-kafka-0-8-assembly_2.11-2.4.3.jar"))',
            f'conf.set("spark.jars.packages", "{PACKAGE}")',
        ),
    ],
    ids=[
        "environment",
        "jars",
        "findspark",
        "f-string",
        "setting",
        "setting with a sum",
        "setting with an f-string",
        "setting with a path that is joined",
    ],
)
def test_lines_that_name_the_old_connector_name_the_new_one(line: str, new: str) -> None:
    result = run(f"import os\n{line}\n{program(PAIRS)}", ON_SPARK_4)
    assert f"\n{new}\n" in "\n" + result.files[0].new.replace("\n\n", "\n")
    assert all("is never defined" in one for one in result.graphs[0].must_change)
    assert not any("DStreams" in note for note in result.graphs[0].notes)


def test_what_runs_with_the_old_connector_must_be_changed() -> None:
    jar = 'jar = "lib/spark-streaming-kafka-0-8-assembly_2.11-2.4.3.jar"\nconf.set("spark.jars", jar)\n'
    (graph,) = run(f"{jar}{program(PAIRS)}", ON_SPARK_4).graphs
    assert any("names the connector of DStreams" in text for text in graph.must_change)


def test_a_setting_that_moves_to_the_session_names_the_new_connector() -> None:
    conf = (
        'conf.set("spark.jars.packages", "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.5,a:b_2.11:1")'
    )
    source = program(PAIRS).replace(
        'sc = SparkContext(appName="Pages")', f"{conf}\nsc = SparkContext(conf=conf)"
    )
    source = source.replace("import SparkContext", "import SparkConf, SparkContext").replace(
        conf, f"conf = SparkConf()\n{conf}"
    )
    result = run(source, ON_SPARK_4)
    assert f'"spark.jars.packages", "{PACKAGE},a:b_2.11:1"' in " ".join(result.files[0].new.split())
    assert any("a:b_2.11:1 is for another Scala" in text for text in result.graphs[0].must_change)


@pytest.mark.parametrize("prefix", ["", "r"])
def test_what_tells_how_to_start_a_program_names_the_new_connector(prefix: str) -> None:
    """Behind a backslash the command goes on in the next line, which a raw string has as it is written."""
    head = prefix + (
        '"""Run it:\n\nspark-submit --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8 '
        "pages.py\n\n"
        'spark-submit --jars \\\n  scala-*/spark-streaming-kafka-assembly-*.jar \\\n pages.py\n"""\n'
    )
    result = run(head + program(PAIRS), ON_SPARK_4)
    said = " ".join((*result.graphs[0].must_change, *result.graphs[0].notes))
    assert f"spark-submit --packages {PACKAGE} {result.files[0].path}" in said
    assert "DStreams" not in said
    assert (
        f'"""Run it:\n\nspark-submit --packages {PACKAGE} pages.py\n\n'
        f'spark-submit --packages \\\n  {PACKAGE} \\\n pages.py\n"""\n'
    ) in result.files[0].new


OLD_PACKAGE = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            f"# spark-submit --packages {OLD_PACKAGE},a:b:1 pages.py",
            f"# spark-submit --packages {PACKAGE},a:b:1 pages.py",
        ),
        (
            "# bin/spark-submit --jars \\\n#   scala-*/spark-streaming-kafka-assembly-*.jar \\\n#   pages.py",
            f"# bin/spark-submit --packages \\\n#   {PACKAGE} \\\n#   pages.py",
        ),
    ],
)
def test_comments_that_name_the_old_connector_name_the_new_one(old: str, new: str) -> None:
    """Wherever they stand: at the head, on a statement that is replaced or stays, at the end."""
    source = program(PAIRS)
    where = source.replace("messages = ", f"{old}\nmessages = ")
    result = run(f"{old}\n{where}\n{old}\nprint(1)\n{old}\n", ON_SPARK_4)
    assert result.files[0].new.count(new) == 4
    assert "streaming-kafka" not in result.files[0].new
    (graph,) = result.graphs
    assert any(f"spark-submit --packages {PACKAGE} job.py" in text for text in graph.must_change)
    assert not any("connector" in note for note in graph.notes)
    (reworded,) = (note for note in graph.notes if note.startswith("comments that name what is there now"))
    assert all(f"`{line}`" in reworded for line in old.split("\n") if "kafka" in line)


def test_other_comments_on_the_old_connector_are_reported() -> None:
    result = run("# needs spark-streaming-kafka-0-8_2.11\n" + program(PAIRS), ON_SPARK_4)
    assert any(
        "`# needs spark-streaming-kafka-0-8_2.11` names the connector of DStreams" in note
        for note in result.graphs[0].notes
    )


def test_a_page_about_the_old_connector_names_no_connector() -> None:
    result = run(
        "# https://example.org/spark-streaming-kafka-in-python-a-test\n" + program(PAIRS), ON_SPARK_4
    )
    assert not any("names the connector" in note for note in result.graphs[0].notes)


def test_a_docstring_names_the_new_connector_in_a_line_that_goes_on() -> None:
    command = "\\\n  --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.2.0 \\\n  --verbose"
    result = run(f'"""Submit it\n$ spark-submit {command} job.py\n"""\n{program(PAIRS)}', ON_SPARK_4)
    assert f"--packages {PACKAGE} \\\n  --verbose" in result.files[0].new


def test_comments_on_arguments_that_a_query_does_not_have_go() -> None:
    stream = (
        'KafkaUtils.createStream(ssc,\n    "localhost:2181",  # zookeeper\n    "g",  # the group id\n'
        '    {"pages": 1})  # 1 is the number of partitions\n# Group ID is arbitrary\n# of pages\n'
    )
    result = run(program(stream).replace("messages = ", "# from Kafka\nmessages = "))
    new = result.files[0].new
    assert "# from Kafka\n" in new and "# of pages\n" in new
    assert all(word not in new for word in ("zookeeper", "group", "Group", "partitions"))
    assert any("`# the group id`" in note for note in result.graphs[0].notes)


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("import pyspark.streaming.kafka as k", "k.KafkaUtils"),
        ("from pyspark.streaming import kafka", "kafka.KafkaUtils"),
        ("from pyspark.streaming.kafka import *", "KafkaUtils"),
        ("from pyspark.streaming.kafka import KafkaUtils as K, OffsetRange", "K"),
    ],
)
def test_every_way_to_import_it(imports: str, name: str) -> None:
    source = program(DIRECT.replace("KafkaUtils", name) + ")")
    source = source.replace("from pyspark.streaming.kafka import KafkaUtils", imports)
    compat = file(source, Options(target=Outcome.COMPAT))
    assert compat.status is Status.COMPAT
    assert compat.new == source.replace("pyspark.streaming", "compat.streaming")
    native = file(source)
    assert native.status is Status.NATIVE
    assert "kafka import" not in native.new and "import kafka" not in native.new


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (program(DIRECT + ")") + "KafkaUtils._get_helper(sc)\n", "KafkaUtils._get_helper"),
        (program(DIRECT + ")").replace("import KafkaUtils", "import KafkaUtils, Missing"), "kafka.Missing"),
        (
            program(DIRECT + ")").replace("kafka", "twitter").replace("Kafka", "Twitter"),
            "twitter.TwitterUtils",
        ),
        (
            HEAD + "from amqp import AMQPUtils\nAMQPUtils.createStream(ssc, 'b', 1, 't').pprint()\n" + TAIL,
            "not read",
        ),
    ],
)
def test_what_is_not_in_the_old_module_is_left_for_a_person(source: str, why: str) -> None:
    (graph, *_) = run(source).graphs
    assert graph.outcome is Outcome.MANUAL
    assert why in " ".join(graph.reasons)


def test_a_static_rdd_changes_its_import() -> None:
    source = (
        "from pyspark import SparkContext\nfrom pyspark.streaming.kafka import KafkaUtils, OffsetRange\n"
        'ranges = [OffsetRange("t", 0, 0, 9)]\n'
        'rdd = KafkaUtils.createRDD(SparkContext(), {"bootstrap.servers": "b:1"}, ranges)\n'
        "print(rdd.map(lambda kv: kv[1]).collect())\n"
    )
    result = file(source)
    expected = source.replace("pyspark.streaming", "compat.streaming")
    assert (result.status, result.new) == (Status.COMPAT, expected)


@pytest.mark.parametrize("shown", ["'%s %s' % p", "'%r' % (p[1],)", "', '.join('%s' % (x,) for x in p)"])
def test_no_typed_function_is_given_a_tuple_in_a_tuple(shown: str) -> None:
    body = f"messages.map(lambda m: (m[0], m)).map(lambda p: {shown}).pprint()"
    assert "udf" not in file(program(PAIRS, body)).new


@pytest.mark.parametrize(
    ("output", "told"), [("pprint()", True), ("foreachRDD(lambda rdd: rdd.first())", False)]
)
def test_the_batch_before_there_are_messages_is_told_of(output: str, told: bool) -> None:
    """One that would fail is skipped."""
    (graph,) = run(KAFKA.format(body=f"messages.map(lambda m: m[1]).{output}")).graphs
    assert any("where a query of Kafka runs one" in note for note in graph.notes) is told, graph.notes


@pytest.mark.parametrize(
    "given", ["messages.map(lambda x: clean(x[1]))", "messages.map(lambda x: x[1]).map(clean)"]
)
def test_a_function_of_the_value_is_given_the_value_alone(given: str) -> None:
    """Which may be null: then it raises, as it did."""
    function = (
        "import re\ndef clean(text):\n    text = re.sub('http.*', '', text)\n"
        "    for sign in '!?':\n        text = text.replace(sign, '')\n    return text\n"
    )
    text = file(program(DIRECT + ")", f"{function}{given}.pprint()")).new
    assert 'clean_udf = F.udf(clean, "string")' in text and 'clean_udf("value")' in text
    assert '"key"' not in text


def test_a_function_of_both_is_given_both() -> None:
    function = (
        "def size(pair):\n    for part in pair:\n        print\n    return len(pair[0]) + len(pair[1])\n"
    )
    text = file(program(DIRECT + ")", f"{function}messages.map(size).pprint()")).new
    assert 'F.decode("key", "UTF-8")' in text


def test_a_program_of_a_shell_is_told_how_to_start_that() -> None:
    program = kafka_program("messages.pprint()")
    (graph,) = run(program).graphs
    assert any("spark-submit --packages" in text for text in graph.must_change)
    at = program.index("sc = SparkContext")
    (graph,) = run(program[:at] + program[program.index("\n", at) + 1 :]).graphs
    assert any("pyspark --packages" in text for text in graph.must_change), graph
    assert not any("spark-submit" in text for text in graph.must_change)


@pytest.mark.parametrize(
    ("above", "in_shell"),
    [
        ("sc.stop()\n", True),
        ("def f():\n    return sc\n", False),
        ("if 'sc' in globals():\n    sc.stop()\n", False),
        ("from settings import *\nsc.stop()\n", False),
    ],
)
def test_so_is_one_that_stops_the_context_of_the_shell_first(above: str, in_shell: bool) -> None:
    program = kafka_program("messages.pprint()")
    at = program.index("sc = SparkContext")
    (graph,) = run(program[:at] + above + program[at:]).graphs
    assert any("pyspark --packages" in text for text in graph.must_change) is in_shell


def test_a_notebook_is_told_how_to_start_its_shell() -> None:
    cell = kafka_program("messages.pprint()")
    (graph,) = migrate([notebooks.module(notebooks.notebook([cell]))], Options()).graphs
    assert any("pyspark --packages" in text for text in graph.must_change), graph


def test_the_text_of_a_value_that_may_be_none_is_a_column() -> None:
    new = file(program(f"{DIRECT})", "messages.map(lambda m: str(m[1])).countByValue().pprint()")).new
    assert flat('groupBy(F.coalesce("value", F.lit("None")).alias("value"))') in flat(new)
    assert ".rdd" not in new
