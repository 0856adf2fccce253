"""Graphs over several sources: one query reads them side by side, and the batch function tells them apart."""

from __future__ import annotations

import re

import pytest

from migrate.knowledge.triggers import Trigger
from migrate.model import Options, Outcome
from migrate.plan.sources.side_by_side import IN_ORDER, NOTE, OVER_TIME
from tests.migrate.programs import blocked, file, native_body, run, socket_program

MORE = 'more = ssc.socketTextStream("h", 1)\n'
KAFKA = (
    "from pyspark.streaming.kafka import KafkaUtils\n"
    'messages = KafkaUtils.createDirectStream(ssc, ["pages"], {"bootstrap.servers": "localhost:9092"})\n'
)


def test_each_source_is_a_part_of_the_batch() -> None:
    assert native_body(f"{MORE}lines.union(more).pprint()").splitlines() == [
        "batch.persist()",
        'lines = batch.where("source = 0").select("value")',
        'more = batch.where("source = 1").select("value")',
        "lines.union(more).show(10, truncate=False)",
        "batch.unpersist()",
    ]


def test_a_list_that_is_written_out_is_united_as_its_streams() -> None:
    expected = native_body(f"{MORE}lines.union(more).pprint()")
    assert native_body(f"{MORE}ssc.union(lines, more).pprint()") == expected
    assert native_body(f"{MORE}ssc.union(*[lines, more]).pprint()") == expected
    assert "is not followed" in blocked("others = [lines]\nssc.union(*[*others, lines]).pprint()")


def test_one_of_them_is_called_by_the_name_of_the_values_that_are_read_of_it() -> None:
    body = f"{KAFKA}# the pages\npages = messages.map(lambda m: m[1])\npages.pprint()\nlines.pprint()"
    new = file(socket_program(body)).new
    assert "messages" not in new and "pages = (\n    spark.readStream" in new and "# the pages\n" in new
    assert 'pages = batch.where("source = 1").select("value")' in new
    more = body.replace("lines.pprint()", "lines.pprint()\nmessages.count().pprint()")
    assert "messages = (\n    spark.readStream" in file(socket_program(more)).new
    assert "messages = (\n    spark.readStream" in file(socket_program(f"{body}\npages = 1")).new


def test_one_query_reads_them_all() -> None:
    body = f"{MORE}lines.pprint()\nmore.map(len).pprint()"
    (graph,) = run(socket_program(body)).graphs
    assert NOTE in graph.notes
    new = file(socket_program(body)).new
    assert new.count(".writeStream") == 1
    assert (
        'sources = lines.withColumn("source", F.lit(0)).unionByName(more.withColumn("source", F.lit(1)))'
        in "".join(new.split("\n    ")).replace("( lines", "lines").replace("(lines", "lines")
    )


def test_sources_with_other_columns_are_filled_up() -> None:
    new = file(socket_program(f"{KAFKA}lines.pprint()\nmessages.pprint()")).new
    assert 'unionByName(messages.withColumn("source", F.lit(1)), allowMissingColumns=True)' in new
    assert 'batch.where("source = 1").select("key", "value")' in new


def test_a_source_that_nothing_reads_goes_and_leaves_one() -> None:
    body = f"{MORE}lines.pprint()"
    assert native_body(body).startswith("query = (\n    lines.writeStream")


def test_a_source_in_the_middle_of_a_chain_gets_a_name() -> None:
    new = file(socket_program("lines.pprint()\nssc.socketTextStream('h', 1).map(len).pprint()")).new
    assert 'text_lines = batch.where("source = 1")' in new
    assert "text_lines = spark.readStream" in "".join(new.split("(\n    "))


def test_one_heartbeat_is_enough() -> None:
    body = f"{MORE}seen = []\nmore.foreachRDD(lambda rdd: seen.append(rdd.count()))\nlines.pprint()"
    assert file(socket_program(body)).new.count(".transform(every_interval)") == 1


def test_a_running_state_is_kept_by_the_batch_function() -> None:
    total = "map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))"
    new = file(socket_program(f"{MORE}lines.union(more).{total}.pprint()")).new
    assert "outputMode" not in new
    assert ".localCheckpoint()" in new


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("lines.union(more).count().pprint()", "a count of one source is none"),
        ("more.pprint()\nlines.map(str.split).reduce(lambda a, b: a + b).pprint()", IN_ORDER),
        ("more.groupByKey().mapValues(list).pprint()\nlines.pprint()", IN_ORDER),
        (
            "lines.union(more).union(ssc.queueStream([sc.parallelize(['a'])])).pprint()",
            "queues and several other sources",
        ),
    ],
)
def test_what_stays_on_compat(body: str, why: str) -> None:
    assert why in blocked(f"{MORE}{body}")


AGAIN = {
    "another source": "lines.pprint()\nlines = ssc.textFileStream('d')\nlines.pprint()",
    "another name": "other = lines\nlines = ssc.socketTextStream('h', 1)\nother.pprint()\nlines.pprint()",
    "the other one": f"{MORE}kept = lines\nlines = more\nlines.pprint()\nkept.pprint()",
    "a text": "lines.pprint()\nlines.pprint()\nlines = 'text'\nprint(lines)",
}


