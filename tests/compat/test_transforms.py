"""Callbacks from RDD to RDD, and how many arguments they get."""

from __future__ import annotations

import functools
from datetime import datetime

import pytest
from pyspark import RDD, SparkContext

from compat import StreamingError
from compat.streaming import DStream, StreamingContext
from compat.testing import BatchClock
from tests.statements import Statement

NUMBERS = [[[3, 1], [2]], [], [[5]]]
OTHERS = [[[30]], [[40], [50]]]


def seconds(time: datetime) -> int:
    """Since the epoch, which is where the manual clock starts; the time itself is naive and local."""
    assert time.tzinfo is None
    return round(time.timestamp())


def _numbered(number: int, rdd: RDD) -> RDD:
    return rdd.map(lambda x: (number, x))


def _is_rdd(rdd: RDD) -> RDD:
    assert isinstance(rdd, RDD)
    return rdd.map(lambda x: -x)


def kept(pairs: DStream) -> DStream:
    """The same keys, each ten times as large: which is what the program says, and not so."""
    return pairs.mapValues(lambda n: n).map(lambda pair: (10 * pair[0], pair[1]), preservesPartitioning=True)


STATEMENTS = [
    Statement(
        "transform of one argument gets the RDD",
        lambda ssc, s: s.transform(lambda rdd: _is_rdd(rdd)),
        [NUMBERS],
        {1: [[-3, -1], [-2]], 2: [], 3: [[-5]]},
    ),
    Statement(
        "transform of two arguments gets the time and the RDD",
        lambda ssc, s: s.transform(lambda time, rdd: (lambda t: rdd.map(lambda x: (t, x)))(seconds(time))),
        [NUMBERS],
        {1: [[(1, 3), (1, 1)], [(1, 2)]], 2: [], 3: [[(3, 5)]]},
    ),
    Statement(
        "a default value counts as an argument",
        lambda ssc, s: s.transform(lambda rdd, other=None: other.map(lambda x: x + 1)),
        [NUMBERS],
        {1: [[4, 2], [3]], 2: [], 3: [[6]]},
    ),
    Statement(
        "*args counts as none",
        lambda ssc, s: s.transform(lambda rdd, *more: rdd.map(lambda x: len(more))),
        [NUMBERS],
        {1: [[0, 0], [0]], 2: [], 3: [[0]]},
    ),
    Statement(
        "transform that sorts keeps the order for what comes after",
        lambda ssc, s: s.transform(lambda rdd: rdd.sortBy(lambda x: -x, numPartitions=1)).map(str),
        [NUMBERS],
        {1: [["3", "2", "1"]], 2: [], 3: [["5"]]},
    ),
    Statement(
        "transform may give an RDD of other partitions, or none of them",
        lambda ssc, s: s.transform(lambda rdd: rdd.context.emptyRDD()),
        [NUMBERS],
        {1: [], 2: [], 3: []},
    ),
    Statement(
        "transform may give an RDD made elsewhere",
        lambda ssc, s: (lambda fixed: s.transform(lambda rdd: rdd.union(fixed)))(
            ssc.sparkContext.parallelize([7], 1)
        ),
        [NUMBERS],
        {1: [[3, 1], [2], [7]], 2: [[7]], 3: [[5], [7]]},
    ),
    Statement(
        "transform that gives pairs by cartesian",
        lambda ssc, s: s.transform(lambda rdd: rdd.cartesian(rdd)),
        [[[[1]], [[2]]]],
        {1: [[(1, 1)]], 2: [[(2, 2)]]},
    ),
    Statement(
        "where transform gives None no output is called",
        lambda ssc, s: s.transform(lambda time, rdd: None if seconds(time) == 2 else rdd),
        [NUMBERS],
        {1: [[3, 1], [2]], 3: [[5]]},
    ),
    Statement(
        "where transform gives None the operators after it have no batch either",
        lambda ssc, s: (
            s.transform(lambda time, rdd: None if seconds(time) == 2 else rdd)
            .map(lambda n: (n, n))
            .partitionBy(1)
            .mapValues(lambda n: n + 1)
        ),
        [NUMBERS],
        {1: [[(3, 4), (1, 2), (2, 3)]], 3: [[(5, 6)]]},
    ),
    Statement(
        "transformWith of two arguments gets both RDDs",
        lambda ssc, s, t: s.transformWith(lambda a, b: b.union(a), t),
        [NUMBERS, OTHERS],
        {1: [[30], [3, 1], [2]], 2: [[40], [50]], 3: [[], [5]]},
    ),
    Statement(
        "transformWith of three arguments gets the time as well",
        lambda ssc, s, t: s.transformWith(
            lambda time, a, b: (lambda n: a.union(b).map(lambda x: x + n))(100 * seconds(time)), t
        ),
        [NUMBERS, OTHERS],
        {1: [[103, 101], [102], [130]], 2: [[240], [250]], 3: [[305], []]},
    ),
    Statement(
        "transformWith gets an empty RDD where the other stream has no batch",
        lambda ssc, s, t: s.transformWith(lambda a, b: a.union(b), t.window(2, 2)),
        [[[[1]], [[2]], [[3]]], OTHERS],
        {1: [[1]], 2: [[2], [30], [40], [50]], 3: [[3]]},
    ),
    Statement(
        "RDDs of one shuffle are united partition by partition",
        lambda ssc, s: (lambda shuffled: shuffled.transformWith(lambda a, b: a.union(b), shuffled))(
            s.map(lambda n: (n, n)).partitionBy(2)
        ),
        [NUMBERS],
        {1: [[(2, 2), (2, 2)], [(3, 3), (1, 1), (3, 3), (1, 1)]], 2: [[], []], 3: [[], [(5, 5), (5, 5)]]},
    ),
    Statement(
        "an RDD is known to be partitioned where its operators keep keys, and where the program says so",
        lambda ssc, s: (lambda shuffled: shuffled.transformWith(lambda a, b: a.union(b), kept(shuffled)))(
            s.map(lambda n: (n, n)).partitionBy(2)
        ),
        [NUMBERS],
        {1: [[(2, 2), (20, 2)], [(3, 3), (1, 1), (30, 3), (10, 1)]], 2: [[], []], 3: [[], [(5, 5), (50, 5)]]},
    ),
    Statement(
        "an RDD whose keys may have changed is not known to be partitioned",
        lambda ssc, s: (
            lambda shuffled: shuffled.transformWith(lambda a, b: a.union(b), shuffled.map(lambda pair: pair))
        )(s.map(lambda n: (n, n)).partitionBy(2)),
        [[[[1]], []]],
        {1: [[], [(1, 1)], [], [(1, 1)]], 2: [[], [], [], []]},
    ),
    Statement(
        "what transform makes of a shuffled RDD is united with it partition by partition",
        lambda ssc, s: (
            lambda shuffled: shuffled.transform(lambda rdd: rdd.mapValues(lambda n: -n)).union(shuffled)
        )(s.map(lambda n: (n, n)).partitionBy(2)),
        [[[[1]], []]],
        {1: [[], [(1, -1), (1, 1)]], 2: [[], []]},
    ),
    Statement(
        "StreamingContext.transform gets the RDDs in a tuple, and never the time",
        lambda ssc, s, t: ssc.transform([t, s], lambda rdds: rdds[1].union(rdds[0]).map(lambda x: -x)),
        [NUMBERS, OTHERS],
        {1: [[-3, -1], [-2], [-30]], 2: [[-40], [-50]], 3: [[-5], []]},
    ),
    Statement(
        "StreamingContext.transform of one stream still gets a tuple",
        lambda ssc, s: ssc.transform([s], lambda rdds: _numbered(len(rdds), rdds[0])),
        [NUMBERS],
        {1: [[(1, 3), (1, 1)], [(1, 2)]], 2: [], 3: [[(1, 5)]]},
    ),
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_statement(statement: Statement, outputs) -> None:
    statement.check(outputs)


@pytest.fixture
def stream(spark_context: SparkContext, engine: str) -> DStream:
    return StreamingContext(spark_context, 1, engine=engine).queueStream([[1]])


class Callbacks:
    def one(self, rdd):
        return rdd

    def two(self, time, rdd):
        return rdd


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda: None, id="none"),
        pytest.param(lambda a, b, c: a, id="three"),
        pytest.param(lambda *args: args[0], id="only *args"),
        pytest.param(Callbacks().two, id="a bound method of time and rdd, because self counts"),
    ],
)
def test_transform_takes_one_or_two_arguments(stream: DStream, function) -> None:
    with pytest.raises(AssertionError, match="one or two arguments"):
        stream.transform(function)


