"""A graph as it was read: its streams and outputs in the order in which the program makes them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from migrate.knowledge.models import MODEL
from migrate.knowledge.streaming import OUTPUTS, SOURCES, Gives
from migrate.model import Module
from migrate.syntax.tree import Tree
from migrate.trace import Graph, Use

if TYPE_CHECKING:
    from migrate.graph.carrying import Carriers
    from migrate.graph.reading import Reading


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
        return self.operator in SOURCES or bool(self.use.connector)

    @property
    def holder(self) -> ast.expr:
        """What it is called on; for a connector's function the context that it is given."""
        if self.use.connector:
            given = context_given(self.call)
            assert given is not None
            return given
        assert isinstance(self.use.node, ast.Attribute)
        return self.use.node.value

    @property
    def is_output(self) -> bool:
        """Whether it ends a chain."""
        return self.operator in OUTPUTS or (bool(self.use.model) and MODEL[self.operator] is Gives.NOTHING)


def context_given(call: ast.Call) -> ast.expr | None:
    """The StreamingContext in ``KafkaUtils.createStream(ssc, ...)``."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return call.args[0] if call.args else named.get("ssc")


def stream_given(call: ast.Call) -> ast.expr | None:
    """The stream in ``model.trainOn(stream)``."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return call.args[0] if call.args else named.get("dstream")


def upstream(operation: Operation) -> set[Operation]:
    """An operation and all that it needs."""
    found: set[Operation] = set()
    pending: list[Operation] = [operation]
    while pending:
        step = pending.pop()
        if step not in found:
            found.add(step)
            pending += step.parents
    return found


@dataclass(eq=False)
class Line:
    """A statement of the graph, in which streams and outputs are made."""

    statement: ast.stmt
    operations: tuple[Operation, ...] = ()
    """In the order of the chain; the last one is what the statement is for."""
    target: str | None = None
    scope: ast.AST | None = None
    """The function, or the module, that it is a statement of."""
    argument: ast.expr | None = None
    """The argument of a call that its chain is, where it is not the statement's own value."""
    inner: ast.expr | None = None
    """What its chain starts from: the expression of a stream that was there before, or None."""

    @property
    def makes_source(self) -> bool:
        """Whether a source is made in it."""
        return any(operation.is_source for operation in self.operations)


@dataclass
class Program:
    """A graph whose streams are all made before its only start."""

    graph: Graph
    module: Module
    tree: Tree
    construction: ast.Assign
    """Where the StreamingContext is made."""
    constructor: Use
    scope: ast.Module | ast.FunctionDef
    """The function, or the module, that the batch function is defined in."""
    reading: Reading
    carriers: Carriers | None
    """How the session gets to where it is needed; None where one variable is in reach of all."""
    recovering: dict[ast.Call, ast.expr]
    """Calls of ``getOrCreate``, and the function, or the call of it, that takes their place."""

    @property
    def lines(self) -> list[Line]:
        """Statements that make streams and outputs, in the order in which they run."""
        return self.reading.lines

    @property
    def removed(self) -> list[ast.stmt]:
        """Statements that have no native counterpart: ``ssc.checkpoint(d)``, ``words.cache()``."""
        return self.reading.removed

    @property
    def lifecycle(self) -> list[Use]:
        """start, awaitTermination, stop; also inside other statements."""
        return self.reading.lifecycle

    @property
    def spark_contexts(self) -> list[Use]:
        """Uses of ``ssc.sparkContext``."""
        return self.reading.spark_contexts

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
    def start(self) -> Use | None:
        """The call of ``start``."""
        return next((use for use in self.lifecycle if use.name == "start"), None)

    @property
    def home(self) -> ast.AST | None:
        """The function, or the module, that starts the query."""
        return self.tree.scope_of(self.start.node) if self.start is not None else None
