"""Functions of ``foreachPartition`` that collect a partition: nothing changes where it is one of Kafka's."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils
{function}
ssc = StreamingContext(SparkContext(), 5)
messages = {stream}
messages.map(lambda m: m[1]){operators}.foreachRDD(lambda rdd: rdd{methods}.foreachPartition(send))
ssc.start()
ssc.awaitTermination()
"""
DIRECT = 'KafkaUtils.createDirectStream(ssc, ["pages"], {"metadata.broker.list": "broker:9092"})'
RECEIVER = 'KafkaUtils.createStream(ssc, "zookeeper:2181", "counters", {"pages": 1})'
SEND = "def send(it):\n    rows = list(it)\n    if rows:\n        save(rows)\n"


def reason(function: str, stream: str = DIRECT, operators: str = "", methods: str = "") -> str:
    """Why a program is not native; empty if it is."""
    text = PROGRAM.format(function=function, stream=stream, operators=operators, methods=methods)
    (graph,) = run(text).graphs
    assert bool(graph.reasons) is (graph.outcome is Outcome.COMPAT)
    return graph.reasons[0] if graph.reasons else ""


@pytest.mark.parametrize(
    "function",
    [
        SEND,
        "def send(it):\n    out = connect()\n    rows = [row.upper() for row in it]\n    if not rows:\n"
        "        return\n    out.insert(rows)\n    out.close()\n",
        "def send(it):\n    rows = []\n    for row in it:\n        rows.append(row)\n    if len(rows) > 0:\n"
        "        save(rows)\n",
        "def send(it):\n    rows = list(it)\n    if len(rows) < 1:\n        print('none')\n        return\n"
        "    found = []\n    for row in rows:\n        found.append((row, 1))\n    save(found)\n",
        "def send(it):\n    for row in it:\n        save(row)\n        break\n",
    ],
)
def test_a_partition_of_kafka_is_collected_as_before(function: str) -> None:
    assert reason(function) == ""


@pytest.mark.parametrize(
    "function",
    [
        "def send(it):\n    save(list(it))\n",
        "def send(it):\n    rows = list(it)\n    save(rows)\n",
        "def send(it):\n    rows = list(it)\n    if len(rows) < 5:\n        save('few')\n",
        "def send(it):\n    rows = list(it)\n    if not rows:\n        save('none')\n"
        "    else:\n        save(rows)\n",
        "def send(it):\n    n = 0\n    for row in it:\n        n += 1\n    save(n)\n",
        "def send(it):\n    for row in it:\n        save(row)\n    else:\n        save('end')\n",
    ],
)
def test_a_partition_without_messages_may_show(function: str) -> None:
    """DStream calls the function for it, and a query has no such partition."""
    assert "foreachPartition" in reason(function)


@pytest.mark.parametrize(
    "function",
    [
        "def send(it, seen=[]):\n    for row in it:\n        seen.append(row)\n        save(seen)\n",
        "seen = {}\ndef send(it):\n    for row in it:\n        seen[row] = 1\n        save(len(seen))\n",
        "def send(it):\n    global n\n    for row in it:\n        n += 1\n        save(n)\n",
    ],
)
def test_what_lasts_from_partition_to_partition_shows_how_many_there_are(function: str) -> None:
    assert "foreachPartition" in reason(function)


@pytest.mark.parametrize(
    ("stream", "operators", "methods"),
    [
        pytest.param(RECEIVER, "", "", id="blocks of a receiver"),
        pytest.param(DIRECT, ".repartition(3)", "", id="dealt out by the stream"),
        pytest.param(DIRECT, "", ".repartition(3)", id="dealt out by the callback"),
        pytest.param(DIRECT, ".window(10, 5)", "", id="those of several batches"),
    ],
)
def test_other_partitions_are_not_the_same(stream: str, operators: str, methods: str) -> None:
    assert "foreachPartition" in reason(SEND, stream, operators, methods)


@pytest.mark.parametrize(
    ("function", "is_native"),
    [
        ('def send(it):\n    """Save each."""\n    for row in it:\n        save(row)\n', True),
        ("def send(it):\n    for row in it:\n        save(row)\n    save('end')\n", False),
        ("def send(it):\n    out = connect()\n    for row in it:\n        out.save(row)\n", False),
    ],
)
def test_a_loop_alone_does_nothing_without_elements(function: str, is_native: bool) -> None:
    """Windows have a query run in each interval, also without rows."""
    assert (reason(function, operators=".window(10, 5)") == "") is is_native


INSERT = "def send(it):\n    cursor = psycopg2.connect('x').cursor()\n"


@pytest.mark.parametrize("stream", [DIRECT, RECEIVER])
@pytest.mark.parametrize(
    "function",
    [
        "    rows = list(it)\n    cursor.executemany('insert', rows)\n",
        "    rows = [(row, 1) for row in it]\n    execute_values(cursor, 'i', rows)\n    cursor.close()\n",
        "    rows = []\n    for row in it:\n        rows.append([row])\n    cursor.executemany('i', rows)\n",
    ],
)
def test_what_is_inserted_item_by_item_shows_no_partition(function: str, stream: str) -> None:
    assert (
        reason(f"import psycopg2\nfrom psycopg2.extras import execute_values\n{INSERT}{function}", stream)
        == ""
    )


@pytest.mark.parametrize(
    "function",
    [
        "    rows = list(it)\n    cursor.executemany('insert', rows)\n    cursor.execute('log')\n",
        "    rows = list(set(it))\n    cursor.executemany('insert', rows)\n",
        "    rows = list(it)\n    cursor.executemany('insert', rows)\n    save(len(rows))\n",
        "    rows = [0]\n    for row in it:\n        rows.append(row)\n    cursor.executemany('i', rows)\n",
        "    rows = []\n    for row in it:\n        rows.append(row)\n        cursor.executemany('', rows)\n",
        "    rows = []\n    rows.append(0)\n    for row in it:\n        rows.append(row)\n"
        "    cursor.executemany('insert', rows)\n",
        "    rows = []\n    for row in it:\n        rows.append(row)\n        if not row:\n"
        "            rows.clear()\n    cursor.executemany('insert', rows)\n",
    ],
)
def test_what_else_is_done_with_a_partition_shows_it(function: str) -> None:
    assert "foreachPartition" in reason(f"import psycopg2\n{INSERT}{function}", RECEIVER)
