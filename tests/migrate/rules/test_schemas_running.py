"""Schemas of ``createDataFrame`` give a select the names, types and values that they give an RDD."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import SparkContext
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ByteType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StructField,
    StructType,
)

from migrate.knowledge.spark_version import installed
from migrate.plan.elements.written_schemas import TYPES
from tests.migrate.programs import run, socket_program
from tests.migrate.rules.running import after, as_printed, before

PROGRAM = (
    "from pyspark.sql import Row, SparkSession\n"
    "from pyspark.sql.types import *\n"
    "spark = SparkSession(sc)\n"
    'fields = [StructField("long", LongType(), False), StructField("tiny", ByteType())]\n'
    "fields = sorted(fields, key=lambda f: f.name)\n"
    "both = StructType(fields=fields)\n"
    'line = StructType([StructField("half", FloatType()), StructField("n", ShortType())])\n'
    "def show(rdd):\n"
    "    if not rdd.isEmpty():\n"
    "        df = spark.createDataFrame(rdd.map(lambda line: Row(long=len(line), tiny=len(line))), both)\n"
    "        print(df.dtypes, sorted(df.collect()))\n"
    "        df = spark.createDataFrame(rdd.map(lambda line: (len(line) / 3, len(line))), line)\n"
    "        print(df.dtypes, sorted(df.collect()))\n"
    "lines.foreachRDD(show)\n"
)
BATCHES = [(), ("", "a", "naïve 雪"), ("x" * 127, "y")]


def test_a_schema_makes_the_same_columns(spark_context: SparkContext, spark: SparkSession) -> None:
    (was,) = before([PROGRAM], BATCHES, spark_context)
    assert len(was.batches[1]) == 2
    assert after(PROGRAM, BATCHES, spark).batches == was.batches


LISTS = (
    "from pyspark.sql import Row, SparkSession\n"
    "spark = SparkSession(sc)\n"
    "def show(rdd):\n"
    "    if not rdd.isEmpty():\n"
    "        rows = rdd.map(lambda line: Row(all=line.split(' '), words=line.split(' ')[1:]))\n"
    "        df = spark.createDataFrame(rows)\n"
    "        print(df.dtypes, sorted(df.collect()))\n"
    "lines.foreachRDD(show)\n"
)


def test_lists_are_inferred_of_any_row(spark_context: SparkContext, spark: SparkSession) -> None:
    batches = [("a", "a b", ""), (), ("naïve 雪",)]
    (was,) = before([LISTS], batches, spark_context)
    assert "array<string>" in str(was.batches[0])
    assert ".rdd" not in run(socket_program(LISTS)).files[0].new
    assert after(LISTS, batches, spark).batches == was.batches


CAUGHT = (
    "from pyspark.sql import SparkSession\n"
    "from pyspark.sql.types import *\n"
    "spark = SparkSession(sc)\n"
    'schema = StructType([StructField("word", StringType()), StructField("n", ByteType())])\n'
    "def show(rdd):\n"
    "    try:\n"
    "        df = spark.createDataFrame(rdd, schema)\n"
    '        df.createOrReplaceTempView("lengths")\n'
    '        print(sorted(spark.sql("select n, word from lengths").collect()))\n'
    "    except Exception:\n"
    '        print("no such length")\n'
    "lines.map(lambda line: (line, len(line))).foreachRDD(show)\n"
)


def test_a_callback_catches_what_is_beyond_its_type(spark_context: SparkContext, spark: SparkSession) -> None:
    batches = [("a", "bb"), ("x" * 128, "y"), ("b",)]
    (was,) = before([CAUGHT], batches, spark_context)
    assert was.batches[1] == ["no such length"]
    assert ('.cast("tinyint")' in run(socket_program(CAUGHT)).files[0].new) is installed().has_ansi
    came = after(CAUGHT, batches, spark)
    assert came.batches[-3:] == was.batches


NAMED = (
    "import time\n"
    "from collections import namedtuple\n"
    "from pyspark.sql import Row, SparkSession\n"
    "spark = SparkSession(sc)\n"
    "def show(rdd):\n"
    "    if not rdd.isEmpty():\n"
    '        print(sorted(map(tuple, spark.createDataFrame(rdd).select("n", "word").collect())))\n'
    'rows = lines.map(lambda line: Row(word=line, n=len(line), at=time.strftime("at")))\n'
    "rows.foreachRDD(show)\n"
    "rows.pprint()\n"
    'Length = namedtuple("Length", ["word", "n"])\n'
    "lines.map(lambda line: Length(line, len(line))).pprint()\n"
)


def test_rows_that_are_printed_are_a_table(spark_context: SparkContext, spark: SparkSession) -> None:
    batches = [("a", "bb"), (), ("x" * 128, "y")]
    (was,) = before([NAMED], batches, spark_context)
    new = run(socket_program(NAMED)).files[0].new
    assert new is not None and ".rdd" not in new and new.count(".show(10, truncate=False)") == 2
    came = after(NAMED, batches, spark)
    assert [as_printed(one, two) for one, two in zip(was.batches, came.batches, strict=True)] == came.batches


INTS = (ByteType(), ShortType(), IntegerType(), LongType())
LIMITS = (2**7, 2**15, 2**31)


@settings(max_examples=8, deadline=None)
@given(st.integers(-(2**63), 2**63 - 1) | st.sampled_from([x + y for x in LIMITS for y in (-1, 0)]))
def test_an_int_beyond_its_type_fails_in_both(spark: SparkSession, value: int) -> None:
    spark.conf.set("spark.sql.ansi.enabled", "true")  # new code sets it, or a note says what comes
    try:
        for kind in INTS:
            schema = StructType([StructField("n", kind)])
            column = F.lit(value).cast("bigint").cast(TYPES[type(kind).__name__].sql).alias("n")
            was = _rows(partial(spark.createDataFrame, [(value,)], schema))
            assert _rows(partial(spark.range(1).select, column)) == was
    finally:
        spark.conf.unset("spark.sql.ansi.enabled")


@settings(max_examples=8, deadline=None)
@given(st.floats())
def test_a_float_of_32_bits_is_the_same(spark: SparkSession, value: float) -> None:
    for kind in (FloatType(), DoubleType()):
        (was,) = spark.createDataFrame([(value,)], StructType([StructField("x", kind)])).collect()
        cast = F.lit(value).cast("double").cast(TYPES[type(kind).__name__].sql)
        (came,) = spark.range(1).select(cast.alias("x")).collect()
        assert repr(was) == repr(came)


def _rows(made: Callable[[], DataFrame]) -> list[Row] | None:
    try:
        return made().collect()
    except Exception:
        return None
