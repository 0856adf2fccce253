"""``getOrCreate`` on Kafka: the query goes on from a checkpoint of its own."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from migrate.plan.modules.notes import MAY_GO_ON, MAY_NOT_GO_ON, STARTS_ANEW
from tests.migrate.programs import file, module, run

HEAD = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

POINTS = sys.argv[1]


def create(topic="pages"):
    sc = SparkContext(appName="Pages")
    ssc = StreamingContext(sc, 1)
    params = {"metadata.broker.list": "broker:9092"}
    messages = KafkaUtils.createDirectStream(ssc, [topic], params)
"""
TAIL = """
    ssc.checkpoint(POINTS)
    return ssc


ssc = StreamingContext.getOrCreate(POINTS, create)
ssc.start()
ssc.awaitTermination()
"""
PRINTS = "    messages.map(lambda message: message[1]).pprint()"
TOTALS = """\
    pairs = messages.map(lambda message: (message[1], 1))
    pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()"""


def _new(source: str) -> str:
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("directory `query` of its own" in note for note in graph.notes)
    assert not any("starts afresh each time" in note for note in graph.notes)
    return file(source).new


@pytest.mark.parametrize("body", [PRINTS, TOTALS], ids=["messages", "a running sum"])
def test_it_has_a_directory_in_that_of_the_old_checkpoint(body: str) -> None:
    new = _new(HEAD + body + TAIL)
    assert 'query = writer.option("checkpointLocation", POINTS + "/query").start()\n' in new


@pytest.mark.parametrize("first", ["0", "int(0)"])
def test_a_dict_of_offsets_is_made_by_the_function_that_builds(first: str) -> None:
    offsets = f"    offsets = {{TopicAndPartition(name, 0): {first} for name in [topic]}}\n"
    head = HEAD.replace("import KafkaUtils", "import KafkaUtils, TopicAndPartition")
    source = head.replace("    messages =", f"{offsets}    messages =").replace("params)", "params, offsets)")
    starting = f"json.dumps({{name: {{0: {first}}} for name in [topic]}})"
    assert f'.option("startingOffsets", {starting})' in _new(source + PRINTS + TAIL)


def test_functions_that_it_calls_may_make_values() -> None:
    helper = """\
def brokers(path="brokers.txt"):
    with open(path) as file:
        names = [line.strip() for line in file]
    if not names:
        return "broker:" + str(9092)
    return ",".join(names)


"""
    source = HEAD.replace("def create", f"{helper}def create").replace('"broker:9092"', "brokers()")
    assert "brokers()" in _new(source + PRINTS + TAIL)
    notes = run(source + PRINTS + TAIL).graphs[0].notes
    assert any(note.startswith("`open(path)` runs at every start") for note in notes)


def test_the_session_that_the_function_keeps_to_itself_is_stopped() -> None:
    new = _new(HEAD + PRINTS + TAIL.replace("Termination()", "Termination(60)\nssc.stop()"))
    assert "query.awaitTermination(60)\nquery.stop()\nSparkSession.active().stop()\n" in new


def test_a_directory_that_is_a_text() -> None:
    new = _new((HEAD + PRINTS + TAIL).replace("POINTS = sys.argv[1]\n", "").replace("POINTS", '"points/"'))
    assert 'option("checkpointLocation", "points/query")' in new


def test_a_function_that_is_given_its_arguments_by_a_lambda() -> None:
    new = _new((HEAD + PRINTS + TAIL).replace("POINTS, create", 'POINTS, lambda: create("clicks")'))
    assert 'writer = create("clicks")\n' in new
    assert 'writer.option("checkpointLocation", POINTS + "/query").start()' in new


RECEIVED = 'KafkaUtils.createStream(ssc, "zoo:2181", "counters", {topic: 1})'


@pytest.mark.parametrize("body", [PRINTS, TOTALS], ids=["messages", "a running sum"])
def test_a_receiver_of_kafka_goes_on_behind_the_last_batch(body: str) -> None:
    source = (HEAD + body + TAIL).replace("KafkaUtils.createDirectStream(ssc, [topic], params)", RECEIVED)
    assert 'writer.option("checkpointLocation", POINTS + "/query").start()' in _new(source)
    (graph,) = run(source).graphs
    assert any("goes on behind its last whole batch" in note for note in graph.notes)


@pytest.mark.parametrize(
    ("params", "starts"),
    [("", ""), (', {"auto.offset.reset": "smallest"}', '.option("startingOffsets", "earliest")')],
    ids=["newest", "oldest"],
)
def test_the_first_start_on_a_receivers_topic_is_told(params: str, starts: str) -> None:
    """A receiver began where its group had left off, which no query reads."""
    received = f"{RECEIVED.removesuffix(')')}{params})"
    source = (HEAD + PRINTS + TAIL).replace("KafkaUtils.createDirectStream(ssc, [topic], params)", received)
    new = _new(source)
    assert ("startingOffsets" in new) is bool(starts)
    assert starts in new
    (graph,) = run(source).graphs
    assert any("began where its group had left off" in note for note in graph.notes)


SOCKET = 'ssc.socketTextStream("localhost", 9999)'
FILES = 'ssc.textFileStream("in")'
QUEUE = "ssc.queueStream([sc.parallelize(['a'])])"


@pytest.mark.parametrize("lines", ["messages.pprint()", TOTALS.strip().replace("[1]", "")])
def test_files_are_those_since_the_first_start(lines: str) -> None:
    """A restart reads what came while the program was down."""
    body = f"    messages = {FILES}\n    {lines}"
    source = HEAD.replace(HEAD[HEAD.index("    params") :], "") + body + TAIL
    new = _new(source)
    assert 'started = first_start(spark, POINTS + "/started")\n' in new
    assert 'F.col("_metadata.file_modification_time") > started)' in new
    assert 'query = writer.option("checkpointLocation", POINTS + "/query").start()\n' in new
    (graph,) = run(source).graphs
    assert any("that come while it is down are one batch" in note for note in graph.notes)
    assert not any("handover" in note for note in graph.notes)


