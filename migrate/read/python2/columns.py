"""Columns of DataFrames, which `/` divides as in Python 2: ``df.total / df["n"]``, ``F.col("n") / 2``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

_MAKING = frozenset({"createDataFrame", "sql", "table", "toDF"})
_READING = frozenset({"csv", "json", "load", "orc", "parquet", "text"})
_KEEPING = frozenset(
    {
        *("agg", "cache", "distinct", "drop", "filter", "groupBy", "groupby", "join", "limit", "orderBy"),
        *("persist", "select", "sort", "where", "withColumn", "withColumnRenamed"),
    }
)
_FUNCTIONS = "pyspark.sql.functions."

Values = Callable[[ast.Name], Sequence[ast.expr | None]]
"""The values that a variable is bound to; None for one that is not written out."""
Qualified = Callable[[ast.Name | ast.Attribute], str]
"""The qualified name of a function that is imported; empty for any other."""


def is_column(node: ast.expr, values: Values, qualified: Qualified) -> bool:
    """Whether an expression is a column for certain, as it is written."""
    match node:
        case ast.Attribute(frame, _) | ast.Subscript(frame, ast.Constant(str())):
            return _is_frame(frame, values, frozenset())
        case ast.Call(ast.Name() | ast.Attribute() as function) if qualified(function).startswith(_FUNCTIONS):
            return True
        case ast.Call(ast.Attribute(column, "alias" | "cast")):
            return is_column(column, values, qualified)
        case ast.BinOp(left, _, right):
            return is_column(left, values, qualified) or is_column(right, values, qualified)
    return False


def _is_frame(node: ast.expr, values: Values, opened: frozenset[str]) -> bool:
    """Whether an expression is a DataFrame, or its groups, for certain."""
    match node:
        case ast.Name(name) if name not in opened:
            held = values(node)
            frames = [one is not None and _is_frame(one, values, opened | {name}) for one in held]
            return bool(frames) and all(frames)
        case ast.Call(ast.Attribute(owner, name)):
            reads = name in _READING and "read" in ast.unparse(owner).split(".")
            return name in _MAKING or reads or (name in _KEEPING and _is_frame(owner, values, opened))
    return False
