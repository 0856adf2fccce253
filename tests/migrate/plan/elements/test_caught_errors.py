"""Columns behind a callback that catches errors fail as Python does, unless the program ended there."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from migrate.plan.elements.caught_errors import BEFORE
from tests.migrate.programs import file, kafka_program, run, socket_program

GUARD = 'required(F.col("value"), "line is None")'
BODY = """\
def process(rdd):
    try:
        print(rdd.collect())
    except Exception as error:
        print(error)

words = messages.map(lambda m: m[1]).flatMap(lambda line: line.split(" "))
{}
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).foreachRDD(process)
"""
COUNTED = "words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()"


@pytest.mark.parametrize(
    ("more", "guarded"),
    [
        pytest.param("", True, id="the callback alone"),
        pytest.param(COUNTED, False, id="printed behind a shuffle"),
        pytest.param("words.saveAsTextFiles('words')", False, id="saved"),
        pytest.param("words.pprint()", True, id="printed, of which one partition may be enough"),
        pytest.param(f"if DEBUG:\n    {COUNTED}", True, id="printed sometimes"),
    ],
)
def test_another_output_ends_the_program(more: str, guarded: bool) -> None:
    new = file(kafka_program("import sys\nDEBUG = len(sys.argv) > 1\n" + BODY.format(more))).new
    assert (GUARD in new) is guarded


def test_unless_somebody_catches_that_too() -> None:
    source = kafka_program(BODY.format(COUNTED)).replace(
        "ssc.awaitTermination()", "try:\n    ssc.awaitTermination()\nexcept Exception:\n    pass"
    )
    assert GUARD in file(source).new


TOPIC = """\
KNOWN = {'a': 'b'}
def topic(line):
    for word in line.split():
        if word in KNOWN:
            return word
    return line
def add(new, old):
    return sum(new) + (old or 0)
"""


@pytest.mark.parametrize(("key", "told"), [("topic(line)", True), ("line", False)])
def test_a_running_count_of_what_a_function_gives_ends_the_query_where_that_fails(
    key: str, told: bool
) -> None:
    callback = BODY[: BODY.index("words = ")]
    counts = f"messages.map(lambda m: m[1]).map(lambda line: ({key}, 1)).updateStateByKey(add)"
    (graph,) = run(kafka_program(f"{TOPIC}{callback}{counts}.foreachRDD(process)")).graphs
    assert graph.outcome is Outcome.NATIVE
    assert len([note for note in graph.notes if note == BEFORE]) == told


COUNTS = """\
from out import send, suppress
last = []
{}
words = messages.map(lambda m: m[1]).flatMap(lambda line: line.split(" "))
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).foreachRDD(process)
"""
PUT = "def put(data):\n    try:\n        {}\n    except Exception as error:\n        print(error)\n"
EACH = (
    "def process(rdd):\n    {}\n    try:\n        {}\n    except Exception as error:\n        print(error)\n"
)
IN_WITH = "with suppress(ValueError):\n        send({})\n"


@pytest.mark.parametrize(
    ("callback", "caught"),
    [
        (EACH.format("rows = rdd.collect()", "send(rows)"), False),
        (EACH.format("rows = dict(rdd.collect())", "[send(row) for row in rows.items()]"), False),
        (EACH.format("n = rdd.map(lambda pair: pair[1]).sum()", "send(n)"), False),
        (PUT.format("send(data)") + "def process(rdd):\n    put(rdd.collectAsMap())\n", False),
        ("def process(rdd):\n    rows = rdd.collect()\n    " + IN_WITH.format("rows"), False),
        (EACH.format("pass", "send(rdd.collect())"), True),
        (EACH.format("found = rdd", "send(found.collect())"), True),
        (EACH.format("found = [rdd]", "send(found[0].collect())"), True),
        (EACH.format("last.append(rdd)", "send(last[-1])"), True),
        (EACH.format("last[0] = rdd", "send(last)"), True),
        (EACH.format("rows = rdd.toLocalIterator()", "send(list(rows))"), True),
        (EACH.format("get = lambda: rdd.collect()", "send(get())"), True),
        (EACH.format("def get():\n        return rdd.collect()", "send(get())"), True),
        (PUT.format("send(data.collect())") + "def process(rdd):\n    put(rdd)\n", True),
        (PUT.format("send(data.collect())") + "def process(rdd):\n    put(data=rdd)\n", True),
        (PUT.format("send(data.collect())") + "def process(rdd):\n    do = put\n    do(rdd)\n", True),
        ("def process(rdd):\n    " + IN_WITH.format("rdd.collect()"), True),
    ],
)
def test_what_is_computed_outside_of_a_handler_is_not_caught(callback: str, caught: bool) -> None:
    new = file(kafka_program(COUNTS.format(callback))).new
    assert (GUARD in new or "compat.streaming" in new) is caught, new


VIEW = """\
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()

def save(rdd):
    rows = rdd.map(lambda line: (line, int(line))).toDF(["name", "n"])
    rows.createOrReplaceTempView("t")
    try:
        {}
    except Exception as error:
        print(error)

lines.foreachRDD(save)
"""


@pytest.mark.parametrize(
    ("read", "caught"),
    [
        ('spark.sql("SELECT sum(n) FROM t").show()', True),
        ('spark.table("t").write.json("out")', True),
        ("print(len(spark.streams.active))", False),
    ],
)
def test_a_view_may_be_computed_where_it_is_read(read: str, caught: bool) -> None:
    assert (".rdd" in file(socket_program(VIEW.format(read))).new) is caught
