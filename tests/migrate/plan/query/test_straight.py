"""A callback that gets the whole batch is given to the query itself, not called by another function."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.migrate.codemod.written import native, native_result, native_socket, new_text
from tests.migrate.programs import socket_program

SAVE = """\
def save(rdd):
    for line in rdd.collect():
        print(line)

lines.foreachRDD({})
"""


TOLD = SAVE.replace("(rdd)", "(rdd, n)").replace("collect()", "take(n)")
"""With another parameter."""


@pytest.mark.parametrize("given", ["save", "lambda rdd: save(rdd)", "func=save"])
def test_the_query_calls_the_function(given: str) -> None:
    new = native_socket(SAVE.format(given))
    assert "def save(batch, batch_id):\n" in new
    assert ".foreachBatch(save)" in new.replace("\n", "")
    assert "process_batch" not in new


def test_a_time_that_is_not_read_is_no_parameter() -> None:
    new = native_socket(SAVE.format("save").replace("(rdd)", "(time, rdd)"))
    assert "def save(batch, batch_id):\n" in new
    assert "process_batch" not in new


def test_nor_where_more_is_done() -> None:
    new = native_socket(SAVE.format("save").replace("(rdd)", "(time, rdd)") + "lines.pprint()\n")
    assert "def save(batch):\n" in new
    assert "    save(batch)\n    batch.show(10, truncate=False)\n" in new


@pytest.mark.parametrize(
    "body",
    [
        SAVE.format("save") + "lines.pprint()\n",
        SAVE.format("save") + "save(None)\n",
        TOLD.format("lambda rdd: save(rdd, len('abc'))"),
        TOLD.format("lambda rdd: save(rdd, [3])"),
        TOLD.format(f"lambda rdd: save(rdd, '{'long' * 20}')"),
        SAVE.format("lambda rdd: print(rdd.count())"),
    ],
    ids=["two outputs", "another call", "a call within", "a list", "too long", "none of the program"],
)
def test_a_function_of_the_batch_stays_where_it_is_needed(body: str) -> None:
    assert "def process_batch(batch" in native_socket(body)


@pytest.mark.parametrize(
    ("body", "called"),
    [
        (TOLD.format("lambda rdd: save(rdd, 3)"), "save(batch, 3)"),
        (TOLD.format("lambda rdd: save(rdd, n=limit)"), "save(batch, n=limit)"),
        (SAVE.replace("print(line)", "batch_id = hash(line)").format("save"), "save(batch)"),
    ],
    ids=["a constant", "a name", "its own batch_id"],
)
def test_a_lambda_hands_the_batch_on_beside_something_else(body: str, called: str) -> None:
    new = native_socket(body.replace("lines.foreachRDD", "limit = 3\n# save them\nlines.foreachRDD"))
    assert "\n# save them\nquery = (\n" in new
    assert f"    .foreachBatch(lambda batch, batch_id: {called})\n" in new
    assert "process_batch" not in new


def test_it_stays_where_it_catches_what_fails() -> None:
    source = socket_program(SAVE.format("save")).replace("ssc.awaitTermination()\n", "")
    assert "def process_batch(batch" in native(source)


def test_it_stays_where_a_graceful_stop_reads_its_variable() -> None:
    stop = "ssc.awaitTerminationOrTimeout(60)\nssc.stop(True, True)\n"
    twice = SAVE.replace("print(line)", "print(rdd.count())").format("save")
    source = socket_program(twice).replace("ssc.awaitTermination()\n", stop)
    assert "def process_batch(batch" in native(source)


LOOKS = """\
def save(rdd):
    if not rdd.isEmpty():
        print({})

lines.foreachRDD(save)
"""
ON_ROWS = "rdd.map(lambda w: odd(w)).take(3)"


@pytest.mark.parametrize("printed", ["rdd.count()", ON_ROWS, "spark.read.json(rdd).columns"])
def test_a_look_for_rows_is_no_computation_to_persist_a_batch_for(printed: str) -> None:
    new = native_socket("spark = SparkSession(sc)\n" + LOOKS.format(printed))
    assert "persist" not in new
    assert ".foreachBatch(save)" in new.replace("\n", "")


@pytest.mark.parametrize(
    "body",
    [
        LOOKS.format(f"{ON_ROWS}, rdd.first()"),
        LOOKS.format(ON_ROWS).replace("lines.", "lines.countByValue()."),
    ],
    ids=["two computations", "after a shuffle"],
)
def test_it_is_persisted_for_more(body: str) -> None:
    assert "persist()" in native_socket(body)


def test_comments_of_the_output_stay_above_the_query() -> None:
    new = native_socket(SAVE.format("save").replace("lines.foreach", "# keep them\nlines.foreach"))
    assert "# keep them\nquery = " in new


def test_below_what_is_said_of_the_start_they_stand_beside_the_function() -> None:
    body = SAVE.format("save").replace("lines.foreach", "# keep them\nlines.foreach") + "# go\n"
    query = native_socket(body).partition("# go\n")[2]
    assert query.startswith("query = (\n    lines.writeStream")
    assert "    # keep them\n    .foreachBatch(save)\n" in query


def test_one_behind_the_output_stands_behind_the_function() -> None:
    new = native_socket(SAVE.format("save").rstrip() + "  # keep them\n")
    assert "    .foreachBatch(save)  # keep them\n" in new


def test_they_name_what_it_gets_now() -> None:
    new = native_socket(SAVE.format("save").replace("lines.foreach", "# save each RDD\nlines.foreach"))
    assert "# save each batch\nquery = " in new


def test_a_method_of_an_object() -> None:
    source = dedent("""
    from pyspark import SparkContext
    from pyspark.streaming import StreamingContext

    class Words:
        def save(self, time, rdd):
            print(rdd.count())

        def run(self):
            sc = SparkContext(appName="Words")
            ssc = StreamingContext(sc, 1)
            lines = ssc.socketTextStream("localhost", 9999)
            lines.foreachRDD(self.save)
            ssc.start()
            ssc.awaitTermination()

    Words().run()
    """)
    new = native(source)
    assert "def save(self, batch, batch_id):\n" in new
    assert "foreachBatch(self.save)" in new
    assert native_result(source).graphs and new == new_text(native_result(source))
