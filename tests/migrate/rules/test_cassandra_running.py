"""What is written to Cassandra: dicts by the library before, rows by the connector after, in each batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.readwriter import DataFrameWriter

from migrate.codemod import cassandra
from migrate.plan.callbacks import cassandra_rows
from tests.migrate.programs import whole_program
from tests.migrate.rules.running import after_program, before

LINES = ["a b a", "", "naïve 雪", "x,y", "7", "FATAL"]
BATCHES = [LINES, [], ["a"], ["b b", "a"]]
HEAD = "import pyspark_cassandra\nfrom pyspark_cassandra import Row, streaming\n"
COUNTS = "counts = lines.flatMap(lambda l: l.split()).map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)\n"
SAVED = {
    "a dict": COUNTS + 'counts.map(lambda x: {"word": x[0], "n": x[1]}).saveToCassandra("k", "t")',
    "a dict of a function": (
        COUNTS
        + "def row(pair):\n    word, n = pair\n    return {'word': word, 'twice': n * 2, 'many': n > 1}\n"
        + 'counts.map(row).saveToCassandra(table="t", keyspace="k")'
    ),
    "a row": COUNTS + 'counts.map(lambda x: Row(word=x[0], n=x[1])).saveToCassandra("k", "t")',
    "floats, truths and None": (
        'lines.map(lambda l: {"line": l, "half": len(l) / 2, "empty": l == "", '
        '"first": None if l == "" else l[0]}).saveToCassandra("k", "t")'
    ),
    "typed Python functions": (
        'lines.map(lambda l: {"title": l.title(), "n": len(l)}).saveToCassandra("k", "t")'
    ),
    "tuples with columns": (
        'lines.map(lambda l: (l, len(l))).saveToCassandra("k", "t", columns=["line", "length"])'
    ),
    "columns in another order": (
        'lines.map(lambda l: {"n": len(l), "line": l}).saveToCassandra("k", "t", columns=("line", "n"))'
    ),
    "options": (
        'TTL = 60\nlines.map(lambda l: {"line": l}).saveToCassandra("k", "t", ttl=TTL, parallelism_level=2)'
    ),
    "a count of no lines": 'lines.count().map(lambda n: {"id": "all", "n": n}).saveToCassandra("k", "t")',
}


@pytest.mark.parametrize("body", SAVED.values(), ids=SAVED)
def test_the_same_is_written_in_each_batch(
    body: str, spark_context: SparkContext, spark: SparkSession
) -> None:
    (expected,) = before([HEAD + body], BATCHES, spark_context)
    came = after_program(whole_program(HEAD + body), BATCHES, spark)
    assert any(expected.batches)
    assert came.batches == expected.batches


@pytest.mark.parametrize(
    ("made", "before_", "after_"),
    [
        (COUNTS, "", '.map(lambda x: {"word": x[0], "n": x[1]})'),
        (COUNTS, '.map(lambda x: {"word": x[0], "n": x[1]})', ""),
        (
            "counts = lines\n",
            "",
            '.filter(lambda l: "a" in l).map(lambda l: {"line": l, "n": len(l)})',
        ),
    ],
)
def test_a_callback_saves_what_the_stream_would(
    made: str, before_: str, after_: str, spark_context: SparkContext, spark: SparkSession
) -> None:
    """The method of an RDD and that of a stream are the same, which the library adds to both."""
    of_stream = f'{HEAD}{made}counts{before_}{after_}.saveToCassandra("k", "t", ttl=5)'
    of_rdd = (
        f'{HEAD}{made}counts{before_}.foreachRDD(lambda rdd: rdd{after_}.saveToCassandra("k", "t", ttl=5))'
    )
    (expected,) = before([of_stream], BATCHES, spark_context)
    came = after_program(whole_program(of_rdd), BATCHES, spark)
    assert any(expected.batches)
    assert came.batches == expected.batches


Writes = Callable[[Any], None]


@pytest.fixture(params=["native", "compat"])
def written(
    request: pytest.FixtureRequest, spark: SparkSession
) -> Iterator[tuple[Writes, list[dict[str, Any]]]]:
    """The function that new code has for dicts of unknown types, and the rows that it has written."""
    names: dict[str, Any] = {"SparkSession": SparkSession}
    is_native = request.param == "native"
    exec((cassandra_rows if is_native else cassandra).source_of(settings=""), names)
    rows: list[dict[str, Any]] = []

    def write(rdd: Any) -> None:
        if is_native:
            names["save_dicts"](rdd, "k", "t")
        else:
            names["to_cassandra"]("k", "t")(rdd)

    def save(writer: Any) -> None:
        rows.extend(row.asDict(recursive=True) for row in writer._df.collect())

    with patch.object(DataFrameWriter, "save", save):
        yield write, rows


DICTS: list[dict[str, Any]] = [
    {"n": 1, "half": 0.5, "word": "é", "is": True, "tags": ["a"], "by": {"x": 1}, "none": None},
    {"n": None, "half": -0.0, "word": "", "is": False, "tags": [], "by": {}, "none": "a"},
]


def test_a_function_writes_dicts_as_they_are(written: Any, spark_context: SparkContext) -> None:
    write, rows = written
    write(spark_context.parallelize([], 2))
    assert rows == []
    write(spark_context.parallelize(DICTS, 2))
    assert repr(rows) == repr([dict(sorted(one.items())) for one in DICTS])


@pytest.mark.parametrize("values", [[1, 0.5], [1] * 200 + [0.5], [None]])
def test_it_fails_rather_than_write_another_value(
    values: list[Any], written: Any, spark_context: SparkContext
) -> None:
    write, rows = written
    with pytest.raises(Exception, match=r".+"):
        write(spark_context.parallelize([{"n": value} for value in values], 2))
    assert rows == []
