"""Every example of a rule does the same before and after, batch by batch, on generated batches."""

from __future__ import annotations

import random

import pytest
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession

from migrate.model import Options
from migrate.rules import all_rules
from tests.migrate.programs import file, whole_program
from tests.migrate.rules.running import Batch, Record, after, after_program, as_printed, before

RUNNABLE = {
    f"{rule.id}-{number}": example.before
    for rule in all_rules()
    for number, example in enumerate(rule.examples)
    if "stays on compat" not in rule.summary
    and "ssc" not in example.before
    # its aggregation is a query's own, of which there is none here: tests/e2e runs it
    and rule.id != "update_state_by_key"
}
WORDS = (
    "a",
    "b",
    "ERROR",
    "FATAL",
    "ERROR FATAL",
    "x,y",
    "two  spaces",
    " edge ",
    "",
    "naïve 雪",
    "a b a",
    "7",
)


def _batches(seed: int, count: int) -> list[Batch]:
    """Batches of lines, the first and some others empty; each line is in the first that is not."""
    rng = random.Random(seed)
    every = tuple(rng.sample(WORDS, len(WORDS)))
    some = [tuple(rng.choices(WORDS, k=rng.randint(1, 12))) for _ in range(count - 1)]
    return [(), every, (), *some]


def _compare(spark_context: SparkContext, spark: SparkSession, batches: list[Batch]) -> None:
    was = before(list(RUNNABLE.values()), batches, spark_context)
    for (name, example), expected in zip(RUNNABLE.items(), was, strict=True):
        # a window counts slides from the first batch time, before which a query's first batch comes
        early: list[Batch] = [()] if "window" in name else []
        came = after(example, [*early, *batches], spark)
        assert any(expected.batches), f"{name} says nothing"
        for after_, was_ in zip(came.batches[len(early) :], expected.batches, strict=True):
            assert after_ == as_printed(was_, after_), name


def test_the_examples_run(spark_context: SparkContext, spark: SparkSession) -> None:
    _compare(spark_context, spark, _batches(1, 1)[:2])


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 12))
def test_the_examples_run_on_many_batches(
    spark_context: SparkContext, spark: SparkSession, seed: int
) -> None:
    _compare(spark_context, spark, _batches(seed, 4))


SAVED = (
    'lines.saveAsTextFiles("texts")\n'
    'lines.map(len).saveAsTextFiles("lengths", "txt")\n'
    'lines.count().saveAsTextFiles("counts")\n'
    "pairs = lines.map(lambda line: (line, len(line) - 2))\n"
    'pairs.saveAsTextFiles("pairs")\n'
    'pairs.reduceByKey(lambda a, b: a + b, 1).saveAsTextFiles("sums")\n'
    "nested = lines.map(lambda line: (line + \"'\", (len(line) / 3, line == 'a'), line + '\\n'))\n"
    'nested.saveAsTextFiles("nested")\n'
    'lines.map(lambda line: line.split(" ")).saveAsTextFiles("lists")\n'
    'lines.map(lambda line: (line.split(" "), None)).saveAsTextFiles("in tuples")\n'
    'lines.map(lambda line: (line,)).saveAsTextFiles("alone")\n'
    'lines.map(lambda line: len(line) > 1).saveAsTextFiles("booleans")\n'
    'lines.map(lambda line: len(line) / 3).saveAsTextFiles("floats")\n'
)
"""Elements of each shape that columns have."""


SAVED_BY_CALLBACKS = (
    "import time\n"
    "def save(rdd):\n"
    "    if not rdd.isEmpty():\n"
    '        rdd.map(lambda w: (w, len(w) / 3)).saveAsTextFile("pairs-%d" % time.time())\n'
    '        rdd.map(len).filter(lambda n: n > 1).saveAsTextFile("lengths-%d" % time.time())\n'
    "lines.foreachRDD(save)\n"
    'lines.foreachRDD(lambda rdd: rdd.coalesce(1).saveAsTextFile("texts-%d" % time.time()))'
)
"""The same, by the RDDs of callbacks."""


FRAMES = (
    "from pyspark.sql import Row\n"
    "def show(rdd):\n"
    "    if not rdd.isEmpty():\n"
    "        df = rdd.map(lambda w: Row(word=w.encode('utf-8'), n=len(w))).toDF()\n"
    "        print(sorted((bytes(row.word), row.n) for row in df.collect()), df.dtypes)\n"
    "lines.foreachRDD(show)"
)
"""DataFrames of Rows with bytes."""


