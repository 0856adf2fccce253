"""Reads a graph in the order in which it is built: through functions, methods and attributes.

This is where it is decided that nothing else can reach the streams: every expression that holds one must be
read here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrate.native.blocked import Blocked
from migrate.native.calls import Called, Calls
from migrate.native.program import Line, Operation
from migrate.native.syntax import Tree, is_main_guard, own_nodes
from migrate.nodes import walk
from migrate.surface import LIFECYCLE, SOURCES
from migrate.trace import Context, Graph, Stream, Trace, Use

_COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(eq=False)
class Reading:
    """What was read of a graph."""

    lines: list[Line] = field(default_factory=list)
    removed: list[ast.stmt] = field(default_factory=list)
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


class Reader:
    """Follows the statements of a graph from `root` on."""

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

    def read(self, root: ast.AST, constructor: Use) -> Reading:
        """Follow all of it.

        Raises:
            Blocked: it is not built in a straight line, or something else reaches its streams.
        """
        self.done.add(constructor)
        assert constructor.call is not None
        self.read_nodes.add(constructor.call)
        self.done |= {use for use in self.graph.uses if use.call in self.calls.recovering}
        self._body(root)
        self._all_must_be_read()
        return self.found

    # --- statements -----------------------------------------------------------------------------------------

    def _body(self, scope: ast.AST) -> None:
        outer, self._scope = self._scope, scope
        self._walked.add(scope)
        assert isinstance(scope, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef)
        self._block(scope.body)
        self._scope = outer

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._way.append(statement)
            self._statement(statement)
            self._way.pop()

    def _uses_in(self, node: ast.AST) -> list[Use]:
        return [use for inner in own_nodes(node) if (use := self.by_node.get(inner)) is not None]  # type: ignore[call-overload]

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, _DEFINITIONS):
            return
        uses = [use for use in self._uses_in(statement) if use not in self.done]
        calls = self.calls.in_code(statement)
        if not calls and uses and all(self._is_life(use) for use in uses):
            for use in uses:
                self._life(use)
            return
        if isinstance(statement, _COMPOUND):
            if uses or calls or self.ours_in(statement):
                self._compound(statement, uses)
            return
        for call in calls:
            self._arguments(statement, call)
            self._enter(call)
        uses = [use for use in uses if use not in self.done]
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            self._assignment(statement, statement.value, uses)
        elif isinstance(statement, ast.Return) and statement.value is not None:
            self._return(statement, statement.value, uses)
        elif isinstance(statement, ast.Expr):
            self._expression(statement, uses)
        elif uses:
            raise Blocked(f"`{uses[0].name}` stands in a {_kind(statement)}, not in a straight line", uses[0])

    def ours_in(self, node: ast.AST) -> set[ast.AST]:
        """The expressions in a node's own code that can be the context or a stream."""
        kinds = self.trace.kinds
        return {inner for inner in own_nodes(node) if self.ours & kinds.get(inner, frozenset())}

    def _compound(self, statement: ast.stmt, uses: list[Use]) -> None:
        """Blocks that run once, whatever happens before, are part of the straight line."""
        if is_main_guard(statement):
            assert isinstance(statement, ast.If)
            self._block(statement.body)
            self._idle(statement.orelse)
        elif isinstance(statement, ast.With):
            self._block(statement.body)
        elif isinstance(statement, ast.Try):
            self._block(statement.body)
            self._block(statement.orelse)
            for handler in statement.handlers:
                self._idle(handler.body)
            self._idle(statement.finalbody)
        elif uses:
            raise Blocked(f"`{uses[0].name}` stands in a {_kind(statement)}, not in a straight line", uses[0])
        elif self.calls.in_code(statement):
            raise Blocked(f"line {statement.lineno}: streams are made in a {_kind(statement)}")

    def _idle(self, statements: list[ast.stmt]) -> None:
        """Statements that may not run: only of the context's life may they say anything."""
        for statement in statements:
            uses = [use for use in self._uses_in(statement) if use not in self.done]
            wrong = [use for use in uses if not self._is_life(use)]
            if wrong or self.calls.in_code(statement):
                about = wrong[0] if wrong else None
                raise Blocked(f"line {statement.lineno}: this may not run, and streams are made in it", about)
            for use in uses:
                self._life(use)

    def _arguments(self, statement: ast.stmt, call: ast.Call) -> None:
        """``process(ssc.socketTextStream(host, port))``: streams are made where a function is given them."""
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            use = self.by_node.get(argument.func) if isinstance(argument, ast.Call) else None
            if use is None or use in self.done or self._is_life(use):
                continue
            made: list[Operation] = []
            _, inner = self._chain(argument, made, use)
            if not made or not made[0].is_source:
                raise Blocked(f"`{use.name}` is called in an argument", use)
            self._line(statement, made, None, inner, [])
            self.found.lines[-1].argument = argument

    # --- functions ------------------------------------------------------------------------------------------

    def _enter(self, call: ast.Call) -> None:
        function = self.calls.targets[call]
        if function not in self.calls.leading:
            return
        if len(self.calls.sites[function]) > 1:
            raise Blocked(f"line {call.lineno}: `{function.name}` is called in several places")
        decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
        if isinstance(function, ast.AsyncFunctionDef) or set(decorators) - {"staticmethod", "classmethod"}:
            raise Blocked(f"line {call.lineno}: `{function.name}` is decorated, or a coroutine")
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk(function)):
            raise Blocked(f"line {call.lineno}: `{function.name}` is a generator")
        self.found.entered[function] = call
        self._body(function)

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

    # --- lines ----------------------------------------------------------------------------------------------

    def _assignment(self, statement: ast.Assign | ast.AnnAssign, value: ast.expr, uses: list[Use]) -> None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if not uses:
            if self.ours_in(statement):
                self.found.aliases.append(statement)
            return
        plain = len(targets) == 1 and isinstance(targets[0], ast.Name | ast.Attribute)
        if not plain:
            raise Blocked(f"the result of `{uses[0].name}` is not simply assigned to a name", uses[0])
        made: list[Operation] = []
        last, inner = self._chain(value, made, uses[0])
        name = _name_of(targets[0])
        if last.is_output:
            if self._is_read(targets[0]):
                raise Blocked(f"the result of `{last.operator}` is assigned to a name", last.use)
            self._line(statement, made, None, inner, uses)
            return
        if not made:
            if last.target != name or not isinstance(targets[0], ast.Name):
                raise Blocked(f"`{name}` is a second name for a stream", uses[0])
            self.found.removed.append(statement)  # words = words.cache()
            self._finish(uses)
            return
        last.target = name
        self._line(statement, made, name, inner, uses)

    def _is_read(self, target: ast.expr) -> bool:
        """Whether anything in the module reads a name or attribute."""
        name = _name_of(target)
        return any(
            isinstance(node, ast.Name | ast.Attribute)
            and isinstance(node.ctx, ast.Load)
            and _name_of(node) == name
            for node in walk(self.tree.tree)
        )

    def _return(self, statement: ast.Return, value: ast.expr, uses: list[Use]) -> None:
        if not uses:
            if self.ours_in(statement):
                self.found.aliases.append(statement)
            return
        made: list[Operation] = []
        last, inner = self._chain(value, made, uses[0])
        if last.is_output or not made:
            raise Blocked(f"the result of `{uses[0].name}` is returned", uses[0])
        self._line(statement, made, None, inner, uses)

    def _expression(self, statement: ast.Expr, uses: list[Use]) -> None:
        if not uses:
            return
        if len(uses) == 1 and uses[0].name == "checkpoint" and uses[0].call is statement.value:
            self._checkpoint(statement, uses[0])
            return
        made: list[Operation] = []
        _, inner = self._chain(statement.value, made, uses[0])
        if made:
            self._line(statement, made, None, inner, uses)
        else:
            self.found.removed.append(statement)
            self._finish(uses)

    def _checkpoint(self, statement: ast.Expr, use: Use) -> None:
        if all(isinstance(owner, Context) for owner in use.owners):
            self._on_context(use)
        else:
            assert isinstance(use.node, ast.Attribute)
            self._stream(use.node.value, [], use)
        self.found.removed.append(statement)
        self.done.add(use)

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
        while isinstance(start, ast.Call) and self.by_node.get(start.func) is not None:
            assert isinstance(start.func, ast.Attribute)
            start = start.func.value
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
        if all(isinstance(owner, Context) for owner in use.owners):
            self._on_context(use)
            first: tuple[Operation, ...] = ()
        else:
            first = (self._stream(use.node.value, made, use),)
        self.done.add(use)
        if use.name in ("cache", "persist", "checkpoint") and first:
            first[0].cached = first[0].cached or use.name != "checkpoint"
            self.read_nodes.add(node)
            return first[0]
        others = () if use.name in SOURCES else tuple(self._stream_arguments(node))
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

    # --- nothing else ---------------------------------------------------------------------------------------

    def _all_must_be_read(self) -> None:
        for use in self.graph.uses:
            scope = self.tree.scope_of(use.node)
            ends = self._is_life(use) and use.name not in ("start", "sparkContext")
            if use not in self.done and ends and isinstance(scope, ast.FunctionDef):
                self._scope = scope
                self._life(use)
        missed = [use for use in self.graph.uses if use not in self.done]
        if missed:
            raise Blocked(
                f"`{missed[0].name}` is used outside the code that is followed from the context on", missed[0]
            )
        for node in self.calls.carriers:
            if any(isinstance(value, Context) for value in self.trace.kinds[node]):
                self.found.contexts.add(node)
            if node in self.read_nodes or node in self.found.operations:
                continue
            if not self._hands_on(node):
                line = getattr(node, "lineno", 0)
                shown = ast.unparse(node)
                raise Blocked(f"line {line}: `{shown}` is handed on in a way that is not followed")
            self.found.plumbing.append(node)

    def _hands_on(self, node: ast.AST) -> bool:
        """Whether an expression is only assigned, returned, or given to a function that was read."""
        if not isinstance(node, ast.Name | ast.Attribute | ast.Call):
            return False
        if self.tree.scope_of(node) not in self._walked:
            return False
        if isinstance(node, ast.Call) and self.calls.targets.get(node) not in self.found.entered:
            return False
        parent = self.tree.above[node]
        if isinstance(parent, ast.keyword):
            parent = self.tree.above[parent]
        if isinstance(parent, ast.Tuple) and isinstance(self.tree.above[parent], ast.Return):
            return True
        if isinstance(parent, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr):
            return True
        return isinstance(parent, ast.Call) and self.calls.targets.get(parent) in self.found.entered


def _name_of(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    assert isinstance(node, ast.Name)
    return node.id


def _kind(statement: ast.stmt) -> str:
    names = {ast.FunctionDef: "function", ast.ClassDef: "class", ast.For: "loop", ast.While: "loop"}
    return names.get(type(statement), "branch" if isinstance(statement, ast.If | ast.Try) else "statement")


__all__ = ["Called", "Reader", "Reading"]
