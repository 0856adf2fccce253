"""Operators that bring equal keys together, each within one batch."""

from __future__ import annotations

import pytest

from tests.statements import Statement

# portable_hash puts even numbers into partition 0 and odd ones into 1; None into 0.
PAIRS = [[[(1, 1), (2, 5)], [(1, 10), (None, 7)]], [[(1, 100)]], [], [[]]]
VALUES = [[[1, 2, 1], [2, 2]], [[7]], [], [[], []]]

STATEMENTS = [
    Statement(
        "reduceByKey adds up one batch only, into defaultParallelism partitions filled by portable_hash",
        lambda ssc, s: s.reduceByKey(lambda a, b: a + b),
        [PAIRS],
        {1: [[(2, 5), (None, 7)], [(1, 11)]], 2: [[], [(1, 100)]], 3: [[], []], 4: [[], []]},
        "partitions",
    ),
    Statement(
        "reduceByKey takes the number of partitions",
        lambda ssc, s: s.reduceByKey(lambda a, b: a + b, 3),
        [PAIRS],
        {1: [[(None, 7)], [(1, 11)], [(2, 5)]], 2: [[], [(1, 100)], []], 3: [[], [], []]},
        "partitions",
    ),
    Statement(
        "combineByKey makes values of another kind",
        lambda ssc, s: s.combineByKey(lambda v: [v], lambda c, v: [*c, v], lambda c, d: sorted(c + d), 1),
        [PAIRS],
        {1: [[(1, [1, 10]), (2, [5]), (None, [7])]], 2: [[(1, [100])]], 3: [[]], 4: [[]]},
        "partitions",
    ),
    Statement(
        "groupByKey gives an iterable with a length",
        lambda ssc, s: s.groupByKey().mapValues(lambda group: (len(group), sorted(group))),
        [PAIRS],
        {
            1: [[(2, (1, [5])), (None, (1, [7]))], [(1, (2, [1, 10]))]],
            2: [[], [(1, (1, [100]))]],
            3: [[], []],
        },
        "partitions",
    ),
    Statement(
        "count is 0 for an empty partition, and nothing where there is no partition",
        lambda ssc, s: s.count(),
        [VALUES],
        {1: [[5]], 2: [[1]], 3: [[]], 4: [[0]]},
    ),
    Statement(
        "countByValue has defaultParallelism partitions and no row for an empty batch",
        lambda ssc, s: s.countByValue(),
        [VALUES],
        {1: [[(2, 3)], [(1, 2)]], 2: [[], [(7, 1)]], 3: [[], []], 4: [[], []]},
        "partitions",
    ),
    Statement(
        "reduce gives one element, none for an empty batch",
        lambda ssc, s: s.reduce(lambda a, b: a + b),
        [VALUES],
        {1: [[8]], 2: [[7]], 3: [[]], 4: [[]]},
    ),
    Statement(
        "reduce calls nothing for a single element",
        lambda ssc, s: s.map(lambda x: {"not": "addable"}).reduce(lambda a, b: a),
        [[[["x"]]]],
        {1: [[{"not": "addable"}]]},
    ),
    Statement(
        "partitionBy moves pairs where the function of the key says",
        lambda ssc, s: s.partitionBy(3, lambda key: 2 if key is None else key + 3),
        [PAIRS],
        {1: [[], [(1, 1), (1, 10)], [(2, 5), (None, 7)]], 2: [[], [(1, 100)], []], 3: [[], [], []]},
        "partitions",
    ),
    Statement(
        "repartition keeps the elements",
        lambda ssc, s: s.repartition(3),
        [VALUES],
        {1: [[1, 2, 1, 2, 2]], 2: [[7]], 3: [[]]},
        "elements",
    ),
    Statement(
        "repartition makes the number of partitions",
        lambda ssc, s: s.repartition(2).glom().map(lambda part: 1),
        [VALUES],
        {1: [[1], [1]], 2: [[1], [1]], 4: [[1], [1]], 3: [[1], [1]]},
    ),
    Statement(
        "keys of equal value are one key",
        lambda ssc, s: s.reduceByKey(lambda a, b: a + b, 1).map(lambda kv: (int(kv[0]), kv[1])),
        [[[[(1, 1), (1.0, 2)], [(True, 4)]]]],
        {1: [[(1, 7)]]},
    ),
    Statement(
        "keys beyond ASCII, empty and nested keys",
        lambda ssc, s: s.reduceByKey(lambda a, b: a + b, 1),
        [
            [
                [
                    [("é", 1), ("e\u0301", 2), ("", 4)],
                    [("雪", 8), (("a", None), 16), (("a", None), 32), ("é", 64)],
                ]
            ]
        ],
        {1: [[("é", 65), ("e\u0301", 2), ("", 4), ("雪", 8), (("a", None), 48)]]},
        "partitions",
    ),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_statement(statement: Statement, outputs) -> None:
    statement.check(outputs)