COLLECTED = (
    "import json\n"
    "def show(rdd):\n"
    "    for d in rdd.collect():\n"
    "        print(d['text'], d['length'])\n"
    "lines.map(lambda w: {'text': w, 'length': len(w)}).foreachRDD(show)\n"
    "pairs = lines.map(lambda w: (w, len(w))).filter(lambda p: p[1] > 1)\n"
    "pairs.map(lambda p: [json.dumps(p)]).map(lambda t: {'pair': t})"
    ".foreachRDD(lambda rdd: print(rdd.isEmpty(), rdd.take(9)))\n"
    "lines.map(lambda w: {w: 1}).foreachRDD(lambda rdd: rdd.foreach(print))"
)
"""Elements without columns that callbacks bring to the driver."""


ONE_VALUE = (
    "def show(rdd):\n"
    "    lengths = rdd.map(lambda w: len(w))\n"
    "    if not rdd.isEmpty():\n"
    "        print(rdd.max(), rdd.min(), lengths.max(), lengths.reduce(lambda a, b: a + b))\n"
    "        print(rdd.map(lambda w: 1).reduce(lambda a, b: a + b), lengths.filter(lambda n: n > 90).sum())\n"
    "lines.foreachRDD(show)\n"
    "lines.map(lambda w: w[:1]).filter(len).foreachRDD(show)\n"
    "def show_one(rdd):\n"
    "    words = rdd.filter(len)\n"
    "    lengths = words.map(len)\n"
    "    words = words.count()\n"
    "    if words:\n"
    "        print(words, format(words, 'd'))\n"
    "    lengths = lengths.collect()\n"
    "    for n in sorted(lengths):\n"
    "        print(n, words)\n"
    "lines.foreachRDD(show_one)"
)
"""Actions that reduce an RDD to one value, which may get the name of the RDD."""


@pytest.mark.parametrize(
    ("program", "count", "outputs"),
    [
        pytest.param(SAVED, 2, 11, id="elements are saved as the texts that Python gives them"),
        pytest.param(SAVED_BY_CALLBACKS, 2, 3, id="callbacks save them"),
        pytest.param(FRAMES, 2, 1, id="a callback makes a DataFrame with bytes"),
        pytest.param(COLLECTED, 3, 25, id="callbacks collect what no column stands for"),
        pytest.param(ONE_VALUE, 4, 16, id="a callback reduces elements to one value"),
    ],
)
def test_what_an_output_makes_of_elements_is_the_same(
    program: str, count: int, outputs: int, spark_context: SparkContext, spark: SparkSession
) -> None:
    batches = _batches(3, count)
    (was,) = before([program], batches, spark_context)
    came = after(program, batches, spark)
    assert ".rdd" not in file(whole_program(program)).new
    assert len(was.batches[1]) == outputs
    assert came.batches == was.batches


IN_ORDER = (
    "def show(rdd):\n    n = rdd.count()\n    rdd = rdd.filter(len).collect()\n"
    "    for line in rdd:\n        print(n, len(line))\n"
    "lines.foreachRDD(show)\n"
    "pairs = lines.map(lambda w: (w[:1], w))\n"
    'pairs.reduceByKey(lambda a, b: a + "," + b).pprint()\n'
    "pairs.reduceByKey(lambda a, b: b).pprint()\n"
    "pairs.groupByKey().mapValues(list).pprint()\n"
    "pairs.transform(lambda rdd: rdd.reduceByKey(lambda a, b: a)).pprint()\n"
    "pairs.transform(lambda rdd: rdd.groupByKey().mapValues(list)).pprint()\n"
    "pairs.transform(lambda rdd: rdd.groupBy(len).mapValues(list)).pprint()\n"
    "lines.map(lambda w: [w]).reduce(lambda a, b: a + b).pprint()\n"
    'lines.foreachRDD(lambda rdd: print(rdd.isEmpty() or rdd.reduce(lambda a, b: a + "," + b)))'
)
"""Functions that are associative and not commutative."""


def _after_in_one_partition(program: str, batches: list[Batch], spark: SparkSession) -> Record:
    """What leaves a program after the rewrite, whose batches have one partition, as those of its socket."""

    def frame(batch: Batch) -> DataFrame:
        return spark.createDataFrame([(line,) for line in batch], "value string").coalesce(1)

    return after_program(whole_program(program), batches, spark, frame)


@pytest.mark.parametrize("seed", [4, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(5, 15))])
def test_elements_are_reduced_in_the_order_of_their_arrival(
    spark_context: SparkContext, spark: SparkSession, seed: int
) -> None:
    batches = _batches(seed, 4)
    (was,) = before([IN_ORDER], batches, spark_context)

    came = _after_in_one_partition(IN_ORDER, batches, spark)
    assert all(was.batches)
    assert came.batches == was.batches


