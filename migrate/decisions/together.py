"""Graphs that share a file: each is rewritten in the text that the one before it has left.

Those that stay on compat are passed over, and get its imports in the end.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from migrate.codemod.cassandra import save_dicts
from migrate.codemod.changes import Changes
from migrate.codemod.compat import compat_imports
from migrate.codemod.native import native_changes
from migrate.codemod.ownership import Comment
from migrate.codemod.writing import written
from migrate.decisions.kept_graphs import APART, check_kept, idle_imports
from migrate.decisions.native import lost_names
from migrate.decisions.other_graphs import lines_of_others
from migrate.form import Form
from migrate.graph.blocked import Blocked
from migrate.graph.cassandra_dicts import saved_dicts
from migrate.graph.connectors import reads
from migrate.knowledge.connectors import MQTT
from migrate.model import Module, Options, Tier
from migrate.plan.modules.shared_helpers import with_helpers_of, with_shared_helpers
from migrate.plan.native_graph import plan_graph
from migrate.rules import rule_for
from migrate.syntax.nodes import parsed
from migrate.trace import Graph, Trace, Use, trace


def rewrite_together(
    graphs: Sequence[Graph],
    tiers: Sequence[Mapping[Use, Tier] | None],
    modules: Sequence[Module],
    options: Options,
) -> tuple[str, list[Comment]]:
    """The new text of the only file of `graphs`, and the comments that it leaves out.

    Args:
        graphs: all graphs with code in the file, in their order.
        tiers: the tier of each call where its graph is rewritten alone; together it must be the same. None
            for a graph that stays on compat.
        modules: all modules, as they were read.
        options: the user's.

    Raises:
        Blocked: they get into each other's way.
        UnwritableError: LibCST cannot take the code.
    """
    (path,) = {path for graph in graphs for path in graph.modules}
    (module,) = [module for module in modules if module.relative == path]
    old, origin = module.tree, module.source
    dropped: list[Comment] = []
    kept: list[Graph] = []
    helpers: dict[str, str] = {}
    for graph, alone in zip(graphs, tiers, strict=True):
        # the user is told of each graph alone: lines of a text that is half done exist nowhere
        module = replace(module, form=Form(), origin=origin)
        found = trace([module if other.relative == path else other for other in modules])
        again = _next(found, path, len(kept))
        if again is None or _names(again) != _names(graph):
            raise Blocked(APART)
        if alone is None:
            kept.append(graph)
            continue
        plan = plan_graph(again, found, options, rule_for)
        if [plan.tiers[use] for use in again.uses] != [alone[use] for use in graph.uses]:
            raise Blocked(APART)
        part = with_shared_helpers(plan.modules[path], helpers)
        helpers = with_helpers_of(part, helpers)
        changes = native_changes(module, part, lines_of_others(again, found, module))
        dropped += changes.gone
        text = written(changes)
        module = replace(module, source=text, tree=parsed(text))
    if kept:
        for graph in kept:
            check_kept(graph, old, module.tree)
        if lost_names(old, module.tree):
            raise Blocked(APART)
        return _on_compat(module, kept, found.taken.of_module(module)), dropped
    return module.source, dropped


def _on_compat(module: Module, kept: Sequence[Graph], taken: Container[str]) -> str:
    """The text of a module whose graphs are all on compat but for native code."""
    idle = Changes(module.tree, module.source)
    for statement in idle_imports(module.tree):
        idle.remove(statement)
    if idle:
        text = written(idle)
        module = replace(module, source=text, tree=parsed(text))
    left = Changes(module.tree, module.source)
    compat_imports(left, module, taken, bahir=any(reads(MQTT, graph) for graph in kept))
    if saves := [save for graph in kept for save in saved_dicts(graph)]:
        save_dicts(left, saves)
    return written(left)


def _next(found: Trace, path: str, kept: int) -> Graph | None:
    """The first graph that is left in the file behind those that stay; native code is traced as no graph."""
    left = (graph for graph in found.graphs if path in graph.modules)
    return next(islice(left, kept, None), None)


def _names(graph: Graph) -> list[str]:
    return [use.name for use in graph.uses]
