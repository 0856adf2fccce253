"""What outputs read behind a shuffle of RDD code is computed once, and so the batch is not persisted."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, native_body, socket_program

PAIRS = "pairs = lines.map(lambda line: (unknown(line), 1))\n"
TOTALS = f"{PAIRS}totals = pairs.reduceByKey(lambda a, b: a + b)\n"
SAVE = "def save(rdd):\n    print(rdd.collect())\n"
TWICE = "def save(rdd):\n    print(rdd.count(), rdd.collect())\n"


@pytest.mark.parametrize(
    "body",
    [
        f"{SAVE}{TOTALS}totals.pprint()\ntotals.foreachRDD(save)",
        f"{TWICE}{TOTALS}totals.foreachRDD(save)",
        f"{TWICE}{TOTALS}totals.mapValues(str).foreachRDD(save)",
        f"{SAVE}{TOTALS}totals.pprint()\ntotals.filter(lambda pair: pair[1] > 1).foreachRDD(save)",
        f"{SAVE}{PAIRS}lists = pairs.groupByKey().mapValues(len)\nlists.pprint()\nlists.foreachRDD(save)",
    ],
    ids=["two outputs", "one that reads it twice", "with a map behind", "with a filter of one", "groups"],
)
def test_behind_a_shuffle(body: str) -> None:
    assert "persist" not in native_body(body)


@pytest.mark.parametrize(
    "body",
    [
        f"{SAVE}{PAIRS}pairs.pprint()\npairs.foreachRDD(save)",
        f"{SAVE}{TOTALS}totals.pprint()\npairs.foreachRDD(save)",
        f"{SAVE}{PAIRS}sums = pairs.reduceByKey(lambda a, b: a + b)\ntops = pairs.reduceByKey(max)\n"
        "sums.pprint()\ntops.foreachRDD(save)",
        f"{SAVE}{PAIRS}byKey = pairs.transform(lambda rdd: rdd.sortByKey())\n"
        "byKey.pprint()\nbyKey.foreachRDD(save)",
    ],
    ids=["no shuffle", "one output before it", "two shuffles", "a sort"],
)
def test_else_the_batch_is_persisted(body: str) -> None:
    assert "batch.persist()" in native_body(body)


@pytest.mark.parametrize(
    ("parse", "held"),
    [
        ("json.loads", "events"),
        ("lambda line: json.loads(line)['user']", "events"),
        ("lambda line: requests.get(line).json()", "batch"),
    ],
    ids=["a function of Python's library", "a lambda", "a request"],
)
def test_an_rdd_whose_functions_only_compute_is_persisted_itself(parse: str, held: str) -> None:
    pairs = "sums = events.map(lambda event: (event['n'], event['m'])).reduceByKey(max)\nsums.pprint()"
    body = native_body(f"import json\n{SAVE}events = lines.map({parse})\nevents.foreachRDD(save)\n{pairs}")
    assert f"{held}.unpersist()" in body
    assert body.count("persist()") == 2


def test_a_variable_of_two_outputs_is_written_once() -> None:
    body = native_body(
        f"import json\n{SAVE}some = lines.map(json.loads).filter(lambda event: 'a' in event)\n"
        "some.pprint()\nsome.foreachRDD(save)"
    )
    assert body.count("some = ") == 1
    assert "some.unpersist()" in body


VIEW = "lines.map(lambda line: Row(text=line)).foreachRDD(lambda rdd: rdd.toDF().registerTempTable('{}'))\n"


@pytest.mark.parametrize(
    ("more", "persists"),
    [
        ("", False),
        ("lines.pprint()\n", False),
        ("lines.pprint()\nlines.filter(len).pprint()\n", True),
    ],
    ids=["views alone", "beside one print", "beside two prints"],
)
def test_a_view_computes_nothing_of_the_batch(more: str, persists: bool) -> None:
    head = "from pyspark.sql import Row, SQLContext\nsqlContext = SQLContext(sc)\n"
    new = file(socket_program(head + VIEW.format("a") + VIEW.format("b") + more)).new
    assert "TempView" in new
    assert (".persist()" in new) is persists


WITHIN = "def save(rdd):\n    {}\n    print(sums.count())\n    print(sums.collect())\n"
SUMS = "sums = rdd.map(lambda v: (1, v)).reduceByKey(lambda x, y: x + y)"


@pytest.mark.parametrize(
    ("made", "persists"),
    [
        (SUMS, False),
        ("sums = rdd.map(lambda v: (1, v)).sortByKey()", True),
        ("sums = rdd.map(lambda v: (1, v))", True),
        (f"{SUMS}\n    print(rdd.count())", True),
        (f"for _ in range(2):\n        {SUMS}\n        print(sums.first())", True),
    ],
    ids=["behind a shuffle", "sorted", "not shuffled", "read beside it", "in a loop"],
)
def test_a_callback_that_shuffles_reads_its_rdd_once(made: str, persists: bool) -> None:
    new = file(socket_program(f"{WITHIN.format(made)}lines.map(unknown).foreachRDD(save)")).new
    assert "foreachBatch(save)" in new
    assert (".persist()" in new) is persists
