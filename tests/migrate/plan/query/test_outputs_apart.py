"""Outputs of a program that waits for no error: one that fails keeps none below it from running."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run, socket_program

SAVE = "def save(rdd):\n    for line in rdd.collect():\n        open(line, 'w').close()\n\n"
NEXT = "    except Exception:  # the next output runs all the same\n        traceback.print_exc()\n"
LAST = "    except Exception:  # the next batch runs all the same\n        traceback.print_exc()\n"


def migrated(body: str, end: str = "") -> tuple[str, bool]:
    """The new program, and whether the report says that an output keeps others from running."""
    result = run(socket_program(SAVE + body).replace("ssc.awaitTermination()", end))
    (graph,) = result.graphs
    return result.files[0].new, any("keeps those below it from running" in note for note in graph.notes)


def test_each_has_a_handler_of_its_own() -> None:
    new, is_told = migrated("lines.foreachRDD(save)\nlines.saveAsTextFiles('lines')\nlines.map(int).pprint()")
    assert new.count(NEXT) == 2 and new.count(LAST) == 1
    assert new.index("save(batch)") < new.index(NEXT) < new.index("write") < new.index(LAST)
    assert not is_told


def test_prints_in_a_row_have_one() -> None:
    new, is_told = migrated("lines.map(int).pprint()\nlines.map(float).pprint()\nlines.foreachRDD(save)")
    assert new.count(NEXT) == new.count(LAST) == 1
    assert new.index("double") < new.index(NEXT)
    assert not is_told
    alone, _ = migrated("lines.map(int).pprint()\nlines.map(float).pprint()")
    assert NEXT not in alone and alone.count(LAST) == 1


def test_a_stream_that_several_read_is_made_by_the_first() -> None:
    new, _ = migrated("numbers = lines.map(int)\nnumbers.pprint()\nnumbers.saveAsTextFiles('numbers')")
    made, printed = new.index("numbers = batch.select"), new.index("numbers.show(")
    assert made < printed < new.index(NEXT) < new.index("numbers.select")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "words = lines.map(int)\nwords.saveAsTextFiles('a')\nwords = lines.map(float)\n"
            "words.saveAsTextFiles('b')\nwords.foreachRDD(lambda rdd: print(rdd.count()))",
            id="a variable that is bound twice",
        ),
        pytest.param(
            "def put(words):\n    words.saveAsTextFiles('a')\n    words.foreachRDD(save)\n\nput(lines)",
            id="outputs in a function",
        ),
    ],
)
def test_they_share_one_where_they_hang_together(body: str) -> None:
    new, is_told = migrated(body)
    assert NEXT not in new and new.count(LAST) == 1
    assert is_told


def test_the_error_ends_a_query_that_is_waited_for() -> None:
    new, is_told = migrated(
        "lines.foreachRDD(save)\nlines.saveAsTextFiles('lines')", "ssc.awaitTermination()"
    )
    assert "except" not in new
    assert is_told


@pytest.mark.parametrize(("handler", "is_told"), [("Exception", False), ("OSError", True)])
def test_callbacks_that_take_all_errors_keep_none_from_running(handler: str, is_told: bool) -> None:
    shows = "".join(
        f"def show_{n}(rdd):\n    try:\n        df = spark.read.json(rdd)\n        df.show()\n"
        f"    except {handler} as error:\n        print('not shown:', error)\n\n"
        for n in "ab"
    )
    session = "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n"
    body = f"{session}{shows}lines.foreachRDD(show_a)\nlines.foreachRDD(show_b)"
    _, told = migrated(body, "ssc.awaitTermination()")
    assert told is is_told
