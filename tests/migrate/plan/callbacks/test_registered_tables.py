"""``sqlContext.registerDataFrameAsTable(df, "words")`` in callbacks is a method of the DataFrame."""

from __future__ import annotations

import pytest

from migrate.model import Tier
from tests.migrate.programs import file, run, socket_program

OUTER = "sqlc = SQLContext(sc)\n"
INNER = "    sqlc = SQLContext(rdd.context)\n"
CALLBACK = """\
from pyspark.sql import Row, SQLContext
{outer}def show(rdd):
    if rdd.isEmpty():
        return
{inner}    {made}
    sqlc.sql("select word, count(*) as n from words group by word").show()
lines.foreachRDD(show)
{after}"""
ROWS = "sqlc.createDataFrame(rdd.map(lambda w: Row(word=w)))"
NAMED = f'df = {ROWS}\n    sqlc.registerDataFrameAsTable(df, "words")'


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (NAMED, 'df = batch.toDF("word")\n    df.createOrReplaceTempView("words")'),
        (
            f'sqlc.registerDataFrameAsTable({ROWS}, "words")',
            'batch.toDF("word").createOrReplaceTempView("words")',
        ),
    ],
    ids=["a variable", "in place"],
)
@pytest.mark.parametrize(
    ("outer", "inner"), [(OUTER, ""), ("", INNER)], ids=["outside", "the callback's own"]
)
def test_it_is_the_method_of_the_dataframe(outer: str, inner: str, made: str, code: str) -> None:
    source = socket_program(CALLBACK.format(outer=outer, inner=inner, made=made, after=""))
    new = file(source).new
    assert code in new and "batch.sparkSession.sql(" in new
    assert "SQLContext" not in new and "registerDataFrameAsTable" not in new
    assert Tier.RDD not in {site.tier for site in run(source).sites}


def test_a_table_that_is_read_elsewhere_is_a_global_view() -> None:
    after = 'sqlc.sql("select * from words").show()'
    new = file(socket_program(CALLBACK.format(outer=OUTER, inner="", made=NAMED, after=after))).new
    assert 'df.createOrReplaceGlobalTempView("words")' in new
    assert "select * from global_temp.words" in new


@pytest.mark.parametrize("call", ["registerDataFrameAsTable(df, name)", "registerDataFrameAsTable(df)"])
def test_other_arguments_stay(call: str) -> None:
    made = f"df = {ROWS}\n    sqlc.{call}"
    new = file(socket_program(CALLBACK.format(outer=OUTER, inner="", made=made, after=""))).new
    assert call in new
