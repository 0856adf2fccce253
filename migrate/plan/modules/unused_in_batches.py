"""Parameters of functions of DataFrames that nothing reads any more: they go, with what they are given.

The slide of ``def recent(words, length, slide)`` does, where that triggers the query now.
"""

from __future__ import annotations

import ast

from migrate.frozen import replace
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.basis import Basis
from migrate.plan.modules.unused_parameters import LEFT_OUT, is_value, new_names_in, reads
from migrate.plan.names.kept import Kept
from migrate.plan.new_code.code import Chain, Written
from migrate.plan.new_code.inner import GONE, Inner, Parameters
from migrate.plan.new_code.planned_module import PlannedModule


def without_parameters_in_batches(basis: Basis, attempt: Attempt, changes: PlannedModule) -> PlannedModule:
    """The changes, without the parameters of such functions that only code read which goes."""
    if not basis.place.per_batch or changes.function is None:
        return changes
    kept, gone = Kept(basis, changes), dict[ast.expr, frozenset[str]]()
    given, new = dict(changes.inner.parameters), dict[ast.arg, Parameters]()
    for function, calls in basis.place.per_batch.items():
        idle = _idle(function, calls, kept, changes) if len(calls) == 1 else []
        for one in idle:
            more = given[one].names[1:] if one in given else ()
            new[one] = Parameters(more, has_batch=False) if more else GONE
            attempt.need(notes=(LEFT_OUT.format(one.arg, function.name),))
        if idle:
            gone[calls[0].func] = frozenset(one.arg for one in idle)
    if not new:
        return changes

    def called(one: Written) -> Written:
        one = one.with_each(called)
        if not isinstance(one.code, Chain) or one.code.called is None:
            return one
        left_out = gone.get(one.code.called.function, frozenset())
        call = replace(
            one.code.called,
            arguments=tuple(given for given in one.code.called.arguments if given.parameter not in left_out),
        )
        return replace(one, code=replace(one.code, base=call.code, called=call)) if left_out else one

    return replace(
        changes,
        function=replace(changes.function, body=tuple(map(called, changes.function.body))),
        replaced={old: tuple(map(called, parts)) for old, parts in changes.replaced.items()},
        inner=changes.inner | Inner(parameters=tuple(new.items())),
    )


def _idle(
    function: ast.FunctionDef, calls: list[ast.Call], kept: Kept, changes: PlannedModule
) -> list[ast.arg]:
    """The parameters of a function of DataFrames that nothing reads any more."""
    program = kept.basis.program
    (call,), names = calls, program.tree.given_by(function)
    if function.args.defaults or not _is_made(call, changes):
        return []
    if kept.reads_by_name(program.tree.root_of(function), names):
        return []
    streams = {name for entry in program.reading.entries[function] for name in entry.given}
    own = new_names_in(function, replace(changes, inner=replace(changes.inner, parameters=()))).taken
    values: dict[str | None, ast.expr] = dict(zip(names, call.args, strict=False))
    values |= {one.arg: one.value for one in call.keywords}
    return [
        one
        for one in function.args.args
        if one.arg in values
        and one.arg not in streams | own
        and any(reads(one, function))
        and not any(node in kept.nodes for node in reads(one, function))
        and is_value(values[one.arg])
    ]


def _is_made(call: ast.Call, changes: PlannedModule) -> bool:
    """Whether new code calls the function of a call in a statement of its own."""
    assert changes.function is not None
    pending = [*changes.function.body, *(one for parts in changes.replaced.values() for one in parts)]
    for one in pending:
        pending += one.within
        called = one.code.called if isinstance(one.code, Chain) else None
        if called is not None and called.function is call.func:
            return True
    return False