@pytest.mark.parametrize("body", AGAIN.values(), ids=AGAIN)
def test_a_source_whose_variable_is_bound_again_has_another_one(body: str) -> None:
    result = run(socket_program(body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert "text_lines = (\n" in result.files[0].new
    batch = result.files[0].new.partition("def process_batch")[2].partition("\n\n\n")[0]
    assert len(re.findall(r"\.show\(10", batch)) == body.count(".pprint()")
    assert not re.search(r"\blines = ", batch)


def without_lines(body: str) -> str:
    return socket_program(body).replace('lines = ssc.socketTextStream("localhost", 9999)\n', "")


def test_a_queue_has_one_name() -> None:
    queues = "numbers = ssc.queueStream([sc.parallelize([1])])\n"
    body = f"{queues}kept = numbers\n{queues}kept.pprint()\nnumbers.pprint()"
    assert "has a second name" in "; ".join(run(without_lines(body)).graphs[0].reasons)


@pytest.mark.parametrize("one", ['ssc.socketTextStream("g", 1)', "ssc.queueStream([sc.parallelize([1])])"])
def test_two_sources_of_one_statement_are_both_made(one: str) -> None:
    other = one.replace('"g"', '"h"').replace("[1]", "[2]")
    result = run(without_lines(f"{one}.union({other}).pprint()"))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    names = ("queue", "waiting") if "queue" in one else ("lines", "text_lines")
    assert all(f"\n{name} = " in new for name in names)


def test_columns_of_one_name_have_one_type() -> None:
    body = (
        "from pyspark.streaming.kafka import KafkaUtils\n"
        "a = KafkaUtils.createDirectStream(\n"
        "    ssc, ['a'], {'bootstrap.servers': 'k:9'}, messageHandler=lambda m: m.offset + 1)\n"
        "b = KafkaUtils.createDirectStream(\n"
        "    ssc, ['b'], {'bootstrap.servers': 'k:9'}, messageHandler=lambda m: m.message + 'x')\n"
        "a.pprint()\nb.pprint()"
    )
    assert "has another type" in "; ".join(run(without_lines(body)).graphs[0].reasons)


def test_partitions_of_one_source_are_there_with_the_others_input() -> None:
    function = "def send(rows):\n    out = connect()\n    for row in rows:\n        out.save(row)\n"
    body = f"{MORE}{function}lines.foreachRDD(lambda rdd: rdd.foreachPartition(send))\nmore.pprint()"
    assert "a partition without elements" in blocked(body)


def test_windows_over_event_time_have_one_source() -> None:
    summed = "reduceByKeyAndWindow(lambda a, b: a + b, None, 4, 4)"
    windows = f"{MORE}more.pprint()\nlines.map(lambda w: (w, 1)).{summed}.pprint()"
    (graph,) = run(socket_program(windows), Options(event_time="timestamp", unsafe=True)).graphs
    assert graph.outcome is Outcome.COMPAT
    assert OVER_TIME in "; ".join(graph.reasons)


QUEUE = "words = ssc.queueStream([sc.parallelize(['a'])])\n"


def test_a_queue_beside_another_source_is_taken_from_in_each_interval() -> None:
    body = f"{QUEUE}lines.union(words).pprint()"
    assert native_body(body).splitlines() == [
        "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due",
        "    return",
        'words = queue.pop(0) if queue else spark.createDataFrame([], "string")',
        "batch.union(words).show(10, truncate=False)",
    ]
    new = file(socket_program(body)).new
    assert new.count(".readStream") == 2 and ".transform(every_interval)" in new  # the socket, and the clock
    assert "ticks" not in new
    (graph,) = run(socket_program(body)).graphs
    assert any("as each takes from the queue" in note for note in graph.notes)


def test_a_state_of_a_queue_and_another_source_is_kept_by_the_batch_function() -> None:
    total = "updateStateByKey(lambda new, last: sum(new) + (last or 0))"
    zeros = "ssc.queueStream([sc.parallelize([('a', 0), ('b', 0)])])"
    new = file(socket_program(f"lines.map(lambda w: (w, 1)).union({zeros}).{total}.pprint()")).new
    assert "outputMode" not in new and ".rdd" not in new
    assert "totals.union(added)" in new


def test_what_reads_only_the_queue_needs_no_batch_in_memory() -> None:
    assert "persist" not in native_body(f"{QUEUE}words.pprint()\nlines.map(len).pprint()")
    assert "persist" in native_body(f"{QUEUE}lines.pprint()\nlines.union(words).pprint()")


def test_a_queue_beside_another_source_has_a_batch_in_every_interval() -> None:
    body = f"{QUEUE}lines.union(words).pprint()"
    options = Options(trigger=Trigger.parse("available-now"))
    assert "needs a batch in every interval" in blocked(body, options)


def test_a_graceful_stop_of_a_queue_beside_another_source_stays_on_compat() -> None:
    source = socket_program(f"{QUEUE}lines.union(words).pprint()")
    stop = "import time\ntime.sleep(5)\nssc.stop(stopSparkContext=True, stopGraceFully=True)"
    (graph,) = run(source.replace("ssc.awaitTermination()", stop)).graphs
    assert "a graceful stop still takes all RDDs" in "; ".join(graph.reasons)
