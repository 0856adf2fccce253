"""compat.testing: what counts as equal, how a difference is shown, what batches are generated."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark import SparkContext
from pyspark.resultiterable import ResultIterable

from compat import StreamingError
from compat.testing import BatchClock, Case, Output, assert_equal, canonical, difference, rdd_of, run
from compat.testing.strategies import batches, keys, lines, numbers, pairs, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        ("1", 1),
        ((1,), [1]),
        ({1}, frozenset({1})),
        ({"a": 1}, {"a": True}),
        (ResultIterable([1]), [1]),
        (0.0, -0.0),
        ("é", "e\u0301"),
        (b"a", "a"),
    ],
)
def test_values_of_other_types_differ(one: Any, other: Any) -> None:
    assert canonical(one) != canonical(other)
    assert difference({1: [[one]]}, {1: [[other]]}) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (float("nan"), float("nan")),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"x", "y", "z"}, {"z", "y", "x"}),
        (("k", ResultIterable([1, 2])), ("k", ResultIterable([2, 1]))),
    ],
)
def test_values_that_are_the_same(one: Any, other: Any) -> None:
    assert_equal({1: [[one]]}, {1: [[other]]})


def test_objects_are_compared_by_what_they_hold() -> None:
    class Point:
        def __init__(self, x: int) -> None:
            self.x = x

    assert canonical(Point(1)) == canonical(Point(1))
    assert canonical(Point(1)) != canonical(Point(2))


@pytest.mark.parametrize(
    ("expected", "got", "strictest"),
    [
        ([[1, 2], [3]], [[1, 2], [3]], "order"),
        ([[1, 2], [3]], [[2, 1], [3]], "partitions"),
        ([[1, 2], [3]], [[3], [2, 1]], "elements"),
        ([[1], []], [[1]], "elements"),
        ([[1, 1]], [[1]], None),
        ([], [[]], "elements"),
    ],
)
def test_how_much_counts(expected: Any, got: Any, strictest: str | None) -> None:
    levels = ["order", "partitions", "elements"]
    equal = [level for level in levels if difference({1: expected}, {1: got}, compare=level) is None]  # type: ignore[arg-type]
    assert equal == (levels[levels.index(strictest) :] if strictest else [])


def test_an_unknown_way_to_compare_is_refused() -> None:
    with pytest.raises(ValueError, match="none of order, partitions, elements"):
        difference({1: []}, {1: []}, compare="roughly")  # type: ignore[arg-type]


def test_the_first_difference_is_shown() -> None:
    expected: Output = {1: [["x"]], 2: [[("a", 2), ("a", 2)], [("b", ResultIterable([2, 1]))]], 3: [[1]]}
    got: Output = {1: [["x"]], 2: [[("a", 3), ("a", 2)], [("b", ResultIterable([1, 2]))]], 3: [[2]]}
    with pytest.raises(AssertionError) as caught:
        assert_equal(expected, got, name="reduceByKey")
    assert str(caught.value) == (
        "reduceByKey: batch 2 differs\n"
        "  expected  [[('a', 2), ('a', 2)], [('b', ResultIterable(['1', '2']))]]\n"
        "  got       [[('a', 3), ('a', 2)], [('b', ResultIterable(['1', '2']))]]\n"
        "  missing   1 x ('a', 2)\n"
        "  too many  1 x ('a', 3)"
    )


def test_a_batch_that_is_missing_or_extra() -> None:
    with pytest.raises(AssertionError, match=r"^batch 2 is missing: expected \[\[1\]\]$"):
        assert_equal({1: [], 2: [[1]]}, {1: []})
    with pytest.raises(AssertionError, match=r"^batch 2 should not be there: got \[\]$"):
        assert_equal({1: []}, {1: [], 2: []})


@given(data=st.data())
def test_strategies_draw_what_they_say(data: st.DataObject) -> None:
    element = data.draw(st.sampled_from([words(), lines(), numbers(), keys(), pairs()]))
    drawn = data.draw(batches(element, min_batches=2, max_batches=3, max_partitions=2, max_size=4))
    assert 2 <= len(drawn) <= 3
    assert all(len(partitions) <= 2 for partitions in drawn)
    assert all(len(partition) <= 4 for partitions in drawn for partition in partitions)
    assert_equal({1: drawn[0]}, {1: drawn[0]})


@pytest.mark.parametrize("wanted", [[], [[]], [[], []], [[1]]], ids=str)
def test_strategies_draw_the_empty_kinds(wanted: list[list[int]]) -> None:
    from hypothesis import find

    find(batches(st.just(1)), lambda drawn: wanted in drawn)


def test_an_rdd_has_exactly_the_partitions(spark_context: SparkContext) -> None:
    batches: list[list[list[Any]]] = [[], [[]], [[], ["a", "b"], []], [["é"], [None]]]
    for partitions in batches:
        assert rdd_of(spark_context, partitions).glom().collect() == partitions


def test_a_run_raises_the_error_of_a_batch(spark_context: SparkContext) -> None:
    case = Case(lambda ssc, s: s.map(lambda x: 1 // x), [[[[1]], [[0]]]])
    with pytest.raises(StreamingError, match="ZeroDivisionError"):
        run([case], spark_context, engine="rdd")


def test_a_batch_that_does_not_come_is_reported_with_the_error(spark_context: SparkContext) -> None:
    from compat.streaming import StreamingContext

    def fails(rdd):
        raise KeyError("no such batch")

    ssc = StreamingContext(spark_context, 1, engine="rdd")
    ssc.queueStream([[1]]).transform(fails).foreachRDD(lambda rdd: None)
    clock = BatchClock(ssc, timeout=2)
    ssc.start()
    try:
        with pytest.raises(TimeoutError, match="batch 1 was not done") as caught:
            clock.next_batch()
        assert "no such batch" in str(caught.value.__cause__)
    finally:
        ssc.stop(stopSparkContext=False)
