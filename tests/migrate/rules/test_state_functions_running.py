"""State functions that are no sums: called as updateStateByKey calls them, for all keys in every batch."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import whole_program
from tests.migrate.rules.running import after_program, before
from tests.migrate.rules.test_running import _batches

LENGTHS = "lines.map(lambda w: (w[:1], len(w)))"
FUNCTIONS = {
    "the last value": "lambda new, last: new[-1] if new else last",
    "the largest so far": "lambda new, last: max(new + ([] if last is None else [last]))",
    "distinct values": "lambda new, last: (last or set()) | set(new)",
    "the last three": "lambda new, last: ((last or []) + new)[-3:]",
    "values of this batch alone": "lambda new, last: sum(new) if new else None",
    "batches since the last value": "lambda new, last: 0 if new else (last or 0) + 1",
    "gone after two batches": "lambda new, last: (new, 0) if new else (last[0], 1) if last[1] < 1 else None",
    "gone where the sum is even": "lambda new, last: (sum(new) + (last or 0)) % 2 or None",
}
BODIES = {
    name: f"{LENGTHS}.updateStateByKey({function}).pprint()" for name, function in FUNCTIONS.items()
} | {
    "an object that is changed in place": (
        "def update(new, session):\n"
        "    session = session or {'seen': [], 'quiet': 0}\n"
        "    session['seen'].extend(new)\n"
        "    session['quiet'] = 0 if new else session['quiet'] + 1\n"
        "    return session if session['quiet'] < 2 else None\n"
        f"{LENGTHS}.updateStateByKey(update).mapValues(lambda s: (sum(s['seen']), s['quiet'])).pprint()"
    ),
    "beside other outputs": (
        "lines.pprint()\n"
        f"last = {LENGTHS}.updateStateByKey(lambda new, last: new[-1] if new else last)\n"
        "last.foreachRDD(lambda rdd: print(sorted(rdd.collect())))\n"
        "last.filter(lambda pair: pair[1] > 1).pprint()"
    ),
    "a state of a state": (
        f"last = {LENGTHS}.updateStateByKey(lambda new, last: new[-1] if new else last)\n"
        "last.updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()"
    ),
    "an initial state": (
        "initial = sc.parallelize([('a', 5), ('none', 7)])\n"
        f"{LENGTHS}.updateStateByKey(lambda new, last: max(new + [last or 0]) - 1 or None,"
        " initialRDD=initial).pprint()"
    ),
    "an initial state without keys": (
        "initial = sc.parallelize([])\n"
        f"{LENGTHS}.updateStateByKey(lambda new, last: max(new + [last or 0]), initialRDD=initial).pprint()"
    ),
    "one value for each key": (
        "lines.map(lambda w: (w[:1], w)).reduceByKey(max).updateStateByKey("
        "lambda new, last: new[0] if new else last).pprint()"
    ),
    "reduced in the partitions of a state": (
        "pairs = lines.map(lambda w: (w, len(w)))\n"
        "last = pairs.updateStateByKey(lambda new, last: (last or []) + new)\n"
        "last.map(lambda p: (1, len(p[0]) + len(p[1]))).reduceByKey(lambda a, b: (a - b) / 3).pprint()\n"
        "halves = last.mapValues(len).reduceByKey(lambda a, b: a - b).map(lambda p: (p[1], len(p[0])))\n"
        "halves.reduceByKey(lambda a, b: (a - b) / 3).pprint()"
    ),
}


NAMES = list(BODIES)
GROUPS = [
    pytest.param(names, marks=[pytest.mark.full] if number > 1 else [])
    for number, names in enumerate(NAMES[start : start + 4] for start in range(0, len(NAMES), 4))
]
"""Some take half a minute."""


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 8))])
@pytest.mark.parametrize("names", GROUPS)
def test_state_functions_are_called_for_all_keys_in_every_batch(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path, names: list[str], seed: int
) -> None:
    spark_context.setCheckpointDir(str(tmp_path))
    _, every, nothing, some = _batches(seed, 2)
    batches = [every, nothing, some, nothing]
    was = before([BODIES[name] for name in names], batches, spark_context)
    for name, expected in zip(names, was, strict=True):
        # the micro-batch that the query starts with comes before the first interval
        came = after_program(whole_program(BODIES[name]), [nothing, *batches], spark)
        assert any(expected.batches), name
        assert came.batches[1:] == expected.batches, name
