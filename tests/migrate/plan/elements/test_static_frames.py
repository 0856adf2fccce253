"""RDDs of the program's own that a batch is joined with become DataFrames, if nothing else reads them."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, run

PROGRAM = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="joins")
ssc = StreamingContext(sc, 1)
{static}
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line.split(" ")[0], line))
pairs.transform(lambda rdd: {made}).pprint()
{below}
ssc.start()
ssc.awaitTermination()
"""
NAMES = "names = sc.textFile(sys.argv[1]).map(lambda line: (line.split(',')[0], line.split(',')[1]))"


def new(static: str = NAMES, made: str = "rdd.join(names)", below: str = "") -> str:
    result = file(PROGRAM.format(static=static, made=made, below=below))
    assert result.status.value == "native", result.error
    return result.new


def test_a_file_is_read_as_a_dataframe() -> None:
    text = new(f"# names, and what they stand for: an RDD\n{NAMES}")
    assert (
        "# names, and what they stand for: a DataFrame\nnames = (\n    spark.read.text(sys.argv[1])\n" in text
    )
    assert 'F.split("value", ",")[1].alias("value")' in text
    assert 'pairs.join(names, "key").show(10, truncate=False)' in text
    assert "rdd" not in text and "sparkContext" not in text


@pytest.mark.parametrize(
    ("method", "join"),
    [
        ("join", '"key"'),
        ("leftOuterJoin", '"key", "left"'),
        ("subtractByKey", '"key", "left_anti"'),
    ],
)
def test_each_join_has_a_name_of_spark_s(method: str, join: str) -> None:
    text = new("names = sc.parallelize([('a', 1), ('b', 2)])", f"rdd.{method}(names)")
    assert "names = spark.createDataFrame([('a', 1), ('b', 2)], [\"key\", \"value\"])" in text
    assert f"pairs.join(names, {join}).show(" in text


def test_a_cached_one_has_its_names_given_where_it_is_joined() -> None:
    text = new("names = sc.textFile(sys.argv[1]).map(lambda line: (line.strip(), True)).cache()")
    assert 'F.lit(True).alias("value"))\n    .cache()\n' in text
    assert '.join(names.toDF("key", "value"), "key")' in text


def test_steps_in_variables_and_what_a_dataframe_does_as_well() -> None:
    static = (
        "raw = sc.textFile('names.txt')\n"
        "names = raw.map(lambda line: (line, len(line))).cache()\n"
        "print(names.count())"
    )
    text = new(static)
    assert "raw = spark.read.text('names.txt')\n" in text
    assert 'raw.select(F.col("value").alias("line"), F.length("value").alias("value")).cache()' in text
    assert "print(names.count())" in text
    assert 'pairs.join(names.toDF("key", "value"), "key")' in text, "another name where it is read twice"


def test_the_program_s_own_rdd_may_come_first() -> None:
    assert 'names.join(pairs, "key")' in new(made="names.join(rdd)")
    assert 'names.join(pairs, "key", "right")' in new(made="names.rightOuterJoin(rdd)")


@pytest.mark.parametrize(
    "made",
    [
        "rdd.rightOuterJoin(names)",
        "rdd.fullOuterJoin(names)",
        "names.leftOuterJoin(rdd)",
        "names.subtractByKey(rdd)",
    ],
)
def test_rows_without_input_need_a_batch_in_each_interval(made: str) -> None:
    result = file(PROGRAM.format(static=NAMES, made=made, below=""))
    assert "spark.read.text" not in result.new


@pytest.mark.parametrize(
    ("static", "made", "below"),
    [
        (NAMES, "rdd.join(names)", "print(names.collect())"),
        (NAMES.replace("sys.argv[1]", "'a.txt,b.txt'"), "rdd.join(names)", ""),
        ("names = sc.parallelize([('a', 1), ('b', 'x')])", "rdd.join(names)", ""),
        ("names = sc.parallelize([(1, 'a')])", "rdd.join(names)", ""),
        ("names = sc.parallelize([('a', None)])", "rdd.join(names)", ""),
        ("names = sc.parallelize([('a', ('b', 1))])", "rdd.join(names)", ""),
        ("names = sc.parallelize([('a', 1)])\nnames = names.cache()", "rdd.join(names)", ""),
        ("names = sc.parallelize([('a', 1)])", "rdd.cogroup(names)", ""),
    ],
    ids=["read elsewhere", "two files", "types", "keys", "None alone", "tuples", "bound twice", "cogroup"],
)
def test_else_it_stays_an_rdd(static: str, made: str, below: str) -> None:
    result = file(PROGRAM.format(static=static, made=made, below=below))
    assert "createDataFrame" not in result.new and "spark.read.text" not in result.new
    assert "names" in result.new


TUPLES = "names = sc.textFile(sys.argv[1]).map(lambda line: tuple(line.split(',')))"


@pytest.mark.parametrize("made", ["names.join(rdd)", "rdd.join(names)", "rdd.leftOuterJoin(names)"])
def test_a_join_reads_two_items_of_a_tuple_that_a_list_becomes(made: str) -> None:
    text = new(TUPLES, made)
    assert 'F.split("value", ",")[0].alias("key"), F.split("value", ",")[1].alias("value")' in text
    assert "rdd" not in text


def test_a_function_of_the_program_that_is_called_tuple_is_not_taken_for_the_builtin() -> None:
    text = new(f"def tuple(parts):\n    return parts[1], parts[0]\n{TUPLES}", "names.join(rdd)")
    assert 'F.split("value", ",")[1].alias("key"), F.split("value", ",")[0].alias("value")' in text


def test_a_key_without_a_name_has_that_of_the_other_side() -> None:
    source = PROGRAM.format(static=TUPLES, made="names.join(rdd)", below="")
    counted = "lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))"
    text = file(source.replace('lines.map(lambda line: (line.split(" ")[0], line))', counted)).new
    assert 'F.split("value", ",")[0].alias("word"), F.split("value", ",")[1].alias("value")' in text


def test_floats_are_sorted_with_a_note_on_nan() -> None:
    made = "names.join(rdd).map(lambda p: (float(p[1][0]), p[0])).sortByKey(False)"
    source = PROGRAM.format(static=TUPLES, made=made, below="")
    assert '.orderBy(F.desc("value"))' in file(source).new
    (graph,) = run(source).graphs
    assert any("NaN" in note for note in graph.notes)


def test_the_context_of_a_shell_reads_it_too() -> None:
    program = PROGRAM.format(static=NAMES, made="rdd.join(names)", below="")
    shell = program.replace('sc = SparkContext(appName="joins")\n', "")
    assert "spark.read.text(sys.argv[1])" in file(shell).new
    other = file(shell.replace("ssc = ", "def other(sc):\n    return sc\nsc = other(1)\nssc = ")).new
    assert "spark.read.text" not in other
