"""Queries that run a batch in every interval: where callbacks change something without input too."""

from __future__ import annotations

import pytest

from migrate.model import Options
from migrate.plan.draft.every_interval import EARLY, FOR_CALLBACK, NOTE
from tests.migrate.programs import (
    LIMITED,
    file,
    flat,
    kafka_program,
    native_body,
    queue_program,
    run,
    socket_program,
    whole_program,
)

COUNTING = "seen = []\n{stream}.foreachRDD(lambda rdd: seen.append(rdd.collect()))\n"
CALL = ".transform(every_interval)"


@pytest.mark.parametrize("stream", ["lines", "messages", "ssc.textFileStream('in')"])
def test_the_source_gets_a_batch_in_every_interval(stream: str) -> None:
    new = file(whole_program(COUNTING.format(stream=stream))).new
    assert new.count("def every_interval(rows):") == new.count(CALL) == 1
    assert native_body(COUNTING.format(stream=stream)).startswith(
        "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n    return\n"
    )


def test_the_report_says_so_and_nothing_of_intervals_without_batches() -> None:
    (graph,) = run(socket_program(COUNTING.format(stream="lines"))).graphs
    assert NOTE.format("", FOR_CALLBACK) in graph.notes
    assert not any("runs no batch" in note for note in graph.notes)


SENDING = """\
import requests
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

def show(rdd):
    try:
        frame = spark.createDataFrame(rdd, ["word", "count"])
        requests.post("http://localhost", data={"rows": frame.count()})
    except:
        pass

sc = SparkContext(appName="Sending")
spark = SparkSession(sc)
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda w: (w, 1)).updateStateByKey(lambda n, s: sum(n) + (s or 0)).foreachRDD(show)
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize("source", [SENDING, socket_program("lines.window(4, 1).pprint()")])
def test_what_is_done_at_the_start_too_is_told(source: str) -> None:
    """Without a guard, the batch that the query starts with is one more than DStream had."""
    result = run(source)
    assert ".transform(every_interval)" in result.files[0].new
    assert GUARD not in result.files[0].new
    assert any(f"in each interval{EARLY}, as" in note for note in result.graphs[0].notes)


GUARD = "batch_id == 0"
WINDOW = "window(4, {}).pprint()"


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        (f"lines.{WINDOW.format(1)}", False),
        (f"lines.{WINDOW.format(2)}", False),
        ("lines.countByWindow(3, 1).pprint()", False),
        (f"lines.count().pprint()\nlines.{WINDOW.format(1)}", False),
        (f"lines.map(str.split).count().pprint()\nlines.{WINDOW.format(1)}", False),
        (f"lines.foreachRDD(lambda rdd: print(sorted(rdd.collect())))\nlines.{WINDOW.format(1)}", True),
        (COUNTING.format(stream="lines.window(4, 1)"), True),
        (LIMITED + COUNTING.format(stream="lines.window(4, 2)"), False),
        (f"{COUNTING.format(stream='lines')}lines.{WINDOW.format(1)}", True),
        (
            "def count(rdd):\n    seen.append(rdd.count())\nseen = []\n"
            f"lines.foreachRDD(lambda rdd: count(rdd))\nlines.{WINDOW.format(1)}",
            True,
        ),
        (f"lines.saveAsTextFiles('out')\nlines.{WINDOW.format(1)}", True),
    ],
)
def test_the_micro_batch_at_the_start_is_skipped_where_it_counts(body: str, *, counts: bool) -> None:
    new = file(socket_program(body)).new
    assert CALL in new
    assert (GUARD in new) is counts


def test_a_header_in_the_old_form_counts() -> None:
    assert GUARD in file(socket_program(f"lines.{WINDOW.format(1)}"), Options(pprint_exact=True)).new


def test_callbacks_that_change_nothing_need_none() -> None:
    body = "lines.foreachRDD(lambda rdd: print(sorted(rdd.collect())))"
    assert "every_interval" not in file(socket_program(body)).new


def test_a_query_of_queues_has_one_by_itself() -> None:
    new = file(queue_program(COUNTING.format(stream="numbers"))).new
    assert "every_interval" not in new
    assert "seen.append(" in new


def test_running_states_are_shown_again() -> None:
    total = "map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))"
    new = file(socket_program(COUNTING.format(stream=f"lines.{total}"))).new
    assert CALL in new
    assert 'outputMode("complete")' in new


STATE = "lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0){})"
POSTS = "import requests\ndef post(rdd):\n{}    requests.post('http://x', json=rdd.collect())\n"
ASKS = "    if rdd.isEmpty():\n        return\n"
MAKES = (
    "from pyspark.sql import SparkSession\nimport requests\nspark = SparkSession(sc)\ndef post(rdd):\n"
    "    try:\n        df = spark.createDataFrame(rdd, ['word', 'n'])\n        df.show()\n"
    "        requests.post('http://x', json=df.count())\n    except {}:\n        {}\n"
)


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        pytest.param(f"{POSTS.format('')}{STATE.format('')}", True, id="it posts no rows"),
        pytest.param(f"{POSTS.format(ASKS)}{STATE.format('')}", False, id="it asks for rows"),
        pytest.param(
            f"{POSTS.format(ASKS)}first = sc.parallelize([('a', 1)])\n{STATE.format(', initialRDD=first')}",
            True,
            id="it begins with keys",
        ),
        pytest.param(
            f"{POSTS.format(ASKS)}known = sc.parallelize([('a', 1)])\n"
            f"{STATE.format('')}.transform(lambda rdd: rdd.union(known))",
            True,
            id="it has keys of another RDD",
        ),
        pytest.param(
            f"{MAKES.format('Exception as e', 'print(e)')}{STATE.format('')}", False, id="it prints an error"
        ),
        pytest.param(
            f"{MAKES.format('ValueError', 'print(1)')}{STATE.format('')}", True, id="it prints for the error"
        ),
        pytest.param(
            f"{MAKES.format('ValueError', 'pass')}{STATE.format('')}", False, id="it passes over the error"
        ),
        pytest.param(
            f"{MAKES.format('KeyError', 'print(1)')}{STATE.format('')}", True, id="it catches others"
        ),
        pytest.param(
            f"{MAKES.format('Exception', 'print(1); raise')}{STATE.format('')}", True, id="it raises it again"
        ),
        pytest.param(
            f"{MAKES.format('Exception', 'sys.exit(1)')}{STATE.format('')}".replace(
                "import requests", "import requests, sys"
            ),
            True,
            id="it ends the program",
        ),
    ],
)
def test_a_state_has_no_keys_at_the_start(body: str, *, counts: bool) -> None:
    new = file(socket_program(f"{body}.foreachRDD(post)")).new
    assert CALL in new
    assert (GUARD in new) is counts


def test_a_parameter_of_any_function_does_not_hide_it() -> None:
    source = socket_program(COUNTING.format(stream="lines")).replace(
        'lines = ssc.socketTextStream("localhost", 9999)',
        "def source(ssc, every_interval):\n"
        '    lines = ssc.socketTextStream("localhost", every_interval)\n    return lines\n'
        "lines = source(ssc, 9999)",
    )
    assert ".transform(every_interval_2)" in file(source).new


def test_kafka_in_the_order_of_arrival() -> None:
    joined = "messages.foreachRDD(lambda rdd: print(rdd.treeReduce(lambda a, b: a + b)))\n"
    new = file(kafka_program(joined + COUNTING.format(stream="messages"))).new
    assert flat(f'"partition", "offset"){CALL}') in flat(new)
    assert "if batch_id == 0 and unsorted.isEmpty():" in new


def test_windows_over_event_time_have_none() -> None:
    windows = "lines.map(lambda w: (w, 1)).reduceByKeyAndWindow(lambda a, b: a + b, None, 4, 4)"
    body = COUNTING.format(stream=windows)
    (graph,) = run(socket_program(body), Options(event_time="timestamp", unsafe=True)).graphs
    assert any("also for a batch without input" in reason for reason in graph.reasons)


@pytest.mark.parametrize("change", ["seen.append(1)", "if not rdd.isEmpty():\n            seen.append(1)"])
def test_what_a_checkpoint_keeps_of_a_callback_stays_on_compat(change: str) -> None:
    source = f"""\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

