"""Native programs whose modules are those of programs on `compat`, too, and import it for these.

A program that has the name by a star import alone imports it itself where that is all the module's import is
for. Else the report says that the native program needs `compat`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from migrate.decisions.decision import Decision
from migrate.frozen import replace
from migrate.model import Module, Outcome
from migrate.read.modules import Imports
from migrate.read.reach import imported_by, reached
from migrate.syntax.nodes import of_kinds
from migrate.syntax.text_names import named_in_texts

NEEDED = (
    "install dstream-migrate for it as well: it imports {}, which imports `compat.streaming` for programs "
    "that are not native; or let those import it themselves"
)
COMPAT = "compat.streaming"
_STREAMING = ("pyspark.streaming", COMPAT)


@dataclass(frozen=True)
class Given:
    """An import that a module has for its users alone."""

    statement: ast.ImportFrom
    users: Mapping[str, ast.ImportFrom]
    """The star imports below which the users import what they read of it, by their paths."""

    def names_for(self, user: Module) -> list[str]:
        """The names of the import that a module reads."""
        return [alias.name for alias in self.statement.names if alias.name in _read(user)]


def given_to_users(
    decisions: Sequence[Decision], moved: Collection[str], modules: Mapping[str, Module]
) -> dict[str, Given]:
    """The imports of DStreams that modules of native programs have for programs on `compat` alone.

    Args:
        decisions: those on all graphs.
        moved: the paths of the modules of programs on `compat`.
        modules: all modules, by their paths.
    """
    native = [_own(decision) for decision in decisions if decision.outcome is Outcome.NATIVE]
    shared = {path for own in native if moved for path in reached(own, modules) - own if path in moved}
    without = {path for own in native for path in own} - {*moved}
    given = {path: _given(modules[path], without, moved, modules) for path in sorted(shared)}
    return {path: one for path, one in given.items() if one is not None}


def _given(
    module: Module, without: Collection[str], moved: Collection[str], modules: Mapping[str, Module]
) -> Given | None:
    """The import of a module that its users can have themselves; None where others need it, or itself.

    Args:
        module: the module.
        without: the paths of native programs, which need no such import any more.
        moved: the paths of the modules of programs on `compat`.
        modules: all modules, by their paths.
    """
    found = [
        one for one in of_kinds(module.tree, ast.ImportFrom) if (one.module or "").startswith(_STREAMING)
    ]
    names = {alias.name for one in found for alias in one.names if alias.asname is None}
    if len(found) != 1 or len(names) != len(found[0].names) or found[0] not in module.tree.body:
        return None
    if names & ({"*"} | _read(module) | named_in_texts(module.tree)):
        return None
    users: dict[str, ast.ImportFrom] = {}
    for other, node in _importing(module, modules):
        if not isinstance(node, ast.ImportFrom) or node.names[0].name != "*" or node not in other.tree.body:
            return None
        if any(True for _ in _importing(other, modules)):
            return None
        if names & _read(other) and other.relative not in without:
            if other.relative not in moved:
                return None
            users[other.relative] = node
    return Given(found[0], users)


def _importing(module: Module, modules: Mapping[str, Module]) -> Iterator[tuple[Module, ast.AST]]:
    """The modules that import another one, with the statements by which they do."""
    imports = Imports(modules.values())
    for other in modules.values():
        for node in of_kinds(other.tree, ast.Import, ast.ImportFrom):
            if other is not module and module in imported_by(node, other, imports):
                yield other, node


def _own(decision: Decision) -> set[str]:
    """The paths of the modules that a graph's calls are in."""
    return {use.module.relative for use in decision.graph.uses}


def _read(module: Module) -> set[str]:
    return {node.id for node in of_kinds(module.tree, ast.Name)}


def with_needed_modules(
    decision: Decision, moved: Collection[str], modules: Mapping[str, Module]
) -> Decision:
    """A native graph with what it needs beside its own code.

    Args:
        decision: that on the graph.
        moved: the paths of the modules that import `compat.streaming` now.
        modules: all modules, by their paths.
    """
    if decision.outcome is not Outcome.NATIVE or not moved:
        return decision
    own = _own(decision)
    through = sorted(path for path in (reached(own, modules) & {*moved}) - own if _imports(modules[path]))
    if not through:
        return decision
    needed = NEEDED.format(", ".join(through))
    requires = tuple(dict.fromkeys((*decision.requires, COMPAT)))
    must = tuple(dict.fromkeys((*decision.must_change, needed)))
    return replace(decision, requires=requires, must_change=must)


def _imports(module: Module) -> bool:
    """Whether a module imports DStreams, of PySpark or of compat."""
    names = [one.module or "" for one in of_kinds(module.tree, ast.ImportFrom) if not one.level]
    names += [alias.name for one in of_kinds(module.tree, ast.Import) for alias in one.names]
    return any(name.startswith(_STREAMING) for name in names)
