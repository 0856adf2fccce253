"""Tuples of lists whose places alone are read are arrays, as lists are."""

from __future__ import annotations

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import after_program, before

FIELDS = "fields = lines.map(lambda line: tuple(line.split(' ')))\n"
COUNTED = ".map(lambda t: (t[0], len(t[0]))).reduceByKey(lambda a, b: a + b).pprint()"
PROGRAMS = [
    FIELDS + "fields" + COUNTED,
    FIELDS + "fields.filter(lambda t: t[0] != 'a')" + COUNTED,
    "lines.map(lambda line: tuple(len(word) for word in line.split(' '))).map(lambda t: t[0] + 1).pprint()",
]


@pytest.mark.parametrize("body", PROGRAMS)
def test_they_give_the_same(body: str, spark_context: SparkContext, spark: SparkSession) -> None:
    source, batches = socket_program(body), [("b a", "a", "b"), (), ("", " a"), ("日 é", "a b c")]
    assert ".rdd" not in file(source).new and "_udf" not in file(source).new
    (was,) = before([body], batches, spark_context)
    assert after_program(source, batches, spark).batches == was.batches


@pytest.mark.parametrize(
    "body",
    [
        FIELDS + "fields.map(lambda t: (t, 1)).reduceByKey(lambda a, b: a + b).pprint()",
        FIELDS + "fields.countByValue().pprint()",
        FIELDS + "fields.map(lambda t: str(t)).pprint()",
        FIELDS + "fields.map(lambda t: t[-1]).pprint()",
        FIELDS + "fields.foreachRDD(lambda rdd: rdd.foreach(send))",
        "def tuple(words):\n    return words[1:]\n" + FIELDS + "fields" + COUNTED,
    ],
    ids=["a key", "counted", "its text", "from the end", "handed on", "another function"],
)
def test_other_readers_get_tuples(body: str) -> None:
    assert 'F.split("value", " ").alias("' not in file(socket_program(body)).new
