"""Operators from streams of (key, integer) to one of the same, for programs that are drawn at random.

Their functions are lambdas within lambdas: pickled by value, because workers cannot import this module.
"""

from __future__ import annotations

import ast
import operator as op
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st
from pyspark import StorageLevel

literal = lambda line: ast.literal_eval(line)  # noqa: E731 - by value, too
"""A pair from its text in a file."""


FAILURES: list[int] = []
"""The seconds of the batches that a `transform` made fail."""


def fails_once(second: int) -> Callable[..., Any]:
    """A callback for `transform` that raises when it is first called for a batch from that second on."""
    done = False

    def callback(time: Any, rdd: Any) -> Any:
        nonlocal done
        if not done and round(time.timestamp()) >= second:
            done = True
            FAILURES.append(round(time.timestamp()))
            raise RuntimeError(f"fails in second {second}")
        return rdd

    return callback


def _adds(rows: Sequence[int], _: Any) -> int:
    return sum(rows)


def _doubles(rows: Sequence[int], _: Any) -> int:
    return rows[0] * 2


def _multiplies(rows: Sequence[int], _: Any) -> int:
    return max(rows[0], 1) * max(rows[1], 1)


def _gathers(rows: Sequence[int], arguments: Any) -> int:
    return rows[0] * int(arguments[0])


def _remembers(rows: Sequence[int], _: Any) -> int:
    return rows[0] * 10


class Operator(NamedTuple):
    """How a step is built, and what is known of its result."""

    build: Callable[..., Any]
    """From the context, its streams and its arguments."""
    level: int = 0
    """How much of the order it mixes up: nothing, that within partitions, also which partition it is."""
    keeps: bool = True
    """Whether what was mixed up before stays so."""
    streams: int = 1
    arguments: st.SearchStrategy[Any] = st.just(())
    slides: bool = False
    """Whether the arguments begin with window and slide, in batches of the stream."""
    same_slides: bool = False
    by_partition: bool = False
    """Whether the result depends on which partition an element is in."""
    rows: Callable[[Sequence[int], Any], int] = _adds
    """The most rows of a batch, from that of each stream and the arguments."""


def _narrow(build: Callable[..., Any], **known: Any) -> Operator:
    return Operator(build, **known)


def _keyed(build: Callable[..., Any], **known: Any) -> Operator:
    return Operator(build, level=1, keeps=False, **known)


def _joined(build: Callable[..., Any]) -> Operator:
    return _keyed(build, streams=2, rows=_multiplies)


def _state(build: Callable[..., Any], **known: Any) -> Operator:
    return _keyed(build, rows=_remembers, **known)


NUMBERS = st.tuples(st.sampled_from([None, 1, 3]))
WINDOWS = st.tuples(st.integers(1, 4), st.sampled_from([1, 1, 1, 2, 3]))
LONG = st.sampled_from([(5, 1), (6, 1), (7, 1)])
INVERSE = st.one_of(WINDOWS, LONG, LONG)


def _inverse(build: Callable[..., Any]) -> Operator:
    return _keyed(build, arguments=INVERSE, slides=True, rows=_gathers)


