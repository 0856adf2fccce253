"""The batch function: what stands in it, and right above and below it."""

from __future__ import annotations

import ast

from migrate.plan.batch_time import FIRST
from migrate.plan.code import BatchFunction, Code, Written
from migrate.plan.lifecycle import Lifecycle
from migrate.plan.plan import Plan
from migrate.plan.side_by_side import side_by_side

WHOLE = "# the state is kept only if all of the batch is computed"


def batch_function(plan: Plan, life: Lifecycle) -> BatchFunction:
    """The function that the query calls for each batch.

    Raises:
        Blocked: it reads the batch time, which has no form there.
    """
    given = plan.facts.fresh("unsorted") if plan.places else plan.batch
    above: list[Code] = [f"{name} = {before}" for name, before in plan.states.items() if before]
    if plan.inputs:
        above.append(side_by_side(plan))
    times, time = _time(plan, life, given)
    body: list[Code] = []
    if plan.states:
        word = "global" if isinstance(plan.place.scope, ast.Module) else "nonlocal"
        body.append(f"{word} {', '.join(plan.states)}")
    body += time
    if plan.empty_guard:
        body.append(f"if {given}.isEmpty():\n    return")
    partial = plan.state is not None and not plan.reads_all
    # a sort reads its input twice, which takes Kafka's source seconds
    persists = partial or bool(plan.places) or (plan.batch_uses > 1 and plan.keeps_batch)
    if persists:
        body.append(f"{given}.persist()")
    if plan.places:
        places = ", ".join(f'"{name}"' for name in plan.places)
        body.append(f"{plan.batch} = {given}.orderBy({places}).drop({places})")
    if partial:
        # `show` and `take` leave partitions out, whose state would stay as it was
        body.append(f"{plan.batch}.count()  {WHOLE}")
    last = [Written(f"{given}.unpersist()")] if persists else []
    return BatchFunction(
        plan.function,
        (given, plan.batch_id),
        (*map(Written, body), *plan.inside, *last),
        plan.place.anchor,
        (*above, *times),
        life.writer,
    )


def _time(plan: Plan, life: Lifecycle, given: str) -> tuple[list[Code], list[Code]]:
    """What the time of a batch needs above the batch function, and how that begins with it."""
    guard: list[Code] = [f"if {plan.batch_id} == 0 and {given}.isEmpty():  # {FIRST}\n    return"]
    if plan.empty_guard or plan.queues:
        guard = []
    if plan.batch_time and not plan.has_any_time:
        times = plan.facts.fresh("times")
        above: list[Code] = [f"{times} = {plan.times()}({life.interval.seconds()})"]
        return above, [f"{plan.batch_time} = next({times})", *guard]
    now: list[Code] = [f"{plan.batch_time} = {plan.now()}"] if plan.batch_time else []
    return [], [*now, *(guard if plan.first_guard else [])]
