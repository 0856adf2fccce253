"""Chains of calls that make streams, and the context's own members: what a `Reading` is filled with."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrate.graph.blocked import Blocked
from migrate.graph.calls import Calls
from migrate.graph.program import Line, Operation, context_given, stream_given
from migrate.knowledge.connectors import KAFKA
from migrate.knowledge.streaming import ITSELF, LIFECYCLE, SOURCES
from migrate.syntax.tree import Tree, own_nodes
from migrate.trace import Context, Graph, Stream, Trace, Use


@dataclass(eq=False)
class Reading:
    """What was read of a graph."""

    lines: list[Line] = field(default_factory=list)
    removed: list[ast.stmt] = field(default_factory=list)
    said: list[ast.stmt] = field(default_factory=list)
    """Statements that print a text where the graph is built; going on from a checkpoint does not."""
    shown: list[ast.stmt] = field(default_factory=list)
    """Those of the removed statements that only show what a stream or the context is."""
    lifecycle: list[Use] = field(default_factory=list)
    spark_contexts: list[Use] = field(default_factory=list)
    operations: dict[ast.AST, Operation] = field(default_factory=dict)
    """The operations by their calls."""
    entered: dict[ast.AST, ast.Call] = field(default_factory=dict)
    """The functions that the graph's code is in, and their calls."""
    ways: dict[Line, tuple[ast.stmt, ...]] = field(default_factory=dict)
    """The statements that lead to each line, the outermost first, its own last."""
    plumbing: list[ast.AST] = field(default_factory=list)
    """Expressions that only hand the context or a stream on."""
    before_start: int = 0
    """How many of the lines were there when ``start`` was called."""
    contexts: set[ast.AST] = field(default_factory=set)
    """Expressions that are the context."""
    aliases: list[ast.stmt] = field(default_factory=list)
    """Statements that only give another name to the context or a stream, or return it."""

    @property
    def is_unused(self) -> bool:
        """Whether a context is made and nothing is done with it."""
        return not (self.lines or self.lifecycle or self.spark_contexts or self.plumbing)


