"""Reads a graph as a straight line: one block of statements that makes a context, streams and outputs, and
starts.

This is where it is decided that nothing else can reach the streams: every name that holds one must be read
here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrate.model import Module
from migrate.native.blocked import Blocked
from migrate.surface import LIFECYCLE, OUTPUTS, SOURCES
from migrate.trace import Context, Graph, Stream, Trace, Use

FunctionScope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False)
class Operation:
    """One call that makes a stream, or an output of one."""

    use: Use
    call: ast.Call
    parents: tuple[Operation, ...]
    others: tuple[ast.expr, ...] = ()
    """The arguments that are streams, in order.

    They are `parents[1:]`, or all parents for a context's operator.
    """
    target: str | None = None
    """The variable that its line gives it."""
    cached: bool = False
    consumers: list[Operation] = field(default_factory=list)

    @property
    def operator(self) -> str:
        """The member of `pyspark.streaming` that is called."""
        return self.use.name

    @property
    def is_source(self) -> bool:
        """Whether the stream is made out of nothing."""
        return self.operator in SOURCES

    @property
    def is_output(self) -> bool:
        """Whether it ends a chain."""
        return self.operator in OUTPUTS


@dataclass(eq=False)
class Line:
    """A statement of the graph: streams and outputs are made in it, or it only concerns the context."""

    statement: ast.stmt
    operations: tuple[Operation, ...] = ()
    """In the order of the chain; the last one is what the statement is for."""
    target: str | None = None


@dataclass
class Program:
    """A graph in a straight line."""

    graph: Graph
    module: Module
    scope: FunctionScope
    """The function, or the module, whose body holds the graph."""
    block: list[ast.stmt]
    """The list of statements that the context is made in."""
    construction: ast.Assign
    constructor: Use
    context: str
    """The variable of the StreamingContext."""
    lines: list[Line] = field(default_factory=list)
    """Statements that make streams and outputs, in program order."""
    removed: list[ast.stmt] = field(default_factory=list)
    """Statements that have no native counterpart: ``ssc.checkpoint(d)``, ``words.cache()``."""
    lifecycle: list[Use] = field(default_factory=list)
    """start, awaitTermination, stop; also inside other statements."""
    spark_contexts: list[Use] = field(default_factory=list)
    """Uses of ``ssc.sparkContext``."""

    @property
    def operations(self) -> list[Operation]:
        """All streams and outputs, in program order."""
        return [operation for line in self.lines for operation in line.operations]

    @property
    def sources(self) -> list[Operation]:
        """The sources, in program order."""
        return [operation for operation in self.operations if operation.is_source]

    @property
    def outputs(self) -> list[Operation]:
        """The outputs, in program order."""
        return [operation for operation in self.operations if operation.is_output]

    @property
    def start(self) -> Use:
        """The call of ``start``."""
        return next(use for use in self.lifecycle if use.name == "start")


def read(graph: Graph, trace: Trace) -> Program:
    """The graph as a straight line.

    Raises:
        Blocked: it is spread over functions, classes, branches or modules, or something else reaches its
        streams.
    """
    return _Reader(graph, trace).read()


def parents_of(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """The parent of every node."""
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


class _Reader:
    def __init__(self, graph: Graph, trace: Trace) -> None:
        self.graph = graph
        self.trace = trace
        self.by_node = {use.node: use for use in graph.uses}
        self.streams: dict[str, Operation] = {}
        self.read_names: set[ast.AST] = set()
        self.done: set[Use] = set()

    def read(self) -> Program:
        constructors = [use for use in self.graph.uses if use.constructor]
        factories = [use for use in constructors if use.name != "StreamingContext"]
        if factories:
            raise Blocked(
                f"`{factories[0].name}` may go on from a checkpoint: native only for replayable sources",
                factories[0],
            )
        if len(constructors) != 1:
            raise Blocked(
                "the graph has more than one StreamingContext", constructors[-1] if constructors else None
            )
        if len(self.graph.files) != 1:
            raise Blocked("the graph spans more than one file")
        constructor = constructors[0]
        self.above = parents_of(constructor.module.tree)
        self.program = self._construction(constructor)
        for statement in self._after(self.program.construction):
            self._statement(statement)
        self._all_must_be_read()
        return self.program

    # --- the context ----------------------------------------------------------------------------------------

    def _construction(self, use: Use) -> Program:
        statement = self.statement_of(use.node)
        plain = (
            isinstance(statement, ast.Assign)
            and statement.value is use.call
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
        )
        if not plain:
            raise Blocked("the StreamingContext is not simply assigned to a name", use)
        assert isinstance(statement, ast.Assign)
        target = statement.targets[0]
        assert isinstance(target, ast.Name)
        scope = self._scope_of(statement, use)
        self.done.add(use)
        return Program(
            self.graph, use.module, scope, self._block_of(statement, use), statement, use, context=target.id
        )

    def _scope_of(self, statement: ast.stmt, use: Use) -> FunctionScope:
        node: ast.AST = statement
        while node in self.above:
            node = self.above[node]
            if isinstance(node, ast.FunctionDef | ast.Module):
                return node
            if isinstance(node, ast.ClassDef | ast.AsyncFunctionDef):
                raise Blocked("the graph is built in the body of a class or a coroutine", use)
            if isinstance(node, ast.For | ast.While):
                raise Blocked("the graph is built in a loop", use)
        raise AssertionError("a statement outside any module")

    def _block_of(self, statement: ast.stmt, use: Use) -> list[ast.stmt]:
        parent = self.above[statement]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, None)
            if isinstance(block, list) and statement in block:
                return block
        raise Blocked("the context is not made in a plain block of statements", use)

    def _after(self, statement: ast.stmt) -> list[ast.stmt]:
        block = self.program.block
        return block[block.index(statement) + 1 :]

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that a node is in."""
        while not isinstance(node, ast.stmt):
            node = self.above[node]
        return node

    # --- the other statements -------------------------------------------------------------------------------

    def _uses_in(self, node: ast.AST) -> Iterator[Use]:
        for inner in ast.walk(node):
            use = self.by_node.get(inner)  # type: ignore[call-overload]
            if use is not None:
                yield use

    def _statement(self, statement: ast.stmt) -> None:
        uses = list(self._uses_in(statement))
        if not uses:
            return
        if all(self._is_life(use) for use in uses):
            for use in uses:
                self._life(use)
            return
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            self._assignment(statement, uses)
        elif isinstance(statement, ast.Expr):
            self._expression(statement, uses)
        else:
            raise Blocked(f"`{uses[0].name}` stands in a {_kind(statement)}, not in a straight line", uses[0])

    def _is_life(self, use: Use) -> bool:
        on_context = all(isinstance(owner, Context) for owner in use.owners)
        return on_context and (use.name in LIFECYCLE or use.name == "sparkContext")

    def _life(self, use: Use) -> None:
        self._on_context(use)
        if use.name == "sparkContext":
            if use.call is not None:
                raise Blocked("`sparkContext` is a property", use)
            self.program.spark_contexts.append(use)
        else:
            if use.call is None:
                raise Blocked(f"`{use.name}` is used without being called", use)
            self.program.lifecycle.append(use)
        self.done.add(use)

    def _on_context(self, use: Use) -> None:
        node = use.node
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            raise Blocked(f"`{use.name}` is not called on a plain name", use)
        if node.value.id != self.program.context or self._function_of(node) is not self.program.scope:
            raise Blocked(f"`{use.name}` is called in another function than the context is made in", use)
        self.read_names.add(node.value)

    def _function_of(self, node: ast.AST) -> ast.AST:
        while not isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.Module
        ):
            node = self.above[node]
        return node

    def _assignment(self, statement: ast.Assign | ast.AnnAssign, uses: list[Use]) -> None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        assert statement.value is not None
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            raise Blocked(f"the result of `{uses[0].name}` is not simply assigned to a name", uses[0])
        made: list[Operation] = []
        last = self._stream(statement.value, made, uses[0])
        if last.is_output:
            raise Blocked(f"the result of `{last.operator}` is assigned to a name", last.use)
        name = targets[0].id
        self.streams[name] = last
        if not made:
            raise Blocked(f"`{name}` is a second name for a stream", uses[0])
        if last is made[-1]:
            last.target = name
        self._line(statement, made, name, uses)

    def _expression(self, statement: ast.Expr, uses: list[Use]) -> None:
        if len(uses) == 1 and uses[0].name == "checkpoint" and uses[0].call is statement.value:
            self._checkpoint(statement, uses[0])
            return
        made: list[Operation] = []
        self._stream(statement.value, made, uses[0])
        if made:
            self._line(statement, made, None, uses)
        else:
            self.program.removed.append(statement)
            self._finish(uses)

    def _checkpoint(self, statement: ast.Expr, use: Use) -> None:
        if all(isinstance(owner, Context) for owner in use.owners):
            self._on_context(use)
        else:
            assert isinstance(use.node, ast.Attribute)
            self._stream(use.node.value, [], use)
        self.program.removed.append(statement)
        self.done.add(use)

    def _line(self, statement: ast.stmt, made: list[Operation], target: str | None, uses: list[Use]) -> None:
        self.program.lines.append(Line(statement, tuple(made), target))
        self._finish(uses)

    def _finish(self, uses: list[Use]) -> None:
        missed = [use for use in uses if use not in self.done]
        if missed:
            raise Blocked(f"`{missed[0].name}` is used in a way that is not followed", missed[0])

    # --- chains ---------------------------------------------------------------------------------------------

    def _stream(self, node: ast.expr, made: list[Operation], about: Use) -> Operation:
        """The stream that an expression is; what it makes is added to `made`."""
        if isinstance(node, ast.Name) and node.id in self.streams:
            self.read_names.add(node)
            return self.streams[node.id]
        use = self.by_node.get(node.func) if isinstance(node, ast.Call) else None
        if use is None or use.call is None or not isinstance(use.node, ast.Attribute):
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
            return first[0]
        others = tuple(self._stream_arguments(node))
        parents = (*first, *(self._stream(other, made, use) for other in others))
        operation = Operation(use, node, parents, others)
        for parent in parents:
            parent.consumers.append(operation)
        made.append(operation)
        return operation

    def _stream_arguments(self, call: ast.Call) -> Iterator[ast.expr]:
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if any(isinstance(value, Stream) for value in self.trace.kinds.get(argument, ())):
                yield argument

    def _all_must_be_read(self) -> None:
        missed = [use for use in self.graph.uses if use not in self.done]
        if missed:
            raise Blocked(
                f"`{missed[0].name}` is used outside the block that the context is made in", missed[0]
            )
        ours = {*self.graph.contexts, *self.graph.streams}
        for node, values in self.trace.kinds.items():
            if isinstance(node, ast.Name) and node not in self.read_names and ours & values:
                raise Blocked(f"line {node.lineno}: `{node.id}` is handed on in a way that is not followed")
        starts = [use for use in self.program.lifecycle if use.name == "start"]
        if len(starts) != 1:
            raise Blocked("the context is not started exactly once in the block that it is made in")
        last = max((line.statement.lineno for line in self.program.lines), default=0)
        if starts[0].node.lineno < last:
            raise Blocked("streams are made after `start`", starts[0])
        if not self.program.outputs:
            raise Blocked("the graph has no output")


def _kind(statement: ast.stmt) -> str:
    names = {ast.FunctionDef: "function", ast.ClassDef: "class", ast.For: "loop", ast.While: "loop"}
    return names.get(type(statement), "branch" if isinstance(statement, ast.If | ast.Try) else "statement")
