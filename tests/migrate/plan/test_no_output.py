"""Programs that put nothing out, whose `start` failed."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run

LEFT_OUT = "the context has no streams, so that `start` failed; it is left out, and what stands below it runs"
CONTEXT = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
HEAD = CONTEXT + "sc = SparkContext()\nssc = StreamingContext(sc, 1)\n"
TAIL = "ssc.start()\nssc.awaitTermination()\n"


def test_streams_that_nothing_puts_out_wait_for_an_output() -> None:
    source = (
        HEAD + "lines = ssc.socketTextStream('h', 1)\nwords = lines.flatMap(lambda l: l.split(' '))\n" + TAIL
    )
    result = run(source)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE
    assert "words = batch.select(F.explode(F.split('value', ' ')).alias('word'))" in result.files[0].new
    assert ".foreachBatch(process_batch).start()" in result.files[0].new
    assert any("`start` of a DStream failed" in note for note in graph.notes)


def test_a_source_alone_has_a_batch_function_to_be_filled() -> None:
    result = run(HEAD + "lines = ssc.socketTextStream('h', 1)\n" + TAIL)
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert "def process_batch(batch, batch_id):\n    pass\n" in result.files[0].new


def test_so_it_has_where_nobody_waits_for_the_query() -> None:
    waiting = "import time\nlines = ssc.socketTextStream('h', 1)\nssc.start()\ntime.sleep(9)\nssc.stop()\n"
    result = run(HEAD + waiting)
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert "def process_batch(batch, batch_id):\n" in result.files[0].new


def test_a_source_that_nothing_starts_is_a_dataframe() -> None:
    result = run(HEAD + "lines = ssc.socketTextStream('h', 1)\n")
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert "lines = spark.readStream" in result.files[0].new
    assert "process_batch" not in result.files[0].new


@pytest.mark.parametrize("wait", ["", "ssc.awaitTermination()\n", "ssc.awaitTerminationOrTimeout(9)\n"])
def test_a_context_without_streams_goes_with_its_start(wait: str) -> None:
    body = "sc = SparkContext()\n{}sc.textFile('a').saveAsTextFile('b')\n{}"
    result = run(CONTEXT + body.format("ssc = StreamingContext(sc, 1)\n", "ssc.start()\n" + wait))
    (graph,) = result.graphs
    assert (graph.outcome, graph.notes) == (Outcome.NATIVE, (LEFT_OUT,))
    assert result.files[0].new == "from pyspark import SparkContext\n" + body.format("", "")


@pytest.mark.parametrize(
    ("made", "note"),
    [
        ("StreamingContext(sc, 5)", "the context is made and never used, so it is left out"),
        (
            "StreamingContext()",
            "the StreamingContext gets no SparkContext, a TypeError that ended the program",
        ),
        ("other = StreamingContext()", "the StreamingContext gets no SparkContext, a TypeError that ended"),
    ],
)
def test_a_context_that_nothing_has_is_left_out_beside_another_one(made: str, note: str) -> None:
    streams = "lines = ssc.socketTextStream('h', 1)\nlines.pprint()\n"
    result = run(HEAD + f"{made}\n" + streams + TAIL)
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE] * 2
    assert "StreamingContext" not in result.files[0].new
    assert [note in one for one in result.graphs[1].notes] == [True]


@pytest.mark.parametrize(
    "rest",
    [
        "ssc.start()\nssc.stop()\n",
        "done = ssc.start()\n",
        "lines = ssc.socketTextStream('h', 1).window(600)\nssc.start()\n",
        "lines = ssc.socketTextStream('h', 1).map(json.loads)\nssc.start()\n",
        "lines = ssc.socketTextStream('h', 1)\nssc.start()\nssc.stop(True, True)\n",
        "lines = ssc.queueStream([sc.parallelize([1])])\nssc.start()\n",
    ],
    ids=[
        "a stop ends the session, too",
        "a start in another statement",
        "a window that is kept for nothing",
        "Python code that nothing reads",
        "a graceful stop",
        "a queue",
    ],
)
def test_others_that_put_nothing_out_stay_on_compat(rest: str) -> None:
    assert run(HEAD + rest).graphs[0].outcome is Outcome.COMPAT


def test_a_stream_of_kafka_that_is_never_started_goes_to_compat() -> None:
    source = (
        f"import re\n{HEAD}from pyspark.streaming.kafka import KafkaUtils\n"
        'messages = KafkaUtils.createDirectStream(ssc, ["t"], {"metadata.broker.list": "b:9092"})\n'
        "lines = messages.map(lambda x: x[1])\n"
        'short = lines.map(lambda x: re.sub(r"\\s+", "", x, flags=re.UNICODE))\n'
    )
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert graph.reasons