class Chains:
    """Reads expressions; the statements are `migrate.graph.reading.Reader`'s."""

    def __init__(self, graph: Graph, trace: Trace, tree: Tree, calls: Calls) -> None:
        self.graph = graph
        self.trace = trace
        self.tree = tree
        self.calls = calls
        self.ours = {*graph.contexts, *graph.streams}
        self.by_node = {use.node: use for use in graph.uses}
        self.done: set[Use] = set()
        self.read_nodes: set[ast.AST] = set()
        self.found = Reading()
        self._way: list[ast.stmt] = []
        self._walked: set[ast.AST] = set()
        self._scope: ast.AST = tree.tree

    def _uses_in(self, node: ast.AST) -> list[Use]:
        return [use for inner in own_nodes(node) if (use := self.by_node.get(inner)) is not None]  # type: ignore[call-overload]

    def ours_in(self, node: ast.AST) -> set[ast.AST]:
        """The expressions in a node's own code that can be the context or a stream."""
        kinds = self.trace.kinds
        return {inner for inner in own_nodes(node) if self.ours & kinds.get(inner, frozenset())}

    # --- the context's life ---------------------------------------------------------------------------------

    def _is_life(self, use: Use) -> bool:
        on_context = all(isinstance(owner, Context) for owner in use.owners)
        return on_context and (use.name in LIFECYCLE or use.name == "sparkContext")

    def _life(self, use: Use) -> None:
        self._on_context(use)
        if use.name == "sparkContext":
            if use.call is not None:
                raise Blocked("`sparkContext` is a property", use)
            self.found.spark_contexts.append(use)
        else:
            if use.call is None:
                raise Blocked(f"`{use.name}` is used without being called", use)
            self.found.lifecycle.append(use)
        if use.name == "start":
            self.found.before_start = len(self.found.lines)
        self.done.add(use)

    def _on_context(self, use: Use) -> None:
        node = use.node
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute)):
            raise Blocked(f"`{use.name}` is not called on a plain name", use)
        if self.tree.scope_of(node) is not self._scope:
            raise Blocked(f"`{use.name}` is called in an inner function", use)
        self.read_nodes.add(node.value)

    def _given_context(self, call: ast.Call, use: Use) -> None:
        """A connector's function makes a stream of the context that it is given."""
        if not use.connector.startswith(f"{KAFKA}."):
            raise Blocked(f"`{use.connector}`: Structured Streaming has no source of that kind", use)
        given = context_given(call)
        if not isinstance(given, ast.Name | ast.Attribute):
            raise Blocked(f"`{use.name}` is not given a context by a plain name", use)
        if self.tree.scope_of(given) is not self._scope:
            raise Blocked(f"`{use.name}` is called in an inner function", use)
        self.read_nodes.add(given)

    # --- lines ---------------------------------------------------------------------------------------------

    def _line(
        self,
        statement: ast.stmt,
        made: list[Operation],
        target: str | None,
        inner: ast.expr | None,
        uses: list[Use],
    ) -> None:
        line = Line(statement, tuple(made), target, self._scope, inner=inner)
        self.found.lines.append(line)
        self.found.ways[line] = tuple(self._way)
        self._finish(uses)

    def _finish(self, uses: list[Use]) -> None:
        missed = [use for use in uses if use not in self.done]
        if missed:
            raise Blocked(f"`{missed[0].name}` is used in a way that is not followed", missed[0])

    # --- chains ---------------------------------------------------------------------------------------------

    def _chain(self, node: ast.expr, made: list[Operation], about: Use) -> tuple[Operation, ast.expr | None]:
        """The stream that an expression is, and the older stream that it starts from."""
        start: ast.expr = node
        while isinstance(start, ast.Call) and (use := self.by_node.get(start.func)) is not None:
            assert isinstance(start.func, ast.Attribute)
            start = (stream_given(start) if use.model else None) or start.func.value
        last = self._stream(node, made, about)
        return last, start if self._is_stream(start) else None

    def _is_stream(self, node: ast.expr) -> bool:
        return any(isinstance(value, Stream) for value in self.trace.kinds.get(node, ()))

    def _stream(self, node: ast.expr, made: list[Operation], about: Use) -> Operation:
        """The stream that an expression is; what it makes is added to `made`."""
        use = self.by_node.get(node.func) if isinstance(node, ast.Call) else None
        if use is None:
            return self._known(node, about)
        if use.call is None or not isinstance(use.node, ast.Attribute):
            raise Blocked(f"`{ast.unparse(node)}` is not followed", about)
        assert isinstance(node, ast.Call)
        if use.connector:
            self._given_context(node, use)
            first: tuple[Operation, ...] = ()
        elif use.model:
            given = stream_given(node)
            if given is None:
                raise Blocked(f"`{use.name}` is not given a stream in a way that is followed", use)
            first = (self._stream(given, made, use),)
        elif all(isinstance(owner, Context) for owner in use.owners):
            self._on_context(use)
            first = ()
        else:
            first = (self._stream(use.node.value, made, use),)
        self.done.add(use)
        if use.name in ITSELF and first:
            first[0].cached = first[0].cached or use.name != "checkpoint"
            self.read_nodes.add(node)
            return first[0]
        others = (
            () if use.name in SOURCES or use.connector or use.model else tuple(self._stream_arguments(node))
        )
        parents = (*first, *(self._stream(other, made, use) for other in others))
        operation = Operation(use, node, parents, others)
        for parent in parents:
            parent.consumers.append(operation)
        made.append(operation)
        self.found.operations[node] = operation
        return operation

    def _known(self, node: ast.expr, about: Use) -> Operation:
        """A stream that was made before, by what holds it."""
        values = self.trace.kinds.get(node, frozenset())
        streams = [value for value in values if isinstance(value, Stream)]
        operation = self.found.operations.get(streams[0].node) if len(values) == 1 and streams else None
        if operation is None or not isinstance(node, ast.Name | ast.Attribute | ast.Call):
            raise Blocked(f"`{ast.unparse(node)}` is not followed", about)
        self.read_nodes.add(node)
        return operation

    def _stream_arguments(self, call: ast.Call) -> Iterator[ast.expr]:
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if self._is_stream(argument):
                yield argument
