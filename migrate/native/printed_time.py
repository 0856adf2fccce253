"""Whether a callback only prints the batch time: the current time says as much then."""

from __future__ import annotations

import ast

from migrate.native.facts import Facts
from migrate.native.roles import Callback
from migrate.native.syntax import parameter_names
from migrate.nodes import walk

_LOGGING = frozenset({"debug", "info", "warning", "warn", "error", "critical"})


def only_prints_time(callback: Callback, facts: Facts, depth: int = 5) -> bool:
    """Whether all that reads the batch time prints it.

    Args:
        callback: the function.
        facts: what is known of its names.
        depth: how many functions further the time is followed.
    """
    if callback.time is None:
        return True
    parents = {
        child: node for part in callback.body for node in walk(part) for child in ast.iter_child_nodes(node)
    }
    return all(
        _printed(node, parents) or _handed_on(node, parents, facts, depth)
        for node in callback.walk()
        if isinstance(node, ast.Name) and node.id == callback.time and isinstance(node.ctx, ast.Load)
    )


def _handed_on(node: ast.AST, parents: dict[ast.AST, ast.AST], facts: Facts, depth: int) -> bool:
    """Whether the time is handed to a function that was read, which only prints it."""
    call = parents.get(node)
    target = facts.function(call.func) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or target is None or not depth or node not in call.args:
        return False
    names = parameter_names(target.node)[target.bound :]
    position = call.args.index(node)
    if position >= len(names):
        return False
    inner = Callback(target.node, "", names[position], bound=target.bound)
    stores = [n for n in inner.walk() if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return all(store.id != names[position] for store in stores) and only_prints_time(inner, facts, depth - 1)


def _printed(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    step = parents.get(node)
    while step is not None and isinstance(step, ast.expr | ast.keyword | ast.FormattedValue):
        if isinstance(step, ast.Lambda | ast.Compare | ast.Subscript | ast.IfExp):
            return False
        if isinstance(step, ast.Call) and _prints(step.func):
            return isinstance(parents.get(step), ast.Expr) or parents.get(step) is None
        step = parents.get(step)
    return False


def _prints(function: ast.expr) -> bool:
    """``print`` or ``logger.info``."""
    if isinstance(function, ast.Attribute):
        return function.attr in _LOGGING and "log" in ast.unparse(function.value).lower()
    return isinstance(function, ast.Name) and function.id == "print"
