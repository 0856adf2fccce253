"""Results that leave a DataFrame: `collect`, `show`, `take`, `toPandas` and the like, in canonical order.

Whether a frame is sorted is read off its analysed plan: a global `Sort` under nothing but projections,
filters and limits. Its keys are computed beside the rows, so that ties can be told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pyspark

from migrate.verify.child.order import Ordered, as_they_came, by_keys, unsorted
from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.rdds import Sort, set_sort
from migrate.verify.child.session import Session

_CLASSIC = int(pyspark.__version__.split(".", 1)[0]) >= 4
ClassicDataFrame: Any
if _CLASSIC:
    from pyspark.sql.classic.column import _to_seq
    from pyspark.sql.classic.dataframe import DataFrame as ClassicDataFrame
else:
    from pyspark.sql import DataFrame as ClassicDataFrame
    from pyspark.sql.column import _to_seq  # type: ignore[attr-defined, no-redef]

_collect = ClassicDataFrame.collect
_KEY = "__verify_sort_key_"
_SHUFFLES = ("Aggregate", "Join", "Repartition", "Distinct", "Deduplicate", "Window", "Intersect", "Except")


@dataclass(frozen=True)
class _Plan:
    """A frame taken apart: the steps above its sort, bottom last, and the limit on top of it all."""

    steps: list[Any]
    sort: Any
    """The `Sort`, or where there is none what stands at the bottom."""
    is_sorted: bool
    limit: int | None


def whole(frame: Any) -> tuple[Ordered, int | None]:
    """All rows of a frame without its last limit, and that limit."""
    plan = _take_apart(frame)
    if not plan.is_sorted:
        if plan.limit is not None:
            frame = _rebuilt(frame, plan, [])
        return unsorted(_collect(frame)), plan.limit
    keys = [order.child() for order in _items(plan.sort.order())]
    width = len(frame.columns)
    rows = _collect(_rebuilt(frame, plan, keys))
    names = frame.columns
    return by_keys([(tuple(row[width:]), _row(names, row[:width])) for row in rows]), plan.limit


def _whole_or_part(frame: Any) -> tuple[Ordered, int | None]:
    try:
        return whole(frame)
    except Exception as error:
        if "py4j" not in type(error).__module__ and not isinstance(error, (TypeError, AttributeError)):
            raise
        # The plan has a form that this PySpark cannot take apart here; the frame itself must still work.
        rows = _collect(frame)
        return (as_they_came(rows) if _take_apart(frame).is_sorted else unsorted(rows)), None


def _row(names: list[str], values: Any) -> Any:
    from pyspark.sql.types import _create_row

    return _create_row(names, values)


def _take_apart(frame: Any) -> _Plan:
    node = frame._jdf.queryExecution().analyzed()
    steps: list[Any] = []
    limit: int | None = None
    while True:
        name = node.getClass().getSimpleName()
        if name == "Sort":
            return _Plan(steps, node, bool(getattr(node, "global")()), limit)
        if name in ("GlobalLimit", "LocalLimit"):
            # A limit under a filter cannot be lifted to the top; what is below it counts as the bottom.
            if any(step.getClass().getSimpleName() == "Filter" for step in steps):
                return _Plan(steps, node, False, limit)
            number = int(str(node.limitExpr().toString()))
            limit = number if limit is None else min(limit, number)
        elif name in ("Project", "Filter", "SubqueryAlias"):
            if name != "SubqueryAlias":
                steps.append(node)
        else:
            return _Plan(steps, node, False, limit)
        node = node.child()


def _rebuilt(frame: Any, plan: _Plan, keys: list[Any]) -> Any:
    """The frame without its limit, with its sort keys as further columns at the end."""
    session, jvm = frame.sparkSession, frame.sparkSession._jvm
    java = _dataset(jvm).ofRows(session._jsparkSession, plan.sort)
    names = [f"{_KEY}{number}" for number in range(len(keys))]
    if keys:
        outputs = [_column(jvm, attribute) for attribute in _items(plan.sort.output())]
        java = _select(
            session,
            java,
            outputs + [_column(jvm, key).alias(name) for key, name in zip(keys, names, strict=True)],
        )
    for step in reversed(plan.steps):
        if step.getClass().getSimpleName() == "Filter":
            java = java.filter(_column(jvm, step.condition()))
        else:
            kept = [java.col(name) for name in names]
            java = _select(session, java, [_column(jvm, item) for item in _items(step.projectList())] + kept)
    return ClassicDataFrame(java, session)


def _select(session: Any, java: Any, columns: list[Any]) -> Any:
    return java.select(_to_seq(session.sparkContext, columns))


def _items(sequence: Any) -> Iterator[Any]:
    for place in range(sequence.size()):
        yield sequence.apply(place)


def _dataset(jvm: Any) -> Any:
    sql = jvm.org.apache.spark.sql
    return sql.classic.Dataset if _CLASSIC else sql.Dataset


def _column(jvm: Any, expression: Any) -> Any:
    sql = jvm.org.apache.spark.sql
    return sql.classic.ExpressionUtils.column(expression) if _CLASSIC else sql.Column(expression)


def ties_of(frame: Any) -> list[int] | None:
    """Which rows of a sorted frame have equal sort keys; None if it is not sorted."""
    if frame.isStreaming or not _take_apart(frame).is_sorted:
        return None
    found, limit = _whole_or_part(frame)
    return found.ties[:limit] if found.ties else None


def record_exits(session: Session) -> None:
    """Put what a program takes out of a DataFrame in canonical order; note what it shows, and of what."""

    def exit_of(call: str, result: Callable[..., Any]) -> None:
        def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
            def leaves(self: Any, *args: Any, **kwargs: Any) -> Any:
                if self.isStreaming or not (session.driving or call == "show" or _is_shuffled(self)):
                    return original(self, *args, **kwargs)
                return result(session, self, *args, **kwargs)

            return leaves

        replace_for_programs(ClassicDataFrame, call, wrap)

    for call, result in _EXITS.items():
        exit_of(call, result)
    _follow_sorts_into_rdds()


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
        plan = None if self.isStreaming else _take_apart(self)
        if plan is None or not plan.is_sorted or plan.limit is not None:
            return result
        names, width = self.columns, len(self.columns)
        keyed = _rebuilt(self, plan, [order.child() for order in _items(plan.sort.order())])

        def without_keys(split: int, rows: Any) -> Iterator[Any]:
            return (_row(names, row[:width]) for row in rows)

        set_sort(result, Sort(original.__get__(keyed), lambda row: tuple(row[width:]), (without_keys,)))
        return result

    ClassicDataFrame.rdd = property(rdd, doc=original.__doc__)
