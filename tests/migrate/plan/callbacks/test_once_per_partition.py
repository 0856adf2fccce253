"""Functions of ``foreachPartition``: what they do outside of their loop shows the partitions."""

from __future__ import annotations

import pytest

from migrate.model import GraphResult, Outcome
from tests.migrate.programs import run

PROGRAM = """\
import psycopg2
import redis
import requests
from cassandra.cluster import Cluster
from cassandra.query import BatchStatement
from kafka import KafkaProducer
from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils
{function}
ssc = StreamingContext(SparkContext(), 5)
messages = {stream}
{output}
ssc.start()
ssc.awaitTermination()
"""
DIRECT = 'KafkaUtils.createDirectStream(ssc, ["t"], {"metadata.broker.list": "b:9092"}).map(lambda m: m[1])'
SOCKET = 'ssc.socketTextStream("localhost", 9999)'
OUTPUT = "messages.foreachRDD(lambda rdd: rdd.foreachPartition(send))"
INSERT = """\
def send(rows):
    connection = psycopg2.connect("dbname=log")
    cursor = connection.cursor()
    {before}
    for row in rows:
        cursor.execute("INSERT INTO words VALUES (%s)", (row,))
    {after}
    connection.commit()
    cursor.close()
"""


def graph(function: str, stream: str = SOCKET, output: str = OUTPUT) -> GraphResult:
    """What becomes of a program."""
    (found,) = run(PROGRAM.format(function=function, stream=stream, output=output)).graphs
    return found


def inserting(before: str = "pass", after: str = "pass") -> str:
    return INSERT.format(before=before, after=after)


ONCE = [
    pytest.param(inserting('cursor.execute("INSERT INTO log VALUES (1)")'), id="an insert before the loop"),
    pytest.param(inserting(after='requests.post("http://done")'), id="a request behind it"),
    pytest.param(inserting('cursor.execute("SELECT setval(1)")'), id="a query that may change something"),
    pytest.param(
        inserting('cursor.execute("SELECT * INTO log FROM words")'), id="a query that makes a table"
    ),
    pytest.param(
        'def send(rows):\n    producer = KafkaProducer()\n    producer.send("use log", b"start")\n'
        '    for row in rows:\n        producer.send("words", row)\n    producer.flush()\n',
        id="a message",
    ),
    pytest.param(
        'def send(rows):\n    with open("words", "w") as words:\n        for row in rows:\n'
        "            words.write(row)\n",
        id="a file that is emptied",
    ),
    pytest.param(
        'import uuid\ndef send(rows):\n    name = "out/" + str(uuid.uuid4())\n'
        '    with open(name, "a") as out:\n        for row in rows:\n            out.write(row)\n',
        id="a file of its own",
    ),
    pytest.param(
        'def tell():\n    requests.post("http://start")\n'
        "def each(rows):\n    tell()\n    for row in rows:\n        print(row)\n"
        "def send(rows):\n    each(rows)\n",
        id="in functions that it calls",
    ),
    pytest.param(
        'def send(rows):\n    pipe = redis.Redis().pipeline()\n    pipe.incr("partitions")\n'
        "    for row in rows:\n        pipe.incr(row)\n    pipe.execute()\n",
        id="a statement that is kept",
    ),
]


@pytest.mark.parametrize("stream", [DIRECT, SOCKET], ids=["Kafka's partitions", "other partitions"])
@pytest.mark.parametrize("function", ONCE)
def test_what_is_done_once_per_partition_is_not_native(function: str, stream: str) -> None:
    """Partitions of Kafka without messages are there on one side only."""
    found = graph(function, stream)
    assert found.outcome is Outcome.COMPAT
    assert "once per partition, outside of its loop over elements" in found.reasons[0]


@pytest.mark.parametrize("stream", [DIRECT, SOCKET], ids=["Kafka's partitions", "other partitions"])
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(inserting(), id="opening, committing and closing"),
        pytest.param(inserting('cursor.execute("SET search_path TO log")'), id="a setting of the connection"),
        pytest.param(inserting('cursor.execute("SELECT name FROM users")'), id="reading"),
        pytest.param(
            'def send(rows):\n    session = Cluster(["c"]).connect()\n    session.execute("USE " + "log")\n'
            "    batch = BatchStatement()\n    for row in rows:\n        batch.add(row)\n"
            "    session.execute(batch)\n    session.shutdown()\n",
            id="executing a batch of statements",
        ),
        pytest.param(
            "def send(rows):\n    pipe = redis.Redis().pipeline()\n    for row in rows:\n"
            "        pipe.incr(row)\n    pipe.execute()\n",
            id="executing a pipeline",
        ),
        pytest.param(
            'def send(rows):\n    with open("words", "a") as words:\n        for row in rows:\n'
            "            words.write(row)\n",
            id="a file that all append to",
        ),
        pytest.param(
            "import socket\ndef send(rows):\n    out = socket.socket()\n    out.settimeout(5)\n"
            '    out.connect(("h", 1))\n    for row in rows:\n        out.sendall(row.encode())\n'
            "    out.close()\n",
            id="a connection of sockets",
        ),
        pytest.param(
            "import happybase\ndef send(rows):\n    batch = happybase.Connection().table('t').batch()\n"
            "    for row in rows:\n        batch.put(row, {})\n    batch.send()\n",
            id="sending a batch of HBase",
        ),
    ],
)
def test_what_puts_nothing_out_may_be_done_once_per_partition(function: str, stream: str) -> None:
    found = graph(function, stream)
    assert found.outcome is Outcome.NATIVE, found.reasons
    assert not any("once per partition" in note for note in found.notes)


