"""Callbacks that run one job of Spark at first, and are Python alone from then on.

When a query is stopped Spark interrupts the jobs of its batch, and no code of Python: such a callback does
all that it does, or nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.graph.session_expressions import named
from migrate.knowledge import rdd
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, is_documentation
from migrate.syntax.nodes import walk
from migrate.syntax.tree import own_nodes


def does_all_or_nothing(callback: Callback, facts: Facts) -> bool:
    """Whether a callback does nothing before its only job: ``counts.append(rdd.collect())``."""
    reads = [*callback.reads(callback.rdd)]
    if len(reads) != 1 or _has_session(callback, facts):
        return False
    chain = _chain(reads[0], callback)
    evaluated = _first_step(callback)
    action = next((call for call in chain if _is_action(call)), None)
    if action is None or action not in evaluated:
        return False
    before = evaluated[: evaluated.index(action)]
    return all(node in chain for node in before if isinstance(node, ast.Call | ast.NamedExpr))


def _first_step(callback: Callback) -> Sequence[ast.AST]:
    """What is evaluated once at the beginning of a callback, in that order."""
    match next((node for node in callback.body if not _is_text(node)), None):
        case ast.For(iter=value):
            return own_nodes(value)
        case ast.Expr() | ast.Assign() | ast.Return() | ast.expr() as step:
            return own_nodes(step)
    return ()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt) and is_documentation(node)


def _chain(read: ast.Name, callback: Callback) -> list[ast.Call]:
    """The calls of methods of an RDD and of what they give, the first one first."""
    calls: list[ast.Call] = []
    node: ast.AST | None = read
    while isinstance(method := callback.parents.get(node) if node is not None else None, ast.Attribute):
        node = callback.parents.get(method)
        if not isinstance(node, ast.Call) or node.func is not method:
            break
        calls.append(node)
    return calls


def _is_action(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in rdd.ON_DRIVER


def _has_session(callback: Callback, facts: Facts) -> bool:
    """Whether a callback reads a session or a context, by which it may run other jobs."""
    names = (name for part in callback.body for node in walk(part) for name in named(node, facts.trace))
    return any(name.startswith("pyspark.") for name in names)
