"""Branches that a program always takes: ``if lines:``, ``if lines is not None:``.

A stream is true, and never None. Native code builds its graph in a straight line: such a branch loses its
condition first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from migrate.codemod.edits import Text
from migrate.knowledge.streaming import CONTEXT, STREAM, Gives
from migrate.model import Module
from migrate.syntax.nodes import of_kinds, parsed, parses, walk
from migrate.trace import Graph, Use

_STREAMS = (Gives.STREAM, Gives.ITSELF)


def without_conditions(graph: Graph) -> Module | None:
    """The only module of a graph without such conditions around its streams; None where there are none."""
    (module, *others) = graph.modules.values()
    if others:
        return None
    lines = list(Text(module.source).lines)
    branches = [
        branch
        for branch in _always_taken(module.tree, graph)
        if _holds_streams(branch, graph) and lines[branch.lineno - 1].rstrip().endswith(":")
    ]
    for branch in branches:
        _unfold(branch, lines)
    source = "".join(lines)
    if not branches or not parses(source):
        return None
    tree, expected = parsed(source), _Spliced(branches).visit(parsed(module.source))
    return replace(module, source=source, tree=tree) if ast.dump(tree) == ast.dump(expected) else None


def _always_taken(tree: ast.Module, graph: Graph) -> Iterator[ast.If]:
    made = {use.call for use in graph.uses if use.call is not None and _gives_a_stream(use)}
    names = of_kinds(tree, ast.Name)
    parameters = {node.arg for node in of_kinds(tree, ast.arg)}
    assignments = [node for node in of_kinds(tree, ast.Assign) if node.value in made]
    for branch in of_kinds(tree, ast.If):
        name = _tested(branch.test)
        stores = [node for node in names if node.id == name and not isinstance(node.ctx, ast.Load)]
        given = [node for node in assignments if node.targets == stores and node.lineno < branch.lineno]
        if given and not branch.orelse and name not in parameters:
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


def _unfold(branch: ast.If, lines: list[str]) -> None:
    """Take the first line of a branch away, and of the others the indentation that the branch has added."""
    own, body = branch.col_offset, branch.body[0].col_offset
    lines[branch.lineno - 1] = ""
    for number in range(branch.lineno, branch.end_lineno or branch.lineno):
        line = lines[number]
        if not line[own:body].strip():
            lines[number] = line[:own] + line[body:] if line.strip() else line


class _Spliced(ast.NodeTransformer):
    """A tree whose branches at some places have no heads."""

    def __init__(self, branches: Sequence[ast.If]) -> None:
        self._places = {(branch.lineno, branch.col_offset) for branch in branches}

    def visit_If(self, node: ast.If) -> ast.If | list[ast.stmt]:
        """Give the body of such a branch."""
        self.generic_visit(node)
        return node.body if (node.lineno, node.col_offset) in self._places else node