def test_messages_are_reduced_partition_by_partition(
    spark_context: SparkContext, spark: SparkSession
) -> None:
    program = IN_ORDER.replace("(w[:1], w)", "(w[1][:1], w[1])").replace("[w])", "[w[1]])")
    program = program.replace("lines", "messages").replace("rdd.reduce(", "rdd.values().reduce(")
    batches = _batches(6, 4)
    (was,) = before([program], batches, spark_context)

    def of_two_partitions(batch: Batch) -> DataFrame:
        half = len(batch) // 2
        rows = [
            (None, word.encode(), "pages", place >= half, place % half if half else place)
            for place, word in enumerate(batch)
        ]
        columns = "key binary, value binary, topic string, partition boolean, offset long"
        return spark.createDataFrame(rows, columns)

    came = after_program(whole_program(program), batches, spark, of_two_partitions)
    assert all(was.batches[1:2])
    assert came.batches == was.batches


FLOAT_SUMS = (
    "pairs = lines.map(lambda w: (w[:1], len(w) / 7))\n"
    "pairs.reduceByKey(lambda a, b: a + b).pprint()\n"
    "sums = pairs.mapValues(lambda n: (n, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))\n"
    "sums.mapValues(lambda v: v[0] / v[1]).pprint()\n"
    "lines.map(lambda w: len(w) * 0.1).reduce(lambda a, b: a + b).pprint()"
)
"""Sums whose last digits show the order of what is added."""
TOTAL = (
    "\nimport json\n"
    "def total(rdd):\n"
    "    if not rdd.isEmpty():\n"
    "        print(rdd.map(lambda m: float(len(m[1])) / 7).reduce(lambda a, b: a + b))\n"
    "        print(rdd.map(lambda m: float(json.loads(str(len(m[1])))) / 3).reduce(lambda a, b: a + b))\n"
    "messages.foreachRDD(total)\n"
    "def mean(rdd):\n"
    "    n = rdd.count()\n"
    "    if n == 0:\n"
    "        return\n"
    "    whole = rdd.map(lambda m: float(json.loads(str(len(m[1])))) / 7).reduce(lambda a, b: a + b)\n"
    "    print(n, whole / n)\n"
    "messages.foreachRDD(mean)"
)
"""The same in a callback, which are summed on columns of Kafka's messages."""


CUTS = (
    "import json\npairs = lines.map(lambda w: (w[:1], json.loads(str(len(w))) / 7))\n"
    "pairs.reduceByKey(lambda a, b: a + b).pprint()\n"
    "pairs.reduceByKey(lambda a, b: (a - b) / 3).pprint()\n"
    "halves = pairs.reduceByKey(lambda a, b: (a - b) / 2).map(lambda p: (p[0] < 'b', p[1]))\n"
    "halves.reduceByKey(lambda a, b: (a - b) / 3).pprint()\n"
    "halves.foreachRDD(lambda rdd: print(rdd.isEmpty() or rdd.values().reduce(lambda a, b: (a - b) / 3)))\n"
    "halves.join(halves).map(lambda p: (p[0], p[1][0])).groupByKey().mapValues(list).pprint()\n"
    "pairs.combineByKey(lambda n: [n], lambda s, n: s + [n], lambda a, b: [a, b]).pprint()\n"
    "ends = pairs.transform(lambda rdd: rdd.aggregateByKey([], lambda s, n: s + [n], lambda a, b: [a, b]))\n"
    "ends.pprint()\n"
    "halves.foreachRDD(lambda rdd: print(rdd.foldByKey(1.0, lambda a, b: (a - b) / 3).collect()))\n"
    "texts = halves.transform(lambda rdd: rdd.combineByKey(str, lambda s, n: s + str(n), max))\n"
    "texts.pprint()\n"
    "lines.map(lambda w: len(w)).reduce(lambda a, b: a - b).pprint()\n"
    "pairs.foreachRDD(lambda rdd: print(rdd.isEmpty() or rdd.values().reduce(lambda a, b: (a - b) / 3)))\n"
    "pairs.foreachRDD(lambda rdd: print(rdd.isEmpty() or rdd.values().mean()))"
)
"""Results that show the order and where partitions are cut."""


