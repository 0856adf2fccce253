"""A session that a callback keeps among the globals goes where nothing reads it any more."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

BODY = """\
from pyspark.sql import Row, SQLContext

def show(rdd):
    # the singleton
    if {test}:
        globals()["session"] = SQLContext(rdd.context)
    session = globals()["session"]
    rows = rdd.map(lambda w: Row(word=w[0], count=w[1]))
    words = session.createDataFrame(rows)
    words.registerTempTable("words")
    session.sql("select * from words order by count").show(){more}

counts = lines.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(show)
"""
ABSENT = '"session" not in globals()'


@pytest.mark.parametrize(
    ("test", "more", "goes"),
    [
        (ABSENT, "", True),
        ('globals().get("session") is None', "", True),
        (ABSENT, "\n    print(session)", False),
        (ABSENT, '\n    globals()["session"].stop()', False),
        ("True", "", False),
    ],
    ids=["alone", "asked by get", "printed", "read again", "another test"],
)
def test_a_kept_session_goes_with_what_made_it(test: str, more: str, goes: bool) -> None:
    new = file(socket_program(BODY.format(test=test, more=more))).new
    assert ("globals()" not in new) is goes
    assert ("the singleton" not in new) is goes
    assert ".sparkSession.sql(" in new
