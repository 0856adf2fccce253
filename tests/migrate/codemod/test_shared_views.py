"""Temp views that a callback makes, and code outside of it reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.migrate.codemod.written import native, native_result, new_text
from tests.migrate.programs import compiled, run

PROGRAM = """\
from collections import namedtuple

from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

sc = SparkContext.getOrCreate()
ssc = StreamingContext(sc, 1)
sqlContext = SQLContext(sc)
words = ssc.textFileStream({directory!r}).flatMap(lambda line: line.split(" "))
Word = namedtuple("Word", ("word", "n"))


def keep(rdd):
    rdd.toDF().sort("word").limit(10).{make}("words")


{counts}.foreachRDD(keep)
ssc.start()
{read}
ssc.stop(False)
"""
COUNTS = """\
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).map(lambda rec: Word(rec[0], rec[1]))"""
SELECT = "print(sqlContext.sql('Select word, n from words where words.n > 1').collect())"


def program(
    make: str = "registerTempTable", read: str = SELECT, counts: str = COUNTS, directory: str = "/d"
) -> str:
    return PROGRAM.format(make=make, read=read, counts=counts, directory=directory)


@pytest.mark.parametrize(
    ("make", "new"),
    [
        ("registerTempTable", "createOrReplaceGlobalTempView"),
        ("createOrReplaceTempView", "createOrReplaceGlobalTempView"),
        ("createTempView", "createGlobalTempView"),
    ],
)
def test_a_view_that_is_read_outside_becomes_a_global_one(make: str, new: str) -> None:
    text = native(program(make))
    assert f'.limit(10).{new}("words")' in text
    assert ".sql('Select word, n from global_temp.words where words.n > 1')" in text
    assert ".rdd" not in text


@pytest.mark.parametrize(
    ("read", "new"),
    [
        ("sqlContext.sql('Select word from WORDS')", "'Select word from global_temp.WORDS'"),
        ("sqlContext.table('Words')", "'global_temp.Words'"),
    ],
)
def test_a_view_is_known_by_its_name_in_any_case(read: str, new: str) -> None:
    assert new in native(program(read=f"print({read}.collect())"))


def test_a_view_that_nobody_reads_here_is_for_others() -> None:
    result = native_result(program(read="print(1)"))
    assert '.createOrReplaceGlobalTempView("words")' in new_text(result)
    (told,) = [text for text in result.graphs[0].must_change if "global_temp" in text]
    assert told.endswith("must name their database: `global_temp.words`")


def test_a_view_that_a_batch_without_rows_empties_is_told_of() -> None:
    asked = program().replace("    rdd.toDF()", "    if not rdd.isEmpty():\n        rdd.toDF()")
    windows = program(counts=COUNTS.replace("words.", "words.window(2, 1).", 1))
    notes = (native_result(one).graphs[0].notes for one in (program(), asked, windows))
    told = [[note.partition(" empties")[0] for note in each if " empties" in note] for each in notes]
    assert told == [["a batch without rows"], [], ["a window without rows"]]


def test_a_table_is_named_in_its_database() -> None:
    assert 'spark.table("global_temp.words").show()' in native(
        program(read='sqlContext.table("words").show()')
    )
    reader = program(read="reader = sqlContext.read\nreader.table('words').show()")
    assert "reader.table('global_temp.words').show()" in native(reader)


@pytest.mark.parametrize(
    "read",
    [
        "print(sqlContext.sql('select word from others, words').collect())",
        "print(sqlContext.sql('select word ' + 'from words').collect())",
        "print(sqlContext.sql('select word from ' 'words').collect())",
        f"{SELECT}\nother = sqlContext.newSession()",
        "print(spark.catalog.tableExists('words'))\n" + SELECT,
    ],
)
def test_where_it_is_not_certain_who_reads_it_no_view_becomes_a_global_one(read: str) -> None:
    text = new_text(run(program(read=read)))
    assert "global_temp" not in text
    kept = "registerTempTable" if "compat" in text else "createOrReplaceTempView"
    assert f'.{kept}("words")' in text


STATE = (
    "words.map(lambda word: (word, 1)).updateStateByKey(lambda new, old: sum(new) + (old or 0))"
    ".map(lambda rec: Word(rec[0], rec[1]))"
)


def test_a_view_of_a_running_state_is_of_the_computed_batch() -> None:
    text = native(program(counts=STATE))
    assert "    batch = batch.localCheckpoint()  # a view of it is read when the batch is over\n" in text
    assert 'outputMode("complete")' in text and "persist" not in text
    assert 'createOrReplaceGlobalTempView("words")' in text
    assert ".rdd" not in text


def test_a_query_may_be_written_on_several_lines() -> None:
    query = "print(sqlContext.sql('select word, n '\n    'from words '\n    'where n > 1').collect())"
    text = native(program(read=query))
    assert "sql('select word, n '\n    'from global_temp.words '\n    'where n > 1')" in text


@pytest.mark.parametrize(("made", "is_other"), [("happybase.Connection()", True), ("tools.store()", False)])
def test_a_table_of_another_library_is_no_view(made: str, is_other: bool) -> None:
    shown = "registerTempTable('words')\n    sqlContext.sql('select word from words').show()\n    print"
    save = f"import happybase\nimport tools\nstore = {made}\ndef save(name):\n    store.table(name).put(1)\n"
    text = native(program(make=shown, read="print(1)").replace("def keep", f"{save}\n\ndef keep"))
    assert (".rdd" not in text) is is_other


@pytest.mark.parametrize(("counts", "last"), [(COUNTS, [("b", 2)]), (STATE, [("a", 2), ("b", 3)])])
def test_what_is_read_outside_is_the_last_batch(
    counts: str, last: list[tuple[str, int]], spark: SparkSession, directory: Path
) -> None:
    printed: list[Any] = []
    source = native(program(directory=str(directory), counts=counts, read="write()\n" + SELECT))
    names: dict[str, Any] = {"__name__": "__main__", "print": printed.append, "spark": spark}

    def write() -> None:
        for number, words in enumerate(["a b a", "b b c"]):
            (directory / f"{number}.txt").write_text(words + "\n")
            names["query"].processAllAvailable()

    names["write"] = write
    exec(compiled(source.replace("spark.stop()", "")), names)
    assert [[tuple(row) for row in rows] for rows in printed] == [last]


MISSES = """\
from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Words")
ssc = StreamingContext(sc, 1)


def show(rdd):
    try:
        spark = SparkSession.builder.getOrCreate()
        spark.createDataFrame(rdd.map(lambda w: Row(word=w))).createOrReplaceTempView("words")
        spark.sql("select word from {table}").show()
    except Exception as e:
        print(e)


ssc.socketTextStream("localhost", 9999).foreachRDD(show)
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize("table", ["words", "wrods"])
def test_a_view_whose_name_the_callback_misses_stays_in_its_session(table: str) -> None:
    """With the right name the query finds it."""
    text = native(MISSES.format(table=table))
    assert "global" not in text.lower()