CAUGHT = (
    inserting().replace("    ", "        ").replace("):\n", "):\n    try:\n", 1)
    + "    except psycopg2.Error as error:\n        {}\n"
)


@pytest.mark.parametrize("stream", [DIRECT, SOCKET], ids=["Kafka's partitions", "other partitions"])
@pytest.mark.parametrize(
    "function",
    [
        pytest.param('requests.post("http://failed", data=str(error))', id="a request"),
        pytest.param("report(error)", id="a request of another function"),
        pytest.param("print(error)", id="a print"),
    ],
)
def test_what_is_done_where_an_error_is_caught_is_told(function: str, stream: str) -> None:
    report = 'def report(error):\n    requests.post("http://failed", data=str(error))\n'
    found = graph(report + CAUGHT.format(function), stream)
    assert found.outcome is Outcome.NATIVE, found.reasons
    assert [note for note in found.notes if "`foreachPartition`" in note] == [
        "the function of `foreachPartition` catches errors: what one of them ends, and how often they are "
        "handled, depends on the partitions, and a query has other ones"
    ]


def test_a_partition_of_kafka_with_elements_is_there_on_both_sides() -> None:
    function = (
        "def send(rows):\n    found = list(rows)\n    if found:\n"
        '        requests.post("http://h", data=found)\n        requests.post("http://done")\n'
    )
    assert graph(function, DIRECT).outcome is Outcome.NATIVE
    assert graph(function, SOCKET).outcome is Outcome.COMPAT


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("def send(rows):\n    print('start')\n    for row in rows:\n        print(row)\n", True),
        ("def send(rows):\n    for row in rows:\n        print(row)\n", False),
    ],
    ids=["once", "for each element"],
)
def test_a_note_says_what_is_printed_once_per_partition(function: str, told: bool) -> None:
    found = graph(function)
    assert found.outcome is Outcome.NATIVE, found.reasons
    assert any("prints once per partition" in note for note in found.notes) is told


FRAME = """\
def save(rdd):
    spark = SparkSession.builder.getOrCreate()
    spark.createDataFrame(rdd.map(lambda word: Row(word=word))).foreachPartition(send)
messages.foreachRDD(save)"""


@pytest.mark.parametrize(
    "function",
    [
        "def send(rows):\n    post(len(list(rows)))\n",
        "def send(rows):\n    n = 0\n    for row in rows:\n        n += 1\n    post(n)\n",
        inserting(after='requests.post("http://done")'),
    ],
)
def test_partitions_of_a_dataframe_show_as_those_of_an_rdd(function: str) -> None:
    found = graph(function, output=FRAME)
    assert found.outcome is Outcome.COMPAT
    assert "`foreachPartition`" in found.reasons[0]
    assert graph(inserting(), output=FRAME).outcome is Outcome.NATIVE


HANDED = FRAME.replace(
    "spark.createDataFrame(rdd.map(lambda word: Row(word=word))).foreachPartition(send)",
    "put(spark.createDataFrame(rdd.map(lambda word: Row(word=word))))",
)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("frame.foreachPartition(send)", "`foreachPartition`"),
        ("frame.rdd.foreachPartition(send)", "`foreachPartition`"),
        ("post(frame.rdd.getNumPartitions())", "`getNumPartitions`"),
        ('frame.withColumn("id", F.monotonically_increasing_id()).show()', "`monotonically_increasing_id`"),
        ("frame.groupBy(F.spark_partition_id()).count().show()", "`spark_partition_id`"),
    ],
)
def test_partitions_of_a_dataframe_that_another_function_gets(statement: str, why: str) -> None:
    function = (
        "from pyspark.sql import functions as F\ndef send(rows):\n    post(len(list(rows)))\n"
        f"def put(frame):\n    {statement}\n"
    )
    found = graph(function, output=HANDED)
    assert found.outcome is Outcome.COMPAT
    assert why in found.reasons[0]
    assert graph(function.replace(statement, "frame.show()"), output=HANDED).outcome is Outcome.NATIVE


