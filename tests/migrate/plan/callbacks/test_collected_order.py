"""A note where a callback may see in which order a shuffle gives what it made."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from tests.migrate.programs import module, run, socket_program

PAIRS = "pairs = lines.map(lambda line: (line, 1)){}\n"
SUMS = ".reduceByKey(lambda a, b: a + b)"


def _told(body: str) -> list[str]:
    (graph,) = run(socket_program(body)).graphs
    return [note for note in graph.notes if "in another order" in note]


@pytest.mark.parametrize(
    ("read", "told"),
    [
        ("kept.append(rdd.collect())", "`rdd.collect()`"),
        ("kept.append(rdd.collect()[0])", "`rdd.collect()`"),
        ("kept.append(rdd.take(2))", "`rdd.take(2)`"),
        ("kept.update(sorted(rdd.collect()))", ""),
        ("kept.append(len(rdd.take(1)))", ""),
        ("kept.append(rdd.count())", ""),
    ],
)
def test_what_comes_of_a_shuffle_comes_in_another_order(read: str, told: str) -> None:
    notes = _told(f"kept = []\n{PAIRS.format(SUMS)}pairs.foreachRDD(lambda rdd: {read})")
    assert len(notes) == bool(told) and all(told in note for note in notes)
    assert not _told(f"kept = []\n{PAIRS.format('')}pairs.foreachRDD(lambda rdd: {read})")


FRAME = "frame = session.createDataFrame(rdd.map(lambda w: Row(word=w[0], n=w[1])))"


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (
            "first = rdd.sortBy(lambda x: x[1], False)\n    send(first.take(10))",
            "`first.take(10)` gives the first",
        ),
        ("send(rdd.sortBy(lambda x: -x[1]).take(10))", "gives the first rows of a sort"),
        ("send(rdd.sortBy(lambda x: x[0]).take(10))", ""),
        ("send(rdd.sortByKey().take(10))", ""),
        ("send(rdd.takeOrdered(10, key=lambda x: -x[1]))", "gives the first rows of a sort"),
        ("send(rdd.top(10, lambda x: x[1]))", "gives the first rows of a sort"),
        ("send(rdd.takeOrdered(10))", ""),
        ("send(rdd.sortBy(lambda x: x[1]).collect())", ""),
        (f"{FRAME}\n    frame.orderBy(frame.n.desc()).show(5)", "gives the first rows of a sort"),
        (
            f"{FRAME}\n    frame.createOrReplaceTempView('t')\n"
            "    top = session.sql('select word from t order by n desc limit 10')\n    top.show()",
            "order by n desc limit 10",
        ),
        (f"{FRAME}\n    frame.show()", "`frame.show()` gives what a shuffle made"),
        (f"{FRAME}\n    frame.write.parquet('p')", ""),
    ],
)
def test_first_rows_of_a_sort_may_be_others_of_equal_ones(read: str, told: str) -> None:
    head = "from pyspark.sql import Row, SparkSession\nsession = SparkSession.builder.getOrCreate()\n"
    put = f"def put(rdd):\n    {read}\npairs.foreachRDD(put)"
    notes = _told(f"{head}{PAIRS.format(SUMS)}{put}")
    assert len(notes) == bool(told)
    assert all(told in note for note in notes)
    assert not _told(f"{head}{PAIRS.format('')}{put}")


def test_what_a_transform_has_sorted_is_in_no_order_of_a_shuffle() -> None:
    by_count = ".map(lambda p: (p[1], p[0])).transform(lambda rdd: rdd.sortByKey(False))"
    (note,) = _told(f"{PAIRS.format(SUMS + by_count)}pairs.foreachRDD(lambda rdd: send(rdd.take(5)))")
    assert "gives the first rows of a sort" in note


def test_a_loop_through_all_elements_is_taken_not_to_care() -> None:
    body = "def put(rdd):\n    for word, n in rdd.collect():\n        send(word, n)\npairs.foreachRDD(put)"
    assert not _told(PAIRS.format(SUMS) + body)
    assert _told(PAIRS.format(SUMS) + body.replace("collect()", "take(5)"))


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("','.join([word + str(n) for word, n in {}])", True),
        ("','.join(word + str(n) for word, n in {})", True),
        ("[word for word, _ in {}]", True),
        ("sorted(word for word, _ in {})", False),
        ("{{word: n for word, n in {}}}", False),
        ("sum([n for _, n in {}])", False),
    ],
)
def test_a_list_of_what_is_made_of_each_element_has_their_order(made: str, told: bool) -> None:
    body = f"def put(rdd):\n    send({made.format('rdd.collect()')})\npairs.foreachRDD(put)"
    assert bool(_told(PAIRS.format(SUMS) + body)) is told


def test_callbacks_with_rdd_code_are_told_of_too() -> None:
    body = (
        "def put(rdd):\n    kept = rdd.map(parse).max()\n    send(kept, rdd.collect())\npairs.foreachRDD(put)"
    )
    assert _told(PAIRS.format(SUMS) + body)


def test_so_are_those_of_another_file() -> None:
    other = "def put(time, rdd):\n    print(rdd.take(3))\n"
    body = f"{PAIRS.format(SUMS)}pairs.foreachRDD(put)"
    job = "from other import put\n" + socket_program(body)
    (graph,) = migrate([module(job), module(other, "other.py")], Options()).graphs
    assert any("`rdd.take(3)`" in note for note in graph.notes)


def test_an_rdd_that_was_shuffled_has_other_partitions() -> None:
    values = "lines.map(lambda line: (len(line), {line: 1}))"
    merged = f"{values}.reduceByKey(lambda a, b: a | b)"
    body = "def put(rdd):\n    rows = rdd.collect()\n    send(rows[0])\n"
    assert any("as many partitions" in note for note in _told(f"{body}{merged}.foreachRDD(put)"))
    assert not _told(f"{body}{values}.foreachRDD(put)")


def _of_files(body: str) -> list[str]:
    source = socket_program(body).replace(
        'ssc.socketTextStream("localhost", 9999)', 'ssc.textFileStream("in")'
    )
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    return [note for note in graph.notes if "the largest is read first" in note]


WRITE = "def write(rdd, out):\n    {}\nout = open('rows', 'w')\nlines.foreachRDD(lambda rdd: write(rdd, out))"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("for line in rdd.collect():\n        out.write(line)", "`rdd.collect()`"),
        ("rows = rdd.map(str.upper)\n    out.write(rows.collect()[0])", "`rows.collect()`"),
        ("if not rdd.isEmpty():\n        out.write(rdd.first())", "`rdd.first()`"),
        ("if rdd.count() > 0:\n        rdd.map(lambda t: (t,)).toDF().show()", ".show()`"),
        (
            "if rdd.count() > 0:\n        df = spark.createDataFrame(rdd.map(list))\n        df.show()",
            "`df.show()`",
        ),
        ("out.write(str(sorted(rdd.collect())))", ""),
        ("out.write(str(rdd.sortBy(len).collect()))", ""),
        ("rows = rdd.distinct()\n    out.write(str(rows.collect()))", ""),
        ("out.write(str(rdd.count()))", ""),
    ],
)
def test_a_callback_may_see_in_which_order_files_are_read(code: str, told: str) -> None:
    notes = _of_files("from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n" + WRITE.format(code))
    assert len(notes) == bool(told) and all(told in note for note in notes)


def test_what_comes_of_a_shuffle_is_in_no_order_of_files() -> None:
    assert not _of_files(PAIRS.format(SUMS) + "pairs.foreachRDD(lambda rdd: print(rdd.take(3)))")


@pytest.mark.parametrize(
    ("by", "ties"),
    [
        (".transform(lambda rdd: rdd.sortBy(lambda p: -p[1]))", True),
        (".map(lambda p: (p[1], p[0])).transform(lambda rdd: rdd.sortByKey(False))", True),
        (".transform(lambda rdd: rdd.sortByKey())", False),
    ],
)
def test_first_rows_of_what_a_transform_sorted_may_be_others_of_equal_ones(by: str, ties: bool) -> None:
    notes = _told(f"{PAIRS.format(SUMS)}pairs{by}.foreachRDD(lambda rdd: put(rdd.take(5)))")
    assert any("gives the first rows of a sort" in note for note in notes) == ties


@pytest.mark.parametrize(
    ("read", "told"),
    [
        ("send(counts.sortBy(lambda x: -x[1]).take(5))", "gives the first rows of a sort"),
        ("send(counts.sortByKey().take(5))", ""),
        ("send(counts.collect())", "`counts.collect()` gives what a shuffle made"),
        ("send(counts.take(5))", "`counts.take(5)` gives what a shuffle made"),
        ("send(sorted(counts.collect()))", ""),
        ("for word, n in counts.collect():\n        send(word, n)", ""),
        ("send(counts.count())", ""),
        ("send(rdd.take(5), counts.count())", ""),
    ],
)
def test_a_callback_shuffles_by_itself(read: str, told: str) -> None:
    counts = f"counts = rdd.map(lambda line: (line, 1)){SUMS}"
    notes = _told(
        f"from senders import send\ndef show(rdd):\n    {counts}\n    {read}\nlines.foreachRDD(show)"
    )
    assert len(notes) == bool(told) and all(told in note for note in notes)