NO = [
    pytest.param(
        HEAD + PRINTS + TAIL.replace("ssc.start", 'POINTS = "others"\nssc.start'),
        "may be another one",
        id="another directory",
    ),
    pytest.param(
        HEAD + PRINTS + TAIL.replace("getOrCreate(POINTS", "getOrCreate(input()"),
        "may be another one",
        id="a directory that is asked for",
    ),
    pytest.param(
        HEAD + PRINTS + TAIL.replace("ssc.awaitTermination()\n", ""),
        "runs again at the next start",
        id="nobody waits",
    ),
    pytest.param(
        HEAD + PRINTS.replace(".pprint()", ".countByWindow(4, 2).pprint()") + TAIL,
        "goes on with the state of the checkpoint",
        id="a window",
    ),
    pytest.param(
        (HEAD + TOTALS + TAIL).replace("KafkaUtils.createDirectStream(ssc, [topic], params)", SOCKET),
        "goes on from Kafka or files alone",
        id="a state of a socket's lines",
    ),
    pytest.param(
        HEAD + TOTALS + "\n" + PRINTS + TAIL,
        "what the batch function would keep",
        id="a state that the batch function keeps",
    ),
    pytest.param(
        (HEAD + PRINTS + TAIL).replace("KafkaUtils.createDirectStream(ssc, [topic], params)", QUEUE),
        "where the program stopped",
        id="a queue",
    ),
    pytest.param(
        (HEAD + PRINTS + TAIL)
        .replace("KafkaUtils.createDirectStream(ssc, [topic], params)", FILES)
        .replace("create(topic", "create(POINTS"),
        "has no name where the source is made",
        id="files, and a directory of another name",
    ),
    pytest.param(
        HEAD + PRINTS + TAIL.replace("    ssc.checkpoint", "    open('built', 'w')\n    ssc.checkpoint"),
        "would not run this again",
        id="a function that does more than build",
    ),
    pytest.param(
        HEAD + PRINTS + TAIL.replace("    ssc.check", "    files = [open('built')]\n    ssc.check"),
        "would not run this again",
        id="a list of what it opens",
    ),
    pytest.param(
        "def noted(topic):\n    open('log', 'a').write(topic)\n    return topic\n\n\n"
        + HEAD.replace("[topic]", "[noted(topic)]")
        + PRINTS
        + TAIL,
        "would not run this again",
        id="a function that does more than make a value",
    ),
    pytest.param(
        "def int(text):\n    print(text)\n\n\n"
        + HEAD
        + PRINTS
        + TAIL.replace("    ssc.check", "    first = int('0')\n    ssc.check"),
        "would not run this again",
        id="a function with the name of a builtin",
    ),
]


@pytest.mark.parametrize(("source", "why"), NO)
def test_what_would_not_go_on_has_a_reason(source: str, why: str) -> None:
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in graph.reasons[0]


OUTSIDE = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create():
    sc = SparkContext(appName="Words")
    sc.addPyFile("common.py")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("points")
    return ssc


ssc = StreamingContext.getOrCreate("points", create)
lines = ssc.textFileStream(sys.argv[1])
{body}
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize(
    ("body", "location"),
    [
        ("lines.pprint()", MAY_GO_ON),
        (
            "lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()",
            MAY_GO_ON,
        ),
        ("lines.countByWindow(4, 2).pprint()", MAY_NOT_GO_ON),
    ],
)
def test_streams_outside_of_the_function_begin_anew(body: str, location: str) -> None:
    """A checkpoint would have what the query holds, and nothing that its batch function does.

    DStream fails beside a checkpoint there, as tests/migrate/rules/test_restarts_running.py shows.
    """
    source = OUTSIDE.format(body=body)
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert STARTS_ANEW + location in graph.notes
    assert "checkpointLocation" not in file(source).new
    assert 'spark.sparkContext.addPyFile("common.py")' in file(source).new


def test_a_group_of_kafka_whose_offsets_are_not_gone_on_from_is_told_of() -> None:
    stream = 'KafkaUtils.createStream(ssc, "zoo:2181", "counters", {"pages": 1})'
    source = "from pyspark.streaming.kafka import KafkaUtils\n" + OUTSIDE.format(body="lines.pprint()")
    (graph,) = run(source.replace("ssc.textFileStream(sys.argv[1])", stream)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("where its group had left off" in text for text in graph.must_change)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (HEAD + TOTALS, "would make the query go on"),
        (HEAD + PRINTS, "would make the query go on"),
        (HEAD + TOTALS + "\n" + PRINTS, "give the query no `checkpointLocation`"),
        (HEAD[: HEAD.index("    params")] + f"    messages = {SOCKET}\n    messages.pprint()", ""),
    ],
)
def test_what_a_checkpoint_would_do_is_told_of_a_program_that_starts_afresh(source: str, told: str) -> None:
    """A state that the batch function keeps would begin anew behind offsets that go on."""
    afresh = TAIL.replace("StreamingContext.getOrCreate(POINTS, create)", "create()")
    (graph,) = run(source + afresh).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    (note,) = (note for note in graph.notes if "starts afresh each time" in note)
    assert told in note
    assert ("checkpointLocation" in note) is bool(told)


def test_the_command_that_starts_a_program_quotes_its_path() -> None:
    (graph,) = migrate([module(HEAD + PRINTS + TAIL, "#5 jobs/job.py")], Options()).graphs
    assert any("'#5 jobs/job.py'" in text for text in graph.must_change)
