"""Values of a key are put into a list in the order in which they came, as RDDs did."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import SparkContext
from pyspark.sql import SparkSession

from migrate.model import Options
from tests.migrate.programs import file, socket_program
from tests.migrate.rules.running import after_program, before

WORDS = "words = lines.flatMap(lambda l: l.split(' '))\n"
PAIRS = WORDS + "pairs = words.map(lambda w: (len(w), w))\n"
PROGRAMS = [
    WORDS + "words.map(lambda w: (len(w), [w])).reduceByKey(lambda a, b: a + b).pprint()",
    WORDS + "words.map(lambda w: (w[:1], [len(w)])).reduceByKey(lambda a, b: a + b).pprint()",
    WORDS + "words.map(lambda w: (w[:1], [len(w), 7])).reduceByKey(lambda a, b: a + b).pprint()",
    "lines.map(lambda l: (len(l), l.split(' '))).reduceByKey(lambda a, b: a + b).pprint()",
    PAIRS + "pairs.mapValues(lambda w: [w]).reduceByKey(lambda a, b: a + b).pprint()",
    PAIRS + "pairs.groupByKey().mapValues(list).pprint()",
    PAIRS + "pairs.groupByKey().map(lambda pair: (pair[0], list(pair[1]))).pprint()",
    PAIRS + "pairs.groupByKey().mapValues(list).mapValues(lambda ws: ','.join(ws)).pprint()",
    PAIRS + "pairs.groupByKey().mapValues(list).filter(lambda p: len(p[1]) > 1).pprint()",
    PAIRS + "pairs.groupByKey().mapValues(lambda ws: sorted(ws)[0] + str(len(set(ws)))).pprint()",
    PAIRS + "pairs.groupByKey().mapValues(lambda ws: [w.upper() for w in ws]).pprint()",
    PAIRS
    + "pairs.mapValues(lambda w: len(w) / 7).groupByKey().mapValues(lambda v: sum(v) / len(v)).pprint()",
    WORDS + "words.map(lambda w: (w, 1)).groupByKey().mapValues(list).pprint()",
    WORDS + "words.map(lambda w: (w[:1], ['x'])).reduceByKey(lambda a, b: a + b).pprint()",
    PAIRS + "pairs.groupByKey().mapValues(lambda ws: len(set(ws))).pprint()",
    PAIRS + "pairs.groupByKey().mapValues(lambda ws: sorted(ws)).pprint()",
    PAIRS + "pairs.groupByKey().mapValues(list).foreachRDD(lambda rdd: print(sorted(rdd.collect())))",
]
LINES = st.lists(st.text(st.sampled_from("ab c'\\é日"), max_size=12), max_size=6).map(tuple)


def _same(
    body: str, batches: list[tuple[str, ...]], spark_context: SparkContext, spark: SparkSession
) -> None:
    source = socket_program(body)
    assert "collect_list" in file(source).new and ".rdd" not in file(source).new
    (was,) = before([body], batches, spark_context)
    assert after_program(source, batches, spark).batches == was.batches


@pytest.mark.parametrize("body", PROGRAMS)
def test_values_are_listed_as_before(body: str, spark_context: SparkContext, spark: SparkSession) -> None:
    batches = [("b a cc", "d", "ee a"), (), ("", " "), ("z y x", "w v", "u t", "日 é")]
    _same(body, batches, spark_context, spark)


@settings(max_examples=4)
@given(batches=st.lists(LINES, min_size=1, max_size=3), body=st.sampled_from(PROGRAMS))
def test_so_are_any_texts(
    batches: list[tuple[str, ...]], body: str, spark_context: SparkContext, spark: SparkSession
) -> None:
    _same(body, batches, spark_context, spark)


@pytest.mark.parametrize(
    "reduced",
    [
        "words.map(lambda w: (len(w), [w])).reduceByKey(lambda a, b: b + a)",
        "words.map(lambda w: (len(w), [w])).reduceByKey(lambda a, b: a + [1] + b)",
        "words.map(lambda w: (len(w), [w])).reduceByKey(lambda a, b: a)",
        "words.map(lambda w: (len(w), {w: 1})).reduceByKey(lambda a, b: a + b)",
        "words.map(lambda w: ([w], [w])).reduceByKey(lambda a, b: a + b)",
        "words.map(lambda w: (len(w), (w, [w]))).groupByKey().mapValues(list)",
        "words.map(lambda w: (len(w), w)).groupByKey().mapValues(set)",
        "words.map(lambda w: (len(w), w)).groupByKey()",
        "words.map(lambda w: (len(w), w)).groupByKey().mapValues(lambda ws: ws.data[0])",
        "words.map(lambda w: (len(w), w)).groupByKey().mapValues(lambda ws: unknown(list(ws)))",
        "words.map(lambda w: (len(w), [w])).reduceByKey(lambda a, b: a + b).mapValues(unknown)",
    ],
)
def test_other_values_stay_python(reduced: str) -> None:
    assert "collect_list" not in file(socket_program(WORDS + f"{reduced}.pprint()")).new


def test_files_have_no_order() -> None:
    text = socket_program(PAIRS + "pairs.groupByKey().mapValues(list).pprint()")
    text = text.replace('ssc.socketTextStream("localhost", 9999)', 'ssc.textFileStream("d")')
    assert "collect_list" not in file(text, Options()).new
