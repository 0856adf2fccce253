"""Variables of a callback that would be second names of its DataFrame."""

from __future__ import annotations

from tests.migrate.programs import file, socket_program

PROCESS = """\
def process(rdd):
    try:
        rows = rdd.map(lambda w: Row(word=w[0], count=w[1]))
        words_df = rows.toDF()
        {more}words_df.show()
    except Exception:
        pass
counts = lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)
counts.map(lambda p: (p[0], p[1])).foreachRDD(process)
counts.pprint()
"""


def rewritten(more: str = "") -> str:
    body = "from pyspark.sql import Row, SparkSession\nsession = SparkSession(sc)\n" + PROCESS.format(
        more=more
    )
    return file(socket_program(body)).new


def test_the_name_goes_from_below_a_guard() -> None:
    guarded = (
        "        if frame.isEmpty():\n"
        "            return  # createDataFrame failed, and `except` passed over it\n"
        "        frame.show()\n"
    )
    assert guarded in rewritten()


def test_it_stays_where_it_is_bound_again() -> None:
    assert "words_df = " in rewritten("words_df = words_df.limit(3)\n        ")
