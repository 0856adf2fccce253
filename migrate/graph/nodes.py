"""Finds the expressions of a graph among those of a program."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import with_around
from migrate.syntax.tree import Tree, own_nodes
from migrate.trace import Context, Graph, Stream, Trace, Use
from migrate.trace.values import Values


class Nodes:
    """Tells members of a graph, its contexts and its streams from other expressions."""

    def __init__(self, graph: Graph, trace: Trace, tree: Tree) -> None:
        self.graph = graph
        self.trace = trace
        self.tree = tree
        self.by_node = {use.node: use for use in graph.uses}
        self._ours = {*graph.contexts, *graph.streams}
        self._around = with_around(self.by_node, tree.above)
        """The members with all that they are in."""

    def values(self, node: ast.AST) -> Values:
        """What an expression can be."""
        return self.trace.kinds.get(node, frozenset())

    def called(self, node: ast.AST) -> Use | None:
        """The member that a call is a call of."""
        return self.by_node.get(node.func) if isinstance(node, ast.Call) else None

    def uses_in(self, node: ast.AST) -> list[Use]:
        """The members in a node's own code, without that of functions in it."""
        if node not in self._around:
            return []
        return [use for inner in own_nodes(node) if (use := self.by_node.get(inner)) is not None]  # type: ignore[call-overload]

    def is_ours(self, node: ast.AST) -> bool:
        """Whether an expression can be the graph's context or one of its streams."""
        return not self._ours.isdisjoint(self.values(node))

    def holds_ours(self, node: ast.AST) -> bool:
        """Whether an expression in a node's own code can be the context or a stream."""
        return any(self.is_ours(inner) for inner in own_nodes(node))

    def is_stream(self, node: ast.AST) -> bool:
        """Whether an expression can be a stream."""
        return any(isinstance(value, Stream) for value in self.values(node))

    def is_context(self, node: ast.AST) -> bool:
        """Whether an expression can be a StreamingContext."""
        return any(isinstance(value, Context) for value in self.values(node))
