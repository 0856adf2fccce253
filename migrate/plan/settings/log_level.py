"""``sc.setLogLevel("ERROR")`` below the SparkContext becomes a setting of the session."""

from __future__ import annotations

import ast

from migrate.graph.existing_session import is_external
from migrate.plan.draft.basis import Basis
from migrate.syntax.nodes import code_of, walk

SETTING = "spark.log.level"
"""What Spark 3.5 and later give `setLogLevel` when a SparkContext is made."""
_METHOD = "setLogLevel"
_LEVELS = frozenset({"ALL", "DEBUG", "ERROR", "FATAL", "INFO", "OFF", "TRACE", "WARN"})


def log_level(basis: Basis) -> ast.Expr | None:
    """The statement that sets the level of the log for a SparkContext that the program makes.

    Where the SparkContext may be another one, as that of a shell is, the setting would have no effect.
    """
    session, program = basis.session, basis.program
    if session.builder is None or not _makes_context(basis):
        return None
    above = program.tree.above
    methods = [node for node in program.tree.of_kinds(ast.Attribute) if node.attr == _METHOD]
    texts = (node.value for node in program.tree.of_kinds(ast.Constant))
    if len(methods) != 1 or SETTING in texts:
        return None
    (method,) = methods
    statement = above.get(above[method])
    streaming_context = code_of(program.target)
    contexts = {session.spark_context, f"{streaming_context}.sparkContext"}
    first = session.statement or program.construction
    block = program.tree.block_of(first)
    if not isinstance(statement, ast.Expr) or statement not in block[block.index(first) + 1 :]:
        return None
    match statement.value:
        case ast.Call(func=func, args=[ast.Constant(value=str(level))], keywords=[]) if func is method:
            known = level.upper() in _LEVELS and code_of(method.value) in contexts
            return statement if known else None
    return None


def _makes_context(basis: Basis) -> bool:
    """Whether the program makes its SparkContext, and does not take one that is there."""
    made = basis.session.statement or basis.program.construction
    calls = (node for node in walk(made) if isinstance(node, ast.Call))
    return any(is_external(call.func, "pyspark.SparkContext", basis.trace) for call in calls)
