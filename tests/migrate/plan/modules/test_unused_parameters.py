"""Parameters go that only code read which goes, with what calls give for them."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.migrate.codemod.written import native, native_result
from tests.migrate.programs import module

PROGRAM = """\
import uuid
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

{above}
def start(topic, {parameter}, seconds=60):
    ssc = StreamingContext(SparkContext(appName="a"), 1)
    messages = KafkaUtils.createStream(ssc, "zk:2181", group, {{topic: 1}})
    messages.map(lambda message: message[1]).pprint()
    ssc.start()
    ssc.awaitTermination(seconds){more}

{call}
"""
GROUP = 'GROUP = "words-" + str(uuid.uuid4())\n'


def program(
    parameter: str = "group", call: str = 'start("words", "g")', above: str = "", more: str = ""
) -> str:
    return PROGRAM.format(parameter=parameter, call=call, above=above, more=more)


@pytest.mark.parametrize(
    ("parameter", "call", "new"),
    [
        ("group", 'start("words", "g")', 'start("words")'),
        ("group", 'start("words", "g", 5)', 'start("words", 5)'),
        ("group", 'start("words", group="g", seconds=5)', 'start("words", seconds=5)'),
        ("group", 'start("words", str(uuid.uuid4()))', 'start("words")'),
        ("group", 'start("words", f"g-{uuid.uuid1()}")', 'start("words")'),
        ('group="g"', 'start("words", seconds=5)', 'start("words", seconds=5)'),
    ],
)
def test_a_parameter_goes_that_only_the_old_source_read(parameter: str, call: str, new: str) -> None:
    text = native(program(parameter, call))
    assert "def start(topic, seconds=60):" in text
    assert text.endswith(f"{new}\n")
    assert "uuid" not in text or "uuid" not in call


def test_what_it_was_by_default_goes_with_it_and_the_report_says_so() -> None:
    result = native_result(program("group=GROUP", 'start("words")', GROUP))
    (file,) = result.files
    assert "GROUP" not in file.new and "uuid" not in file.new
    assert "`group` of `start` is left out: only code that is gone read it" in result.graphs[0].notes


@pytest.mark.parametrize(
    ("parameter", "call", "above", "more"),
    [
        ("group", 'start("words", input())', "", ""),
        ("group=input()", 'start("words")', "", ""),
        ("group", 'start(*["words", "g"])', "", ""),
        ("group", 'start("words", **{"group": "g"})', "", ""),
        ("group", 'start("words", "g")', "", "\n    print(group)"),
        ("group", 'start("words", "g")', "", "\n    print(locals())"),
        ("group", 'start("words", "g")\nprint(start)', "", ""),
    ],
    ids=["reads", "default reads", "star", "stars", "read", "locals", "no call"],
)
def test_one_stays_where_more_may_happen(parameter: str, call: str, above: str, more: str) -> None:
    assert f"def start(topic, {parameter}, seconds=60):" in native(program(parameter, call, above, more))


SESSION = """\
def session_of(conf):
    if "{name}" not in globals():
        globals()["{name}"] = conf
    return globals()["{name}"]

"""


@pytest.mark.parametrize(
    ("name", "gone"),
    [("session", True), ("start", False), ("group", False)],
    ids=["other", "own", "parameter"],
)
@pytest.mark.parametrize("more", ["", "\n    print(session_of(None))"], ids=["never called", "called"])
def test_what_is_read_by_another_name_leaves_it_alone(name: str, more: str, *, gone: bool) -> None:
    text = native(program(above=SESSION.format(name=name), more=more))
    assert ("def start(topic, seconds=60):" in text) == gone


def test_one_stays_of_a_function_that_has_always_left_it_alone() -> None:
    text = native(program("group, flag", 'start("words", "g", True)'))
    assert "def start(topic, flag, seconds=60):" in text and 'start("words", True)' in text


def test_no_comma_is_left_where_the_last_parameter_goes() -> None:
    text = native(program(call='start("words", 5, "g")').replace("group, seconds=60", "seconds, group"))
    assert "def start(topic, seconds):" in text
    assert text.endswith('start("words", 5)\n')


IO = '''\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def opened(brokers, interval):
    """Open the stream."""
    ssc = StreamingContext(SparkContext(appName="a"), interval)
    messages = KafkaUtils.createDirectStream(ssc, ["words"], {"metadata.broker.list": brokers})
    return ssc, messages


def sent(stream, producer, topic, call):
    """
    For each batch of the stream call the function.

    :param producer: what sends
    """
    stream.foreachRDD(lambda rdd: call(rdd.collectAsMap(), topic))
    producer.flush()
'''
MAIN = """\
import sys
from kafka import KafkaProducer
{imports}


def send(counts, topic):
    print(topic, counts)


if __name__ == "__main__":
    ssc, lines = {io}opened(sys.argv[1], 5)
    counts = lines.map(lambda m: (m[1], 1)).reduceByKey(lambda a, b: a + b)
    producer = KafkaProducer(bootstrap_servers=sys.argv[1])
    {io}sent(counts, producer, "out", send)
    ssc.start()
    ssc.awaitTermination()
"""


def _of_modules(main: str) -> tuple[str, str, list[str]]:
    """The new texts of both modules, and the notes."""
    files = {"main.py": main, "messages.py": IO}
    result = migrate([module(text, path) for path, text in files.items()], Options())
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE
    new = {file.path: file.new for file in result.files}
    return new["main.py"], new["messages.py"], [*graph.notes]


@pytest.mark.parametrize(
    ("imports", "io"),
    [("import messages as own", "own."), ("from messages import opened, sent", "")],
    ids=["module", "names"],
)
def test_one_goes_of_a_function_of_another_module_and_so_does_what_is_said_of_its_batches(
    imports: str, io: str
) -> None:
    main, other, notes = _of_modules(MAIN.format(imports=imports, io=io))
    assert f"{io}opened(sys.argv[1])\n" in main and f"    {io}sent(producer)\n" in main
    assert 'send(dict(counts.collect()), "out")' in main
    assert "def opened(brokers):\n" in other
    assert other.endswith("def sent(producer):\n    producer.flush()\n")
    assert "`call` of `sent` is left out: only code that is gone read it" in notes
    assert any("For each batch of the stream call the function." in note for note in notes)


def test_one_stays_of_a_function_that_is_read_without_a_call() -> None:
    main = MAIN.format(imports="import messages\n\nprint(messages.opened)", io="messages.")
    assert "def opened(brokers, interval):\n" in _of_modules(main)[1]


def test_a_docstring_stays_where_the_streams_of_a_function_do() -> None:
    main = MAIN.format(imports="import messages", io="messages.")
    assert '"""Open the stream."""' in _of_modules(main)[1]
