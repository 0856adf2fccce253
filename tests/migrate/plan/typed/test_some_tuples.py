"""Functions that give tuples for some elements, and None for those that a filter leaves out, are columns."""

from __future__ import annotations

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import flat, native_body
from tests.migrate.rules.running import after, before

LABEL = """\
good = ["a", "bb"]
bad = ["c"]

def label(word, good, bad):
    if word in good:
        return ("good", 1)
    elif word in bad:
        return ("bad", 1)
    {}

"""
NONE = ["else:\n        return", "return None", "pass"]
KEPT = [
    "pair is not None",
    "pair != None",
    "pair",
    "not pair is None",
    "False if pair is None else True",
]
SUMS = "words.map(lambda w: label(w, good, bad)).filter(lambda pair: {}).reduceByKey(lambda a, b: a + b)"
WHERE = """\
.where(in_good | in_bad)
.groupBy(F.when(in_good, "good").otherwise("bad").alias("key")).count()
"""


def body_of(label: str, kept: str) -> str:
    return f"{label}words = lines.flatMap(lambda l: l.split(' '))\n{SUMS.format(kept)}.pprint()"


@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("none", NONE)
def test_a_condition_leaves_out_what_is_none(none: str, kept: str) -> None:
    assert flat(WHERE) in flat(native_body(body_of(LABEL.format(none), kept)))


def test_the_tuples_may_hold_more_than_constants() -> None:
    body = "lines.map(lambda l: (l, len(l)) if l != 'a' else None).filter(lambda pair: pair).pprint()"
    made = 'where(F.col("value") != "a").select("value", F.length("value").alias("value2"))'
    assert flat(made) in flat(native_body(body))


@pytest.mark.parametrize(
    "body",
    [
        body_of(LABEL.format("return ()"), "pair is not None"),
        body_of(LABEL.format("return ('none', 1, 2)"), "pair is not None"),
        body_of(LABEL.format("return None"), "pair is None"),
        body_of(LABEL.format("return None"), "pair is not None and pair[0] != 'bad'"),
        body_of(LABEL.format("return None"), "pair is not None").replace('"bad", 1', '"bad", int(word)'),
        "pairs = lines.map(lambda l: (l, 1) if l else None)\npairs.pprint()\n"
        "pairs.filter(lambda pair: pair is not None).pprint()",
    ],
    ids=["no tuple", "longer ones", "the others", "more", "what may raise", "another reader"],
)
def test_others_stay_functions(body: str) -> None:
    assert ".where(in_good | in_bad)" not in native_body(body)


def test_they_are_the_same(spark_context: SparkContext, spark: SparkSession) -> None:
    program = body_of(LABEL.format("return None"), "pair is not None")
    program += "\nlines.map(lambda l: (l, len(l)) if l != 'a' else None).filter(lambda pair: pair).pprint()"
    batches = [(), ("a bb c d", "a", "", "c c"), ("d",)]
    (was,) = before([program], batches, spark_context)
    assert after(program, batches, spark).batches == was.batches
