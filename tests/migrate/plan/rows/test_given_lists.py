"""Lists of which a callback makes a DataFrame: their items are columns, where it is known how many."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options
from migrate.plan.rows.given_lists import FEWER
from tests.migrate.programs import flat, native_body, run, whole_program

BODY = """\
import json
from pyspark.sql import SparkSession
spark = SparkSession(sc)
def show(rdd):
    df = {made}
    df.show()
{stream}.foreachRDD(show)
"""
PAIRS = "lines.map(lambda line: line.split(',', 1))"


@pytest.mark.parametrize(
    ("stream", "made", "new"),
    [
        (PAIRS, "spark.createDataFrame(rdd)", 'F.col("word")[0].alias("_1"), F.col("word")[1].alias("_2")'),
        (PAIRS, "rdd.toDF(['a', 'b'])", 'F.col("word")[0].alias("a"), F.col("word")[1].alias("b")'),
        (
            "lines.flatMap(lambda line: json.loads(str(line))).map(lambda x: x.split(',', 2))",
            "spark.createDataFrame(rdd)",
            'F.col("word")[2].alias("_3")',
        ),
    ],
)
def test_each_item_is_a_column(stream: str, made: str, new: str) -> None:
    body = BODY.format(stream=f"words = {stream}\nwords", made=made)
    text = flat(native_body(body))
    assert flat(new) in text
    assert ".rdd" not in text
    assert any(FEWER in note for note in run(whole_program(body)).graphs[0].notes)


CAUGHT = """\
import json
from pyspark.sql import SparkSession
spark = SparkSession(sc)
def show(rdd):
    try:
        df = spark.createDataFrame(rdd)
        names = df.schema.names
        df.withColumnRenamed(names[0], "label").show()
    except Exception as error:
        print(error)
words = lines.flatMap(lambda line: json.loads(str(line))).map(lambda text: text.split(",", 1))
words.foreachRDD(show)
"""


def test_lists_of_a_typed_function_are_as_long_as_those_of_columns() -> None:
    new = native_body(CAUGHT)
    assert '"array<array<string>>"' in new
    assert flat('words.select(F.col("word")[0].alias("_1"), F.col("word")[1].alias("_2"))') in flat(new)
    assert "names = df.schema.names" in new


@pytest.mark.parametrize(
    ("stream", "made"),
    [
        pytest.param("lines.map(lambda line: line.split(','))", "rdd.toDF(['a', 'b'])", id="as many as come"),
        pytest.param(PAIRS, "rdd.toDF(['a', 'b', 'c'])", id="more names than items"),
        pytest.param(PAIRS, "rdd.toDF(['a'])", id="fewer names than items"),
        pytest.param(PAIRS, "rdd.toDF('array<string>')", id="a column of lists"),
    ],
)
def test_other_lists_stay_rdd_code(stream: str, made: str) -> None:
    body = BODY.format(stream=stream, made=made)
    new = str(run(whole_program(body)).files[0].new)
    assert "_2" not in new and 'alias("b")' not in new


@pytest.mark.parametrize(
    "options", [Options(strict=True), Options(spark=SparkVersion.parse("3.5.0"))], ids=["strict", "3.5"]
)
def test_it_needs_a_spark_that_fails_beyond_the_end(options: Options) -> None:
    body = BODY.format(stream=PAIRS, made="spark.createDataFrame(rdd)")
    assert ".rdd" in native_body(body, options)
