"""Functions of `transform` that only call another function with what they get."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body

HEAD = """\
def largest_first(rdd):
    swapped = rdd.map(lambda pair: (pair[1], pair[0]))
    return swapped.sortByKey(False).map(lambda pair: (pair[1], pair[0]))

def of_time(time, rdd):
    print(time)
    return rdd

def some(rdd, least=3):
    return rdd.filter(lambda pair: pair[1] > least)

counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)
"""


def body(function: str) -> str:
    return native_body(f"{HEAD}counts.transform({function}).pprint()")


def test_the_function_stands_for_a_lambda_that_only_calls_it() -> None:
    new = body("lambda rdd: largest_first(rdd)")
    assert new == body("largest_first")
    assert 'orderBy(F.desc("count"))' in new


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
    assert called in body(function)
