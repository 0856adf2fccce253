"""Random micro-batches through both engines: every operator, compared batch by batch.

An example is two sources. All operators of a group run on them side by side, because a context and a batch
cost time however little they do.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import SparkContext

from compat.testing import Case, assert_equal, run
from compat.testing.compare import Compare
from compat.testing.strategies import batches, lines, pairs, words
from tests.statements import examples


@dataclass(frozen=True)
class Piece:
    """What is built on one or two streams; how its results are compared."""

    build: Callable[..., Any]
    compare: Compare = "partitions"
    streams: int = 1


TEXT = {
    "map": Piece(lambda ssc, s: s.map(lambda x: (x, len(x))), "order"),
    "flatMap": Piece(lambda ssc, s: s.flatMap(lambda x: x.split(" ")), "order"),
    "filter": Piece(lambda ssc, s: s.filter(lambda x: x.strip()), "order"),
    "mapPartitions": Piece(lambda ssc, s: s.mapPartitions(lambda it: [sorted(it)]), "order"),
    "mapPartitionsWithIndex": Piece(
        lambda ssc, s: s.mapPartitionsWithIndex(lambda i, it: ((i, x) for x in it)), "order"
    ),
    "glom": Piece(lambda ssc, s: s.glom(), "order"),
    "count": Piece(lambda ssc, s: s.count()),
    "reduce": Piece(lambda ssc, s: s.reduce(max)),
    "countByValue": Piece(lambda ssc, s: s.countByValue()),
    "transform": Piece(lambda ssc, s: s.transform(lambda rdd: rdd.sortBy(repr, numPartitions=1)), "order"),
    "transform to None": Piece(
        lambda ssc, s: s.transform(lambda time, rdd: None if round(time.timestamp()) % 2 else rdd), "order"
    ),
    "cache": Piece(lambda ssc, s: s.map(lambda x: x * 2).cache(), "order"),
    "union": Piece(lambda ssc, s, t: s.union(t.map(lambda x: x + "!")), "order", 2),
    "StreamingContext.union": Piece(lambda ssc, s, t: ssc.union(t, s, t), "order", 2),
    "StreamingContext.transform": Piece(
        lambda ssc, s, t: ssc.transform([s, t], lambda rdds: rdds[1].union(rdds[0])), "order", 2
    ),
}

PAIRS = {
    "mapValues": Piece(lambda ssc, s: s.mapValues(lambda v: v * 3), "order"),
    "flatMapValues": Piece(lambda ssc, s: s.flatMapValues(lambda v: range(v % 3)), "order"),
    "reduceByKey": Piece(lambda ssc, s: s.reduceByKey(lambda a, b: a + b)),
    "reduceByKey(3)": Piece(lambda ssc, s: s.reduceByKey(lambda a, b: a + b, 3)),
    "combineByKey": Piece(
        lambda ssc, s: s.combineByKey(lambda v: [v], lambda c, v: [*c, v], lambda c, d: c + d).mapValues(
            sorted
        )
    ),
    "groupByKey": Piece(lambda ssc, s: s.groupByKey()),
    "partitionBy": Piece(lambda ssc, s: s.partitionBy(3)),
    "repartition": Piece(lambda ssc, s: s.repartition(2), "elements"),
    "join": Piece(lambda ssc, s, t: s.join(t), streams=2),
    "leftOuterJoin": Piece(lambda ssc, s, t: s.leftOuterJoin(t, 1), streams=2),
    "rightOuterJoin": Piece(lambda ssc, s, t: s.rightOuterJoin(t, 3), streams=2),
    "fullOuterJoin": Piece(lambda ssc, s, t: s.fullOuterJoin(t), streams=2),
    "cogroup": Piece(lambda ssc, s, t: s.cogroup(t), streams=2),
    "transformWith": Piece(lambda ssc, s, t: s.transformWith(lambda a, b: a.subtractByKey(b), t), streams=2),
}

TIMED = {
    "window": Piece(lambda ssc, s: s.window(3), "order"),
    "window of a shuffle": Piece(lambda ssc, s: s.reduceByKey(lambda a, b: a + b).window(2, 2)),
    "reduceByKeyAndWindow": Piece(lambda ssc, s: s.reduceByKeyAndWindow(operator.add, None, 3, 2)),
    "with a short inverse": Piece(lambda ssc, s: s.reduceByKeyAndWindow(operator.add, operator.sub, 2)),
    "with a long inverse": Piece(lambda ssc, s: s.reduceByKeyAndWindow(operator.add, operator.sub, 5, 1, 1)),
    "with a filter": Piece(
        lambda ssc, s: s.reduceByKeyAndWindow(
            operator.add, operator.sub, 5, 1, 1, filterFunc=lambda kv: kv[1] != 0
        )
    ),
    "countByWindow": Piece(lambda ssc, s: s.countByWindow(2, 1)),
    "countByValueAndWindow": Piece(lambda ssc, s: s.countByValueAndWindow(5, 1)),
    "a running sum": Piece(lambda ssc, s: s.updateStateByKey(lambda new, last: sum(new) + (last or 0))),
    "state that ends": Piece(
        lambda ssc, s: s.updateStateByKey(lambda new, last: None if not new and last else sorted(new), 3)
    ),
    "state that grows without input": Piece(
        lambda ssc, s: s.updateStateByKey(lambda new, last: (last or 0) + 1, 1, [("a", 5), ("gone", 0)])
    ),
}


def compare_engines(pieces: dict[str, Piece], inputs: list[Any], sc: SparkContext, drain: int) -> None:
    swapped = inputs[::-1]
    cases = [
        Case(piece.build, (inputs if number % 2 else swapped)[: piece.streams])
        for number, piece in enumerate(pieces.values())
    ]
    expected = run(cases, sc, engine="rdd", drain=drain)
    got = run(cases, sc, engine="structured", drain=drain)
    for (name, piece), one, other in zip(pieces.items(), expected, got, strict=True):
        assert_equal(one, other, compare=piece.compare, name=name)


def inputs(elements: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[list[Any]]:
    """Two sources of their own, each with something in it: the first example would be two of nothing."""
    source = batches(elements, min_batches=2, max_batches=most, max_partitions=2, max_size=4)
    return st.lists(source.filter(lambda given: any(map(any, given))), min_size=2, max_size=2)


@settings(max_examples=examples(1))
@given(data=inputs(words() | lines(), 2))
def test_text(spark_context: SparkContext, data: list[Any]) -> None:
    compare_engines(TEXT, data, spark_context, drain=0)


@settings(max_examples=examples(1))
@given(data=inputs(pairs(), 2))
def test_pairs(spark_context: SparkContext, data: list[Any]) -> None:
    compare_engines(PAIRS, data, spark_context, drain=0)


@pytest.mark.full
@settings(max_examples=examples(1))
@given(data=inputs(pairs(key=st.sampled_from(["a", "é", "", None, 1])), 3))
def test_windows_and_state(spark_context: SparkContext, data: list[Any]) -> None:
    compare_engines(TIMED, data, spark_context, drain=3)
