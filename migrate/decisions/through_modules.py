"""Native programs that still need `compat`: a module that they import is one of programs on it, too."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from migrate.decisions.decision import Decision
from migrate.frozen import replace
from migrate.model import Module, Outcome
from migrate.read.reach import reached
from migrate.syntax.nodes import of_kinds

NEEDED = (
    "install dstream-migrate for it as well: it imports {}, which imports `compat.streaming` for programs "
    "that are not native; or let those import it themselves"
)
COMPAT = "compat.streaming"
_STREAMING = ("pyspark.streaming", COMPAT)


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
    own = {use.module.relative for use in decision.graph.uses}
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
