"""Results that leave a DataFrame: `collect`, `show`, `take`, `toPandas` and the like, in canonical order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from migrate.verify.child.order import Ordered, as_they_came, by_keys, unsorted
from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.plans import ClassicDataFrame, items, rebuilt, row_of, take_apart
from migrate.verify.child.rdds import Sort, set_sort
from migrate.verify.child.session import Session

_collect = ClassicDataFrame.collect
_SHUFFLES = ("Aggregate", "Join", "Repartition", "Distinct", "Deduplicate", "Window", "Intersect", "Except")


def whole(frame: Any) -> tuple[Ordered, int | None]:
    """All rows of a frame without its last limit, and that limit."""
    plan = take_apart(frame)
    if not plan.is_sorted:
        if plan.limit is not None:
            frame = rebuilt(frame, plan, [])
        return unsorted(_collect(frame)), plan.limit
    keys = [order.child() for order in items(plan.sort.order())]
    width = len(frame.columns)
    rows = _collect(rebuilt(frame, plan, keys))
    names = frame.columns
    return by_keys([(tuple(row[width:]), row_of(names, row[:width])) for row in rows]), plan.limit


def _whole_or_part(frame: Any) -> tuple[Ordered, int | None]:
    try:
        return whole(frame)
    except Exception as error:
        if "py4j" not in type(error).__module__ and not isinstance(error, (TypeError, AttributeError)):
            raise
        # The plan has a form that this PySpark cannot take apart here; the frame itself must still work.
        rows = _collect(frame)
        return (as_they_came(rows) if take_apart(frame).is_sorted else unsorted(rows)), None


def ties_of(frame: Any) -> list[int] | None:
    """Which rows of a sorted frame have equal sort keys; None if it is not sorted."""
    if frame.isStreaming or not take_apart(frame).is_sorted:
        return None
    found, limit = _whole_or_part(frame)
    return found.ties[:limit] if found.ties else None


def record_exits(session: Session) -> None:
    """Put what a program takes out of a DataFrame in canonical order; note what it shows, and of what."""
    for call, result in _EXITS.items():
        replace_for_programs(ClassicDataFrame, call, partial(_leave, session, result))
    _follow_sorts_into_rdds()


def _leave(
    session: Session,
    result: Callable[..., Any],
    original: Callable[..., Any],
    self: Any,
    *args: Any,
    **kwargs: Any,
) -> Any:
    if not self.isStreaming and (session.driving or result is show or _is_shuffled(self)):
        return result(session, self, *args, **kwargs)
    return original(self, *args, **kwargs)


def show(
    session: Session, frame: Any, n: int = 20, truncate: bool | int = True, vertical: bool = False
) -> None:
    """Note the rows that `DataFrame.show` would print, instead of the table."""
    found, limit = _whole_or_part(frame)
    session.recorder.display(
        kind="show",
        rows=found.encoded(),
        ties=found.ties,
        limit=n if limit is None else min(n, limit),
        columns=frame.columns,
        truncate=20 if truncate is True else int(truncate),
        vertical=vertical,
    )


def _is_shuffled(frame: Any) -> bool:
    plan = str(frame._jdf.queryExecution().optimizedPlan().toString())
    return any(operator in plan for operator in _SHUFFLES)


def _part(session: Session, call: str, frame: Any, number: int | None, *, last: bool = False) -> list[Any]:
    found, limit = _whole_or_part(frame)
    numbers = [bound for bound in (number, limit) if bound is not None]
    if not numbers:
        return found.rows
    rows = found.rows[:limit] if last else found.rows
    session.recorder.event("partial", call=call, rows=found.encoded(), limit=min(numbers), ties=found.ties)
    return rows[len(rows) - min(min(numbers), len(rows)) :] if last else rows[: min(numbers)]


def _all(session: Session, frame: Any) -> list[Any]:
    return _part(session, "limit", frame, None)


def _take(session: Session, frame: Any, num: int) -> list[Any]:
    return _part(session, "take", frame, num)


def _tail(session: Session, frame: Any, num: int) -> list[Any]:
    return _part(session, "tail", frame, num, last=True)


def _head(session: Session, frame: Any, n: int | None = None) -> Any:
    rows = _part(session, "head", frame, 1 if n is None else n)
    if n is not None:
        return rows
    return rows[0] if rows else None


def _first(session: Session, frame: Any) -> Any:
    return _head(session, frame)


def _iterator(session: Session, frame: Any, prefetchPartitions: bool = False) -> Iterator[Any]:  # noqa: N803
    return iter(_all(session, frame))


def _pandas(session: Session, frame: Any) -> Any:
    rows = _all(session, frame)
    return frame.sparkSession.createDataFrame(rows, frame.schema).coalesce(1).toPandas()


_EXITS: dict[str, Callable[..., Any]] = {
    "collect": _all,
    "take": _take,
    "tail": _tail,
    "head": _head,
    "first": _first,
    "toLocalIterator": _iterator,
    "toPandas": _pandas,
    "show": show,
}


def _follow_sorts_into_rdds() -> None:
    """Let `frame.rdd` of a sorted frame know its sort."""
    original = ClassicDataFrame.rdd

    def rdd(self: Any) -> Any:
        result = original.__get__(self)
        plan = None if self.isStreaming else take_apart(self)
        if plan is None or not plan.is_sorted or plan.limit is not None:
            return result
        names, width = self.columns, len(self.columns)
        keyed = rebuilt(self, plan, [order.child() for order in items(plan.sort.order())])

        def without_keys(split: int, rows: Any) -> Iterator[Any]:
            return (row_of(names, row[:width]) for row in rows)

        set_sort(result, Sort(original.__get__(keyed), lambda row: tuple(row[width:]), (without_keys,)))
        return result

    ClassicDataFrame.rdd = property(rdd, doc=original.__doc__)
