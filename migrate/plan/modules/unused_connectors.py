"""Modules that import a connector and do nothing with it: a native program takes the import out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from migrate.knowledge.connectors import CONNECTORS, connector_of
from migrate.model import Module
from migrate.syntax.nodes import of_kinds
from migrate.syntax.text_names import named_in_texts
from migrate.trace import Trace, canonical
from migrate.trace.taken import EVERYTHING


def unused_connectors(paths: Sequence[str], modules: Mapping[str, Module], trace: Trace) -> frozenset[str]:
    """Those of some modules in which, and in whose users, nothing reads the connectors that they import."""
    working = {path for graph in trace.graphs for path in graph.files}
    return frozenset(path for path in paths if path not in working and _is_unused(modules[path], trace))


def _is_unused(module: Module, trace: Trace) -> bool:
    bound = set(_bound(module.tree))
    taken = trace.taken.of_module(module)
    if bound & (taken | named_in_texts(module.tree) | _names(module.tree)):
        return False
    return EVERYTHING not in taken or not any(
        bound & _names(other.tree) - set(_bound(other.tree)) for other in trace.modules
    )


def _names(tree: ast.Module) -> set[str]:
    return {node.id for node in of_kinds(tree, ast.Name)}


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a module imports of connectors, or imports them by."""
    for node in of_kinds(tree, ast.Import):
        for alias in node.names:
            if connector_of(canonical(alias.name)):
                yield alias.asname or alias.name.partition(".")[0]
    for statement in of_kinds(tree, ast.ImportFrom):
        for alias in statement.names:
            connector = connector_of(canonical(f"{statement.module}.{alias.name}"))
            if connector and not statement.level:
                yield from CONNECTORS[connector] if alias.name == "*" else (alias.asname or alias.name,)
