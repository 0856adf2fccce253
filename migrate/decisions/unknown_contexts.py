"""Graphs whose context comes from elsewhere or from nowhere, where compat breaks no program that works."""

from __future__ import annotations

from collections.abc import Mapping

from migrate.codemod.changes import Changes
from migrate.codemod.compat import compat_imports
from migrate.decisions.decision import Decision
from migrate.graph.connectors import reads
from migrate.knowledge.connectors import MQTT
from migrate.model import Module, Outcome
from migrate.trace import Graph, Trace

AS_GIVEN = "{}; nothing imports `pyspark.streaming` here, so it runs on what it is given"
UNDEFINED = "`{}` is never defined in the files that were read: the program fails there as it is"
DEFINE = "define `{}` as a `StreamingContext` of `compat.streaming`, which no file that was read does"
IMPORT = "define or import `{}`, which no file that was read does"


def imports_nothing(graph: Graph, modules: Mapping[str, Module], found: Trace) -> bool:
    """Whether no import of a graph's files is another one on compat."""
    for path in graph.files:
        module = modules[path]
        changes = Changes(module.tree, module.source)
        compat_imports(changes, module, found.taken.of_module(module), bahir=reads(MQTT, graph))
        if changes:
            return False
    return True


def of_undefined(graph: Graph, helpers: tuple[str, ...]) -> Decision | None:
    """The decision on a graph whose context, or what gets it, no code defines; None if all is defined."""
    names = [context.undefined for context in graph.contexts if context.undefined]
    others = [*dict.fromkeys(escape.undefined for escape in graph.escapes if escape.undefined)]
    if not (names or others):
        return None
    return Decision(
        graph,
        Outcome.COMPAT,
        tuple(map(UNDEFINED.format, (*names, *others))),
        must_change=(*map(DEFINE.format, names), *map(IMPORT.format, others)),
        helpers=helpers,
    )
