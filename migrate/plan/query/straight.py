"""Queries that are given a function of the program, in place of a batch function that would only call it."""

from __future__ import annotations

from migrate.plan.draft.draft import Draft
from migrate.plan.draft.outputs import Direct
from migrate.plan.new_code.inner import GONE, Inner, Parameters
from migrate.plan.query.exits import needs_handler
from migrate.plan.query.failed_batches import goes_on


def direct_call(draft: Draft) -> Direct | None:
    """The call that is all of the batch function, if the query can be given the function that it calls."""
    basis, needs, does = draft.basis, draft.needs, draft.body
    direct = last_call(draft)
    if (
        direct is None
        or direct.time
        or direct.rdd
        or direct.given != basis.names.batch
        or len(does.statements) != 1
    ):
        return None
    more = (needs.batch_time, needs.first, needs.empty_guard, needs.first_guard)
    return None if any(more) or basis.state or draft.query.places or does.uses > 1 else direct


def last_call(draft: Draft) -> Direct | None:
    """The call that the batch function ends with, if nothing is around it and no state is kept."""
    basis, needs, does = draft.basis, draft.needs, draft.body
    direct = does.direct
    if direct is None or any(one.when for one in does.statements):
        return None
    more = (needs.windows, needs.queues, does.states, does.states_of_functions)
    if any(more) or basis.kept or draft.query.inputs:
        return None
    return None if goes_on(draft) or needs_handler(basis) or _stops_by_variable(draft) else direct


def taking_batches(direct: Direct, parameters: tuple[str, str]) -> Inner:
    """The parameters of a function that the query calls itself."""
    time = ((direct.time, GONE),) if direct.time is not None else ()
    return Inner(parameters=((direct.parameter, Parameters(parameters)), *time))


def _stops_by_variable(draft: Draft) -> bool:
    """Whether a graceful stop may set a variable that the batch function looks at."""
    stops = (use.call for use in draft.basis.program.lifecycle if use.name == "stop")
    return any(call is not None and len(call.args) + len(call.keywords) > 1 for call in stops)