NARROW = {
    "map": _narrow(lambda ssc, s: s.map(lambda kv: (kv[0], kv[1] * 2 + 1))),
    "map to other keys": _narrow(lambda ssc, s: s.map(lambda kv: (kv[1] % 3, len(repr(kv[0]))))),
    "map, keys kept": _narrow(lambda ssc, s: s.map(lambda kv: (kv[0], -kv[1]), True)),
    "flatMap": _narrow(lambda ssc, s: s.flatMap(lambda kv: [kv] * (kv[1] % 3)), rows=_doubles),
    "filter": _narrow(lambda ssc, s: s.filter(lambda kv: kv[1] % 4 != 1)),
    "mapValues": _narrow(lambda ssc, s: s.mapValues(lambda v: v * 3 - 1)),
    "flatMapValues": _narrow(lambda ssc, s: s.flatMapValues(lambda v: range(v % 3)), rows=_doubles),
    "mapPartitions": _narrow(
        lambda ssc, s: s.mapPartitions(lambda pairs: [("sum", sum(v for _, v in pairs))]), by_partition=True
    ),
    "mapPartitionsWithIndex": _narrow(
        lambda ssc, s: s.mapPartitionsWithIndex(lambda i, pairs: ((k, v * 10 + i) for k, v in pairs)),
        by_partition=True,
    ),
    "glom": _narrow(
        lambda ssc, s: s.glom().map(lambda part: (len(part), sum(v for _, v in part))), by_partition=True
    ),
    "cache": _narrow(lambda ssc, s: s.map(lambda kv: kv).cache()),
    "persist": _narrow(lambda ssc, s: s.filter(lambda kv: True).persist(StorageLevel.DISK_ONLY)),
    "repartition": Operator(lambda ssc, s, n: s.repartition(n or 2), level=2, arguments=NUMBERS),
    "fails on a value": _narrow(
        lambda ssc, s, bad: s.map(lambda kv: (kv[0], kv[1] + 0 // (kv[1] - bad))),
        arguments=st.tuples(st.integers(-9, 9)),
    ),
}

SHUFFLES = {
    "reduceByKey": _keyed(lambda ssc, s, n: s.reduceByKey(lambda a, b: a + b, n), arguments=NUMBERS),
    "groupByKey": _keyed(
        lambda ssc, s, n: s.groupByKey(n).mapValues(lambda vs: sum(vs) * 3 + len(vs)), arguments=NUMBERS
    ),
    "combineByKey": _keyed(
        lambda ssc, s, n: s.combineByKey(
            lambda v: (v, 1), lambda c, v: (c[0] + v, c[1] + 1), lambda c, d: (c[0] + d[0], c[1] + d[1]), n
        ).mapValues(lambda c: c[0] * 10 + c[1]),
        arguments=NUMBERS,
    ),
    "partitionBy": _keyed(lambda ssc, s, n: s.partitionBy(n or 2), arguments=NUMBERS),
    "partitionBy length": _keyed(lambda ssc, s: s.partitionBy(3, lambda key: len(repr(key)))),
    "count": _keyed(lambda ssc, s: s.count().map(lambda n: ("count", n))),
    "reduce": _keyed(
        lambda ssc, s: s.map(lambda kv: kv[1]).reduce(lambda a, b: a + b).map(lambda n: ("all", n))
    ),
    "countByValue": _keyed(lambda ssc, s: s.countByValue().map(lambda vn: (vn[0][0], vn[0][1] * 10 + vn[1]))),
    "join": _joined(lambda ssc, s, t: s.join(t).mapValues(lambda p: p[0] * 100 + p[1])),
    "leftOuterJoin": _joined(
        lambda ssc, s, t: s.leftOuterJoin(t, 3).mapValues(lambda p: p[0] * 10 + (p[1] or -1))
    ),
    "rightOuterJoin": _joined(
        lambda ssc, s, t: s.rightOuterJoin(t, 1).mapValues(lambda p: (p[0] or -1) * 10 + p[1])
    ),
    "fullOuterJoin": _joined(
        lambda ssc, s, t: s.fullOuterJoin(t).mapValues(lambda p: (p[0] or -1) * 10 + (p[1] or -1))
    ),
    "cogroup": _keyed(
        lambda ssc, s, t: s.cogroup(t).mapValues(lambda p: sum(p[0]) * 7 + len(p[1])), streams=2
    ),
}

TOGETHER = {
    "union": _narrow(lambda ssc, s, t: s.union(t), streams=2, same_slides=True),
    "StreamingContext.union": _narrow(lambda ssc, s, t: ssc.union(t, s), streams=2, same_slides=True),
    "transform": _keyed(lambda ssc, s: s.transform(lambda rdd: rdd.sortBy(repr, numPartitions=1))),
    "transform by time": _narrow(
        lambda ssc, s: s.transform(
            lambda time, rdd: (lambda second: rdd.mapValues(lambda v: v + second))(round(time.timestamp()))
        )
    ),
    "transform to nothing": _narrow(
        lambda ssc, s: s.transform(lambda time, rdd: rdd if round(time.timestamp()) % 3 else None)
    ),
    "transform that fails once": _narrow(
        lambda ssc, s, second: s.transform(fails_once(second)), arguments=st.tuples(st.integers(1, 4))
    ),
    "transformWith": _keyed(lambda ssc, s, t: s.transformWith(lambda a, b: a.subtractByKey(b), t), streams=2),
    "transformWith time": _narrow(
        lambda ssc, s, t: s.transformWith(
            lambda time, a, b: b.union(a) if round(time.timestamp()) % 2 else a, t
        ),
        streams=2,
    ),
}

OVER_TIME = {
    "state: sum": _state(
        lambda ssc, s, n: s.updateStateByKey(lambda new, last: sum(new) + (last or 0), n), arguments=NUMBERS
    ),
    "state: ends": _state(
        lambda ssc, s: s.updateStateByKey(
            lambda new, last: None if not new and (last or 0) % 2 else sum(new) + (last or 0)
        )
    ),
    "state: from the start": _state(
        lambda ssc, s, n: s.updateStateByKey(
            lambda new, last: (last or 0) + 1 + len(new), n, [("a", 5), ("z", -1)]
        ),
        arguments=NUMBERS,
    ),
    "window": _narrow(
        lambda ssc, s, window, slide: s.window(window * s._slideDuration, slide * s._slideDuration),
        arguments=WINDOWS,
        slides=True,
        rows=_gathers,
    ),
    "reduceByKeyAndWindow": _keyed(
        lambda ssc, s, window, slide: s.reduceByKeyAndWindow(
            lambda a, b: a + b, None, window * s._slideDuration, slide * s._slideDuration
        ),
        arguments=WINDOWS,
        slides=True,
        rows=_gathers,
    ),
    "with inverse": _inverse(
        lambda ssc, s, window, slide: s.reduceByKeyAndWindow(
            op.add, op.sub, window * s._slideDuration, slide * s._slideDuration
        )
    ),
    "with inverse and filter": _inverse(
        lambda ssc, s, window, slide: s.reduceByKeyAndWindow(
            op.add,
            op.sub,
            window * s._slideDuration,
            slide * s._slideDuration,
            3,
            filterFunc=lambda kv: kv[1] != 0,
        )
    ),
    "reduceByWindow": _keyed(
        lambda ssc, s, window, slide: (
            s.map(lambda kv: kv[1])
            .reduceByWindow(max, None, window * s._slideDuration, slide * s._slideDuration)
            .map(lambda n: ("most", n))
        ),
        arguments=WINDOWS,
        slides=True,
    ),
    "countByWindow": _inverse(
        lambda ssc, s, window, slide: s.countByWindow(
            window * s._slideDuration, slide * s._slideDuration
        ).map(lambda n: ("count", n))
    ),
    "countByValueAndWindow": _inverse(
        lambda ssc, s, window, slide: s.map(lambda kv: kv[0]).countByValueAndWindow(
            window * s._slideDuration, slide * s._slideDuration
        )
    ),
    "groupByKeyAndWindow": _inverse(
        lambda ssc, s, window, slide: s.groupByKeyAndWindow(
            window * s._slideDuration, slide * s._slideDuration
        ).mapValues(lambda vs: sum(vs) * 3 + len(vs))
    ),
}

OPERATORS: dict[str, Operator] = NARROW | SHUFFLES | TOGETHER | OVER_TIME
