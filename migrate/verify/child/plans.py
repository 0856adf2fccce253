"""The plan of a DataFrame: whether it is sorted, and the same frame with its sort keys beside its rows.

A frame is sorted where there is a global `Sort` under nothing but projections, filters and limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyspark

_CLASSIC = int(pyspark.__version__.split(".", 1)[0]) >= 4
ClassicDataFrame: Any
if _CLASSIC:
    from pyspark.sql.classic.column import _to_seq
    from pyspark.sql.classic.dataframe import DataFrame as ClassicDataFrame
else:
    from pyspark.sql import DataFrame as ClassicDataFrame
    from pyspark.sql.column import _to_seq  # type: ignore[attr-defined, no-redef]

_KEY = "__verify_sort_key_"


@dataclass(frozen=True)
class Plan:
    """A frame taken apart: the steps above its sort, bottom last, and the limit on top of it all."""

    steps: list[Any]
    sort: Any
    """The `Sort`, or where there is none what stands at the bottom."""
    is_sorted: bool
    limit: int | None


def row_of(names: list[str], values: Any) -> Any:
    """A `Row` of these columns; names may occur twice."""
    from pyspark.sql.types import _create_row

    return _create_row(names, values)


def take_apart(frame: Any) -> Plan:
    """The analysed plan of a frame down to its sort, or to the first step that keeps no order."""
    node = frame._jdf.queryExecution().analyzed()
    steps: list[Any] = []
    limit: int | None = None
    while True:
        name = node.getClass().getSimpleName()
        if name == "Sort":
            return Plan(steps, node, bool(getattr(node, "global")()), limit)
        if name in ("GlobalLimit", "LocalLimit"):
            # A limit under a filter cannot be lifted to the top; what is below it counts as the bottom.
            if any(step.getClass().getSimpleName() == "Filter" for step in steps):
                return Plan(steps, node, False, limit)
            number = int(str(node.limitExpr().toString()))
            limit = number if limit is None else min(limit, number)
        elif name in ("Project", "Filter", "SubqueryAlias"):
            if name != "SubqueryAlias":
                steps.append(node)
        else:
            return Plan(steps, node, False, limit)
        node = node.child()


def rebuilt(frame: Any, plan: Plan, keys: list[Any]) -> Any:
    """The frame without its limit, with its sort keys as further columns at the end."""
    session, jvm = frame.sparkSession, frame.sparkSession._jvm
    java = _dataset(jvm).ofRows(session._jsparkSession, plan.sort)
    names = [f"{_KEY}{number}" for number in range(len(keys))]
    if keys:
        outputs = [_column(jvm, attribute) for attribute in items(plan.sort.output())]
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
            java = _select(session, java, [_column(jvm, item) for item in items(step.projectList())] + kept)
    return ClassicDataFrame(java, session)


def _select(session: Any, java: Any, columns: list[Any]) -> Any:
    return java.select(_to_seq(session.sparkContext, columns))


def items(sequence: Any) -> Iterator[Any]:
    """The elements of a Scala sequence."""
    for place in range(sequence.size()):
        yield sequence.apply(place)


def _dataset(jvm: Any) -> Any:
    sql = jvm.org.apache.spark.sql
    return sql.classic.Dataset if _CLASSIC else sql.Dataset


def _column(jvm: Any, expression: Any) -> Any:
    sql = jvm.org.apache.spark.sql
    return sql.classic.ExpressionUtils.column(expression) if _CLASSIC else sql.Column(expression)
