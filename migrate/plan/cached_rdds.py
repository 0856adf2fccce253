"""RDDs that the program caches, and that the batch function or a function in it persists.

What is random, or reads the clock, is computed once there: each output would find other elements.
"""

from __future__ import annotations

from migrate.graph.program import Operation, upstream
from migrate.plan.code import Chain, Written
from migrate.plan.draft import Draft
from migrate.plan.stages import Rdd

FREED = "Spark frees it when the function is done"


def persist_cached(draft: Draft, besides: str = "") -> list[Written]:
    """Persist the RDDs of the batch function that are cached and computed more than once.

    Args:
        draft: the plan, whose batch function gets a statement below each of them.
        besides: the variable of what is persisted anyway.

    Returns:
        The statements that release them, to stand at the end.
    """
    body = draft.body
    found = [one for one, name in body.variables.items() if name != besides and _is_shared(draft, one)]
    released = []
    for stream in found:
        name = body.variables[stream]
        made = [one for one in body.statements if isinstance(one.code, Chain) and one.code.target == name]
        if len(made) != 1:
            continue  # the name is bound anew, and holds another one where the batch ends
        at = body.statements.index(made[0]) + 1
        body.statements.insert(at, Written(f"{name}.persist()", when=made[0].when))
        released.append(Written(f"{name}.unpersist()", when=made[0].when))
    return released


def persist_inside(draft: Draft, stream: Operation, name: str) -> None:
    """Persist such an RDD in a function that the batch function calls, below the statement that makes it."""
    pending, outputs = [stream], 0
    while pending:
        consumers = pending.pop().consumers
        outputs += sum(one.is_output for one in consumers)
        pending += consumers
    if stream.cached and outputs > 1:
        draft.body.write(f"{name}.persist()  # {FREED}", None)


def _is_shared(draft: Draft, stream: Operation) -> bool:
    outputs = draft.body.outputs
    is_rdd = stream.cached and isinstance(draft.stages.get(stream), Rdd)
    return is_rdd and sum(stream in upstream(output) for output in outputs) > 1
