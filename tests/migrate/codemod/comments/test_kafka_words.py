"""Comments and docstrings on how a stream read Kafka."""

from __future__ import annotations

import ast

import pytest

from tests.migrate.codemod.written import comments, native

PROGRAM = """\
{header}
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Pages")
ssc = StreamingContext(sc, 5)
{params}
messages = KafkaUtils.createDirectStream(ssc, ["pages"], {{"metadata.broker.list": "b:9092"}})

{body}
ssc.start()
ssc.awaitTermination()
"""
PACKAGE = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0"
COUNT = """\
lines = messages.map(lambda m: m[1])
counts = lines.flatMap(lambda line: line.split(" ")).map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)
counts.pprint()
"""


def new(header: str = "", body: str = COUNT, params: str = "") -> str:
    """The new code of a program that counts words."""
    return native(PROGRAM.format(header=header, body=body, params=params))


@pytest.mark.parametrize(
    ("old", "told"),
    [
        ("An example of createStream() and a count.", "An example of readStream and a count."),
        ("An example of createDirectStream.", "An example of readStream."),
        ("createStream() is one way, createDirectStream() another.", None),
        ("createDirectStream() needs no receiver.", None),
        (
            "This needs spark-streaming-kafka-0-8-assembly_2.11-2.3.2.jar, and Kafka.",
            f"This needs {PACKAGE}, and Kafka.",
        ),
        ("Copy spark-streaming-kafka-0-8-assembly.jar and a.py to bin.", "Copy a.py to bin."),
        ("Copy spark-streaming-kafka-0-8-assembly.jar to bin.", None),
        (
            '{"file": "a.py", "jars": ["/lib/spark-streaming-kafka-0-8-assembly.jar"]}',
            '{"file": "a.py", "conf": {"spark.jars.packages": "' + PACKAGE + '"}}',
        ),
        ('{"jars": ["/lib/spark-streaming-kafka-0-8.jar", "b.jar"]}', None),
    ],
)
@pytest.mark.parametrize("quotes", ["'''", "#"])
def test_texts_name_what_a_query_has(old: str, told: str | None, quotes: str) -> None:
    if quotes == "#":
        texts = [one.string.strip("# ") for one in comments(new(body=f"# {old}\n\nprint()\n{COUNT}"))]
        assert (told or old) in texts
    else:
        assert ast.get_docstring(ast.parse(new(f"{quotes}{old}{quotes}"))) == (told or old)


def test_where_a_query_begins_is_an_option() -> None:
    said = new(params="# add {'auto.offset.reset': 'smallest'} to read from the beginning\n")
    assert "# add .option('startingOffsets', 'earliest') to read from the beginning\n" in said


@pytest.mark.parametrize("header", ["# kafka 0.8", "# Kafka 0-8 API", "# for Apache Kafka version 0.9"])
def test_the_version_of_an_old_kafka_is_not_named(header: str) -> None:
    assert not comments(new(header))


@pytest.mark.parametrize("header", ["# kafka 0.8 fails here", "# kafka 0.10", "# kafka"])
def test_but_what_else_is_said_of_it(header: str) -> None:
    assert [one.string for one in comments(new(header))] == [header]


@pytest.mark.parametrize(
    ("comment", "moves"),
    [
        ("# Count the words", True),
        ("# Parse the messages and print them", True),
        ("# 计算单词个数", True),
        ("# The value of each message", False),
        ("# From Kafka", False),
    ],
)
def test_a_comment_on_what_is_below_stands_in_the_batch_function(comment: str, moves: bool) -> None:
    lines = [line.strip() for line in new(body=f"{comment}\n{COUNT}").splitlines()]
    assert lines.count(comment) == 1
    assert (lines.index(comment) > lines.index("def process_batch(batch, batch_id):")) is moves


def test_a_comment_on_json_stands_where_that_is_parsed() -> None:
    comment = "# Parse the JSON message and print the resulting object"
    said = new(body=f"{comment}\nfound = messages.map(lambda m: json.loads(m[1]))\nfound.pprint()\n")
    assert f"    {comment}\n    for row in batch.take(10):\n        print(json.loads(" in said


def test_a_comment_on_the_value_alone_stays_with_it_where_a_blank_line_follows() -> None:
    said = new(body="# Count the words\n" + COUNT.replace("\n", "\n\n", 1))
    assert "    # Count the words\n    .select(" in said


def test_what_its_pairs_have_is_not_said() -> None:
    body = """\
counts = (messages
          .map(lambda m: m[1])  # 2nd value of the tuple is the message
          .map(lambda line: line.split(" ")[0])  # the page
          .map(lambda page: (page, 1))
          .reduceByKey(lambda a, b: a + b))
counts.pprint()
"""
    assert [one.string for one in comments(new(body=body))] == ["# the page"]


@pytest.mark.parametrize(
    ("params", "left"),
    [
        ("limit = 1\n\n# kafka config\nparams = {'bootstrap.servers': 'b:1'}\n", []),
        ("limit = 1\n# kafka config\nparams = {'bootstrap.servers': 'b:1'}\nsize = 2\n", []),
        ("limit = 1\n\n# settings\nparams = {'bootstrap.servers': 'b:1'}\nsize = 2\n", ["# settings"]),
        ("# settings\nlimit = 1\nparams = {'bootstrap.servers': 'b:1'}\n", ["# settings"]),
    ],
)
def test_a_comment_on_parameters_goes_with_them_unless_it_heads_more(params: str, left: list[str]) -> None:
    source = PROGRAM.format(header="", body=COUNT, params=params)
    source = source.replace('{"metadata.broker.list": "b:9092"}', "params")
    assert [one.string for one in comments(native(source))] == left
