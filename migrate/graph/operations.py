"""The calls that a graph is made of, and the statements that they stand in."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import field

from migrate.cached import cached_property
from migrate.frozen import dataclass
from migrate.knowledge.cassandra import SAVE
from migrate.knowledge.models import MODEL
from migrate.knowledge.streaming import KEEPS_KEYS, OUTPUTS, SOURCES, Gives
from migrate.trace import Use

_OUTPUTS = OUTPUTS | {SAVE}
CHOSEN = "chosen"
"""What stands for an operator where a branch decides which of two streams a variable has."""


@dataclass(frozen=True)
class Condition:
    """A branch that a program takes or not when it builds its graph: ``if debug:``."""

    branch: ast.If
    holds: bool
    """Whether it is the part where the test is true."""


def are_met(needed: Sequence[Condition], met: Sequence[Condition]) -> bool:
    """Whether code runs under some conditions only: in the same branches, or in such of the same test.

    Args:
        needed: the conditions.
        met: those under which the code runs.
    """
    tests = {(ast.dump(one.branch.test), one.holds) for one in met}
    inner = [one for one in needed if one not in met]
    return all((ast.dump(one.branch.test), one.holds) in tests for one in inner)


@dataclass(frozen=True)
class Repeated:
    """The place of a source that a comprehension or a loop makes for each of some values."""

    chain: ast.expr
    """What makes each stream: the source, and what stands behind it there."""
    statement: ast.stmt
    """The statement that it stands in."""
    streams: ast.expr
    """The list of the streams, as ``ssc.union(*streams)`` has it."""
    union: Use
    """That ``union``."""
    target: ast.expr | None
    """The variables of the comprehension, or of a loop that does nothing else."""
    values: ast.expr | None
    """The values that these have in turn."""
    bound: frozenset[str]
    """The names that may be something else for each stream."""


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
    """The variable that its stream is assigned to."""
    cached: bool = False
    level: ast.expr | None = None
    """The argument of its ``persist(StorageLevel.MEMORY_AND_DISK)``."""
    consumers: list[Operation] = field(default_factory=list)
    when: tuple[Condition, ...] = ()
    """The conditions under which it is made, the outermost first."""
    repeated: Repeated | None = None
    """The place of a source that is made again and again, and stands for the union of all its streams."""

    @cached_property
    def operator(self) -> str:
        """The member of `pyspark.streaming` that is called."""
        return self.use.name

    @property
    def is_chosen(self) -> bool:
        """Whether it is no call, but one of its parents: a branch decides which one."""
        return self.operator == CHOSEN

    @cached_property
    def is_source(self) -> bool:
        """Whether it makes a stream of the context, and not of another stream."""
        return self.operator in SOURCES or bool(self.use.connector)

    @property
    def holder(self) -> ast.expr:
        """The expression that it is called on; for a connector's function the context that it is given."""
        if self.use.connector:
            given = context_given(self.call)
            assert given is not None
            return given
        assert isinstance(self.use.node, ast.Attribute)
        return self.use.node.value

    @cached_property
    def is_output(self) -> bool:
        """Whether it puts something out, and makes no stream."""
        return self.operator in _OUTPUTS or (bool(self.use.model) and MODEL[self.operator] is Gives.NOTHING)


def context_given(call: ast.Call) -> ast.expr | None:
    """The StreamingContext in ``KafkaUtils.createStream(ssc, ...)``."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return call.args[0] if call.args else named.get("ssc")


def stream_given(call: ast.Call) -> ast.expr | None:
    """The stream in ``model.trainOn(stream)``."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return call.args[0] if call.args else named.get("dstream")


def source_of_keys(stream: Operation) -> Operation:
    """The nearest stream above that makes its own keys, or this one; some may be left out in between."""
    while stream.operator in KEEPS_KEYS and len(stream.parents) == 1:
        (stream,) = stream.parents
    return stream


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
class Entry:
    """One run of a function's code, or of a module's."""

    function: ast.AST
    call: ast.Call | None
    """The call that runs it; None for a module."""
    outer: Entry | None
    """The run that makes the call."""
    given: dict[str, Operation] = field(default_factory=dict)
    """The streams that its parameters get."""
    result: Operation | None = None
    """The stream that it returns."""
    when: tuple[Condition, ...] = ()
    """All conditions under which it runs, the outermost first."""

    @property
    def own_when(self) -> tuple[Condition, ...]:
        """Those of them that stand in the code that makes the call."""
        return self.when[len(self.outer.when) :] if self.outer is not None else self.when


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
    """Its chain, where that is an argument of a call and not the statement's own value."""
    when: tuple[Condition, ...] = ()
    """The conditions in its function under which it runs, the outermost first."""
    inner: ast.expr | None = None
    """The older stream that its chain starts from, as the program spells it, or None."""
    entry: Entry | None = None
    """The run of its function or module that it is read in; a function that is called twice has two."""

    @property
    def stream(self) -> Operation:
        """The stream, or the output, that the statement is for."""
        return self.operations[-1]

    @property
    def all_when(self) -> tuple[Condition, ...]:
        """All conditions under which it runs, also those in the code that calls its function."""
        return (*(self.entry.when if self.entry is not None else ()), *self.when)

    @property
    def makes_source(self) -> bool:
        """Whether a source is made in it."""
        return any(operation.is_source for operation in self.operations)


@dataclass(eq=False)
class Chosen:
    """A variable that has one of two streams behind a branch."""

    stream: Operation
    """It, whose parents are the stream of the part where the test is true, and the other one."""
    branch: ast.If
    bound: tuple[ast.stmt | None, ast.stmt | None]
    """The statements that gave these to the variable."""
    scope: ast.AST | None
    entry: Entry | None
    """The run of the function or module that it is a variable of."""
    after: Line
    """The last line before the end of the branch."""
    when: tuple[Condition, ...]
    """The conditions in its function under which the branch is reached, the outermost first."""
    is_result: bool = False
    """Whether the function returns it: the statements return a stream, and give it to no variable."""

    @property
    def target(self) -> str | None:
        """The variable."""
        return self.stream.target

    def when_it_is(self, *, holds: bool) -> tuple[Condition, ...]:
        """Those, and that of one of the two parts."""
        return (*self.when, Condition(self.branch, holds))
