"""Helper modules that store offsets for one or more programs: what does so goes, for all of these or none."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from migrate.codemod.changes import Changes
from migrate.codemod.native import native_changes
from migrate.codemod.new_tree import new_tree
from migrate.codemod.writing import written
from migrate.decisions.decision import Decision
from migrate.decisions.native import lost_names
from migrate.model import Module, Outcome
from migrate.plan.compat import imports_connector
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.syntax.nodes import parsed, walk
from migrate.syntax.tree import is_idle

EMPTIED = "nothing is left of {}, which only stored Kafka's offsets: delete it, with what imports it"


def without_stores(
    decision: Decision, paths: Sequence[str], modules: Mapping[str, Module]
) -> dict[str, Changes] | None:
    """The changes of modules of which a native program no longer needs what stores its offsets.

    None where something else in one of them needs the connector.

    Args:
        decision: that on the program.
        paths: modules that import the connector.
        modules: all modules, by their paths.
    """
    stores = decision.program.offsets.statements if decision.program is not None else ()
    found: dict[str, Changes] = {}
    for path in paths:
        own = {*walk(modules[path].tree)}
        part = PlannedModule(removed=dict.fromkeys((one for one in stores if one in own), True))
        changes = native_changes(modules[path], part)
        new = new_tree(changes)
        if imports_connector(new) or lost_names(modules[path].tree, new):
            return None
        found[path] = changes
    return found


def emptied(changes: Mapping[str, Changes]) -> list[str]:
    """The notes on modules of which nothing is left."""
    left = {path: parsed(written(one)).body for path, one in changes.items()}
    return [EMPTIED.format(path) for path, body in left.items() if all(map(_says_nothing, body))]


def _says_nothing(statement: ast.stmt) -> bool:
    return is_idle(statement) or isinstance(statement, ast.Pass)


def settle_stores(decisions: Sequence[Decision], left: Callable[[Decision], Decision]) -> list[Decision]:
    """Leave programs that share what stores their offsets, unless all of them are native and drop the same.

    Args:
        decisions: those on all graphs.
        left: makes the decision on such a program in the place of the native one.
    """
    settled = list(decisions)
    while True:
        by_path = {path: one for one in settled for path in one.graph.files}
        apart = [number for number, one in enumerate(settled) if not _agree(one, by_path)]
        if not apart:
            return settled
        for number in apart:
            settled[number] = left(settled[number])


def _agree(decision: Decision, by_path: Mapping[str, Decision]) -> bool:
    """Whether the programs that share functions with a native one drop the same of them."""
    if decision.outcome is not Outcome.NATIVE or decision.program is None:
        return True
    if not decision.program.offsets.shared:
        return True
    own = _elsewhere(decision)
    others = (by_path.get(path) for path in decision.program.offsets.shared)
    return all(one is not None and one.outcome is Outcome.NATIVE and own == _elsewhere(one) for one in others)


def _elsewhere(decision: Decision) -> set[ast.stmt]:
    """The statements that a program drops of modules that are not its own."""
    if decision.program is None:
        return set()
    own = {inner for module in decision.graph.modules.values() for inner in walk(module.tree)}
    return {*decision.program.offsets.statements} - own
