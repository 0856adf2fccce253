"""Branches that a program always takes: ``if lines:``, ``if lines is not None:``.

A stream is true, and never None. Native code builds its graph in a straight line: such a branch loses its
condition first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.codemod.changes import Changes, UnwritableError
from migrate.codemod.writing import written
from migrate.frozen import replace
from migrate.knowledge.streaming import CONTEXT, STREAM, Gives
from migrate.model import Module
from migrate.syntax.nodes import of_kinds, parsed, position, walk
from migrate.trace import Graph, Use

_STREAMS = (Gives.STREAM, Gives.ITSELF)


def without_conditions(graph: Graph) -> Module | None:
    """The only module of a graph without such conditions around its streams; None where there are none."""
    (module, *others) = graph.modules.values()
    if others:
        return None
    branches = {branch for branch in _always_taken(module.tree, graph) if _holds_streams(branch, graph)}
    if not branches:
        return None
    try:
        source = written(Changes(module.tree, module.source, unfolded=branches))
    except UnwritableError:
        return None
    return replace(module, source=source, tree=parsed(source))


def _always_taken(tree: ast.Module, graph: Graph) -> Iterator[ast.If]:
    made = {use.call for use in graph.uses if use.call is not None and _gives_a_stream(use)}
    names = of_kinds(tree, ast.Name)
    parameters = {node.arg for node in of_kinds(tree, ast.arg)}
    assignments = [node for node in of_kinds(tree, ast.Assign) if node.value in made]
    continued = {other for node in of_kinds(tree, ast.If) for other in node.orelse}
    for branch in of_kinds(tree, ast.If):
        name = _tested(branch.test)
        if name is None:
            continue
        stores = [node for node in names if node.id == name and not isinstance(node.ctx, ast.Load)]
        given = [node for node in assignments if node.targets == stores and position(node) < position(branch)]
        if given and not branch.orelse and branch not in continued and name not in parameters:
            yield branch


def _gives_a_stream(use: Use) -> bool:
    return bool(use.connector) or STREAM.get(use.name, CONTEXT.get(use.name)) in _STREAMS


def _tested(test: ast.expr) -> str | None:
    """The variable that must be true, or not None."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.IsNot):
        (other,) = test.comparators
        test = test.left if isinstance(other, ast.Constant) and other.value is None else other
        return test.id if isinstance(test, ast.Name) and isinstance(other, ast.Constant) else None
    return test.id if isinstance(test, ast.Name) else None


def _holds_streams(branch: ast.If, graph: Graph) -> bool:
    inside = set(walk(branch))
    return any(use.node in inside for use in graph.uses)
