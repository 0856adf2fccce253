"""The decisions on all graphs of some modules, and the changes of every file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from migrate.codemod.cassandra import save_dicts
from migrate.codemod.changes import Changes, New
from migrate.codemod.compat import compat_imports
from migrate.codemod.marking import mark
from migrate.decisions.decision import Decided, Decision
from migrate.decisions.one_graph import decide_alone, with_shared_stores
from migrate.decisions.shared_files import settle_shared_files, share_files
from migrate.decisions.through_modules import Given, given_to_users, with_needed_modules
from migrate.graph.cassandra_dicts import saved_dicts
from migrate.graph.connectors import reads
from migrate.knowledge.connectors import MQTT
from migrate.model import Module, Options, Outcome
from migrate.trace import Trace, trace


def decide(modules: Sequence[Module], options: Options) -> Decided:
    """Decide on every graph of `modules`, which are linked: a graph may span any of them."""
    by_path = {module.relative: module for module in modules}
    found = trace(modules)
    decisions = [decide_alone(graph, found, by_path, options) for graph in found.graphs]
    decisions = with_shared_stores(decisions, by_path, options)
    return _decided(found, share_files(decisions, modules, options), by_path)


def leave(decided: Decided, unwritable: Mapping[str, str], modules: Mapping[str, Module]) -> Decided:
    """The decisions after it was found that some files cannot be written: their graphs stay as they are.

    Args:
        decided: the decisions before.
        unwritable: why, by the paths of these files.
        modules: all modules, by their paths.
    """
    left = []
    for decision in decided.decisions:
        why = tuple(f"{path}: {unwritable[path]}" for path in decision.files if path in unwritable)
        if why and decision.outcome is Outcome.MANUAL:
            left.append(replace(decision, marked=False))
        elif why:
            left.append(Decision(decision.graph, Outcome.MANUAL, why, marked=False, helpers=decision.helpers))
        else:
            left.append(decision)
    return _decided(decided.trace, left, modules)


def _decided(found: Trace, decisions: list[Decision], by_path: Mapping[str, Module]) -> Decided:
    decisions = settle_shared_files(decisions)
    texts = {path: text for decision in decisions for path, text in decision.texts.items()}
    changes = {path: one for decision in decisions for path, one in decision.changes.items()}
    changes = {path: one for path, one in changes.items() if path not in texts}
    compat = (path for decision in decisions if decision.outcome is Outcome.COMPAT for path in decision.files)
    moved = {*compat} - {*changes, *texts}
    handed_on = given_to_users(decisions, moved, by_path)
    others = _other_changes(found, decisions, by_path, handed_on)
    others = {path: one for path, one in others.items() if path not in changes and path not in texts}
    decisions = [with_needed_modules(one, moved - {*handed_on}, by_path) for one in decisions]
    return Decided(found, tuple(decisions), {**changes, **others}, texts)


def _other_changes(
    found: Trace,
    decisions: Sequence[Decision],
    modules: Mapping[str, Module],
    handed_on: Mapping[str, Given],
) -> dict[str, Changes]:
    """The changes of files whose graphs go to compat, or are left for a person.

    Args:
        found: the trace of the modules.
        decisions: those on all graphs.
        modules: all modules, by their paths.
        handed_on: the imports that users of a module have themselves now, by its path.
    """
    changed: dict[str, Changes] = {}

    def of(path: str) -> Changes:
        return changed.setdefault(path, Changes(modules[path].tree, modules[path].source))

    moved = [decision for decision in decisions if decision.outcome is Outcome.COMPAT]
    for path in dict.fromkeys(path for decision in moved for path in decision.files):
        bahir = any(reads(MQTT, decision.graph) for decision in moved if path in decision.files)
        compat_imports(of(path), modules[path], found.taken.of_module(modules[path]), bahir=bahir)
        graphs = (decision.graph for decision in moved if path in decision.graph.modules)
        if saves := [one for graph in graphs for one in saved_dicts(graph)]:
            save_dicts(of(path), [one for one in saves if one.use.module.relative == path])
    for path, given in handed_on.items():
        of(path).remove(given.statement)
        for user, star in given.users.items():
            names = ", ".join(given.names_for(modules[user]))
            of(user).put_after(star, New(f"from compat.streaming import {names}"))
    for decision in decisions:
        if decision.outcome is Outcome.MANUAL and decision.marked and not decision.ignored:
            first = decision.graph.uses[0]
            mark(of(first.module.relative), first.node, decision.marker)
    return {path: changes for path, changes in changed.items() if changes}