WINDOWS_OF_CUTS = (
    "import json\npairs = lines.map(lambda w: (w[:1], json.loads(str(len(w))) / 7))\n"
    "halves = pairs.reduceByKey(lambda a, b: (a - b) / 2).map(lambda p: (p[0] < 'b', p[1]))\n"
    "halves.filter(lambda p: p[1] > 0.1).window(4, 2).reduceByKey(lambda a, b: (a - b) / 3).pprint()\n"
    "longer = pairs.window(4).reduceByKey(lambda a, b: (a - b) / 2).map(lambda p: (p[0] < 'b', p[1]))\n"
    "longer.reduceByKey(lambda a, b: (a - b) / 3).pprint()\n"
)
"""The same in windows, of what a shuffle dealt out, and in front of it."""


def test_windows_keep_the_cuts_of_their_batches(spark_context: SparkContext, spark: SparkSession) -> None:
    batches = _batches(4, 6)
    early: list[Batch] = [()]  # a query's first batch comes before the first batch time
    (was,) = before([WINDOWS_OF_CUTS], batches, spark_context, blocks=1)
    came = _after_in_one_partition(WINDOWS_OF_CUTS, early + batches, spark)
    assert came.batches[1:] == was.batches

    program = WINDOWS_OF_CUTS.replace("w[:1]", "w[1][:1]").replace("len(w)", "len(w[1])")
    program = program.replace("lines", "messages")
    (was,) = before([program], batches, spark_context)
    assert after(program, early + batches, spark).batches[1:] == was.batches


def test_all_lines_are_reduced_as_in_one_block(spark_context: SparkContext, spark: SparkSession) -> None:
    batches = _batches(4, 2)
    (was,) = before([CUTS], batches, spark_context, blocks=1)
    came = _after_in_one_partition(CUTS, batches, spark)
    assert came.batches == was.batches
    (cut,) = before([CUTS], batches, spark_context, blocks=2)
    assert cut.batches != was.batches


def test_any_values_are_reduced_in_kafkas_partitions(
    spark_context: SparkContext, spark: SparkSession
) -> None:
    program = CUTS.replace("w[:1]", "w[1][:1]").replace("len(w)", "len(w[1])").replace("lines", "messages")
    batches = _batches(6, 2)
    (was,) = before([program], batches, spark_context)
    assert "orderBy" not in file(whole_program(program)).new
    assert after(program, batches, spark).batches == was.batches


@pytest.mark.parametrize("seed", [4, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(5, 15))])
def test_floats_are_summed_in_the_order_of_their_arrival(
    spark_context: SparkContext, spark: SparkSession, seed: int
) -> None:
    batches = [*_batches(seed, 4), tuple(word * 3 for word in WORDS * 20)]
    (was,) = before([FLOAT_SUMS], batches, spark_context, blocks=1)

    came = _after_in_one_partition(FLOAT_SUMS, batches, spark)
    assert ".rdd" not in file(whole_program(FLOAT_SUMS)).new
    assert came.batches == was.batches


@pytest.mark.parametrize("seed", [6, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(7, 15))])
def test_floats_are_summed_in_kafkas_partitions(
    spark_context: SparkContext, spark: SparkSession, seed: int
) -> None:
    program = FLOAT_SUMS.replace("w[:1]", "w[1][:1]").replace("len(w)", "len(w[1])") + TOTAL
    program = program.replace("lines", "messages")
    batches = [*_batches(seed, 4), tuple(word * 3 for word in WORDS * 20)]
    (was,) = before([program], batches, spark_context)
    came = after(program, batches, spark)
    assert ".rdd" not in file(whole_program(program)).new
    assert came.batches == was.batches


UNPROVEN = (
    "pairs = lines.map(lambda w: (w[:1], w))\n"
    "pairs.reduceByKey(lambda a, b: max(a, b, key=lambda w: (len(w), w))).pprint()\n"
    "pairs.groupByKey().mapValues(sorted).pprint()\n"
    "lines.map(lambda w: {w}).reduce(lambda a, b: a | b).map(sorted).pprint()\n"
    "lines.foreachRDD(lambda rdd: print(rdd.isEmpty() or sorted(rdd.map(lambda w: {w}).reduce(set.union))))"
)
"""Functions that are commutative and associative, which nobody proves."""


def test_what_the_user_takes_for_commutative_is_the_same_where_it_is(
    spark_context: SparkContext, spark: SparkSession
) -> None:
    batches = _batches(3, 3)
    (was,) = before([UNPROVEN], batches, spark_context)
    came = after_program(whole_program(UNPROVEN), batches, spark, options=Options(unsafe=True))
    assert all(was.batches)
    assert came.batches == was.batches
