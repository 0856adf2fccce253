"""Callbacks that read one element of a batch by its place, of which a batch that begins late has more.

DStreams cut what comes while a batch runs into one for each interval, and run all of them; a query reads all
of it in the next batch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.operations import Operation, upstream
from migrate.knowledge import streaming
from migrate.plan.draft import Draft
from migrate.plan.rows_by_position import COLLECTING
from migrate.proofs.aliases import parameter_of
from migrate.proofs.called_functions import called_function
from migrate.proofs.facts import Facts
from migrate.proofs.read_by_position import all_by_position
from migrate.proofs.roles import Callback, NotTheSame, given
from migrate.syntax.nodes import code_of
from migrate.syntax.tree import parameter_names

LATE = (
    "a batch that begins late, as the one before took longer than the interval, holds all that came"
    " meanwhile, where DStream ran one for each interval: {} then reads fewer elements"
)


def late_batches(draft: Draft) -> Iterator[str]:
    """A note on the callbacks of a program that read elements of its sources by their places."""
    found = dict.fromkeys(code for output in draft.basis.program.outputs for code in _read(output, draft))
    if found:
        yield LATE.format(", ".join(f"`{code}`" for code in found))


def _read(output: Operation, draft: Draft) -> Iterator[str]:
    """The code that reads an element by its place."""
    above = upstream(output) - {output}
    kept = all(one.is_source or one.operator in streaming.ROWWISE | streaming.ITSELF for one in above)
    if output.operator != "foreachRDD" or not (kept and output.call.args):
        return
    facts = draft.basis.facts.of(output.call)
    try:
        called = given(output.call.args[0], facts)
        callback = called.callback() if called is not None else None
    except NotTheSame:
        return
    for read in _reads(callback, draft.basis.facts) if callback is not None else ():
        own = draft.basis.facts.of(read)
        method = own.above.get(read)
        call = own.above.get(method) if isinstance(method, ast.Attribute) else None
        if not (isinstance(method, ast.Attribute) and isinstance(call, ast.Call)):
            continue
        if method.attr == "first":
            yield code_of(call)
        elif method.attr in COLLECTING:
            yield from map(code_of, all_by_position(call, own))


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
