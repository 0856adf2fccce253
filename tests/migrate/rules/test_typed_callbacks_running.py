"""Typed functions in a callback give each batch what RDDs gave."""

from __future__ import annotations

from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import after_program, before

PROGRAM = """\
from pyspark.sql import Row, SparkSession

def words(line):
    try:
        return [word for word in line.split(",") if word.isalpha()]
    except ValueError:
        return ["none"]

def has_digit(line):
    for c in line:
        if c in "0123456789":
            return True
    return False

def digits(line):
    total = 0.0
    for c in line:
        if has_digit(c):
            total = total * 10 + float(c)
    return total

def show(rdd):
    counts = rdd.flatMap(words).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    print(sorted(counts.collect()))
    found = rdd.filter(has_digit).map(digits)
    print(found.count(), sorted(found.collect()))

def show_lengths(rdd):
    if not rdd.isEmpty():
        pairs = rdd.map(lambda line: {"line": line, "n": len(line)})
        lengths = pairs.filter(lambda p: p["n"] != 1).map(lambda p: (p["line"].title(), -2.5 * p["n"]))
        frame = SparkSession.builder.getOrCreate().createDataFrame(lengths, ["line", "n"])
        print(frame.dtypes, sorted(frame.collect()))
        print(sorted(pairs.flatMap(lambda p: p["line"].split(",")).distinct().collect()))

def parsed(line):
    words = line.split(",")
    row = Row(first=words[0].title(), n=-float(len(words)), last=words[1] if len(words) > 1 else None)
    return row

def show_rows(rdd):
    if rdd.count() > 1:
        frame = SparkSession.builder.getOrCreate().createDataFrame(rdd)
        print(frame.dtypes, sorted(frame.collect(), key=str))

lines.foreachRDD(show)
lines.map(parsed).foreachRDD(show_rows)
lines.filter(lambda line: line != "").foreachRDD(show_lengths)
"""
BATCHES = [("a,b,a", "12,x", "no 7"), (), ("",), ("naïve,b", "1" * 25)]


def test_typed_functions_in_a_callback_do_the_same(spark_context: SparkContext, spark: SparkSession) -> None:
    new = file(socket_program(PROGRAM)).new
    assert "F.udf" in new and ".rdd" not in new
    (was,) = before([PROGRAM], BATCHES, spark_context)
    assert "('b', 1)" in str(was.batches[0])
    assert after_program(socket_program(PROGRAM), BATCHES, spark).batches == was.batches
