"""Counts that DStream has for batches with rows alone, beside outputs that run for all batches."""

from __future__ import annotations

import pytest

from tests.migrate.programs import blocked, file, native_body, socket_program

SHOW = "def show(rdd):\n    print(rdd.count(), 'lines')\nlines.foreachRDD(show)\n"
ASKED = """\
    if not batch.isEmpty():  # else DStreams gave no count
        print("%d left" % batch.where(F.col("value") != "").count())
"""


@pytest.mark.parametrize("beside", [SHOW, "lines.window(3).pprint()\n"])
def test_a_count_of_what_is_left_asks_for_rows(beside: str) -> None:
    body = f"{beside}lines.filter(lambda line: line != '').count().map(lambda n: '%d left' % n).pprint()"
    new = file(socket_program(body)).new
    assert ASKED in new.replace("'", '"')
    assert ":\n        return" not in new


def test_the_number_of_all_rows_tells_itself_that_there_are_none() -> None:
    body = "{}number = lines.count()\nnumber.map(lambda n: '%d lines' % n).pprint()\n"
    new = native_body(body.format(SHOW)).replace("'", '"')
    assert new.endswith(
        'number = batch.count()\nif number:\n    print("%d lines" % number)\nbatch.unpersist()'
    )
    beside = native_body(
        "last = lines.countByWindow(3, 1)\nnumber = lines.count()\nlast.pprint()\nnumber.pprint()"
    )
    assert (
        "number = batch.count()\nwindow.append((now, number))\nwhile window[0][0] <= now - 3:\n"
        "    window.popleft()\nlast = sum(n for _, n in window)\nif last:\n    print(last)\n"
        "if number:\n    print(number)\n"
    ) in beside


def test_alone_it_is_an_early_return() -> None:
    new = file(socket_program("lines.filter(lambda line: line != '').count().pprint()")).new
    assert "    if batch.isEmpty():  # DStreams gave no count then\n        return\n" in new


SOME = """\
counts = (
    batch.where(F.col("value") != "")
    .agg(F.count("*").alias("count"))
    .where(F.lit(not batch.isEmpty()))"""


@pytest.mark.parametrize(
    "output",
    [
        "counts.foreachRDD(lambda rdd: print(rdd.collect()))",
        "counts.map(str).union(lines).pprint()",
        "counts.union(lines.count()).pprint()",
        "counts.map(lambda n: ('n', n)).updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()",
        "counts.window(2).pprint()",
    ],
)
def test_what_is_put_out_without_a_count_too_has_none_without_rows(output: str) -> None:
    body = f"{SHOW}counts = lines.filter(lambda line: line != '').count()\n{output}"
    assert SOME in native_body(body).replace("'", '"')


def test_an_rdd_of_a_count_has_none_without_rows() -> None:
    counts = "counts = lines.filter(lambda line: eval(line)).count()\n"
    new = native_body(f"{SHOW}{counts}counts.foreachRDD(lambda rdd: print(rdd.collect()))")
    assert ".parallelize(" in new and ".count()] if not batch.isEmpty() else []," in new


def test_a_function_of_one_stream_does_not_know_whether_there_are_rows() -> None:
    body = (
        "def left(words):\n    return words.filter(lambda word: word != '').count()\n"
        f"{SHOW}left(lines).union(left(lines)).foreachRDD(lambda rdd: print(rdd.collect()))"
    )
    assert "has no count on DStreams" in blocked(body)


def test_nor_does_a_batch_of_several_sources() -> None:
    body = (
        "others = ssc.socketTextStream('localhost', 9998)\n"
        f"{SHOW}others.filter(lambda word: word != '').count().union(others).foreachRDD(lambda rdd: "
        "print(rdd.collect()))"
    )
    assert "a count of one source is none for an interval in which another one has input" in blocked(body)


def test_what_is_persisted_is_what_outputs_and_windows_read() -> None:
    body = (
        "words = lines.filter(lambda line: line != '')\nwords.pprint()\nwords.map(lambda word: (word, 1))"
        ".reduceByKeyAndWindow(lambda a, b: a + b, None, 3).pprint()\n"
    )
    new = file(socket_program(body)).new
    assert 'words = batch.where(F.col("value") != "").persist()' in new.replace("'", '"')
    assert "    words.unpersist()" in new and "batch.persist()" not in new
    beside = file(socket_program(f"{body}lines.countByWindow(4, 1).pprint()")).new
    assert "batch.persist()" in beside and "words.unpersist()" not in beside


@pytest.mark.parametrize("kept", ["lambda line: line.swapcase() > 'B'", "lambda line: line != ''"])
def test_a_window_has_a_count_by_its_batches_and_not_by_the_last_one(kept: str) -> None:
    body = f"{SHOW}longer = lines.filter({kept})\nlonger.pprint()\nlonger.window(3).count().pprint()"
    assert "a window has a count of 0 if one of its batches had input" in blocked(body)


def test_of_each_line_a_split_leaves_something() -> None:
    count = ".window(4).flatMap(lambda line: line.split({})).count().pprint()"
    new = file(socket_program("lines" + count.format("' '"))).new.replace("'", '"')
    assert '.agg(F.count("*").alias("count"))' in new and '.where(F.col("count") > 0)' in new
    assert "a window has a count of 0" in blocked("lines" + count.format(""))
