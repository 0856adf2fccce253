"""updateStateByKey."""

from __future__ import annotations

import pytest

from tests.statements import Statement

WORDS = [[[("a", 1), ("b", 1)], [("a", 1)]], [], [[("b", 5)]], [[]]]


def _initial(ssc, pairs):
    return ssc.sparkContext.parallelize(pairs, 3)


STATEMENTS = [
    Statement(
        "every batch gives the whole state, also one without input",
        lambda ssc, s: s.updateStateByKey(lambda new, last: sum(new) + (last or 0), 1),
        [WORDS],
        {
            1: [[("a", 2), ("b", 1)]],
            2: [[("a", 2), ("b", 1)]],
            3: [[("a", 2), ("b", 6)]],
            4: [[("a", 2), ("b", 6)]],
        },
        "partitions",
    ),
    Statement(
        "the function is called for every key in every batch, with [] where nothing arrived",
        lambda ssc, s: s.updateStateByKey(lambda new, last: [*(last or []), sorted(new)], 1),
        [WORDS],
        {
            1: [[("a", [[1, 1]]), ("b", [[1]])]],
            2: [[("a", [[1, 1], []]), ("b", [[1], []])]],
            3: [[("a", [[1, 1], [], []]), ("b", [[1], [], [5]])]],
        },
        "partitions",
    ),
    Statement(
        "only None removes a key; 0, '' and [] stay",
        lambda ssc, s: s.updateStateByKey(lambda new, last: new[0] if new else last, 1),
        [[[[("zero", 0), ("empty", ""), ("list", []), ("none", None)]], [[("zero", None)]]]],
        {1: [[("zero", 0), ("empty", ""), ("list", [])]], 2: [[("empty", ""), ("list", [])]]},
        "partitions",
    ),
    Statement(
        "a key that was removed starts again with None",
        lambda ssc, s: s.updateStateByKey(
            lambda new, last: None if 0 in new else (last or 100) + sum(new), 1
        ),
        [[[[("a", 1)]], [[("a", 0)]], [[]], [[("a", 3)]]]],
        {1: [[("a", 101)]], 2: [[]], 3: [[]], 4: [[("a", 103)]]},
    ),
    Statement(
        "the state has defaultParallelism partitions, filled by portable_hash",
        lambda ssc, s: s.updateStateByKey(lambda new, last: sum(new) + (last or 0)),
        [[[[(1, 1), (2, 1)], [(3, 1), (None, 1)]], [[(1, 1)]]]],
        {1: [[(2, 1), (None, 1)], [(1, 1), (3, 1)]], 2: [[(2, 1), (None, 1)], [(1, 2), (3, 1)]]},
        "partitions",
    ),
    Statement(
        "initialRDD is updated and emitted from the first batch",
        lambda ssc, s: s.updateStateByKey(
            lambda new, last: sum(new) + (last or 0), 1, _initial(ssc, [("a", 10), ("z", 7), ("gone", 0)])
        ),
        [WORDS],
        {
            1: [[("a", 12), ("b", 1), ("z", 7), ("gone", 0)]],
            2: [[("a", 12), ("b", 1), ("z", 7), ("gone", 0)]],
        },
        "partitions",
    ),
    Statement(
        "initialRDD may be a list, and its keys are removed like others",
        lambda ssc, s: s.updateStateByKey(
            lambda new, last: None if last == 0 else sum(new) + (last or 0), 1, [("a", 10), ("gone", 0)]
        ),
        [WORDS],
        {1: [[("a", 12), ("b", 1)]], 2: [[("a", 12), ("b", 1)]]},
        "partitions",
    ),
    Statement(
        "initialRDD is emitted although the first batch has no partition",
        lambda ssc, s: s.updateStateByKey(lambda new, last: (last or 0) + 1, 1, [("a", 1)]),
        [[[], [[]]]],
        {1: [[("a", 2)]], 2: [[("a", 3)]]},
    ),
    Statement(
        "without input and state there is an empty batch",
        lambda ssc, s: s.updateStateByKey(lambda new, last: 1, 2),
        [[[], [[]], [[("a", 1)]]]],
        {1: [[], []], 2: [[], []], 3: [[("a", 1)], []]},
        "elements",
    ),
    Statement(
        "where transform gives no RDD the state is emitted without calling the function",
        lambda ssc, s: s.transform(lambda time, rdd: None if time.second == 2 else rdd).updateStateByKey(
            lambda new, last: (last or 0) + 1, 1
        ),
        [[[[("a", 1)]]] * 4],
        {1: [[("a", 1)]], 2: [[("a", 1)]], 3: [[("a", 2)]], 4: [[("a", 3)]]},
    ),
    Statement(
        "state of a window is updated at the window's slide",
        lambda ssc, s: s.window(2, 2).updateStateByKey(lambda new, last: sum(new) + (last or 0), 1),
        [[[[("a", 1)]]] * 4],
        {2: [[("a", 2)]], 4: [[("a", 4)]]},
    ),
    Statement(
        "operators on state see all of it",
        lambda ssc, s: (
            s.updateStateByKey(lambda new, last: sum(new) + (last or 0))
            .map(lambda kv: kv[1])
            .reduce(lambda a, b: a + b)
        ),
        [WORDS],
        {1: [[3]], 2: [[3]], 3: [[8]], 4: [[8]]},
    ),
    Statement(
        "state on state",
        lambda ssc, s: s.updateStateByKey(lambda new, last: sum(new) + (last or 0), 1).updateStateByKey(
            lambda new, last: sum(new) + (last or 0), 1
        ),
        [[[[("a", 1)]]]],
        {1: [[("a", 1)]], 2: [[("a", 2)]], 3: [[("a", 3)]]},
    ),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_statement(statement: Statement, outputs) -> None:
    statement.check(outputs)
