"""Callbacks that read one element of a batch by its place, or the last, or add up how many there are.

A batch that begins late has more of them: DStreams cut what comes while a batch runs into one for each
interval, and run all of them; a query reads all of it in the next batch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.operations import Operation, upstream
from migrate.knowledge import streaming
from migrate.plan.callbacks.rows_by_position import COLLECTING
from migrate.plan.draft.draft import Draft
from migrate.proofs.analysis.aliases import parameter_of
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, given_callback
from migrate.proofs.elements.read_by_position import all_by_position
from migrate.syntax.nodes import code_of, end_of, of_kinds, position, walk
from migrate.syntax.tree import parameter_names

LATE_BATCH = (
    "a batch that begins late, as the one before took longer than the interval, holds all that came"
    " meanwhile, where DStream ran one for each interval: {} then "
)
_LOST = "the others are lost: go through all of them, `for row in rows`, if each counts"
LATE = f"{LATE_BATCH}reads fewer elements, and {_LOST}"
LAST = f"{LATE_BATCH}leaves only the last of more elements, and {_LOST}"
SUMMED = f"{LATE_BATCH}may be far beyond what it is compared with, as it grows by a whole batch"


def late_batches(draft: Draft) -> Iterator[str]:
    """What must change in callbacks that read elements of sources by their places, or the last, or add up."""
    calls = [call for output in draft.basis.program.outputs for call in _got(output, draft)]
    for note, find in ((LATE, _by_place), (LAST, _last), (SUMMED, _summed)):
        found = dict.fromkeys(code for call, facts in calls for code in find(call, facts))
        if found:
            yield note.format(", ".join(f"`{code}`" for code in found))


def reads_of_rdd(output: Operation, draft: Draft) -> Iterator[ast.Name]:
    """The reads of a callback's RDD of elements of a source, also in the functions that it hands it to."""
    above = upstream(output) - {output}
    kept = all(one.is_source or one.operator in streaming.ROWWISE | streaming.ITSELF for one in above)
    if output.operator == "foreachRDD" and kept and output.call.args:
        callback = given_callback(output.call.args[0], draft.basis.facts.of(output.call))
        yield from _reads(callback, draft.basis.facts) if callback is not None else ()


def _got(output: Operation, draft: Draft) -> Iterator[tuple[ast.Call, Facts]]:
    """The calls by which a callback gets elements of a source, each with the names of its module."""
    for read in reads_of_rdd(output, draft):
        own = draft.basis.facts.of(read)
        method = own.above.get(read)
        call = own.above.get(method) if isinstance(method, ast.Attribute) else None
        if isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and call.func is method:
            yield call, own


def _by_place(call: ast.Call, facts: Facts) -> Iterator[str]:
    """The code that reads an element by its place."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr == "first":
        yield code_of(call)
    elif call.func.attr in COLLECTING:
        yield from map(code_of, all_by_position(call, facts))


def _last(call: ast.Call, facts: Facts) -> Iterator[str]:
    """The loops over elements that only bind variables, of which the last is read behind them."""
    lists: list[ast.AST] = [call]
    match facts.above.get(call):
        case ast.Assign([ast.Name(name) as target]) if facts.only_binding(name) is target:
            lists += facts.loads.get(name, ())
    for one in lists:
        loop = facts.above.get(one)
        if isinstance(loop, ast.For) and loop.iter is one and (bound := _only_bound(loop)):
            behind = (load for name in bound for load in facts.loads.get(name, ()))
            home = facts.home(next(node for node in walk(loop.target) if isinstance(node, ast.Name)))
            if any(position(load) > end_of(loop) and facts.home(load) is home for load in behind):
                yield f"for {code_of(loop.target)} in {code_of(loop.iter)}"


def _summed(call: ast.Call, facts: Facts) -> Iterator[str]:
    """The sums of numbers of elements that the program compares: ``seen += rdd.count()``, ``seen > 900``."""
    assert isinstance(call.func, ast.Attribute)
    values: list[ast.AST] = [call] if call.func.attr == "count" else []
    match facts.above.get(call):
        case ast.Assign([ast.Name(name) as target]) if values and facts.only_binding(name) is target:
            values += facts.loads.get(name, ())
    compared = {
        code_of(part) for node in of_kinds(facts.tree, ast.Compare) for part in (node.left, *node.comparators)
    }
    for value in values:
        match facts.above.get(value):
            case ast.AugAssign(total, ast.Add()) if code_of(total) in compared:
                yield code_of(total)


def _only_bound(loop: ast.For) -> set[str]:
    """The variables that a loop binds in each round, if it does nothing else; empty if it does more."""
    values: dict[str, ast.expr] = {}
    before: list[set[str]] = []
    for statement in loop.body:
        match statement:
            case ast.Assign([ast.Name(name)], value) if name not in values:
                read = {node.id for node in (value, *walk(value)) if isinstance(node, ast.Name)}
                before.append(read - values.keys())
                values[name] = value
            case _:
                return set()
    return {*values} if values.keys().isdisjoint(set[str]().union(*before)) else set()


def _reads(callback: Callback, facts: Facts) -> Iterator[ast.Name]:
    """The reads of a callback's RDD, also in the functions that it hands it to."""
    pending, seen = [*callback.reads(callback.rdd)], set[ast.Name]()
    while pending:
        read = pending.pop(0)
        if read in seen:
            continue
        seen.add(read)
        yield read
        own = facts.of(read)
        above = own.above.get(read)
        call = own.above.get(above) if isinstance(above, ast.keyword) else above
        called = called_function(call.func, own) if isinstance(call, ast.Call) else None
        if called is None or not isinstance(call, ast.Call):
            continue
        name = parameter_of(read, call, parameter_names(called.node)[called.bound :])
        inner = facts.of(called.node)
        pending += [load for load in inner.loads.get(name or "", ()) if inner.home(load) is called.node]
