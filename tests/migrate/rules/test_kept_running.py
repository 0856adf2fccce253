"""States that the batch function keeps: batch by batch as updateStateByKey's, on generated batches."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import whole_program
from tests.migrate.rules.running import after_program, before
from tests.migrate.rules.test_running import _batches

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
