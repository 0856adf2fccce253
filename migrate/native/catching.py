"""Callbacks that catch exceptions, behind columns that raise where Python does not.

``int(x)`` has a Column form for 18 digits, and ``x.lower()`` one without a few letters: beyond that the query
fails, which is seen. In a callback that catches exceptions it is not: a batch would be lost without a word.
"""

from __future__ import annotations

import ast

from migrate.native.facts import Facts
from migrate.native.program import Operation, upstream
from migrate.native.roles import Callback, NotTheSame
from migrate.native.stage import Choices, RatherError
from migrate.native.step import Step

WHY = "its Column form raises for some values that Python takes, and a callback catches exceptions"
BEFORE = "it catches exceptions, and the running state that it reads is computed before it is called"
_DEPTH = 5


def check_caught(step: Step, callback: Callback) -> None:
    """See that no column that a callback reads raises where Python does not, if it catches exceptions.

    Raises:
        Blocked: it reads a state, which is computed before it is called.
        RatherError: some do; those operators are RDD code then.
    """
    if not catches(callback, step.plan.facts):
        return
    if upstream(step.operation) & step.plan.kept:
        raise step.blocked(BEFORE)
    pending: list[Operation] = [*step.operation.parents]
    calls: set[ast.Call] = set()
    while pending:
        operation = pending.pop()
        pending += operation.parents
        if operation in step.plan.narrower and not step.plan.choices.as_rdd.get(operation.call):
            calls.add(operation.call)
    if calls:
        raise RatherError(Choices(dict.fromkeys(calls, WHY)))


def check_conversion(step: Step, callback: Callback) -> None:
    """See that a callback that catches exceptions has not become columns that raise where Python does not.

    Raises:
        NotTheSame: one does.
    """
    own = any(operation.use is step.operation.use for operation in step.plan.narrower)
    if own and catches(callback, step.plan.facts):
        raise NotTheSame(WHY)


def catches(callback: Callback, facts: Facts, depth: int = _DEPTH) -> bool:
    """Whether a callback, or a function that it calls, catches exceptions and goes on."""
    for node in callback.walk():
        if isinstance(node, ast.Try) and any(not _raises_again(handler) for handler in node.handlers):
            return True
        if isinstance(node, ast.With) and not all(_is_open(item.context_expr) for item in node.items):
            return True  # as `suppress` does
        target = facts.function(node.func) if isinstance(node, ast.Call) and depth else None
        if target is not None and catches(
            Callback(target.node, "", None, bound=target.bound), facts, depth - 1
        ):
            return True
    return False


def _is_open(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"


def _raises_again(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.body[-1], ast.Raise)
