"""The place of the batch function: the function or module that it is defined in."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from migrate.graph.blocked import Blocked
from migrate.graph.operations import Line, Operation, upstream
from migrate.graph.reading import Reading
from migrate.knowledge.streaming import STATES, WINDOWS
from migrate.syntax.nodes import walk
from migrate.syntax.tree import Tree
from migrate.trace import Use

NO_OUTPUT = "nothing is put out (`pprint`, `foreachRDD`, ...): `start` fails there as it is"


@dataclass(frozen=True)
class Borrowed:
    """A name in code that moves into the batch function, which is not the same variable there."""

    name: ast.Name
    function: ast.AST
    """The function, or the module, that the code moves out of."""
    use: Use
    """The operator that the code is for."""


@dataclass(frozen=True)
class Carried:
    """A variable of a function whose code moves into the batch function, to be bound at its call."""

    statement: ast.Assign
    function: ast.FunctionDef


@dataclass(frozen=True)
class GivenBack:
    """A stream of the batch function that a function returned: it returns the source now."""

    operation: Operation
    returned: ast.Name
    target: ast.Name
    """The variable that the function's caller assigns it to."""
    source: str
    """The variable of the source in the function."""


@dataclass(frozen=True)
class NotGiven:
    """A stream of the batch function that a function was given, of which something else is left."""

    call: ast.Call
    argument: ast.expr
    parameter: ast.arg


@dataclass
class Place:
    """Where a graph's batch function stands and how its query is started."""

    scope: ast.Module | ast.FunctionDef
    anchor: ast.stmt
    """The statement whose place it takes, or that it follows."""
    obsolete: list[ast.stmt]
    """Statements of the graph that have no counterpart."""
    kept: dict[Line, str] = field(default_factory=dict)
    """Lines of other functions that still give the source, and its variable where they start from another."""
    deleted: list[ast.stmt] = field(default_factory=list)
    """Statements of other functions that only make or hand on streams of the batch function."""
    per_batch: dict[ast.FunctionDef, list[ast.Call]] = field(default_factory=dict)
    """Functions of streams that the batch function calls, and their calls; the outer ones first."""
    fetched: dict[ast.stmt, ast.Call] = field(default_factory=dict)
    """Statements of which only a call is left: the one that gives the source."""
    consumed: list[ast.FunctionDef] = field(default_factory=list)
    """Functions that nothing is left of."""
    borrowed: list[Borrowed] = field(default_factory=list)
    """Names that moved code needs from where it was."""
    carried: list[Carried] = field(default_factory=list)
    """Variables that moved code needs from where it was, each once."""
    hoisted: dict[ast.FunctionDef, ast.FunctionDef] = field(default_factory=dict)
    """Functions inside of others, which moved code needs, with those that they are inside of."""
    given_back: list[GivenBack] = field(default_factory=list)
    not_given: list[NotGiven] = field(default_factory=list)
    returned: ast.Return | None = None
    """``return ssc``, which returns the writer."""
    assigned: ast.Assign | ast.Expr | None = None
    """The call of the function that returns the writer."""
    attribute: str | None = None
    """The object whose attribute holds the writer, ``self``."""
    passed: ast.expr | None = None
    """The context that a call hands to the function that starts it: the writer."""

    def moved(self) -> Iterator[ast.AST]:
        """What moves out of other functions: statements, and arguments of operators in those that stay."""
        yield from self.deleted
        for line in self.kept:
            for call in (one.call for one in line.operations if not one.is_source):
                yield from (*call.args, *call.keywords)

    def is_gone(self, statement: ast.stmt) -> bool:
        """Whether a statement is removed, deleted or hoisted, or does nothing: ``pass``, a docstring."""
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        gone = (*self.deleted, *self.obsolete, *self.hoisted)
        return text or isinstance(statement, ast.Pass) or statement in gone


def source_in(function: ast.AST, operation: Operation, reading: Reading, gone: Sequence[ast.stmt]) -> str:
    """The variable of the only source of a stream, if its function makes it and binds it once; else empty.

    Args:
        function: the function that makes the source.
        operation: the stream.
        reading: the graph.
        gone: the statements that move out of the function.
    """
    sources = {one for one in upstream(operation) if one.is_source}
    made = [line for line in reading.lines if not sources.isdisjoint(line.operations)]
    own = [line for line in made if line.scope is function and isinstance(line.statement, ast.Assign)]
    if len(sources) != 1 or len(own) != 1 or own[0].target is None or not own[0].target.isidentifier():
        return ""
    moved = {node for statement in gone for node in walk(statement)}
    bound = [
        node
        for node in walk(function)
        if isinstance(node, ast.Name) and node.id == own[0].target and not isinstance(node.ctx, ast.Load)
        if node not in moved
    ]
    return own[0].target if len(bound) == 1 else ""


def lines_of(reading: Reading) -> list[Line]:
    """The lines that become a part of the batch function: all but those that only make sources."""
    return [line for line in reading.lines if any(not op.is_source for op in line.operations)]


def last_of(reading: Reading) -> Line:
    """The last line that puts something out, or that makes a stream if none does.

    Raises:
        Blocked: there is none, or something is kept from batch to batch for nothing.
    """
    lines = lines_of(reading)
    for line in reversed(lines):
        if any(operation.is_output for operation in line.operations):
            return line
    kept = any(operation.operator in WINDOWS | STATES for line in lines for operation in line.operations)
    if kept or not reading.lines:
        raise Blocked(NO_OUTPUT)
    return (lines or reading.lines)[-1]


def candidates(reading: Reading, tree: Tree, start: Use | None) -> list[ast.Module | ast.FunctionDef]:
    """The functions that the batch function may be defined in, the best first.

    Raises:
        Blocked: there is nothing to put into it.
    """
    if reading.is_unused:
        return []
    last = last_of(reading)
    home = tree.scope_of(start.node) if start is not None else None
    way = [tree.scope_of(statement) for statement in reversed(reading.ways[last])]
    scopes = {line.scope for line in lines_of(reading)}
    alone = [one for one in scopes if len(scopes) == 1 and not _is_of_streams(one, reading, tree, home)]
    order = [*alone, *([home] if home in way else []), *way]
    return [scope for scope in dict.fromkeys(order) if isinstance(scope, ast.Module | ast.FunctionDef)]


def _is_of_streams(scope: ast.AST | None, reading: Reading, tree: Tree, home: ast.AST | None) -> bool:
    """Whether a function does nothing but make outputs and streams of those that it is given.

    A batch function in the same module, where the query is started, can call it.
    """
    if not isinstance(scope, ast.FunctionDef) or scope not in reading.entries or home is None:
        return False
    if tree.root_of(scope) is not tree.root_of(home):
        return False
    if not all(entry.given for entry in reading.entries[scope]):
        return False
    own = [line for line in reading.lines if line.scope is scope]
    if any(op.is_source or op.operator in WINDOWS | STATES for line in own for op in line.operations):
        return False
    ours = {*reading.aliases, *reading.removed, *(line.statement for line in own)}
    return all(one in ours or isinstance(getattr(one, "value", None), ast.Constant) for one in scope.body)
