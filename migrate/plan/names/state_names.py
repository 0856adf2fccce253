"""Names for what is kept from batch to batch, where the program has no variable for it."""

from __future__ import annotations

import ast

from migrate.columns.names import is_telling, without_kind
from migrate.graph.program import upstream
from migrate.plan.draft.step import Step


def kept_name(step: Step, wanted: str) -> str:
    """The name of what an operator keeps: ``totals``, and ``visits_totals`` where something is called so."""
    unread = _unread_variable(step)
    if unread is not None and unread not in step.known.names:
        step.need(names=frozenset({unread}))
        return unread
    name, stream = step.fresh(wanted, anywhere=True), _named_stream(step)
    return name if name == wanted or not stream else step.fresh(f"{stream}_{wanted}", anywhere=True)


def _unread_variable(step: Step) -> str | None:
    """``shops`` of ``shops = pairs.updateStateByKey(f).pprint()``, which held None and nothing reads."""
    line, facts = step.line, step.facts
    match line.statement:
        case ast.Assign(targets=[ast.Name(name) as target]) if line.operations[-1].is_output:
            is_free = facts.only_binding(name) is target and not facts.loads.get(name)
            return name if is_free and line.scope is step.program.scope else None
    return None


def _named_stream(step: Step) -> str:
    """The variable of the stream that an operator reads, or of one that this is made of; empty if none.

    It names nothing where something else is kept of that stream, too.
    """
    above, targets = step.operation.parents[0], step.basis.targets
    while above not in targets and len(above.parents) == 1:
        above = above.parents[0]
    name = without_kind(targets.get(above, ""))
    others = {*step.basis.kept, *step.known.windows} - {step.operation}
    return name if is_telling(name) and not any(above in upstream(other) for other in others) else ""
