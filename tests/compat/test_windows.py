"""Operators over the last batches."""

from __future__ import annotations

import operator

import pytest
from pyspark import SparkContext

from compat.streaming import StreamingContext
from tests.statements import Statement

NUMBERS = [[[1]], [[2]], [[3]], [[4]], [[5]], [[6]]]
PAIRS = [[[("a", 1)]], [[("a", 2), ("b", 5)]], [[("b", 1)]]]


def _ones(batches: int) -> list[list[list[tuple[str, int]]]]:
    return [[[("a", number), ("b", 1)]] for number in range(1, batches + 1)]


FLOATS = [
    [[("a", (x / 10, f"{x}")), ("a", (x / 3, "!"))], [("b", (1.0, f"{x}")), ("a", (x / 7, "?"))]]
    for x in range(1, 9)
]
"""More partitions, in a window of 5, than a shuffle has tasks for."""


def _added(one: tuple[float, str], other: tuple[float, str]) -> tuple[float, str]:
    return one[0] + other[0], one[1] + other[1]


def _sums_of(batches: list[list[list[tuple[str, tuple[float, str]]]]]) -> list[list[tuple[str, object]]]:
    """What `reduceByKey` makes of them: partition by partition, and then of all partitions."""
    sums: dict[str, tuple[float, str]] = {}
    for partition in (partition for batch in batches for partition in batch):
        of_partition: dict[str, tuple[float, str]] = {}
        for key, value in partition:
            of_partition[key] = _added(of_partition[key], value) if key in of_partition else value
        for key, value in of_partition.items():
            sums[key] = _added(sums[key], value) if key in sums else value
    return [list(sums.items())]