CHUNKS = """\
def send(rows):
    session = Cluster(["c"]).connect()
    batch = BatchStatement()
    count = 0
    for row in rows:
        batch.add(row)
        count += 1
        if count % 300 == 0:
            session.execute(batch)
            batch = BatchStatement()
    session.execute(batch)
    session.shutdown()
"""
LISTS = """\
import psycopg2
def send(rows):
    connection = psycopg2.connect("dbname=words")
    cursor = connection.cursor()
    found = []
    for row in rows:
        if row:
            found.append((row, len(row)))
        if len(found) >= 1000:
            cursor.executemany("INSERT INTO words VALUES (?, ?)", found)
            connection.commit()
            found = []
    if found:
        cursor.executemany("INSERT INTO words VALUES (?, ?)", found)
    connection.commit()
"""


@pytest.mark.parametrize("stream", [DIRECT, SOCKET], ids=["Kafka's partitions", "other partitions"])
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(CHUNKS, id="batches of statements"),
        pytest.param(
            CHUNKS.replace("            batch =", "            count = 0\n            batch ="), id="anew"
        ),
        pytest.param(LISTS, id="lists"),
    ],
)
def test_elements_may_be_written_in_chunks(function: str, stream: str) -> None:
    found = graph(function, stream)
    assert found.outcome is Outcome.NATIVE, found.reasons


MANY = """\
import pymongo
def send(rows):
    client = pymongo.MongoClient("localhost")
    found = [{"word": row} for row in rows]
    if found:
        client.test.words.insert_many(found)
    client.close()
"""


@pytest.mark.parametrize("stream", [DIRECT, SOCKET], ids=["Kafka's partitions", "other partitions"])
@pytest.mark.parametrize(
    "function",
    [
        pytest.param(MANY, id="a list"),
        pytest.param(MANY.replace("if found:", "if len(found) > 0:"), id="its length"),
        pytest.param(MANY.replace('[{"word": row} for row in rows]', "list(rows)"), id="the elements"),
        pytest.param(
            MANY.replace(
                'found = [{"word": row} for row in rows]',
                "found = []\n    for row in rows:\n        found.append({'word': row})",
            ),
            id="a loop",
        ),
        pytest.param(MANY.replace("insert_many", "bulk_write"), id="statements"),
        pytest.param(
            LISTS.replace('cursor.executemany("INSERT INTO words VALUES (?, ?)", ', "client.t.insert_many("),
            id="in chunks",
        ),
    ],
)
def test_a_list_of_a_partition_may_be_inserted_if_it_has_any(function: str, stream: str) -> None:
    found = graph(function, stream)
    assert found.outcome is Outcome.NATIVE, found.reasons


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(MANY.replace("    if found:\n    ", ""), id="it fails for an empty partition"),
        pytest.param(MANY.replace("if found:", "if len(found) > 1:"), id="not one alone"),
        pytest.param(MANY.replace("insert_many(found)", "insert_one(found)"), id="one document of all"),
        pytest.param(
            MANY.replace("insert_many(found)", "insert_many(found)\n        post('done')"),
            id="something else",
        ),
        pytest.param(
            MANY.replace("    client.close()", "    else:\n        post('none')\n    client.close()"),
            id="none",
        ),
        pytest.param(MANY.replace("    client.close()", "    print(found)\n    client.close()"), id="shown"),
    ],
)
def test_but_a_list_that_is_inserted_shows_nothing_of_partitions(function: str) -> None:
    assert graph(function, SOCKET).outcome is Outcome.COMPAT


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(
            CHUNKS.replace("    session.execute(batch)\n    session.sh", "    session.sh"), id="no last one"
        ),
        pytest.param(CHUNKS.replace("batch.add(row)", "batch.add((row, count))"), id="the counter in a row"),
        pytest.param(
            CHUNKS.replace("    session.sh", "    print(count)\n    session.sh"), id="the counter, printed"
        ),
        pytest.param(CHUNKS.replace("            batch = BatchStatement()\n", ""), id="the same one again"),
        pytest.param(
            CHUNKS.replace("count += 1", "count += 1\n        if row:\n            batch = BatchStatement()"),
            id="one that is thrown away",
        ),
        pytest.param(LISTS.replace("if found:\n", "if len(found) > 9:\n"), id="some at the end are left out"),
        pytest.param(
            LISTS.replace('            cursor.executemany("', '            cursor.execute("'),
            id="one statement of all",
        ),
    ],
)
def test_but_each_is_written_and_nothing_else_is_made_of_chunks(function: str) -> None:
    assert graph(function, SOCKET).outcome is Outcome.COMPAT
