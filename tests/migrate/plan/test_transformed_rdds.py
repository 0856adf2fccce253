"""What is known of an RDD that ``transform`` makes of the batch's."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import native_body, run, whole_program

TAGS = (
    'lines.map(json.loads).flatMap(lambda t: ((tag["text"], 1) for tag in t["tags"]))'
    ".reduceByKey(lambda a, b: a + b)"
)
TOTAL = ".updateStateByKey(lambda new, last: sum(new) + (last or 0))"


def outcome(function: str) -> Outcome:
    """The outcome of a program that sums up what a function makes of the RDD of each batch."""
    body = f"{TAGS}.transform({function}){TOTAL}.pprint()"
    return run("import json\n" + whole_program(body)).graphs[0].outcome


@pytest.mark.parametrize(
    "function",
    [
        "lambda rdd: rdd.sortBy(lambda pair: pair[1], ascending=False)",
        "lambda rdd: rdd.filter(lambda pair: pair[1] > 1).sortByKey().cache()",
    ],
)
def test_pairs_that_are_sorted_or_left_out_keep_the_type_of_their_values(function: str) -> None:
    assert outcome(function) is Outcome.NATIVE


def test_others_have_values_of_no_known_type() -> None:
    assert outcome("lambda rdd: rdd.mapValues(lambda n: [n])") is Outcome.COMPAT


@pytest.mark.parametrize(
    "function", ["by_count", "lambda rdd: by_count(rdd)", "lambda time, rdd: at(time, rdd)"]
)
def test_a_lambda_that_only_calls_a_function_is_that_function(function: str) -> None:
    body = (
        "def by_count(rdd):\n"
        "    flipped = rdd.map(lambda pair: (pair[1], pair[0])).sortByKey(False)\n"
        "    return flipped.map(lambda pair: (pair[1], pair[0]))\n\n"
        "def at(time, rdd):\n    return rdd.sortBy(lambda pair: -pair[1])\n\n"
        "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
        f"counts.transform({function}).pprint()"
    )
    new = native_body(body)
    assert '.orderBy(F.desc("count")).show(10, truncate=False)' in new
    assert "rdd" not in new


def test_one_that_hands_on_something_else_is_rdd_code() -> None:
    body = (
        "def first(rdd, n):\n    return rdd.filter(lambda line: len(line) > n)\n\n"
        "lines.transform(lambda rdd: first(rdd, 3)).pprint()"
    )
    assert "first(batch.rdd" in native_body(body)