@pytest.mark.parametrize("function", [lambda a: a, lambda a, b, c, d: a])
def test_transform_with_takes_two_or_three_arguments(stream: DStream, function) -> None:
    with pytest.raises(AssertionError, match="two or three arguments"):
        stream.transformWith(function, stream)


def test_self_counts_as_an_argument(stream: DStream) -> None:
    """A bound method of one argument is called with the time as well, which fails in the batch."""
    stream.transform(Callbacks().one).foreachRDD(lambda rdd: pytest.fail("there is no batch"))
    assert "takes 2 positional arguments but 3 were given" in first_error(stream.context())


def test_self_counts_as_an_argument_of_foreach_rdd(stream: DStream) -> None:
    stream.foreachRDD(Callbacks().one)
    assert "takes 2 positional arguments but 3 were given" in first_error(stream.context())


def test_self_counts_as_an_argument_of_transform_with(stream: DStream) -> None:
    with_both = stream.transformWith(Callbacks().two, stream)
    with_both.foreachRDD(lambda rdd: pytest.fail("there is no batch"))
    assert "takes 3 positional arguments but 4 were given" in first_error(stream.context())


def first_error(ssc: StreamingContext) -> str:
    clock = BatchClock(ssc)
    ssc.start()
    clock.skip_batch()
    with pytest.raises(StreamingError) as caught:
        ssc.awaitTerminationOrTimeout(60)
    ssc.stop(False)
    return str(caught.value)


class Identity:
    def __call__(self, rdd):
        return rdd


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(functools.partial(lambda rdd, n: rdd, n=1), id="partial"),
        pytest.param(len, id="builtin"),
        pytest.param(Identity(), id="callable object"),
    ],
)
def test_only_functions_have_arguments_to_count(stream: DStream, function) -> None:
    for member in (stream.transform, stream.foreachRDD, lambda f: stream.transformWith(f, stream)):
        with pytest.raises(AttributeError, match="__code__"):
            member(function)


def test_streaming_context_transform_refuses_different_slides(stream: DStream) -> None:
    ssc = stream.context()
    with pytest.raises(ValueError, match="same slide duration"):
        ssc.transform([stream, stream.window(2, 2)], lambda rdds: rdds[0])
    with pytest.raises(ValueError, match="at least one DStream"):
        ssc.transform([], lambda rdds: rdds[0])
