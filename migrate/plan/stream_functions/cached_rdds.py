"""RDDs that the program caches, and that the batch function or a function in it persists.

So are DataFrames of windows that are computed several times.

What is random, or reads the clock, is computed once there: each output would find other elements.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.frozen import replace
from migrate.graph.program import Operation, upstream
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.code import Call, Chain, Written
from migrate.syntax.quoting import quoted
from migrate.trace import Use

FREED = "Spark frees it when the function is done"
PERSISTED = "the batch function persists what is computed more than once"
ONCE = "it is left out: the stream is computed once"
AS_OFTEN = "it is left out: one output reads the stream, and computes it as often as its function does"
_SEVERAL = 2
PERSIST = Call("persist", "")
UNPERSIST = Call("unpersist", "")
_OTHER_LEVELS = frozenset(
    {"DISK_ONLY", "DISK_ONLY_2", "MEMORY_AND_DISK", "MEMORY_AND_DISK_2", "MEMORY_ONLY_2", "OFF_HEAP"}
)
"""The levels of today that are not `MEMORY_ONLY`, at which an RDD is persisted without an argument."""


def persist_cached(draft: Draft, besides: str = "") -> list[Written]:
    """Persist the RDDs of the batch function that are cached and computed more than once.

    Args:
        draft: the plan, whose batch function gets a statement below each of them.
        besides: the variable of what is persisted anyway.

    Returns:
        The statements that release them, to stand at the end; none for what a window holds, and releases.
    """
    body, released = draft.body, list[Written]()
    for stream, made in body.cached.items():
        name = _target(made)
        if name == besides or sum(stream in upstream(output) for output in body.outputs) < _SEVERAL:
            continue
        at = body.statements.index(made) + 1
        below = body.statements[at:]
        bound_anew = any(_target(one) == name for one in below)
        held = any(_holds(one, name) for one in below)
        comment = f"# {FREED}" if bound_anew and not held else ""
        persist = replace(_persist(stream), comment=comment)
        body.statements.insert(at, Written(persisting(name, persist), when=made.when))
        if not (bound_anew or held):
            released.append(Written(releasing(name), when=made.when))
    return released


def why_left_out(use: Use, draft: Draft) -> str:
    """What becomes of a ``cache`` or ``persist``."""
    assert isinstance(use.node, ast.Attribute)
    stream = _stream_of(use.node.value, draft)
    reading = [one for one in draft.body.outputs if stream is not None and stream in upstream(one)]
    if stream is None or stream in draft.body.cached or len({*reading}) >= _SEVERAL:
        return PERSISTED
    return AS_OFTEN if len(reading) >= _SEVERAL else ONCE


def _stream_of(node: ast.expr, draft: Draft) -> Operation | None:
    """The stream that an expression is: that of a variable, or of a call that may be cached already."""
    program = draft.basis.program
    while isinstance(node, ast.Call) and node not in program.reading.operations:
        if not isinstance(node.func, ast.Attribute):
            return None
        node = node.func.value
    if isinstance(node, ast.Call):
        return program.reading.operations[node]
    named = isinstance(node, ast.Name) and [one for one in program.operations if one.target == node.id]
    return named[-1] if named else None


def persisting(variable: str, call: Call = PERSIST) -> Chain:
    """The statement that persists what is in a variable: ``words.persist()``."""
    return Chain(variable, (call,), persists=variable)


def releasing(variable: str) -> Chain:
    """The statement that releases what is in a variable: ``words.unpersist()``."""
    return Chain(variable, (UNPERSIST,))


def released_by(one: Written) -> str:
    """The variable whose DataFrame or RDD a statement releases; empty if it does something else."""
    return one.code.base if isinstance(one.code, Chain) and one.code.calls == (UNPERSIST,) else ""


def _holds(one: Written, name: str) -> bool:
    """Whether a statement persists what is in a variable, and holds it, in a window or a state."""
    return isinstance(one.code, Chain) and one.code.persists == name and not one.code.only_persists


def persist_windows(draft: Draft) -> None:
    """Persist the last DataFrame that several outputs, or one several times, compute of what is in a window.

    It is released below the last statement that reads it, or what is made of it.
    """
    body, windows = draft.body, draft.needs.windows.keys()
    made = {_target(one): one for one in body.statements}
    persisted: set[Operation] = set()
    for stream, name in reversed(body.variables.items()):
        statement, above = made.get(name), upstream(stream)
        uses = sum(stream in upstream(output) for output in body.outputs)
        if statement is None or uses < _SEVERAL or not above & windows or persisted & windows & above:
            continue
        if stream in body.cached:  # which `persist_cached` persists
            persisted |= above
            continue
        is_bound_once = [_target(one) for one in body.statements].count(name) == 1
        if is_bound_once and _is_computed(statement):
            persisted |= above
            reading = [any(stream in upstream(other) for other in one.streams) for one in body.statements]
            last = len(reading) - reading[::-1].index(True)
            body.statements.insert(last, Written(releasing(name), when=statement.when))
            at = body.statements.index(statement) + 1
            body.statements.insert(at, Written(persisting(name), when=statement.when))


def persisted_where_made(statements: Sequence[Written]) -> list[Written]:
    """Statements of which each that makes a DataFrame or RDD to be persisted does that: ``(...).persist()``.

    What is said behind a statement that persists it stays there, with the statement.
    """
    found = [*statements]
    for one in statements:
        if not isinstance(one.code, Chain) or not one.code.persists or one.code.target:
            continue
        name, call, below = one.code.persists, PERSIST, found.index(one)
        if one.code.only_persists:
            (call,) = one.code.calls
        at = next((at for at in reversed(range(below)) if _target(found[at]) == name), None)
        made = one if at is None else found[at]
        if at is None or not isinstance(made.code, Chain) or made.when != one.when:
            continue
        if not made.code.calls and made.code.called is None:  # a second name
            continue
        if call.comment:
            continue  # it stays with what is said of it
        if [one.method for one in made.code.calls[-1:]] != [call.method]:  # another window may hold it, too
            found[at] = replace(made, code=replace(made.code, calls=(*made.code.calls, call)))
        rest = replace(one.code, calls=one.code.otherwise, otherwise=(), persists="")
        found[below : below + 1] = [] if one.code.only_persists else [replace(one, code=rest)]
    return found


def persisted_first(statements: Sequence[Written], batch: str) -> list[Written]:
    """Statements of which the first that reads the batch stands below its persist, if a window holds it.

    What stands above the window would compute the batch again.
    """
    for below, one in enumerate(statements):
        if isinstance(one.code, Chain) and one.code.persists == batch and not one.code.only_persists:
            reading = [at for at, other in enumerate(statements[:below]) if other.streams]
            if one.when or not reading:
                break
            held = replace(one, code=replace(one.code, calls=one.code.otherwise, otherwise=(), persists=""))
            first = reading[0]
            persist = Written(Chain(batch, (PERSIST,)))
            return [*statements[:first], persist, *statements[first:below], held, *statements[below + 1 :]]
    return [*statements]


def _is_computed(made: Written) -> bool:
    """Whether a statement makes more than what a window holds, and no state, which is computed there."""
    calls = made.code.calls if isinstance(made.code, Chain) else ()
    return bool(calls) and calls[-1].method != "localCheckpoint"


def _target(made: Written) -> str:
    return made.code.target if isinstance(made.code, Chain) else ""


def persist_inside(draft: Draft, stream: Operation, name: str) -> None:
    """Persist such an RDD in a function that the batch function calls, below the statement that makes it."""
    pending, outputs = [stream], 0
    while pending:
        consumers = pending.pop().consumers
        outputs += sum(one.is_output for one in consumers)
        pending += consumers
    if outputs >= _SEVERAL:
        draft.body.write(persisting(name, replace(_persist(stream), comment=f"# {FREED}")), None)


def persist_of(variable: str, draft: Draft) -> Call:
    """The call that persists what is in a variable of the batch function."""
    found = (stream for stream, made in draft.body.cached.items() if _target(made) == variable)
    return next(map(_persist, found), PERSIST)


def _persist(stream: Operation) -> Call:
    """The call that persists an RDD at the level of its stream, if an RDD has not that one anyway."""
    match stream.level:
        case ast.Attribute(ast.Name("StorageLevel") | ast.Attribute(attr="StorageLevel"), level):
            if level in _OTHER_LEVELS:
                return Call("persist", quoted(stream.level))
    return PERSIST
