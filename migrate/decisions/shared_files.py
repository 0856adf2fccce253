"""Graphs that share a file: what can be native is, in one text; if one is left as it is, all are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrate.codemod.changes import UnwritableError
from migrate.decisions.decision import Decision
from migrate.decisions.kept_graphs import APART
from migrate.decisions.native import DROPPED, listed, on_connect
from migrate.decisions.one_graph import with_connectors
from migrate.decisions.together import rewrite_together
from migrate.form import ApartError
from migrate.graph.blocked import Blocked
from migrate.graph.cassandra_dicts import is_native_alone
from migrate.model import Module, Options, Outcome
from migrate.syntax.nodes import parsed

UNUSED = "nothing uses the context, and the streams beside it are not native"


def share_files(decisions: Sequence[Decision], modules: Sequence[Module], options: Options) -> list[Decision]:
    """Make the graphs of a file native in one text, or none of them where they get into each other's way."""
    settled = list(decisions)
    by_path = {module.relative: module for module in modules}
    for path in dict.fromkeys(path for decision in decisions for path in decision.changes):
        sharing = [number for number, decision in enumerate(settled) if path in decision.graph.files]
        if len(sharing) > 1:
            group = [settled[number] for number in sharing]
            for number, decision in zip(
                sharing, _together(group, by_path[path], modules, options), strict=True
            ):
                moved = decision.outcome is Outcome.COMPAT
                settled[number] = with_connectors(decision, by_path, options) if moved else decision
    return settled


def _together(
    group: Sequence[Decision], module: Module, modules: Sequence[Module], options: Options
) -> list[Decision]:
    """The decisions on all graphs of a file, of which one at least would be native if it were alone."""
    group = _with_unused(group)
    outcomes = {decision.outcome for decision in group}
    alone = all(path == module.relative for decision in group for path in decision.files)
    within = all({*decision.graph.modules} == {module.relative} for decision in group)
    if (within and outcomes == {Outcome.NATIVE}) or (alone and outcomes == {Outcome.NATIVE, Outcome.COMPAT}):
        made = _rewritten(group, module, modules, options)
        if made is not None:
            return made
    return [_moved(decision) for decision in group]


def _with_unused(group: Sequence[Decision]) -> Sequence[Decision]:
    """The decisions with contexts that nothing uses on compat, if all graphs with streams are there."""
    unused = {one.graph.id for one in group if one.program is not None and one.program.reading.is_unused}
    with_streams = {one.outcome for one in group if one.graph.id not in unused}
    if with_streams != {Outcome.COMPAT}:
        return group
    return [
        Decision(one.graph, Outcome.COMPAT, (UNUSED,), helpers=one.helpers) if one.graph.id in unused else one
        for one in group
    ]


def _rewritten(
    group: Sequence[Decision], module: Module, modules: Sequence[Module], options: Options
) -> list[Decision] | None:
    """The decisions on graphs whose file gets one new text; None where they get into each other's way."""
    graphs = [decision.graph for decision in group]
    tiers = [decision.tiers if decision.outcome is Outcome.NATIVE else None for decision in group]
    try:
        text, dropped = rewrite_together(graphs, tiers, modules, options)
        module.form.restore(text, adopted=True)
    except (Blocked, ApartError, UnwritableError):
        return None
    told = " ".join(note for decision in group for note in decision.notes)
    notes = listed(DROPPED, [comment for comment in dropped if f"`{comment.text}`" not in told])
    texts, trees = {module.relative: text}, {module.relative: parsed(text)}
    last = max(number for number, decision in enumerate(group) if decision.outcome is Outcome.NATIVE)
    return [
        replace(
            decision,
            notes=(*decision.notes, *(notes if number == last else ())),
            changes={path: one for path, one in decision.changes.items() if path not in texts},
            texts=texts,
            connect=None if decision.program is None else on_connect(decision.program, trees)[0],
        )
        for number, decision in enumerate(group)
    ]


def _moved(decision: Decision) -> Decision:
    """What becomes of a graph that cannot be native beside others."""
    if decision.outcome is not Outcome.NATIVE:
        return decision
    left = Outcome.MANUAL if is_native_alone(decision.graph) else Outcome.COMPAT
    return Decision(decision.graph, left, (APART,), helpers=decision.helpers)


def settle_shared_files(decisions: list[Decision]) -> list[Decision]:
    """Leave all graphs of a file if one is left: they share its imports."""
    while True:
        kept = {
            path: decision.graph.id
            for decision in decisions
            if decision.outcome is Outcome.MANUAL
            for path in decision.files
        }
        for position, decision in enumerate(decisions):
            shared = next((path for path in decision.files if path in kept), None)
            if decision.outcome is not Outcome.MANUAL and shared is not None:
                reason = f"it shares the imports of {shared} with a graph that stays as it is"
                decisions[position] = replace(
                    decision,
                    outcome=Outcome.MANUAL,
                    reasons=(*decision.reasons, reason),
                    changes={},
                    texts={},
                )
                break
        else:
            return decisions
