"""States that the batch function keeps: batch by batch as updateStateByKey's, on generated batches."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession

from tests.migrate.programs import file, whole_program
from tests.migrate.rules.running import Batch, after_program, before, messages
from tests.migrate.rules.test_running import WORDS, _batches

TOTAL = "updateStateByKey(lambda new, last: sum(new) + (last or 0))"
STATES = {
    "beside another output": (
        "counts = lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)\n"
        f"counts.pprint()\ncounts.{TOTAL}.pprint()"
    ),
    "several": (
        f"lines.map(lambda w: (w, len(w))).{TOTAL}.pprint()\n"
        "firsts = lines.map(lambda w: ((len(w), w[:1]), w))\n"
        "counts = firsts.updateStateByKey(lambda new, last: len(new) + (last or 0))\n"
        "counts.filter(lambda pair: pair[1] > 1).pprint()\n"
        "counts.foreachRDD(lambda rdd: print(sorted(rdd.collect())))"
    ),
    "an initial state": (
        'initial = sc.parallelize([("a", 5), ("none", 7)])\n'
        "lines.pprint()\n"
        "lines.map(lambda w: (w, 1)).updateStateByKey("
        "lambda new, last: sum(new) + (last or 0), initialRDD=initial).pprint()"
    ),
    "of what was made of each batch": (
        f"lines.map(lambda w: (w[:1], len(w))).reduceByKey(max).{TOTAL}.pprint()\n"
        f"lines.countByValue().{TOTAL}.pprint()\n"
        f"lines.transform(lambda rdd: rdd.distinct()).map(lambda w: (w, 1)).{TOTAL}.pprint()\n"
        f"lines.map(len).reduce(lambda a, b: a + b).map(lambda n: (1, n)).{TOTAL}.pprint()"
    ),
    "of values of which nothing is known": (
        "records = lines.map(lambda w: {'key': w[:1], 'value': len(w) / 3})\n"
        "pairs = records.map(lambda r: (r['key'], r['value']))\n"
        f"pairs.{TOTAL}.pprint()\n"
        "def count(new, last):\n    return len(new) if last is None else last + len(new)\n"
        "counts = pairs.updateStateByKey(count)\n"
        "counts.foreachRDD(lambda rdd: print(sorted(rdd.collect())))"
    ),
    "an initial state of which nothing is known": (
        'initial = sc.parallelize([("a", 0.5), ("none", 7)])\n'
        "lines.map(lambda w: {'key': w[:1], 'value': len(w) / 3}).map(lambda r: (r['key'], r['value']))"
        ".updateStateByKey(lambda new, last: sum(new) + (last or 0), initialRDD=initial).pprint()"
    ),
    "sums of the items of tuples": (
        "lines.pprint()\n"
        "def update(new, last):\n"
        "    lengths = [field[0] for field in new]\n    counts = [field[1] for field in new]\n"
        "    length, count = last or (0, 0)\n    return sum(lengths, length), sum(counts, count)\n"
        "pairs = lines.map(lambda w: (w[:1], (len(w) - 3, 1)))\n"
        "sums = pairs.updateStateByKey(update)\n"
        "sums.pprint()\nsums.mapValues(lambda s: s[0] / s[1]).pprint()"
    ),
    "a sum and a count of the same values": (
        "lines.pprint()\n"
        "def update(new, last):\n    total, count = last or (0, 0)\n"
        "    for value in new:\n        total += value\n        count += 1\n    return total, count\n"
        "lines.map(lambda w: (w[:1], 3 - len(w))).updateStateByKey(update).pprint()"
    ),
    "an initial state of tuples": (
        'initial = sc.parallelize([("a", (-5, 0)), ("none", (7, 1))])\n'
        "lines.pprint()\n"
        "def update(new, last):\n    total, count = last if last else (0, 0)\n"
        "    return total + sum(v[0] for v in new), count + sum(v[1] for v in new)\n"
        "lines.map(lambda w: (w[:1], (len(w), 1))).updateStateByKey(update, initialRDD=initial).pprint()"
    ),
    "sums of floats": (
        "lines.map(lambda w: (w[:1], ((len(w) - 3) / 4, 1)))"
        ".reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
        ".updateStateByKey(lambda new, last: (sum(v[0] for v in new) + (last or (0, 0))[0],"
        " sum(v[1] for v in new) + (last or (0, 0))[1]))"
        ".mapValues(lambda s: (s[0] / s[1], s[0], s[1])).pprint()"
    ),
    "of a queue": f"numbers.map(lambda n: (n % 2, n)).{TOTAL}.pprint()",
}


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 8))])
@pytest.mark.parametrize("body", STATES.values(), ids=STATES)
def test_states_are_those_of_updatestatebykey(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path, body: str, seed: int
) -> None:
    example = f"sc.setCheckpointDir({str(tmp_path)!r})\n{body}"
    batches = _batches(seed, 4)
    (was,) = before([example], batches, spark_context)
    came = after_program(whole_program(example), batches, spark)
    assert any(was.batches)
    assert came.batches == was.batches


ONE_BY_ONE = (
    "def update(new, last):\n    delay, flights = 0.0, 0\n"
    "    for value in new:\n        delay += value[0]\n        flights += value[1]\n"
    "    return (delay + (last[0] if last is not None else 0.0), flights + (last[1] if last else 0))\n"
    "lines.map(lambda w: (w[:1], (len(w) / 7, 1))).updateStateByKey(update).pprint()\nlines.pprint()"
)


def test_floats_of_a_state_are_added_in_the_order_of_their_arrival(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path
) -> None:
    example = f"sc.setCheckpointDir({str(tmp_path)!r})\n{ONE_BY_ONE}"
    batches = [*_batches(3, 3), tuple(word * 3 for word in WORDS * 20)]
    (was,) = before([example], batches, spark_context, blocks=1)

    def frame(batch: Batch) -> DataFrame:
        return spark.createDataFrame([(line,) for line in batch], "value string").coalesce(1)

    came = after_program(whole_program(example), batches, spark, frame)
    assert "F.sum(" in str(file(whole_program(example)).new)
    assert came.batches == was.batches


AVERAGES = (
    "initial = sc.parallelize([('a', (0.1, 1)), ('never', (-7.5, 2))])\n"
    "def update(new, last):\n"
    "    total, count = last or (0, 0)\n"
    "    return sum([v[0] for v in new], total), sum([v[1] for v in new], count)\n"
    "messages.map(lambda m: (m[1].split(',')[0], float(m[1].split(',')[1]))).mapValues(lambda x: (x, 1))"
    ".reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])).updateStateByKey(update, initialRDD=initial)"
    ".mapValues(lambda x: (x[0] / x[1], x[0], x[1])).pprint()"
)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 8))])
def test_sums_of_floats_are_exactly_those_of_the_same_partitions(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path, seed: int
) -> None:
    """Two partitions, as the sums of more are added in the order in which a shuffle finds them."""
    rng = random.Random(seed)
    numbers = (0.1, 0.7, 1e16, -1e16, 3.3e-9, -2.0, 1e-300, -0.0, 1 / 3)
    batches: list[list[str]] = [
        [f"{key},{rng.choice(numbers) * rng.randint(1, 9)}" for key in rng.choices(keys, k=40 if keys else 0)]
        for keys in ("ab", "", "bc", "c", "")
    ]
    (was,) = before([f"sc.setCheckpointDir({str(tmp_path)!r})\n{AVERAGES}"], batches, spark_context)

    def framed(batch: Batch) -> DataFrame:
        rows = [(key, value, "pages", 0, place) for place, (key, value) in enumerate(messages(batch))]
        columns = "key binary, value binary, topic string, partition int, offset long"
        return spark.createDataFrame(spark_context.parallelize(rows, 2), columns)

    source = whole_program(AVERAGES)
    assert "updated(" not in str(file(source).new)
    came = after_program(source, batches, spark, framed)
    assert all(was.batches)
    assert came.batches == was.batches
