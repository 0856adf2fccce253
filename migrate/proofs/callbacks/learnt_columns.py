"""DataFrames whose columns are read off the elements, `spark.read.json(rdd)`: without any, they have none.

So code that names a column, or saves the DataFrame, fails for a batch without elements.
"""

from __future__ import annotations

import ast

from migrate.knowledge import rdd, sessions
from migrate.proofs.callbacks.guards import only_with_rows
from migrate.proofs.callbacks.roles import Callback, is_rdd
from migrate.proofs.callbacks.rows import Rows
from migrate.syntax.nodes import walk
from migrate.syntax.tree import goes_on_after

_NEEDS_NO_COLUMN = sessions.REPLACES_VIEWS | {
    *("cache", "collect", "columns", "count", "dtypes", "head", "isEmpty", "limit", "persist", "printSchema"),
    *("rdd", "schema", "show", "take", "toLocalIterator", "unpersist"),
}
"""Members of a DataFrame that are there, and do not fail, though it has no columns."""


def names_missing_columns(callback: Callback) -> bool:
    """Whether a callback may name columns that a DataFrame has not, where its RDD has no elements."""
    rows, parents = Rows(callback), callback.parents
    nodes = [node for node in callback.walk() if not isinstance(node, ast.FunctionDef)]
    made: set[ast.AST] = {node for node in nodes if _reads(node, rows)}
    if all(only_with_rows(node, rows, parents) for node in made):
        return False
    names = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _base(node.value) in made
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    frames = made | {node for node in nodes if isinstance(node, ast.Name) and node.id in names}
    return any(
        _needs_columns(node, frames)
        and not goes_on_after(node, parents)
        and not only_with_rows(node, rows, parents)
        for node in nodes
        if isinstance(node, ast.expr)
    )


def _reads(node: ast.AST, rows: Rows) -> bool:
    """``spark.read.json(rdd)``, without a schema."""
    match node:
        case ast.Call(ast.Attribute(reader, "json" | "csv"), [first], []):
            given = {one.attr for one in walk(reader) if isinstance(one, ast.Attribute)}
            return "schema" not in given and is_rdd(first, rows.rdds, rdd.NO_MORE)
    return False


def _base(node: ast.AST) -> ast.AST:
    """What the first of a chain of methods is called on, unless that is a method of a reader."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in ("json", "csv"):
            return node
        node = node.func.value
    return node


def _needs_columns(node: ast.expr, frames: set[ast.AST]) -> bool:
    """Whether an expression names a column of one of some DataFrames, or may."""
    match node:
        case ast.Attribute(value, name):
            return name in sessions.READS_VIEWS or (value in frames and name not in _NEEDS_NO_COLUMN)
        case ast.Subscript(value):
            return value in frames
        case ast.Call(_, given):
            return any(one in frames for one in given)
    return False
