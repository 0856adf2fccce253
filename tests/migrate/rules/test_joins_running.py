"""Joins of batches with the program's own RDDs, and with each other, give what joins of RDDs give."""

from __future__ import annotations

import random
from pathlib import Path

from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.rules.running import after, before

KEYS = ("a", "b", "é", "", "key", "A")
LINES = [f"{key} {number}" for key in KEYS for number in (1, 2)] + ["no-number", " 3"]
LISTS = (
    'names = sc.parallelize([("a", 1), ("a", 2), ("é", 3), ("x", 4), ("", 5)])\n'
    'flags = sc.parallelize([("a", True), ("b", False), ("key", None)])\n'
    'pairs = lines.map(lambda line: (line.split(" ")[0], line))\n'
    "pairs.transform(lambda rdd: rdd.join(names)).pprint()\n"
    "pairs.transform(lambda rdd: rdd.leftOuterJoin(names)).map(lambda x: x[1][0]).pprint()\n"
    "pairs.transform(lambda rdd: names.join(rdd)).pprint()\n"
    "pairs.transform(lambda rdd: names.rightOuterJoin(rdd)).pprint()\n"
    "pairs.transform(lambda rdd: rdd.subtractByKey(names)).pprint()\n"
    "pairs.transform(lambda rdd: rdd.leftOuterJoin(flags).filter(lambda x: x[1][1] is not True)).pprint()\n"
    "pairs.transform(lambda rdd: rdd.leftOuterJoin(flags).filter(lambda x: x[1][1] is False)).pprint()\n"
    "pairs.transform(lambda rdd: rdd.leftOuterJoin(flags).filter(lambda x: x[1][1] != True)).pprint()\n"
)
STREAMS = (
    "lengths = lines.map(lambda line: (line[:1], len(line)))\n"
    "wholes = lines.map(lambda line: (line[:1], line))\n"
    "lengths.join(wholes).pprint()\n"
    "lengths.reduceByKey(lambda a, b: a + b).leftOuterJoin(wholes.filter(lambda x: len(x[1]) > 3)).pprint()\n"
    "lengths.filter(lambda x: x[1] > 3).rightOuterJoin(wholes).pprint()\n"
    "lengths.filter(lambda x: x[1] > 3).fullOuterJoin(wholes.filter(lambda x: x[1] < 'b')).pprint()\n"
    "lengths.join(wholes).mapValues(lambda both: both[1] + '!').pprint()\n"
)


def batches(seed: int) -> list[tuple[str, ...]]:
    rng = random.Random(seed)
    return [(), tuple(rng.choices(LINES, k=9))]


def test_joins_with_lists(spark_context: SparkContext, spark: SparkSession) -> None:
    (was,) = before([LISTS], batches(1), spark_context)
    came = after(LISTS, batches(1), spark)
    assert len(was.batches[1]) > 5
    assert came.batches == was.batches


def test_joins_with_files(spark_context: SparkContext, spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("a,one\nb,two,more\n\né,drei\r\na,uno", encoding="utf-8")
    program = (
        f"full = sc.textFile({str(tmp_path)!r}).filter(lambda row: ',' in row)\n"
        "rows = full.map(lambda row: row.split(','))\n"
        "names = rows.map(lambda row: (row[0], row[1])).cache()\n"
        'pairs = lines.map(lambda line: (line.split(" ")[0], line))\n'
        "pairs.transform(lambda rdd: rdd.join(names)).pprint()\n"
        "pairs.transform(lambda rdd: rdd.leftOuterJoin(names).filter(lambda x: x[1][1] is None)).pprint()\n"
    )
    (was,) = before([program], batches(2), spark_context)
    came = after(program, batches(2), spark)
    assert any(len(batch) == 2 for batch in was.batches)
    assert came.batches == was.batches


def test_joins_of_streams(spark_context: SparkContext, spark: SparkSession) -> None:
    (was,) = before([STREAMS], batches(3), spark_context)
    came = after(STREAMS, batches(3), spark)
    assert len(was.batches[1]) > 3
    assert came.batches == was.batches


def test_joins_behind_typed_functions(spark_context: SparkContext, spark: SparkSession) -> None:
    program = (
        'names = sc.parallelize([("A", 1), ("B", 2), ("É", 3), ("X", 4), ("", 5)])\n'
        "def parsed(line):\n"
        '    key, number = line.split(" ")\n'
        "    return key.title(), number.zfill(3)\n"
        "def valued(line):\n"
        '    return line.split(" ")[0].title(), int(line.split(" ")[1].zfill(2))\n'
        'hits = lines.filter(lambda line: line.istitle() or line != "no-number")\n'
        "pairs = hits.map(parsed)\n"
        "values = hits.map(valued).filter(lambda x: x[1] > 1)\n"
        "pairs.transform(lambda rdd: rdd.join(names)).pprint()\n"
        "pairs.transform(lambda rdd: rdd.leftOuterJoin(names)).map(lambda x: (x[0], x[1][0])).pprint()\n"
        "values.transform(lambda rdd: names.rightOuterJoin(rdd)).pprint()\n"
        "values.transform(lambda rdd: rdd.subtractByKey(names)).pprint()\n"
        "pairs.join(values).pprint()\n"
        "pairs.leftOuterJoin(values).mapValues(lambda both: both[0].title()).pprint()\n"
    )
    (was,) = before([program], batches(22), spark_context)
    came = after(program, batches(22), spark)
    assert len(was.batches[1]) > 5
    assert came.batches == was.batches
