"""Operators within a partition."""

from __future__ import annotations

import pytest

from tests.statements import Statement

TEXT = [[["a b", "a"], ["é  雪"]], [], [[]]]
PAIRS = [[[("a", 1), ("a", 2)], [("b", 3)]], [[(None, 4)]], []]


STATEMENTS = [
    Statement(
        "map keeps partitions, and those that are empty or missing",
        lambda ssc, s: s.map(lambda x: x.upper()),
        [TEXT],
        {1: [["A B", "A"], ["É  雪"]], 2: [], 3: [[]]},
    ),
    Statement(
        "map yields any object",
        lambda ssc, s: s.map(lambda x: {"length": len(x), "set": {x}}),
        [TEXT],
        {
            1: [
                [{"length": 3, "set": {"a b"}}, {"length": 1, "set": {"a"}}],
                [{"length": 4, "set": {"é  雪"}}],
            ]
        },
    ),
    Statement(
        "flatMap takes any iterable, also a string, a generator or none",
        lambda ssc, s: s.flatMap(lambda x: x.split(" ")).flatMap(lambda x: (c for c in x)),
        [TEXT],
        {1: [["a", "b", "a"], ["é", "雪"]], 2: [], 3: [[]]},
    ),
    Statement(
        "filter goes by truth, not by True",
        lambda ssc, s: s.filter(lambda x: x.count(" ")),
        [TEXT],
        {1: [["a b"], ["é  雪"]], 2: [], 3: [[]]},
    ),
    Statement(
        "mapValues leaves the key, also None",
        lambda ssc, s: s.mapValues(lambda v: v * 10),
        [PAIRS],
        {1: [[("a", 10), ("a", 20)], [("b", 30)]], 2: [[(None, 40)]], 3: []},
    ),
    Statement(
        "flatMapValues pairs the key with each result, in order",
        lambda ssc, s: s.flatMapValues(lambda v: range(v - 1)),
        [PAIRS],
        {1: [[("a", 0)], [("b", 0), ("b", 1)]], 2: [[(None, 0), (None, 1), (None, 2)]], 3: []},
    ),
    Statement(
        "mapPartitions calls its function for empty partitions, and not where there is none",
        lambda ssc, s: s.mapPartitions(lambda it: [sum(1 for _ in it)]),
        [TEXT],
        {1: [[2], [1]], 2: [], 3: [[0]]},
    ),
    Statement(
        "mapPartitionsWithIndex counts the partitions of its own stream from 0",
        lambda ssc, s: s.mapPartitionsWithIndex(lambda i, it: [(i, list(it))]),
        [TEXT],
        {1: [[(0, ["a b", "a"])], [(1, ["é  雪"])]], 2: [], 3: [[(0, [])]]},
    ),
    Statement(
        "glom makes a list of each partition",
        lambda ssc, s: s.glom(),
        [TEXT],
        {1: [[["a b", "a"]], [["é  雪"]]], 2: [], 3: [[[]]]},
    ),
    Statement(
        "a chain of operators on one partition keeps its order",
        lambda ssc, s: s.flatMap(str.split).map(lambda w: (w, len(w))).filter(lambda p: p[1]).mapValues(str),
        [TEXT],
        {1: [[("a", "1"), ("b", "1"), ("a", "1")], [("é", "1"), ("雪", "1")]], 2: [], 3: [[]]},
    ),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_statement(statement: Statement, outputs) -> None:
    statement.check(outputs)
