"""What is known of an RDD that ``transform`` makes of the batch's."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run, whole_program

TAGS = (
    'ssc.textFileStream("in").map(json.loads).flatMap(lambda t: ((tag["text"], 1) for tag in t["tags"]))'
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
