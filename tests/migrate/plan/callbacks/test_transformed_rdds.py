"""What is known of an RDD that ``transform`` makes of the batch's."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import native_body, run, whole_program

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


@pytest.mark.parametrize(
    "function", ["by_count", "lambda rdd: by_count(rdd)", "lambda time, rdd: at(time, rdd)"]
)
def test_a_lambda_that_only_calls_a_function_is_that_function(function: str) -> None:
    body = (
        "def by_count(rdd):\n"
        "    flipped = rdd.map(lambda pair: (pair[1], pair[0])).sortByKey(False)\n"
        "    return flipped.map(lambda pair: (pair[1], pair[0]))\n\n"
        "def at(time, rdd):\n    global lines\n    return rdd.sortBy(lambda pair: -pair[1])\n\n"
        "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
        f"counts.transform({function}).pprint()"
    )
    new = native_body(body)
    assert '.orderBy(F.desc("count")).show(10, truncate=False)' in new
    assert "rdd" not in new


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("lambda rdd: rdd.aggregateByKey((0, 0), add, merge)", Outcome.NATIVE),
        ("lambda rdd: rdd.filter(len).groupByKey()", Outcome.NATIVE),
        ("lambda rdd: rdd.groupByKey().map(lambda pair: (1, pair[1]))", Outcome.COMPAT),
        ("lambda rdd: rdd.groupByKey().flatMap(list)", Outcome.COMPAT),
    ],
)
def test_a_state_function_is_given_one_value_of_each_key_that_comes_once(
    function: str, found: Outcome
) -> None:
    body = (
        "import json\n"
        "def add(both, n):\n    return both[0] + n, both[1] + 1\n"
        "def merge(one, other):\n    return one[0] + other[0], one[1] + other[1]\n"
        "def update(new, last):\n    return (new or [last])[-1]\n"
        f"pairs = lines.map(json.loads).transform({function})\npairs.updateStateByKey(update).pprint()"
    )
    (graph,) = run(whole_program(body)).graphs
    assert graph.outcome is found, graph.reasons
    assert found is Outcome.NATIVE or "order of a key's values" in graph.reasons[0]


CALLED = """\
def of_time(time, rdd):
    print(time)
    return rdd

def some(rdd, least=3):
    return rdd.filter(lambda pair: pair[1] > least)

counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)
"""


@pytest.mark.parametrize(
    ("function", "called"),
    [
        ("lambda time, rdd: of_time(time, rdd)", "of_time(batch_time, counts.rdd"),
        ("lambda rdd: some(rdd)", "some(counts.rdd.map(tuple))"),
        ("lambda rdd: some(rdd, 5)", "some(counts.rdd.map(tuple), 5)"),
    ],
    ids=["the time, too", "it has another parameter", "it gets more"],
)
def test_others_are_called_with_what_they_get(function: str, called: str) -> None:
    assert called in native_body(f"{CALLED}counts.transform({function}).pprint()")


@pytest.mark.parametrize("read", ["print(rdd.count(), rdd.collect())", "print(rdd.collect())"])
def test_code_of_a_callback_reads_the_variable_of_an_rdd_that_an_expression_makes(read: str) -> None:
    # the name that stands for the program's expression in new code is no variable
    made = "lines.transform(lambda rdd: known.union(rdd))"
    new = native_body(f'known = sc.textFile("in")\n{made}.foreachRDD(lambda rdd: {read})')
    assert f"rdd = known.union(batch.rdd.map(lambda row: row[0]))\n{read}" in new
    assert "user_expression" not in new
