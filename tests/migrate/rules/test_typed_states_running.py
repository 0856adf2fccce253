"""States that typed functions update: batch by batch as those of updateStateByKey, for all keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, whole_program
from tests.migrate.rules.running import after_program, before

FUNCTIONS = """\
def longest(new, last):
    return max(new + [last or 0])

def mean(new, last):
    total, count, quiet = last or (0, 0, 0)
    if not new and quiet:
        return None
    return total + sum(new) / 8, count + len(new), 0 if new else quiet + 1

def recent(new, last):
    if last is None:
        last = []
    last.extend(new)
    return last[-3:]

def words(new, last):
    return " ".join(([last] if last else []) + [word.strip() for word in new])[-9:]

def gone(new, last):
    if not new:
        return None if last < 2 else last - 2
    return len(new)

def shown(new, last):
    last = (str(last), len(new))
    return last

"""
LENGTHS = "lines.map(lambda w: (w[:1], len(w)))"
STATES = {
    "numbers": f"{LENGTHS}.updateStateByKey(longest)",
    "tuples": f"{LENGTHS}.updateStateByKey(mean)",
    "lists that are changed": f"{LENGTHS}.updateStateByKey(recent)",
    "texts": "lines.map(lambda w: (w[:1], w)).updateStateByKey(words)",
    "keys that go": f"{LENGTHS}.updateStateByKey(gone)",
    "the text of a tuple": f"{LENGTHS}.updateStateByKey(shown)",
    "one value for each key": f"{LENGTHS}.reduceByKey(max).updateStateByKey(recent)",
    "keys that are pairs": "lines.map(lambda w: ((w[:1], len(w)), w)).updateStateByKey(words)",
    "values that are tuples": (
        "lines.map(lambda w: (w[:1], (len(w), w)))"
        ".updateStateByKey(lambda new, last: new[-1] if new else last)"
    ),
    "the text of such values": (
        "lines.map(lambda w: (w[:1], (len(w), w or None)))"
        ".updateStateByKey(lambda new, last: str(new) if new or not last else None)"
    ),
    "the number of such values": (
        "lines.map(lambda w: (w[:1], (len(w), w))).updateStateByKey(lambda new, last: len(new) or None)"
    ),
    "a value that may be None": (
        "lines.map(lambda w: (w[:1], len(w) if len(w) > 2 else None))"
        ".updateStateByKey(lambda new, last: new[-1] if new else (last or 0) + 1)"
    ),
    "floats": (
        "lines.map(lambda w: (w[:1], len(w) / 3))"
        ".updateStateByKey(lambda new, last: sum(new, last or 0.0) if new or last != 1.0 else None)"
    ),
    "a state of a state": (
        f"{LENGTHS}.updateStateByKey(longest).updateStateByKey(lambda new, last: (last or []) + new)"
    ),
}
READ = {
    **{name: f"states = {code}\nstates.pprint()" for name, code in STATES.items()},
    "read by others": (
        f"states = {LENGTHS}.updateStateByKey(mean)\n"
        "states.filter(lambda p: p[1][1] > 1).map(lambda p: (p[0], p[1][0])).pprint()\n"
        "states.foreachRDD(lambda rdd: print(sorted(rdd.collect())))\n"
        "lines.pprint()"
    ),
}
BATCHES = [
    ("ab", "b", "abc", "c"),
    (),
    ("b", "bbbb ", "a"),
    ("", "", "d"),
    (),
    (),
    ("c", "cc", "ccc", "cc", "\u96ea"),
]
NAMES = [list(READ)[start : start + 6] for start in range(0, len(READ), 6)]
GROUPS = [
    pytest.param(names, marks=[] if place != 1 else [pytest.mark.full], id=names[0])
    for place, names in enumerate(NAMES)
]


@pytest.mark.parametrize("names", GROUPS)
def test_all_keys_are_updated_in_every_batch(
    spark_context: SparkContext, spark: SparkSession, tmp_path: Path, names: list[str]
) -> None:
    spark_context.setCheckpointDir(str(tmp_path))
    examples = [FUNCTIONS + READ[name] for name in names]
    for name, example, was in zip(names, examples, before(examples, BATCHES, spark_context), strict=True):
        source = whole_program(example)
        assert ".rdd" not in file(source).new, name
        assert any(was.batches), name
        assert after_program(source, BATCHES, spark).batches == was.batches, name
