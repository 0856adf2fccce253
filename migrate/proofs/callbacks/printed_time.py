"""Whether a callback only prints the batch time, or uses it for batches with rows only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge import builtins, methods
from migrate.knowledge.rdd import NO_MORE, OF_ELEMENTS
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.guards import only_with_rows
from migrate.proofs.callbacks.roles import Callback, is_rdd
from migrate.proofs.callbacks.rows import Rows
from migrate.syntax.tree import parameter_names

_MAKING_TEXTS = methods.TEXTS | builtins.TEXTS
_STREAMS = frozenset({"sys.stdout.write", "sys.stderr.write"})
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
"""Nodes that may stand between the time and the call that prints it."""


def only_prints_time(callback: Callback, facts: Facts) -> bool:
    """Whether a callback only prints the batch time, also in functions that it passes the time to.

    Args:
        callback: the function.
        facts: the names of its module.
    """
    return not any(_kept(callback, facts))


def keeps_time_without_rows(callback: Callback, facts: Facts) -> bool:
    """Whether a callback does more with the time of a batch without rows than to print it.

    It does not in ``rdd.foreach(lambda line: save(time, line))``, nor after ``if rdd.isEmpty(): return``.
    """
    return any(not _for_rows(node, function, place) for node, function, place in _kept(callback, facts))


def _kept(callback: Callback, facts: Facts) -> Iterator[tuple[ast.AST, Callback, Facts]]:
    """The reads of the time that are not only printed, each with its function and the names there."""
    pending = [(callback, facts)]
    seen: set[tuple[ast.AST, str]] = set()
    while pending:
        function, place = pending.pop()
        if function.time is None or (function.node, function.time) in seen:
            continue
        seen.add((function.node, function.time))
        place = place.of(function.node)
        for node in function.reads(function.time):
            if _printed(node, function, place):
                continue
            inner = _handed_on(node, function, place)
            if inner is None or _for_rows(node, function, place):
                yield node, function, place
            else:
                pending.append((inner, place))


def _for_rows(node: ast.AST, callback: Callback, facts: Facts) -> bool:
    """Whether a place in a callback is reached for a batch with rows only."""
    if only_with_rows(node, Rows(callback), callback.parents):
        return True
    step, above = facts.above.get(node), facts.above
    while step is not None and step is not callback.node:
        call = above.get(step) if isinstance(step, ast.Lambda) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            of_elements = call.func.attr in OF_ELEMENTS and step in call.args
            if of_elements and is_rdd(call.func.value, {callback.rdd, *callback.rdds}, NO_MORE):
                return True
        step = above.get(step)
    return False


def _handed_on(node: ast.AST, callback: Callback, facts: Facts) -> Callback | None:
    """The function that the time is handed to, if it was read and gives that parameter no other value."""
    call = facts.above[node]
    target = called_function(call.func, facts) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or target is None or node not in call.args:
        return None
    above: ast.AST = call
    while above is not callback.node:
        if isinstance(above, ast.Lambda | ast.FunctionDef):
            return None  # it is called later, or by others
        above = facts.above[above]
    names = parameter_names(target.node)[target.bound :]
    position = call.args.index(node)
    if position >= len(names):
        return None
    given = zip(names, call.args, strict=False)
    rdds = [name for name, value in given if is_rdd(value, {callback.rdd, *callback.rdds}, NO_MORE)]
    rdd = rdds[0] if rdds else ""
    inner = Callback(target.node, rdd, names[position], set(rdds), target.bound, repeated=callback.repeated)
    stores = {n.id for n in inner.walk() if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return inner if inner.time not in stores else None


def _printed(node: ast.AST, callback: Callback, facts: Facts) -> bool:
    parents = facts.above
    step = parents.get(node)
    while isinstance(step, _SHOWING):
        if isinstance(step, ast.Call) and _prints(step.func):
            return isinstance(parents[step], ast.Expr) or parents[step] is callback.node
        if isinstance(step, ast.Call) and _name(step.func) not in _MAKING_TEXTS:
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
        return _name(node.func) in _MAKING_TEXTS
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _prints(function: ast.expr) -> bool:
    """``print``, ``logger.info`` or ``sys.stdout.write``."""
    if isinstance(function, ast.Attribute):
        if ast.unparse(function) in _STREAMS:
            return True
        return function.attr in methods.LOGS and "log" in ast.unparse(function.value).lower()
    return isinstance(function, ast.Name) and function.id == "print"
