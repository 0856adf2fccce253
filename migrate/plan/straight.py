"""Queries that are given a function of the program, in place of a batch function that would only call it."""

from __future__ import annotations

from migrate.plan.code import Inner
from migrate.plan.draft import Draft
from migrate.plan.exits import needs_handler
from migrate.plan.failed_batches import goes_on
from migrate.plan.outputs import Direct


def direct_call(draft: Draft) -> Direct | None:
    """The call that is all of the batch function, if the query can be given the function that it calls."""
    basis, needs, does, query = draft.basis, draft.needs, draft.body, draft.query
    direct = does.direct
    if direct is None or direct.given != basis.names.batch or len(does.statements) != 1:
        return None
    more = (needs.batch_time, needs.first, needs.windows, needs.queues, needs.empty_guard, needs.first_guard)
    kept = (does.states, basis.state, basis.kept, query.places, query.inputs)
    (statement,) = does.statements
    if any(more) or any(kept) or statement.when or does.uses > 1:
        return None
    return None if goes_on(draft) or needs_handler(basis) or _stops_by_variable(draft) else direct


def taking_batches(direct: Direct, draft: Draft) -> Inner:
    """The parameters of a function that the query calls itself."""
    return Inner(((direct.parameter, f"{direct.name}, {draft.basis.names.batch_id}"),))


def _stops_by_variable(draft: Draft) -> bool:
    """Whether a graceful stop may set a variable that the batch function looks at."""
    stops = (use.call for use in draft.basis.program.lifecycle if use.name == "stop")
    return any(call is not None and len(call.args) + len(call.keywords) > 1 for call in stops)
