"""Results that leave an RDD: `collect`, `take`, `first` and the like, in canonical order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from pyspark.rdd import RDD, PipelinedRDD

from migrate.verify.child.order import Ordered, by_keys, unsorted, with_keys
from migrate.verify.child.patching import replace, replace_for_programs
from migrate.verify.child.session import Session
from migrate.verify.values import sort_key

_collect = RDD.collect
_ATTRIBUTE = "_verify_sort"
_sorts: dict[int, Sort] = {}
"""The sorts of RDDs that went through the JVM, by the RDD's id there."""


@dataclass(frozen=True)
class Sort:
    """How an RDD came from a sorted one: record by record, so that each record still has a sort key."""

    sorted: RDD[Any]
    key: Callable[[Any], Any]
    functions: tuple[Callable[[int, Iterable[Any]], Iterable[Any]], ...] = ()
    through_engine: bool = False
    """The records came by another way than this; its rows and their order are what counts."""

    def collect(self) -> list[tuple[Any, Any]]:
        """(sort key, record) in the order of the sort."""
        key, functions = self.key, self.functions

        def keyed(split: int, records: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
            last: list[Any] = [None]

            def tapped() -> Iterator[Any]:
                for record in records:
                    last[0] = key(record)
                    yield record

            results: Iterable[Any] = tapped()
            for function in functions:
                results = function(split, results)
            for result in results:
                yield last[0], result

        pairs: list[tuple[Any, Any]] = _collect(self.sorted.mapPartitionsWithIndex(keyed))
        return pairs


def sort_of(rdd: RDD[Any]) -> Sort | None:
    """How `rdd` is sorted, if it is."""
    found: Sort | None = getattr(rdd, _ATTRIBUTE, None)
    return found


def set_sort(rdd: RDD[Any], sort: Sort) -> None:
    """Take note that `rdd` is sorted."""
    setattr(rdd, _ATTRIBUTE, sort)


def remember(rdd: Any) -> None:
    """Keep the sort of an RDD that is handed to the JVM."""
    sort = sort_of(rdd) if isinstance(rdd, RDD) else None
    if sort is not None:
        _sorts[rdd._jrdd.rdd().id()] = sort


def recall(rdd: Any) -> None:
    """Give an RDD that comes back from the JVM its sort again."""
    if _sorts and isinstance(rdd, RDD):
        sort = _sorts.get(rdd._jrdd.rdd().id())
        if sort is not None:
            set_sort(rdd, sort)


def whole(rdd: RDD[Any]) -> Ordered:
    """All of an RDD, computed once."""
    sort = sort_of(rdd)
    if sort is None:
        return unsorted(_collect(rdd))
    pairs = sort.collect()
    return with_keys(_collect(rdd), pairs) if sort.through_engine else by_keys(pairs)


def follow_sorts() -> None:
    """Make every RDD know whether it is sorted."""

    def sort_by_key(
        original: Callable[..., Any],
        self: RDD[Any],
        ascending: bool = True,
        numPartitions: int | None = None,  # noqa: N803 - Spark's name
        keyfunc: Callable[[Any], Any] = lambda key: key,
    ) -> Any:
        result = original(self, ascending, numPartitions, keyfunc)
        if result is not self:  # an empty RDD comes back as it is
            set_sort(result, Sort(result, lambda record: keyfunc(record[0])))
        return result

    def pipelined(
        original: Callable[..., Any], self: Any, prev: Any, func: Any, *args: Any, **kwargs: Any
    ) -> None:
        original(self, prev, func, *args, **kwargs)
        sort = sort_of(prev)
        if sort is not None:
            set_sort(self, Sort(sort.sorted, sort.key, (*sort.functions, func), sort.through_engine))

    replace(RDD, "sortByKey", sort_by_key)
    replace(PipelinedRDD, "__init__", pipelined)


def record_exits(session: Session) -> None:
    """Put what a program takes out of an RDD in canonical order, and note what a part was taken from."""
    for call, result in _EXITS.items():
        replace_for_programs(RDD, call, partial(_leave, session, result))


def _leave(
    session: Session,
    result: Callable[..., Any],
    original: Callable[..., Any],
    self: RDD[Any],
    *args: Any,
    **kwargs: Any,
) -> Any:
    if session.driving or _is_shuffled(self):
        return result(session, self, *args, **kwargs)
    return original(self, *args, **kwargs)


def _is_shuffled(rdd: RDD[Any]) -> bool:
    """Whether the order is anyone's guess; that of a file or a list, read before the start, is not."""
    return sort_of(rdd) is not None or b"+-(" in (rdd.toDebugString() or b"")


def _part(session: Session, call: str, found: Ordered, number: int) -> list[Any]:
    session.recorder.event("partial", call=call, rows=found.encoded(), limit=number, ties=found.ties)
    return found.rows[:number]


def _all(session: Session, rdd: RDD[Any]) -> list[Any]:
    return whole(rdd).rows


def _take(session: Session, rdd: RDD[Any], num: int) -> list[Any]:
    return _part(session, "take", whole(rdd), num)


def _first(session: Session, rdd: RDD[Any]) -> Any:
    rows = _part(session, "first", whole(rdd), 1)
    if not rows:
        raise ValueError("RDD is empty")
    return rows[0]


def _iterator(session: Session, rdd: RDD[Any], prefetchPartitions: bool = False) -> Iterator[Any]:  # noqa: N803
    return iter(whole(rdd).rows)


def _as_map(session: Session, rdd: RDD[Any]) -> dict[Any, Any]:
    return dict(whole(rdd).rows)


def _extreme(call: str, *, largest: bool) -> Callable[..., list[Any]]:
    def extreme(
        session: Session, rdd: RDD[Any], num: int, key: Callable[[Any], Any] | None = None
    ) -> list[Any]:
        rows = sorted(_collect(rdd), key=sort_key)
        keys = key or (lambda row: row)
        rows.sort(key=keys, reverse=largest)  # a stable sort: reverse keeps the canonical order of ties
        return _part(session, call, by_keys([(keys(row), row) for row in rows]), num)

    return extreme


def _counts(session: Session, rdd: RDD[Any]) -> Any:
    from collections import defaultdict

    counts: dict[Any, int] = defaultdict(int)
    for record in whole(rdd).rows:
        counts[record] += 1
    return counts


def _key_counts(session: Session, rdd: RDD[Any]) -> Any:
    return _counts(session, rdd.map(lambda record: record[0]))


_EXITS: dict[str, Callable[..., Any]] = {
    "collect": _all,
    "take": _take,
    "first": _first,
    "toLocalIterator": _iterator,
    "collectAsMap": _as_map,
    "top": _extreme("top", largest=True),
    "takeOrdered": _extreme("takeOrdered", largest=False),
    "countByValue": _counts,
    "countByKey": _key_counts,
}
