"""Reads chains of calls that make streams: ``lines.flatMap(words).countByValue()``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.blocked import Blocked
from migrate.graph.contexts import Contexts
from migrate.graph.nodes import Nodes
from migrate.graph.operations import Operation, are_met, stream_given
from migrate.graph.reading import Reading
from migrate.graph.repeated import RepeatedSources
from migrate.graph.variables import Variables
from migrate.knowledge.streaming import SOURCES
from migrate.trace import Context, Use


class Chains:
    """Reads expressions that are streams."""

    def __init__(
        self,
        nodes: Nodes,
        contexts: Contexts,
        variables: Variables,
        repeated: RepeatedSources,
        reading: Reading,
    ) -> None:
        self.nodes = nodes
        self.repeated = repeated
        self.variables = variables
        self.contexts = contexts
        self.reading = reading

    def read(self, node: ast.expr, made: list[Operation], about: Use) -> tuple[Operation, ast.expr | None]:
        """Read a chain of calls: ``lines.map(f).filter(g)``.

        Args:
            node: the chain.
            made: what it makes is added here.
            about: the member that a refusal is about.

        Returns:
            The stream that it is, and the expression of the older stream that it starts from.

        Raises:
            Blocked: a stream in it is not followed.
        """
        start: ast.expr = node
        while (use := self.nodes.called(start)) is not None:
            assert isinstance(start, ast.Call) and isinstance(start.func, ast.Attribute)
            start = (stream_given(start) if use.model else None) or start.func.value
        last = self.stream(node, made, about)
        return last, start if self.nodes.is_stream(start) else None

    def stream(self, node: ast.expr, made: list[Operation], about: Use) -> Operation:
        """The stream that an expression is; what it makes is added to `made`."""
        use = self.nodes.called(node)
        if use is None:
            return self._known(node, about)
        if use.call is None or not isinstance(use.node, ast.Attribute):
            raise Blocked(f"`{ast.unparse(node)}` is not followed: which stream it is is not known", about)
        assert isinstance(node, ast.Call)
        if use.connector:
            self.contexts.given(node, use)
            first: tuple[Operation, ...] = ()
        elif use.model:
            given = stream_given(node)
            if given is None:
                raise Blocked(f"`{use.name}` is not given a stream in a way that is followed", use)
            first = (self.stream(given, made, use),)
        elif all(isinstance(owner, Context) for owner in use.owners):
            self.contexts.on_context(use)
            if use.name == "union" and any(_is_spread(given) for given in node.args):
                return self._united(node, made, use)
            first = ()
        else:
            first = (self.stream(use.node.value, made, use),)
        self.reading.done.add(use)
        if use.name in ("cache", "persist", "checkpoint") and first:
            first[0].cached = first[0].cached or use.name != "checkpoint"
            if use.name == "persist":
                levels = (*node.args, *(word.value for word in node.keywords if word.arg == "storageLevel"))
                first[0].level = next(iter(levels), first[0].level)
            self.reading.followed.add(node)
            return first[0]
        others = (
            () if use.name in SOURCES or use.connector or use.model else tuple(self._stream_arguments(node))
        )
        parents = (*first, *(self.stream(other, made, use) for other in others))
        operation = Operation(use, node, parents, others, when=self.reading.when)
        for parent in parents:
            parent.consumers.append(operation)
        made.append(operation)
        self._note(node, operation)
        return operation

    def _note(self, node: ast.Call, operation: Operation) -> None:
        self.reading.operations[node] = operation
        self.reading.made.setdefault(node, []).append(operation)

    def _united(self, union: ast.Call, made: list[Operation], use: Use) -> Operation:
        """The stream of a ``union(*streams)``, which is the source of each of them made of all."""
        chain, place = self.repeated.united(union, use)
        operations: list[Operation] = []
        last = self.stream(chain, operations, use)
        self.repeated.check(operations, place, use)
        for one in operations:  # which nothing knows by the calls that make one stream
            self.reading.operations.pop(one.call)
            self.reading.made[one.call].remove(one)
            self.reading.followed.add(one.call)
        operations[0].repeated = place
        self.reading.done.add(use)
        self._note(union, last)
        made += operations
        return last

    def _known(self, node: ast.expr, about: Use) -> Operation:
        """The stream that a name, an attribute or the call of a function gives."""
        operation = self.variables.stream(node)
        apart = operation is not None and not are_met(operation.when, self.reading.when)
        if apart or self.variables.is_of_branch(node):
            raise Blocked(f"`{ast.unparse(node)}` is made in a branch only, and read outside of it", about)
        if operation is None or not isinstance(node, ast.Name | ast.Attribute | ast.Call):
            raise Blocked(f"`{ast.unparse(node)}` is not followed: which stream it is is not known", about)
        self.reading.followed.add(node)
        return operation

    def _stream_arguments(self, call: ast.Call) -> Iterator[ast.expr]:
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if self.nodes.is_stream(argument):
                yield argument
            elif isinstance(argument, ast.Starred) and not _is_spread(argument):
                yield from argument.value.elts  # type: ignore[attr-defined]


def _is_spread(argument: ast.expr) -> bool:
    """Whether an argument is a list of any length, ``*streams``; that of ``*[left, right]`` is known."""
    written = isinstance(argument, ast.Starred) and isinstance(argument.value, ast.List | ast.Tuple)
    return isinstance(argument, ast.Starred) and not written
