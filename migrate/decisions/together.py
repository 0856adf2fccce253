"""Graphs that share a file: each is rewritten in the text that the one before it has left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from migrate.codemod.native import native_changes
from migrate.codemod.ownership import Comment
from migrate.codemod.writing import written
from migrate.form import Form
from migrate.graph.blocked import Blocked
from migrate.model import Module, Options, Tier
from migrate.plan.planner import plan_graph
from migrate.rules import rule_for
from migrate.syntax.nodes import parsed
from migrate.trace import Graph, Trace, Use, trace

APART = "another graph lives in its file, and the two are not rewritten together"


def rewrite_together(
    graphs: Sequence[Graph],
    tiers: Sequence[Mapping[Use, Tier]],
    modules: Sequence[Module],
    options: Options,
) -> tuple[str, list[Comment]]:
    """The new text of the only file of `graphs`, all of them native, and the comments that it leaves out.

    Args:
        graphs: all graphs with code in the file, in their order.
        tiers: the tier of each call where its graph is rewritten alone; together it must be the same.
        modules: all modules, as they were read.
        options: the user's.

    Raises:
        Blocked: they get into each other's way.
        UnwritableError: LibCST cannot take the code.
    """
    (path,) = {path for graph in graphs for path in graph.modules}
    (module,) = [module for module in modules if module.relative == path]
    origin = module.source
    dropped: list[Comment] = []
    for graph, alone in zip(graphs, tiers, strict=True):
        # the user is told of each graph alone: lines of a text that is half done exist nowhere
        module = replace(module, form=Form(), origin=origin)
        found = trace([module if other.relative == path else other for other in modules])
        again = _next(found, path)
        if again is None or _names(again) != _names(graph):
            raise Blocked(APART)
        plan = plan_graph(again, found, options, rule_for)
        if [plan.tiers[use] for use in again.uses] != [alone[use] for use in graph.uses]:
            raise Blocked(APART)
        changes = native_changes(module, plan.modules[path])
        dropped += changes.dropped()
        text = written(changes)
        module = replace(module, source=text, tree=parsed(text))
    return module.source, dropped


def _next(found: Trace, path: str) -> Graph | None:
    """The first graph that is left in the file; native code is traced as no graph."""
    return next((graph for graph in found.graphs if path in graph.modules), None)


def _names(graph: Graph) -> list[str]:
    return [use.name for use in graph.uses]
