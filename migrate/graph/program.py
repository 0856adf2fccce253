"""A graph as it was read: its streams and outputs in the order in which the program makes them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from migrate.cached import cached_property
from migrate.graph.carrying import Carriers
from migrate.graph.offsets import NO_OFFSETS, KeptOffsets
from migrate.graph.operations import Line, Operation, upstream
from migrate.graph.other_cells import OtherCells
from migrate.graph.reading import Reading
from migrate.model import Module
from migrate.syntax.endless_loops import endless_loop_above
from migrate.syntax.tree import Construction, Tree, target_of
from migrate.trace import Graph, Use

WAITS = frozenset({"awaitTermination", "awaitTerminationOrTimeout"})


@dataclass
class Program:
    """A graph whose streams are all made before its only start."""

    graph: Graph
    modules: tuple[Module, ...]
    """The modules that the graph is in, and those with functions that only its outputs are given."""
    of_callbacks: frozenset[str]
    """The paths of the latter."""
    tree: Tree
    """Their syntax trees."""
    construction: Construction
    """Where the StreamingContext is made; a call that nothing is assigned to if nothing uses it."""
    constructor: Use
    scope: ast.Module | ast.FunctionDef
    """The function, or the module, that the batch function is defined in."""
    reading: Reading
    carriers: Carriers | None
    """What carries the session to where it is needed; None if one variable is in reach everywhere."""
    called_by_others: frozenset[ast.AST]
    """The functions of its modules that other modules of the project call."""
    recovering: dict[ast.Call, ast.expr]
    """CallGraph of ``getOrCreate``, and the function, or the call of it, that takes their place."""
    goes_on: ast.expr | None
    """The directory of the checkpoint that it goes on from; None where it starts afresh each time."""
    session: str | None
    """The variable of a SparkSession that it has before its context, in reach of it."""
    other: OtherCells | None
    """The cells of a notebook above it that are another program."""
    hoisted: set[ast.AST] = field(default_factory=set)
    """Functions inside of others that can stand beside these as well, for code that moves."""
    offsets: KeptOffsets = NO_OFFSETS
    """The parts of it that only store Kafka's offsets and read them."""

    def module_of(self, node: ast.AST) -> Module:
        """The module that a node is in."""
        root = self.tree.root_of(node)
        return next(module for module in self.modules if module.tree is root)

    @property
    def target(self) -> ast.expr:
        """What the StreamingContext is assigned to; the call itself if that is nothing."""
        return target_of(self.construction)

    @property
    def begin(self) -> int:
        """The line below the cells that are another program."""
        return self.other.begin if self.other is not None else 0

    def is_of_other_cells(self, node: ast.expr | ast.stmt) -> bool:
        """Whether some code stands in these cells."""
        if self.other is None or node.lineno >= self.begin:
            return False
        return self.module_of(node) is self.module_of(self.other.session)

    @property
    def own_modules(self) -> tuple[Module, ...]:
        """The modules that the graph is in."""
        return tuple(module for module in self.modules if module.relative not in self.of_callbacks)

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

    @cached_property
    def operations(self) -> list[Operation]:
        """All streams and outputs, in program order."""
        return [
            operation
            for one in self.reading.in_order()
            for operation in (one.operations if isinstance(one, Line) else (one.stream,))
        ]

    @cached_property
    def sources(self) -> list[Operation]:
        """The sources, in program order."""
        return [operation for operation in self.operations if operation.is_source]

    @cached_property
    def outputs(self) -> list[Operation]:
        """The outputs, in program order, but for those that only store offsets."""
        stored = self.offsets.storing
        return [operation for operation in self.operations if operation.is_output and operation not in stored]

    def leave_out(self, offsets: KeptOffsets) -> None:
        """Leave out what only stores offsets: outputs, and streams of the same elements as their parents."""
        self.offsets = offsets
        for stored in offsets.operations:
            (parent,) = stored.parents
            if stored in parent.consumers:
                place = parent.consumers.index(stored)
                parent.consumers[place : place + 1] = stored.consumers
                for reader in stored.consumers:
                    reader.parents = tuple(parent if one is stored else one for one in reader.parents)
                stored.consumers = []
        for line in self.lines:
            # `pages = KafkaUtils.createDirectStream(...).transform(f)`
            while len(line.operations) > 1 and line.stream in offsets.passing:
                line.operations[-2].target = line.target
                line.operations = line.operations[:-1]

    @property
    def start(self) -> Use | None:
        """The call of ``start``."""
        return next((use for use in self.lifecycle if use.name == "start"), None)

    @property
    def is_waited_for(self) -> bool:
        """Whether the program waits for the context that it starts, and so is told of an error."""
        waits = [use for use in self.lifecycle if use.name in WAITS]
        reached = [use for use in waits if self._loop_above(use) is None]
        return self.start is None or bool(reached)

    @property
    def waits_never(self) -> ast.While | None:
        """The loop without end that stands between the start and the wait for the context, if one does."""
        if self.start is None or self.is_waited_for:
            return None
        loops = [self._loop_above(use) for use in self.lifecycle if use.name in WAITS]
        return next((loop for loop in loops if loop is not None), None)

    def _loop_above(self, use: Use) -> ast.While | None:
        return endless_loop_above(self.tree.statement_of(use.node), self.tree)

    @property
    def home(self) -> ast.AST | None:
        """The function, or the module, that starts the query."""
        return self.tree.scope_of(self.start.node) if self.start is not None else None


__all__ = ["Line", "Operation", "Program", "upstream"]
