"""Variables that a branch gives another stream: ``if only_errors: lines = lines.filter(is_error)``."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from migrate.frozen import replace
from migrate.graph.objects import Variable
from migrate.graph.operations import CHOSEN, Chosen, Condition, Line, Operation
from migrate.graph.reading import Reading
from migrate.syntax.tree import Tree


@dataclass(frozen=True)
class Held:
    """The stream of a variable."""

    stream: Operation | Either
    statement: ast.stmt | None = None
    """The statement that gave it the variable; None for a call, and for a branch."""
    when: tuple[Condition, ...] = ()
    """The conditions under which it has any, beside those under which all of this runs."""


@dataclass(eq=False)
class Either:
    """One of two streams, as a branch decides; a stream of its own once something reads the variable."""

    name: str
    branch: ast.If
    parts: tuple[Held, Held]
    """That where the test is true, and the other one."""
    reading: Reading
    tree: Tree
    after: Line
    is_result: bool = False
    """Whether a function returns it."""

    def __post_init__(self) -> None:
        reading = self.reading
        self._scope, self._entry, self._when = reading.scope, reading.entry, reading.when
        self._own_when = reading.own_when
        self._made: Operation | None = None

    @property
    def stream(self) -> Operation:
        """The stream, which is noted as read."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def _make(self) -> Operation:
        parents = tuple(stream_of(part.stream) for part in self.parts)
        made = _choosing(self.branch, self.name, parents)
        self.tree.place(made.call, self.branch)
        made.when, made.target = self._when, self.name
        for parent in parents:
            parent.consumers.append(made)
        one, other = (part.statement for part in self.parts)
        place = (self._scope, self._entry, self.after, self._own_when)
        self.reading.chosen.append(Chosen(made, self.branch, (one, other), *place, self.is_result))
        return made


def stream_of(held: Operation | Either) -> Operation:
    """The stream that a variable has."""
    return held.stream if isinstance(held, Either) else held


def parts_of(stream: Operation) -> list[Operation]:
    """The streams of calls that a stream may be, in the order in which the program has them."""
    if not stream.is_chosen:
        return [stream]
    return [part for parent in stream.parents for part in parts_of(parent)]


def merged(
    held: Mapping[Variable, Held],
    other: Mapping[Variable, Held],
    branch: ast.If,
    reading: Reading,
    tree: Tree,
) -> dict[Variable, Held]:
    """The streams of variables behind a branch.

    Args:
        held: those where its test is true.
        other: those where it is false.
        branch: the branch, which has been read.
        reading: what was read so far.
        tree: of the modules that are read.
    """
    found = {
        **_under(Condition(branch, holds=False), other, held),
        **_under(Condition(branch, holds=True), held, other),
    }
    for variable in held.keys() & other.keys():
        parts = one, another = held[variable], other[variable]
        if one.stream is not another.stream:
            either = Either(variable[1], branch, parts, reading, tree, reading.lines[-1])
            found[variable] = Held(either, when=(*one.when, *another.when))
    return found


def _under(
    condition: Condition, held: Mapping[Variable, Held], other: Mapping[Variable, Held]
) -> dict[Variable, Held]:
    """The streams of variables in one part of a branch, some of which have none in the other part."""
    return {
        variable: one if variable in other else replace(one, when=(*one.when, condition))
        for variable, one in held.items()
    }


def _choosing(branch: ast.If, name: str, parents: tuple[Operation, ...]) -> Operation:
    """The stream of a variable that has one of several, with a call that no code has."""
    member = ast.copy_location(ast.Attribute(ast.Name(name, ast.Load()), CHOSEN, ast.Load()), branch.test)
    call = ast.copy_location(ast.Call(member, [], []), branch.test)
    use = replace(parents[0].use, node=member, call=call, name=CHOSEN, connector="", model="")
    return Operation(use, call, parents)
