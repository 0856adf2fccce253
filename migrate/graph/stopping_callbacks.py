"""Callbacks that stop the context: ``if rdd.isEmpty(): ssc.stop()``.

On pyspark.streaming nothing of the batch comes after it: `stop` ends the jobs of the batch, and takes the
SparkContext away from the callback.
"""

from __future__ import annotations

import ast

from migrate.syntax.tree import Tree
from migrate.trace import Graph, Trace
from migrate.trace.values import Function


def callbacks(graph: Graph, trace: Trace) -> set[ast.AST]:
    """The functions that ``foreachRDD`` is given."""
    found: set[ast.AST] = set()
    for use in graph.uses:
        if use.name == "foreachRDD" and use.call is not None and use.call.args:
            values = trace.kinds.get(use.call.args[0], frozenset())
            found |= {value.node for value in values if isinstance(value, Function)}
    return found


def ends_by_stopping(function: ast.AST, graph: Graph, tree: Tree) -> bool:
    """Whether a function does nothing more once it has stopped the context, and catches nothing of that.

    A graceful stop is none: it waits for the batch that waits for it.
    """
    uses = [use for use in graph.uses if tree.scope_of(use.node) is function]
    return isinstance(function, ast.FunctionDef) and all(
        use.name == "stop" and use.call is not None and _is_last(use.call, function, tree) for use in uses
    )


def _is_last(call: ast.Call, function: ast.FunctionDef, tree: Tree) -> bool:
    """Whether a call is a statement of its own, of which nothing of the function comes after."""
    step = tree.above[call]
    if not isinstance(step, ast.Expr) or _is_graceful(call):
        return False
    while step is not function:
        above = tree.above[step]
        if not isinstance(step, ast.stmt) or not isinstance(above, ast.If | ast.FunctionDef):
            return False
        orelse = above.orelse if isinstance(above, ast.If) else []
        block = above.body if step in above.body else orelse
        if not all(_returns_nothing(below) for below in block[block.index(step) + 1 :]):
            return False
        step = above
    return True


def _returns_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Return) and statement.value is None


def _is_graceful(call: ast.Call) -> bool:
    """Whether a call of ``stop`` lets batches finish, or may."""
    given = [*call.args[1:2], *(word.value for word in call.keywords if word.arg in ("stopGraceFully", None))]
    return not all(isinstance(node, ast.Constant) and node.value is False for node in given)
