"""The lines of a module that are about other programs than the one that is rewritten."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import groupby

from migrate.model import Module
from migrate.syntax.nodes import parents_of
from migrate.syntax.text import Text
from migrate.trace import Graph, Trace


def lines_of_others(graph: Graph, found: Trace, module: Module) -> frozenset[int]:
    """The lines from the first to the last call of each other graph, with the comments above them.

    Where a graph is in a function of its own, they are the function's.
    """
    uses = [
        (use.line, use.node, one is graph)
        for one in found.graphs
        for use in one.uses
        if use.module.relative == module.relative
    ]
    if all(own for _, _, own in uses):
        return frozenset()
    parents, text = parents_of(module.tree), Text(module.source)
    ours = {above for _, node, own in uses if own for above in _around(node, parents)}
    lines: set[int] = set()
    for own, run in groupby(sorted(uses, key=lambda use: use[0]), lambda use: use[2]):
        if not own:
            apart = [_apart(node, ours, parents) for _, node, _ in run]
            first, last = min(one.lineno for one in apart), max(one.end_lineno or 0 for one in apart)
            while first > 1 and text.lines[first - 2].lstrip().startswith("#"):
                first -= 1
            lines |= {*range(first, last + 1)}
    return frozenset(lines)


def _apart(node: ast.AST, ours: set[ast.AST], parents: dict[ast.AST, ast.AST]) -> ast.stmt:
    """The outermost statement around a node that no call of ours is in."""
    statements = [one for one in _around(node, parents) if isinstance(one, ast.stmt)]
    return [statements[0], *(one for one in statements if one not in ours)][-1]


def _around(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """The nodes that a node is in."""
    while (above := parents.get(node)) is not None:
        yield above
        node = above
