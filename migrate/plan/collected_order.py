"""The order in which a callback gets what a shuffle made: Spark's hash of a key is not Python's."""

from __future__ import annotations

import ast

from migrate.graph.operations import upstream
from migrate.knowledge import streaming
from migrate.plan.step import Step
from migrate.proofs.roles import Callback
from migrate.syntax.nodes import code_of

ORDER = (
    "`{}` gives what a shuffle made in another order: a DataFrame places keys by Spark's hash, an RDD by"
    " Python's"
)
OF_RDD = (
    "`{}` gives what a shuffle made in another order: its RDD has as many partitions as the one before it,"
    " and DStream's had the default parallelism"
)
_UNORDERED = frozenset({"dict", "len", "max", "min", "set", "sorted", "sum"})
"""Functions that do not show in which order they get what they are given."""


def tell_order(step: Step, callback: Callback, note: str = ORDER) -> None:
    """Note where ``rdd.collect()`` or ``rdd.take(n)`` gives elements in another order, if one may see it.

    What goes through all of them, one by one, is taken not to care.

    Args:
        step: the output.
        callback: its function.
        note: says why the order is another one.
    """
    if not any(one.operator in streaming.SHUFFLING for one in upstream(step.operation)):
        return
    parents = callback.parents
    for read in callback.reads(callback.rdd):
        method = parents.get(read)
        if not isinstance(method, ast.Attribute):
            continue
        call = parents.get(method)
        if not isinstance(call, ast.Call) or call.func is not method:
            continue
        if _shows(method.attr, call, parents.get(call)):
            step.note(note.format(code_of(call)))


def _shows(method: str, call: ast.Call, above: ast.AST | None) -> bool:
    """Whether the order of what a method of an RDD gives may be seen."""
    called = above.func.id if isinstance(above, ast.Call) and isinstance(above.func, ast.Name) else ""
    if method != "collect":
        return method in ("first", "take") and called != "len"
    if isinstance(above, ast.For | ast.comprehension):
        return above.iter is not call
    return called not in _UNORDERED
