"""What was read of a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from migrate.graph.blocked import Blocked
from migrate.graph.operations import Chosen, Condition, Entry, Line, Operation
from migrate.trace import Stream, Trace, Use


@dataclass(eq=False)
class Reading:
    """What was read of a graph, in the order in which the program makes it."""

    lines: list[Line] = field(default_factory=list)
    chosen: list[Chosen] = field(default_factory=list)
    """The variables that are read behind a branch which gives them another stream."""
    removed: list[ast.stmt] = field(default_factory=list)
    said: list[ast.stmt] = field(default_factory=list)
    """Statements that print a text where the graph is built, which a restart from a checkpoint skips."""
    read_anew: list[ast.Call] = field(default_factory=list)
    """Calls that read files or stores there, which a restart from a checkpoint skips, too."""
    starts_anew: bool = False
    """Whether `getOrCreate` works without a checkpoint alone, as its function does not make all streams."""
    shown: list[ast.stmt] = field(default_factory=list)
    """The removed statements that only print a stream or the context: ``print(lines)``."""
    printed: list[ast.stmt] = field(default_factory=list)
    """Statements that print the result of an output, None: ``print(lines.pprint())``."""
    lifecycle: list[Use] = field(default_factory=list)
    spark_contexts: list[Use] = field(default_factory=list)
    operations: dict[ast.AST, Operation] = field(default_factory=dict)
    """The operations by their calls, the last of each."""
    made: dict[ast.AST, list[Operation]] = field(default_factory=dict)
    """All of each call: a function that is called twice makes two of them."""
    entered: dict[ast.AST, ast.Call] = field(default_factory=dict)
    """The functions that the graph's code is in, and their first calls."""
    ended: list[tuple[ast.AST, ast.Call]] = field(default_factory=list)
    """Functions that only stop the context or wait for it, with the calls that give it to them."""
    unbound: set[ast.Call] = field(default_factory=set)
    """Those calls that give a method its object as an argument: ``Base.save(self, rows)``."""
    entries: dict[ast.AST, list[Entry]] = field(default_factory=dict)
    """All calls of these functions, in order."""
    ways: dict[Line, tuple[ast.stmt, ...]] = field(default_factory=dict)
    """The statements that lead to each line, the outermost first, its own last."""
    plumbing: list[ast.AST] = field(default_factory=list)
    """Expressions that only hand the context or a stream on: the `lines` in ``return lines``."""
    before_start: int = 0
    """The number of lines before the call of ``start``."""
    contexts: set[ast.AST] = field(default_factory=set)
    """Expressions that are the context."""
    aliases: list[ast.stmt] = field(default_factory=list)
    """Statements that only give another name to the context or a stream, or return it."""

    done: set[Use] = field(default_factory=set)
    """The members that were read."""
    followed: set[ast.AST] = field(default_factory=set)
    """The expressions of the context and the streams that were read with them."""
    walked: set[ast.AST] = field(default_factory=set)
    """The functions whose code was read, and the module."""
    scope: ast.AST | None = None
    """The function, or the module, that is being read."""
    entry: Entry | None = None
    """The call by which it is read."""
    way: list[ast.stmt] = field(default_factory=list)
    """The statements that lead to what is being read, the outermost first."""
    when: tuple[Condition, ...] = ()
    """The conditions under which what is being read runs, the outermost first."""

    @property
    def is_unused(self) -> bool:
        """Whether a context is made and nothing is done with it, but for a start, which fails so."""
        stopped = any(use.name == "stop" for use in self.lifecycle)
        return not (self.lines or self.spark_contexts or self.plumbing or stopped)

    def add(
        self, statement: ast.stmt, made: list[Operation], inner: ast.expr | None, *, target: str | None = None
    ) -> Line:
        """Note a statement that makes streams or an output.

        Args:
            statement: where it stands.
            made: the operations, in order.
            inner: what its chain starts from, if a stream was there before.
            target: the variable that it assigns.
        """
        line = Line(
            *(statement, tuple(made), target, self.scope), when=self.own_when, inner=inner, entry=self.entry
        )
        self.lines.append(line)
        self.ways[line] = tuple(self.way)
        return line

    @property
    def own_when(self) -> tuple[Condition, ...]:
        """Those of `when` that stand in the function that is being read."""
        return self.when[len(self.entry.when) :] if self.entry is not None else self.when

    def in_order(self) -> Iterator[Line | Chosen]:
        """The lines, and the variables that branches give streams where these end."""
        for line in self.lines:
            yield line
            yield from self.chosen_after(line)

    def chosen_after(self, line: Line) -> list[Chosen]:
        """The variables whose branches end below a line, those of inner branches first."""
        return [one for one in self.chosen if one.after is line]

    def calls(self, function: ast.AST) -> list[ast.Call]:
        """The calls of a function, in the order in which they run."""
        return [entry.call for entry in self.entries.get(function, ()) if entry.call is not None]

    def stands_in(self, line: Line) -> ast.stmt:
        """The statement of a straight line that a line is, or is a part of as it stands in a branch."""
        return line.when[0].branch if line.when else line.statement

    def finish(self, uses: Iterable[Use]) -> None:
        """Check that all members in a statement were read.

        Raises:
            Blocked: one was not.
        """
        for use in uses:
            if use not in self.done:
                raise Blocked(
                    f"`{use.name}` is used in a way that is not followed: assign its result to a name", use
                )

    def operation_at(self, node: ast.AST, trace: Trace) -> Operation | None:
        """The operation whose stream an expression is, if it can be no other stream."""
        streams = [value for value in trace.kinds.get(node, ()) if isinstance(value, Stream)]
        return self.operations.get(streams[0].node) if len(streams) == 1 else None
