"""Operators on several streams."""

from __future__ import annotations

import pytest
from pyspark import SparkContext

from compat.streaming import StreamingContext
from tests.statements import Statement

LEFT = [[[(1, "a"), (2, "b")], [(None, "n")]], [[(1, "c")]], [], [[(2, "d")]]]
RIGHT = [[[(1, "x"), (1, "y")], [(None, "m"), (3, "z")]], [[]], [[(1, "w")]]]
ONES = [[[1], [2]], [[3]], [], [[4]]]
TENS = [[[10]], [], [[30], []], [[40]]]


def _sorted_sides(pair):
    return sorted(pair[0]), sorted(pair[1])


STATEMENTS = [
    Statement(
        "union has the partitions of the one and then of the other",
        lambda ssc, s, t: s.union(t),
        [ONES, TENS],
        {1: [[1], [2], [10]], 2: [[3]], 3: [[30], []], 4: [[4], [40]]},
    ),
    Statement(
        "union of a stream with itself doubles it",
        lambda ssc, s: s.union(s),
        [ONES],
        {1: [[1], [2], [1], [2]], 2: [[3], [3]], 3: [], 4: [[4], [4]]},
    ),
    Statement(
        "streams that were partitioned alike are united partition by partition",
        lambda ssc, s: ssc.union(
            s.countByValue(),
            s.map(lambda x: (x, "g")).groupByKey().mapValues(len),
            s.map(lambda x: (x, 7)).partitionBy(2),
        ),
        [ONES],
        {1: [[(2, 1), (2, 1), (2, 7)], [(1, 1), (1, 1), (1, 7)]], 2: [[], [(3, 1), (3, 1), (3, 7)]]},
    ),
    Statement(
        "streams with other numbers of partitions, or not partitioned, are united one after the other",
        lambda ssc, s: s.countByValue().union(s.map(lambda x: (x, 7)).partitionBy(1)).union(s),
        [ONES],
        {1: [[(2, 1)], [(1, 1)], [(1, 7), (2, 7)], [1], [2]], 2: [[], [(3, 1)], [(3, 7)], [3]]},
    ),
    Statement(
        "StreamingContext.union takes many streams, in order",
        lambda ssc, s, t: ssc.union(t, s, s.map(lambda x: -x)),
        [ONES, TENS],
        {1: [[10], [1], [2], [-1], [-2]], 2: [[3], [-3]], 3: [[30], []], 4: [[40], [4], [-4]]},
    ),
    Statement(
        "join pairs every two values of a key; None joins None",
        lambda ssc, s, t: s.join(t),
        [LEFT, RIGHT],
        {
            1: [[(None, ("n", "m"))], [(1, ("a", "x")), (1, ("a", "y"))]],
            2: [[], []],
            3: [[], []],
            4: [[], []],
        },
        "partitions",
    ),
    Statement(
        "join takes the number of partitions",
        lambda ssc, s, t: s.join(t, 1),
        [LEFT, RIGHT],
        {1: [[(None, ("n", "m")), (1, ("a", "x")), (1, ("a", "y"))]], 2: [[]], 3: [[]]},
        "partitions",
    ),
    Statement(
        "a join slides with its left stream; the right one has no batch at odd times",
        lambda ssc, s, t: s.leftOuterJoin(t.window(2, 2), 1),
        [LEFT, RIGHT],
        {
            1: [[(1, ("a", None)), (2, ("b", None)), (None, ("n", None))]],
            2: [[(1, ("c", "x")), (1, ("c", "y"))]],
            3: [[]],
            4: [[(2, ("d", None))]],
        },
        "partitions",
    ),
    Statement(
        "a join whose left stream slides more slowly has a batch, and asks the right one for it, only then",
        lambda ssc, s, t: s.window(2, 2).join(t, 1),
        [LEFT, [[[(1, "x")]], [[(2, "y")]], [[(1, "too late")]]]],
        {2: [[(1, ("a", "x")), (1, ("c", "x"))]], 4: [[(2, ("d", "y"))]]},
        "partitions",
    ),
    Statement(
        "leftOuterJoin keeps the left keys",
        lambda ssc, s, t: s.leftOuterJoin(t, 1),
        [LEFT, RIGHT],
        {
            1: [[(1, ("a", "x")), (1, ("a", "y")), (2, ("b", None)), (None, ("n", "m"))]],
            2: [[(1, ("c", None))]],
            3: [[]],
        },
        "partitions",
    ),
    Statement(
        "rightOuterJoin keeps the right keys",
        lambda ssc, s, t: s.rightOuterJoin(t, 1),
        [LEFT, RIGHT],
        {
            1: [[(1, ("a", "x")), (1, ("a", "y")), (3, (None, "z")), (None, ("n", "m"))]],
            2: [[]],
            3: [[(1, (None, "w"))]],
        },
        "partitions",
    ),
    Statement(
        "fullOuterJoin keeps all keys",
        lambda ssc, s, t: s.fullOuterJoin(t, 1),
        [LEFT, RIGHT],
        {
            1: [
                [
                    (1, ("a", "x")),
                    (1, ("a", "y")),
                    (2, ("b", None)),
                    (3, (None, "z")),
                    (None, ("n", "m")),
                ]
            ],
            2: [[(1, ("c", None))]],
            3: [[(1, (None, "w"))]],
            4: [[(2, ("d", None))]],
        },
        "partitions",
    ),
    Statement(
        "cogroup gives both sides' values of each key",
        lambda ssc, s, t: s.cogroup(t).mapValues(lambda pair: (sorted(pair[0]), sorted(pair[1]))),
        [LEFT, RIGHT],
        {
            1: [[(2, (["b"], [])), (None, (["n"], ["m"]))], [(1, (["a"], ["x", "y"])), (3, ([], ["z"]))]],
            2: [[], [(1, (["c"], []))]],
            3: [[], [(1, ([], ["w"]))]],
        },
        "partitions",
    ),
    Statement(
        "a stream joins itself",
        lambda ssc, s, t: s.join(s, 1),
        [LEFT, RIGHT],
        {1: [[(1, ("a", "a")), (2, ("b", "b")), (None, ("n", "n"))]], 2: [[(1, ("c", "c"))]], 3: [[]]},
        "partitions",
    ),
    Statement(
        "where transform gives no RDD, one side of a union is empty",
        lambda ssc, s, t: s.transform(lambda time, rdd: rdd if time.second % 2 else None).union(t),
        [ONES, TENS],
        {1: [[1], [2], [10]], 2: [], 3: [[30], []], 4: [[40]]},
    ),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_statement(statement: Statement, outputs) -> None:
    statement.check(outputs)


def test_union_refuses_different_slides(spark_context: SparkContext, engine: str) -> None:
    ssc = StreamingContext(spark_context, 1, engine=engine)
    stream = ssc.queueStream([[1]])
    with pytest.raises(ValueError, match="same slide duration"):
        stream.union(stream.window(2, 2))
    with pytest.raises(ValueError, match="same slide duration"):
        ssc.union(stream, stream.window(2, 2))
    with pytest.raises(ValueError, match="at least one"):
        ssc.union()
    assert ssc.union(stream) is stream


def test_streams_of_two_contexts_do_not_mix(spark_context: SparkContext, engine: str) -> None:
    one, other = (StreamingContext(spark_context, 1, engine=engine).queueStream([[1]]) for _ in range(2))
    with pytest.raises(ValueError, match="different StreamingContexts"):
        one.union(other)
    with pytest.raises(ValueError, match="different StreamingContexts"):
        one.join(other)
    with pytest.raises(AttributeError, match="expected a DStream"):
        one.union([1])  # type: ignore[arg-type]
