"""A graceful stop of queues of RDDs: DStream still takes all RDDs that are due.

A query has no graceful stop, and takes an RDD in each interval that it is awake for. Where the program waits
long enough for the whole queue, all of it is due, however late the batches are, so it is the same to wait
until the queue is empty. DStream runs two more batches after the stop, so that two more RDDs are due; no
batch may come after these, which would put something out again. Where the queue may have more RDDs, the query
is awaited for two more batches, as with other sources.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from migrate.plan.draft.basis import Basis
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.lives import life_of
from migrate.proofs.values.constants import literal

DUE = 2
"""Batches that DStream still runs after a graceful stop: the next one, and the one after it."""
REST = (
    "how many RDDs a queue still has at a graceful stop depends on the moment at which the program starts,"
    " as it did; the query runs its first batch at once, where DStream waits for the end of an interval"
)
DRAINED = "a graceful stop waits until the queue is empty: all of its RDDs are due by then"


def batches_after(basis: Basis, queues: Mapping[str, ast.expr], statement: ast.stmt) -> int | None:
    """The batches after a stop that take what a queue still has: 0, or `DUE`; None if it may have more."""
    interval = basis.interval.value if isinstance(basis.interval, ast.Constant) else None
    before = sum(_sleeps(basis, statement)) / interval if isinstance(interval, int | float) else 0.0
    lengths = [_length(node, basis.facts) for node in queues.values()]
    if not _sees_queues(basis, statement):
        return None
    ways = (0, DUE)
    return next((n for n in ways if all(one is not None and one <= before + n for one in lengths)), None)


def _sees_queues(basis: Basis, statement: ast.stmt) -> bool:
    """Whether the variables of the queues are those of the function that stops the query."""
    program = basis.program
    return program.tree.scope_of(statement) is program.scope


def _sleeps(basis: Basis, statement: ast.stmt) -> Iterator[float]:
    """The seconds of each ``time.sleep`` between the start and the stop, in the same block."""
    facts, start = basis.facts, basis.program.start
    block = basis.program.tree.block_of(statement)
    begun = False
    for step in block[: block.index(statement)]:
        if start is not None and step is facts.statement_of(start.node):
            begun = True
            continue
        call = step.value if isinstance(step, ast.Expr) else None
        if begun and isinstance(call, ast.Call) and facts.qualified(call.func) == "time.sleep" and call.args:
            seconds = literal(call.args[0], facts)
            if isinstance(seconds, int | float):
                yield seconds


def _length(node: ast.expr, facts: Facts) -> int | None:
    """How many RDDs a queue has at most; None where that is not known."""
    if isinstance(node, ast.List):
        return len(node.elts)
    if isinstance(node, ast.ListComp):
        return _product(_items(generator.iter, facts) for generator in node.generators)
    match node:
        case ast.Call(ast.Attribute(attr="randomSplit"), [weights, *_]):
            return _length(weights, facts)
    if not isinstance(node, ast.Name):
        return None
    total, life = 0, life_of(node, facts, facts.program.tree)
    for binding in life.bindings:
        added = facts.statement_of(binding)
        if not isinstance(added, ast.Assign | ast.AugAssign):
            return None
        count = _product([_length(added.value, facts), _times(added, facts)])
        if count is None:
            return None
        total += count
    for load in life.loads:
        if isinstance(facts.above[load], ast.Attribute):  # an append
            times = _times(facts.statement_of(load), facts)
            if times is None:
                return None
            total += times
    return total


def _times(statement: ast.stmt, facts: Facts) -> int | None:
    """How often a statement runs at most."""
    times: int | None = 1
    step = facts.above.get(statement)
    while step is not None and not isinstance(step, ast.Module):
        if isinstance(step, ast.For):
            times = _product([times, _items(step.iter, facts)])
        elif not isinstance(step, ast.If | ast.With | ast.Try) and step is not facts.program.scope:
            return None
        step = facts.above.get(step) if step is not facts.program.scope else None
    return times


def _items(node: ast.expr, facts: Facts) -> int | None:
    """How many items a loop is over: ``range(5)``, a list that is written out."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        bounds = [literal(argument, facts) for argument in node.args]
        whole = [bound for bound in bounds if isinstance(bound, int)]
        known = len(whole) == len(bounds) and not facts.bindings.get("range")
        return max(0, whole[-1] - sum(whole[:-1])) if known and len(whole) in (1, 2) else None
    if isinstance(node, ast.List | ast.Tuple):
        return len(node.elts)
    binding = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
    made = facts.statement_of(binding) if isinstance(binding, ast.Name) and facts.visible(binding) else None
    if not (isinstance(node, ast.Name) and isinstance(made, ast.Assign)):
        return None
    grows = any(isinstance(facts.above[load], ast.Attribute | ast.Call) for load in facts.loads[node.id])
    return len(made.value.elts) if isinstance(made.value, ast.List | ast.Tuple) and not grows else None


def _product(factors: Iterator[int | None] | list[int | None]) -> int | None:
    result = 1
    for factor in factors:
        if factor is None:
            return None
        result *= factor
    return result