seen = []


def create():
    ssc = StreamingContext(SparkContext(), 1)

    def keep(rdd):
        {change}

    ssc.socketTextStream("localhost", 9999).foreachRDD(keep)
    return ssc


ssc = StreamingContext.getOrCreate("checkpoint", create)
ssc.start()
ssc.awaitTermination()
"""
    (graph,) = run(source).graphs
    assert graph.outcome.value == "compat"
    assert "it changes `seen`, which the checkpoint keeps" in "; ".join(graph.reasons)


KEPT = """\
from {library}
def instance(rdd):
    if "instance" not in globals():
        globals()["instance"] = {made}
    return globals()["instance"]
def act(rdd):
    {act}
lines.foreachRDD(act)
"""


@pytest.mark.parametrize(
    ("library", "made", "act", "wakes"),
    [
        ("kafka import KafkaProducer", "KafkaProducer()", "instance(rdd).send('topic', rdd.count())", True),
        (
            "kafka import KafkaProducer",
            "KafkaProducer()",
            "made = instance(rdd)\n    made.send('t', 1)",
            True,
        ),
        ("kafka import KafkaProducer", "KafkaProducer()", "globals()['instance'].send('topic', 1)", True),
        (
            "pyspark.sql import SparkSession",
            "SparkSession.builder.getOrCreate()",
            "instance(rdd).createDataFrame(rdd.map(lambda l: (l,)), 'line string').show()",
            False,
        ),
    ],
)
def test_what_a_library_made_may_be_kept_in_the_dict_of_globals(
    library: str, made: str, act: str, wakes: bool
) -> None:
    result = file(socket_program(KEPT.format(library=library, made=made, act=act)))
    assert (CALL in result.new) is wakes, result.new
