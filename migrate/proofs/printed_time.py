"""Whether a callback only prints the batch time: the current time says as much then."""

from __future__ import annotations

import ast

from migrate.proofs.facts import Facts
from migrate.proofs.roles import Callback
from migrate.syntax.tree import parameter_names

_TEXTS = frozenset({"str", "repr", "format", "strftime", "isoformat", "ctime", "join"})
"""Functions and methods that give texts."""
_SHOWING = (
    ast.Call,
    ast.Attribute,
    ast.BinOp,
    ast.Tuple,
    ast.List,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.keyword,
)
"""What may stand between the time and the call that prints it."""
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
    parents = callback.parents()
    return all(
        _printed(node, parents) or _handed_on(node, parents, facts, depth)
        for node in callback.reads(callback.time)
    )


def _handed_on(node: ast.AST, parents: dict[ast.AST, ast.AST], facts: Facts, depth: int) -> bool:
    """Whether the time is handed to a function that was read, which only prints it."""
    call = parents.get(node)
    target = facts.function(call.func) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or target is None or not depth or node not in call.args:
        return False
    above: ast.AST | None = call
    while above is not None:
        if isinstance(above, ast.Lambda | ast.FunctionDef):
            return False  # it is called later, or by others
        above = parents.get(above)
    names = parameter_names(target.node)[target.bound :]
    position = call.args.index(node)
    if position >= len(names):
        return False
    inner = Callback(target.node, "", names[position], bound=target.bound)
    stores = [n for n in inner.walk() if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return all(store.id != names[position] for store in stores) and only_prints_time(inner, facts, depth - 1)


def _printed(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    step = parents.get(node)
    while isinstance(step, _SHOWING):
        if isinstance(step, ast.Call) and _prints(step.func):
            return isinstance(parents.get(step), ast.Expr) or parents.get(step) is None
        if isinstance(step, ast.Call) and _name(step.func) not in _TEXTS:
            return False
        if isinstance(step, ast.BinOp) and not _is_text(step):
            return False
        step = parents.get(step)
    return False


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is a text for certain: ``"at %s" % time``, ``"at " + str(time)``."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Mod | ast.Add) and (_is_text(node.left) or _is_text(node.right))
    if isinstance(node, ast.Call):
        return _name(node.func) in _TEXTS
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _prints(function: ast.expr) -> bool:
    """``print`` or ``logger.info``."""
    if isinstance(function, ast.Attribute):
        return function.attr in _LOGGING and "log" in ast.unparse(function.value).lower()
    return isinstance(function, ast.Name) and function.id == "print"
