"""Sessions that the callback of a batch is given: the batch has its own, and the parameter goes."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, run, socket_program

HEAD = """\
from pyspark.sql import SparkSession, SQLContext
pairs = lines.map(lambda line: (line, len(line)))
"""
SAVE = """\
def save(rdd, session, table):
    if not rdd.isEmpty():
        session.createDataFrame(rdd, ["word", "n"]).write.mode("append").saveAsTable(table)
"""
SHOW = """\
def show(rdd, session):
    if not rdd.isEmpty():
        session.createDataFrame(rdd, ["word", "n"]).createOrReplaceTempView("words")
        session.sql("SELECT word, sum(n) FROM words GROUP BY word").show()
"""
INSERT = """\
def insert(rdd, session):
    words = session.createDataFrame(rdd, ["word", "n"])
    session.setConf("hive.exec.dynamic.partition.mode", "nonstrict")
    words.write.insertInto("words")
"""
NAME = """\
def name(rdd, session):
    session.createDataFrame(rdd, ["word", "n"]).show()
    print(session)
"""


def new(function: str, call: str, session: str = "SparkSession.builder.getOrCreate()") -> str:
    source = f"{HEAD}{function}made = {session}\npairs.foreachRDD(lambda rdd: {call})"
    return str(file(socket_program(source)).new)


@pytest.mark.parametrize(
    "session", ["SparkSession.builder.getOrCreate()", "SQLContext(sc)", "SparkSession(sc)"]
)
def test_rows_need_no_session(session: str) -> None:
    text = new(SAVE, 'save(rdd, made, "words")', session)
    assert "def save(df, table):" in text and 'save(pairs, "words")' in text and ".rdd" not in text


def test_the_batch_has_the_session_of_its_views() -> None:
    text = new(SHOW, "show(rdd, session=made)")
    assert "def show(df):" in text and 'df.sparkSession.sql("SELECT' in text


def test_its_settings_are_those_of_the_batch() -> None:
    """The session of a batch is a clone, which settings of the other one do not reach any more."""
    text = new(INSERT, "insert(rdd, made)", "SQLContext(sc)")
    assert "df.sparkSession.conf.set(" in text and "def insert(df):" in text


def test_a_session_that_is_read_otherwise_stays() -> None:
    text = new(NAME, "name(rdd, made)")
    assert "def name(df, session):" in text and "print(session)" in text


def test_something_else_makes_no_rows() -> None:
    source = f"{HEAD}{SAVE}import maker\npairs.foreachRDD(lambda rdd: save(rdd, maker.session(), 'words'))"
    assert ".rdd" in str(run(socket_program(source)).files[0].new)


def test_a_sql_context_of_a_function_whose_name_a_callback_has_for_it_goes() -> None:
    source = (
        f"{HEAD}{SAVE}def main():\n    session = SQLContext(sc)\n"
        "    pairs.foreachRDD(lambda rdd: save(rdd, session, 'words'))\nmain()"
    )
    assert "def save(df, table):" in str(file(socket_program(source)).new)