STATEMENTS = [
    Statement(
        "a long window is reduced in the order of its partitions, and each of them by itself",
        lambda ssc, s: s.window(5).reduceByKey(lambda one, other: (one[0] + other[0], one[1] + other[1]), 1),
        [FLOATS],
        {number: _sums_of(FLOATS[max(0, number - 5) : number]) for number in range(1, 9)},
    ),
    Statement(
        "elements of a long window are counted, also where no partition has any",
        lambda ssc, s: s.window(5).count(),
        [[*([[[]] * 2] * 5), [[1], [2, 3]]]],
        {number: [[0]] for number in range(1, 6)} | {6: [[3]]},
    ),
    Statement(
        "partitions of a long window stay apart for a function of partitions",
        lambda ssc, s: (
            s.window(5).mapPartitions(lambda part: [(0, len(list(part)))]).groupByKey(1).mapValues(list)
        ),
        [[[[1, 2], []]] * 6],
        {number: [[(0, [2, 0] * min(number, 5))]] for number in range(1, 7)},
    ),
    Statement(
        "a window is aligned to the start, short at first, slides, and drains",
        lambda ssc, s: s.window(4, 2).map(lambda x: x),
        [NUMBERS],
        {
            2: [[1], [2]],
            4: [[1], [2], [3], [4]],
            6: [[3], [4], [5], [6]],
            8: [[5], [6], [], []],
        },
    ),
    Statement(
        "a window slides by default as its stream does",
        lambda ssc, s: s.window(2),
        [NUMBERS[:2]],
        {1: [[1]], 2: [[1], [2]], 3: [[2], []], 4: [[], []]},
    ),
    Statement(
        "a slide longer than the window asks its source for nothing in between: a queue does not move on",
        lambda ssc, s: s.window(1, 3),
        [NUMBERS],
        {3: [[1]], 6: [[2]]},
    ),
    Statement(
        "a batch without partitions adds none to the window",
        lambda ssc, s: s.window(2),
        [[[[1], [2]], [], [[3]]]],
        {1: [[1], [2]], 2: [[1], [2]], 3: [[3]], 4: [[3], []]},
    ),
    Statement(
        "batches that were partitioned alike are put together partition by partition",
        lambda ssc, s: s.reduceByKey(operator.add).filter(lambda kv: True).mapValues(str).window(2),
        [[[[(1, 1)], [(2, 2), (1, 3)]], [[(1, 5)]]]],
        {1: [[(2, "2")], [(1, "4")]], 2: [[(2, "2")], [(1, "4"), (1, "5")]], 3: [[], [(1, "5")]]},
    ),
    Statement(
        "map forgets how its stream was partitioned, unless it is told not to",
        lambda ssc, s: s.reduceByKey(operator.add).map(lambda kv: kv[1]).window(2),
        [[[[(1, 1)], [(2, 2), (1, 3)]], [[(1, 5)]]]],
        {1: [[2], [4]], 2: [[2], [4], [], [5]]},
    ),
    Statement(
        "map that preserves the partitioning",
        lambda ssc, s: (
            s.reduceByKey(operator.add).map(lambda kv: kv[1], preservesPartitioning=True).window(2)
        ),
        [[[[(1, 1)], [(2, 2), (1, 3)]], [[(1, 5)]]]],
        {1: [[2], [4]], 2: [[2], [4, 5]]},
    ),
    Statement(
        "a window of state",
        lambda ssc, s: s.updateStateByKey(lambda new, last: (last or 0) + 1).window(2),
        [[[[(1, 1), (2, 1)]]]],
        {1: [[(2, 1)], [(1, 1)]], 2: [[(2, 1), (2, 2)], [(1, 1), (1, 2)]]},
    ),
    Statement(
        "a window of a window",
        lambda ssc, s: s.window(2, 2).window(4, 4),
        [NUMBERS],
        {4: [[1], [2], [3], [4]], 8: [[5], [6], [], []]},
    ),
    Statement(
        "operators after a window keep its slide",
        lambda ssc, s: s.window(3, 2).count(),
        [NUMBERS[:2]],
        {2: [[2]], 4: [[1]], 6: [[0]]},
    ),
    Statement(
        "reduceByKeyAndWindow without an inverse: a key goes with its last value, filterFunc is ignored",
        lambda ssc, s: s.reduceByKeyAndWindow(operator.add, None, 2, 1, 1, lambda kv: False),
        [PAIRS],
        {
            1: [[("a", 1)]],
            2: [[("a", 3), ("b", 5)]],
            3: [[("a", 2), ("b", 6)]],
            4: [[("b", 1)]],
        },
        "partitions",
    ),
    Statement(
        "reduceByKeyAndWindow has defaultParallelism partitions",
        lambda ssc, s: s.reduceByKeyAndWindow(operator.add, None, 2).glom().map(len),
        [[[[(1, 1), (3, 1)]], [[(2, 1)]]]],
        {1: [[0], [2]], 2: [[1], [2]], 3: [[1], [0]]},
    ),
    Statement(
        "with an inverse and a window below five slides an expired key vanishes",
        lambda ssc, s: s.reduceByKeyAndWindow(operator.add, operator.sub, 2, 1, 1),
        [PAIRS],
        {
            1: [[("a", 1)]],
            2: [[("a", 3), ("b", 5)]],
            3: [[("a", 2), ("b", 6)]],
            4: [[("b", 1)]],
        },
        "partitions",
    ),
    Statement(
        "with an inverse and a window of five slides an expired key stays",
        lambda ssc, s: s.reduceByKeyAndWindow(operator.add, operator.sub, 5, 1, 1),
        [PAIRS],
        {
            1: [[("a", 1)]],
            2: [[("a", 3), ("b", 5)]],
            3: [[("a", 3), ("b", 6)]],
            5: [[("a", 3), ("b", 6)]],
            4: [[("a", 3), ("b", 6)]],
            6: [[("a", 2), ("b", 6)]],
            7: [[("a", 0), ("b", 1)]],
            8: [[("a", 0), ("b", 0)]],
        },
        "partitions",
    ),
    Statement(
        "filterFunc takes expired keys out of a window with an inverse",
        lambda ssc, s: s.reduceByKeyAndWindow(
            operator.add, operator.sub, 5, 1, 1, filterFunc=lambda kv: kv[1] != 0
        ),
        [PAIRS],
        {
            1: [[("a", 1)]],
            2: [[("a", 3), ("b", 5)]],
            **{batch: [[("a", 3), ("b", 6)]] for batch in (3, 4, 5)},
            6: [[("a", 2), ("b", 6)]],
            7: [[("b", 1)]],
            8: [[]],
        },
        "partitions",
    ),
    Statement(
        "an inverse that is not one shows which way was taken: five slides, incremental",
        lambda ssc, s: s.reduceByKeyAndWindow(operator.add, lambda a, b: a - 1000 * b, 5, 1, 1),
        [_ones(6)],
        {
            1: [[("a", 1), ("b", 1)]],
            2: [[("a", 3), ("b", 2)]],
            3: [[("a", 6), ("b", 3)]],
            4: [[("a", 10), ("b", 4)]],
            5: [[("a", 15), ("b", 5)]],
            6: [[("a", 15 + 6 - 1000), ("b", 5 + 1 - 1000)]],
        },
        "partitions",
    ),
    Statement(
        "countByWindow of a short window is empty when it has drained",
        lambda ssc, s: s.countByWindow(2, 1),
        [NUMBERS[:2]],
        {1: [[1]], 2: [[2]], 3: [[1]], 4: [[]]},
    ),
    Statement(
        "countByWindow of a long window is 0 when it has drained",
        lambda ssc, s: s.countByWindow(5, 1),
        [NUMBERS[:2]],
        {1: [[1]], 2: [[2]], 3: [[2]], 4: [[2]], 5: [[2]], 6: [[1]], 7: [[0]]},
    ),
    Statement(
        "countByValueAndWindow shows no value that has left the window",
        lambda ssc, s: s.countByValueAndWindow(5, 1, 1),
        [[[["a", "a"]], [["b"]]]],
        {1: [[("a", 2)]]}
        | {batch: [[("a", 2), ("b", 1)]] for batch in range(2, 6)}
        | {6: [[("b", 1)]], 7: [[]]},
        "partitions",
    ),
    Statement(
        "groupByKeyAndWindow groups the window in the order of time",
        lambda ssc, s: s.groupByKeyAndWindow(3, 1, 1).mapValues(list),
        [_ones(4)],
        {
            number: [[("a", list(range(max(1, number - 2), number + 1))), ("b", [1] * min(number, 3))]]
            for number in range(1, 5)
        },
        "partitions",
    ),
    Statement(
        "reduceByWindow reduces the window to one element",
        lambda ssc, s: s.reduceByWindow(max, None, 2, 2),
        [NUMBERS[:2]],
        {2: [[2]], 4: [[]]},
    ),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_statement(statement: Statement, outputs) -> None:
    statement.check(outputs)


@pytest.mark.parametrize(
    ("window", "slide", "message"),
    [
        (1.5, None, "windowDuration must be multiple"),
        (2, 0.5, "slideDuration must be multiple"),
        (0.5, 1, "windowDuration must be multiple"),
        (2, 0, "slideDuration must be positive"),
        (2, -1, "slideDuration must be positive"),
    ],
)
def test_window_and_slide_must_be_multiples(
    spark_context: SparkContext, engine: str, window: float, slide: float | None, message: str
) -> None:
    stream = StreamingContext(spark_context, 1, engine=engine).queueStream([[1]])
    with pytest.raises(ValueError, match=message):
        stream.window(window, slide)
    with pytest.raises(ValueError, match=message):
        stream.reduceByKeyAndWindow(operator.add, operator.sub, window, slide)


def test_a_window_must_be_a_multiple_of_its_parents_slide(spark_context: SparkContext, engine: str) -> None:
    stream = StreamingContext(spark_context, 1, engine=engine).queueStream([[1]]).window(2, 2)
    with pytest.raises(ValueError, match=r"\(2000 ms\)"):
        stream.window(3)
