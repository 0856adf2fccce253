"""The streams that variables hold, statement by statement, where a trace alone cannot tell which one it is.

A trace knows a stream by the call that makes it. A function that is called twice makes two of each, and its
parameters can be several.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.graph.blocked import Blocked
from migrate.graph.either import Either, Held, merged, parts_of, stream_of
from migrate.graph.nodes import Nodes
from migrate.graph.objects import Objects, Variable, gives_self
from migrate.graph.operations import Entry, Operation, are_met
from migrate.graph.reading import Reading
from migrate.syntax.tree import own_nodes
from migrate.trace import Stream

RESULT = "rows"
"""The name of what a function returns, where the program has none."""


class Variables:
    """Follows variables and the results of calls in the order in which a graph is read."""

    def __init__(self, nodes: Nodes, reading: Reading) -> None:
        self.nodes = nodes
        self.reading = reading
        self._objects = Objects(nodes)
        self._held: dict[Variable, Held] = {}
        self._results: dict[tuple[Entry | None, ast.AST], Operation] = {}
        self._asked: dict[ast.Name | ast.Attribute, None] = {}
        self._read: set[ast.stmt] = set()
        self._returned: Held | None = None
        """The last stream that a function returned."""

    def stream(self, node: ast.AST) -> Operation | None:
        """The stream that an expression is, which makes none itself; None where that is not known."""
        values = self.nodes.values(node)
        if self.is_of_branch(node):
            return None
        found = [made for value in values if isinstance(value, Stream) for made in self._made(value)]
        if len(values) == 1 and len(found) == 1:
            return found[0]
        if not all(isinstance(value, Stream) for value in values):
            return None
        held: Operation | None = None
        if isinstance(node, ast.Call):
            held = self._results.get((self.reading.entry, node))
        elif isinstance(node, ast.Name | ast.Attribute) and self._variable(node) is not None:
            of_variable = self._of_variable(node)
            held = stream_of(of_variable.stream) if of_variable is not None else None
            self._asked[node] = None
        if held is None or not {*found}.issuperset(parts_of(held)):
            return None
        return held if are_met(held.when, self.reading.when) else None

    def is_of_branch(self, node: ast.AST) -> bool:
        """Whether a variable has a stream only if the program took a branch, which is not known here."""
        held = self._of_variable(node)
        return held is not None and not are_met(held.when, self.reading.when)

    def _of_variable(self, node: ast.AST) -> Held | None:
        variable = self._variable(node) if isinstance(node, ast.Name | ast.Attribute) else None
        return self._held.get(variable) if variable is not None else None

    def _made(self, stream: Stream) -> list[Operation]:
        return self.reading.made.get(stream.node, [])

    def bind(self, statement: ast.stmt, operation: Operation | None) -> None:
        """A statement gives its targets a stream, or something else for None."""
        self._read.add(statement)
        for node in own_nodes(statement):
            if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
                variable = self._variable(node)
                if variable is None:
                    continue
                value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
                made = self._objects.of(value, self.reading.entry) if value is not None else None
                self._objects.bind(variable, made)
                if operation is not None:
                    self._held[variable] = Held(operation, statement)
                else:
                    self._held.pop(variable, None)

    def part(self, held: Mapping[Variable, Held]) -> Mapping[Variable, Held]:
        """Go back to the streams of variables above a branch, to read its other part; what they are now."""
        now, self._held = self._held, {**held}
        return now

    def held(self) -> Mapping[Variable, Held]:
        """The streams of variables now."""
        return {**self._held}

    def join(self, held: Mapping[Variable, Held], branch: ast.If) -> None:
        """Go on behind a branch whose other part has been read.

        Args:
            held: the streams of variables at the end of the part where its test is true.
            branch: the branch.
        """
        self._held = merged(held, self._held, branch, self.reading, self.nodes.tree)

    def give_part(self, argument: ast.expr, operation: Operation) -> None:
        """An argument of a call makes a stream: ``count(lines.map(f))``."""
        self._results[self.reading.entry, argument] = operation

    def give(self, entry: Entry) -> None:
        """The call of a function gives its parameters streams."""
        call, function = entry.call, entry.function
        assert call is not None and isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        unbound = gives_self(call, function, self.nodes)
        if unbound:
            self.reading.unbound.add(call)
        positional = call.args[unbound:]
        pairs = [*zip(self.nodes.tree.given_by(function), positional, strict=False)]
        pairs += [(keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None]
        for name, value in pairs:
            self._held.pop((entry, name), None)
            self._objects.bind((entry, name), self._objects.of(value, entry.outer))
            operation = self.stream(value) if self.nodes.is_stream(value) else None
            if operation is not None:
                entry.given[name] = operation
                self._held[entry, name] = Held(operation)

    def returned(self, statement: ast.stmt, operation: Operation | None) -> None:
        """The function that is being read returns a stream."""
        if self.reading.entry is not None:
            self.reading.entry.result = operation
            self._returned = Held(operation, statement) if operation is not None else None

    def take_result(self) -> Held | None:
        """What a part of the function that is being read returns; another part may return another stream."""
        result, self._returned = self._returned, None
        return result

    def returns_either(self, branch: ast.If, one: Held | None, other: Held | None) -> None:
        """The function that is being read returns one of two streams."""
        assert self.reading.entry is not None
        self.reading.entry.result = None
        if one is None or other is None:
            return
        call = self.reading.entry.call
        statement = self.nodes.tree.statement_of(call) if call is not None else None
        match statement:
            case ast.Assign([ast.Name(name)], value) if value is call:
                pass
            case _:
                name = RESULT
        last = self.reading.lines[-1]
        either = Either(name, branch, (one, other), self.reading, self.nodes.tree, last, is_result=True)
        self.reading.entry.result = either.stream
        self._returned = Held(either.stream)

    def leave(self, entry: Entry) -> None:
        """The code of a function has been read: its call is what it returns."""
        if entry.call is not None and entry.result is not None:
            self._results[entry.outer, entry.call] = entry.result

    def _variable(self, node: ast.Name | ast.Attribute) -> Variable | None:
        return self._objects.variable(node, self.reading.entry)

    def check(self) -> None:
        """Check that every statement that binds a variable was read, where a stream was told by its variable.

        Raises:
            Blocked: one was not: it may run, or not.
        """
        for asked in (*self._asked, *self._objects.asked):
            for node in self.nodes.tree.of_kinds(type(asked)):
                if isinstance(node.ctx, ast.Load) or not self._is_same(node, asked):
                    continue
                if self.nodes.tree.statement_of(node) not in self._read:
                    name = ast.unparse(asked)
                    raise Blocked(f"`{name}` is not followed: which stream it is is not known", at=asked)

    def _is_same(self, node: ast.Name | ast.Attribute, asked: ast.Name | ast.Attribute) -> bool:
        """Whether two expressions may be one variable; attributes of all objects may by their name alone."""
        if isinstance(node, ast.Attribute) or isinstance(asked, ast.Attribute):
            return getattr(node, "attr", None) == getattr(asked, "attr", None)
        home = self.nodes.trace.scopes.home
        return node.id == asked.id and home(node) is home(asked)
