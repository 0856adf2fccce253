"""DataFrames in callbacks: whether something shows the partitions that they have of a batch."""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.knowledge import rdd, sessions
from migrate.proofs.analysis.call_graph import Reached
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import given_to
from migrate.proofs.callbacks.roles import Callback, NotTheSame
from migrate.proofs.partitions import foreach_partition


def check_frames(callback: Callback, facts: Facts, is_own: Callable[[ast.AST], bool]) -> None:
    """Check that nothing shows the partitions of a DataFrame.

    Args:
        callback: the function, with those that it calls; it is told if one prints once per partition.
        facts: the names of its module.
        is_own: whether an expression in it is an RDD made of its own, which is checked by itself.

    Raises:
        NotTheSame: something shows them, and a query has others.
    """
    called = []
    for node in callback.walk():
        own = isinstance(node, ast.Attribute) and node.attr == "foreachPartition" and is_own(node.value)
        if isinstance(node, ast.Name | ast.Attribute) and not own:
            _check(node, facts, callback)
        if isinstance(node, ast.Call):
            target = called_function(node.func, facts)
            if target is not None and not any(map(is_own, given_to(node))):
                called.append(target.node)
    reached = Reached(called, facts, handed=False)
    for name, summary in reached.of(ast.Name):
        _check(name, summary.facts, callback)
    for member, summary in reached.of(ast.Attribute):
        _check(member, summary.facts, callback)


def told_of(node: ast.Attribute, facts: Facts) -> frozenset[str]:
    """The notes on what the function that ``foreachPartition`` is given does once per partition."""
    function = _function(node, facts) if node.attr == "foreachPartition" else None
    return foreach_partition.told_of(function, facts)


def _function(node: ast.Attribute, facts: Facts) -> ast.expr | None:
    """The only argument of a method that is called."""
    call = facts.above[node]
    return call.args[0] if isinstance(call, ast.Call) and len(call.args) == 1 else None


def _check(node: ast.Name | ast.Attribute, facts: Facts, callback: Callback) -> None:
    """Check one name in the code.

    Raises:
        NotTheSame: it shows the partitions of a DataFrame.
    """
    name = node.attr if isinstance(node, ast.Attribute) else node.id
    if name in sessions.SHOWS_PARTITIONS and isinstance(node.ctx, ast.Load):
        raise NotTheSame(f"`{name}` shows the partitions of a DataFrame, of which a query has others")
    if not isinstance(node, ast.Attribute):
        return
    of_frame = isinstance(node.value, ast.Attribute) and node.value.attr == "rdd"
    if of_frame and name in rdd.METHODS and name not in rdd.FOLLOWED:
        raise NotTheSame(f"`{name}` may depend on the partitions or the order of an RDD")
    if name == "foreachPartition":
        why = foreach_partition.why_not(_function(node, facts), facts)
        if why:
            raise NotTheSame(why)
        callback.per_partition |= told_of(node, facts)
