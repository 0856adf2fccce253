"""The unfinished plan of a graph; only the planner changes it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from migrate.frozen import replace
from migrate.graph.program import Line, Operation, upstream
from migrate.model import Tier
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.needs import NO_NEEDS
from migrate.plan.draft.outputs import Direct
from migrate.plan.draft.rule import Rules
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import Stage
from migrate.plan.new_code.code import Call, Chain, Code, Makes, When, Written, written
from migrate.syntax.code_names import names_in_code
from migrate.trace import Use


@dataclass(frozen=True)
class Sink:
    """The output of a query that puts out records one by one."""

    records: Frame
    calls: tuple[Call, ...]
    """The calls of its writer that name where they go."""
    replaces: tuple[ast.stmt, ...]
    """Statements of the program that it stands for."""

    @property
    def has_format(self) -> bool:
        """Whether Spark has a sink for it, and no function of the program is called."""
        return self.calls[0].method == "format"


@dataclass
class Query:
    """The inputs of the query."""

    streaming: str = ""
    """The variable of the streaming DataFrame that it reads, or another expression for it."""
    is_variable: bool = True
    """Whether it is a variable."""
    sources: list[tuple[str, ast.stmt]] = field(default_factory=list)
    """The streaming DataFrames: their names beside the batch function, and the statements that make them."""
    contents: dict[str, str] = field(default_factory=dict)
    """Words for what the streaming DataFrames hold, as ``lines``, by their names."""
    inputs: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """The streaming DataFrames that it reads side by side, if there are several, with their column types."""
    places: tuple[str, ...] = ()
    """Columns that a batch is sorted by and that nothing else reads."""
    output_mode: str = "append"
    sinks: list[Sink] = field(default_factory=list)
    """The outputs of queries without a batch function, one of each."""

    def read(self, streaming: str, *, is_variable: bool = True) -> None:
        """Let it read a streaming DataFrame, by its variable or another expression for it."""
        self.streaming, self.is_variable = streaming, is_variable


@dataclass
class Body:
    """The body of the batch function, or of a function that it calls."""

    statements: list[Written] = field(default_factory=list)
    done: list[Written] = field(default_factory=list)
    """In a function those above them, which stand in the places of old ones already."""
    around: list[Written] = field(default_factory=list)
    """In a function those of what calls it, and what these give to it."""
    planned: tuple[Operation, ...] = ()
    """The streams that the next statements are about."""
    pending: list[ast.stmt] = field(default_factory=list)
    """Statements of the program that become a part of the next one."""
    states: dict[str, str] = field(default_factory=dict)
    """The variables that hold states, with the code of their first values; empty if the program sets them."""
    states_of_functions: dict[str, str] = field(default_factory=dict)
    """Those that functions of DataFrames bind, which the batch function calls."""
    global_states: list[str] = field(default_factory=list)
    """Those of them that are variables of the module, though the batch function stands in a function."""
    variables: dict[Operation, str] = field(default_factory=dict)
    """The variables that hold DataFrames, or RDDs, by the streams that they are.

    Of RDDs those that the program caches, or whose functions only compute.
    """
    cached: dict[Operation, Written] = field(default_factory=dict)
    """The statements that make RDDs which the program caches, by the streams that these are."""
    direct: Direct | None = None
    """The last statement, if the query can be given the function that it calls."""
    takes_frames: list[tuple[ast.FunctionDef, ast.Name]] = field(default_factory=list)
    """Functions of the program that get DataFrames in place of RDDs, each with the only read of its name."""
    readers: list[Operation] = field(default_factory=list)
    """The outputs that compute the batch."""
    outputs: list[Operation] = field(default_factory=list)
    """All outputs, each as often as it computes its stream."""
    uses: int = 0
    """How often the batch function computes the batch."""
    keeps_batch: bool = True
    """Whether to persist a batch that is computed more than once."""
    branches: tuple[When, ...] = ()
    """The branches of the program that the next statements stand in."""
    due: tuple[When, ...] = ()
    """The conditions under which the streams that the next statements read have a batch."""
    reads_all: bool = False
    """Whether some output is certain to compute all of the batch, as an aggregate or a sort does."""
    sortable: bool = False
    """Whether some output would do so by the choice `sorts_state`."""

    @property
    def above(self) -> list[Written]:
        """All statements whose variables the next one may read."""
        return [*self.around, *self.done, *self.statements]

    def melted(self, statements: Container[ast.stmt]) -> tuple[ast.stmt, ...]:
        """Take statements whose code became a part of one that stands elsewhere."""
        found = tuple(statement for statement in self.pending if statement in statements)
        self.pending = [statement for statement in self.pending if statement not in found]
        return found

    def variable_with(self, made: Chain) -> str:
        """The variable that holds the same already; empty if there is none.

        Nothing that it was made of may have another value since.
        """
        read = names_in_code(made.text).variables
        conditions = (*self.branches, *self.due)
        given: set[str] = set(self.states)
        for one in reversed(self.statements):
            if read & given:
                break
            targets = _targets(one)
            # two statements make the same if their code is: it is compared, and nothing is looked for in it
            alike = isinstance(one.code, Chain) and one.code.text == made.text and one.when == conditions
            if isinstance(one.code, Chain) and alike and one.code.target and targets.isdisjoint(given | read):
                return one.code.target
            given |= targets
        return ""

    def write(
        self,
        code: Code,
        statement: ast.stmt | None,
        makes: Makes | None = None,
        when: When | None = None,
        body: Iterable[Written] = (),
        comment: str = "",
    ) -> None:
        """Add a statement, in the place of one of the program.

        Args:
            code: the statement, or the first line of one with a block.
            statement: the one of the program; None for one that is ours alone.
            makes: what it makes.
            when: a condition under which it runs, beside those of all that is written now.
            body: the statements of its block.
            comment: what is said behind it.
        """
        replaced = [*self.pending, *([statement] if statement is not None else [])]
        self.pending.clear()
        already = {old for written in self.statements for old in written.replaces}
        new = tuple(old for old in replaced if old not in already)
        conditions = (*self.branches, *self.due, *([when] if when is not None else []))
        made = Written(code, new, makes=makes, body=tuple(body), comment=comment)
        self.statements.append(replace(made, when=conditions, streams=self.planned))


@dataclass
class Outside:
    """Changes in the program's own code, outside of the batch function."""

    replaced: dict[ast.stmt, list[Written]] = field(default_factory=dict)
    """New statements in the places of old ones."""
    arguments: dict[ast.expr, str] = field(default_factory=dict)
    """New code of arguments of calls that stay."""
    before: dict[ast.stmt, tuple[str, ...]] = field(default_factory=dict)
    """Statements that must stand before those calls."""
    deleted: list[ast.stmt] = field(default_factory=list)
    """Statements to remove, beside those that made streams."""

    def write(
        self,
        statement: ast.stmt,
        codes: Iterable[Code | Written],
        replaces: tuple[ast.stmt, ...] = (),
        makes: Makes | None = None,
    ) -> None:
        """Replace a statement by one or more.

        Args:
            statement: the old statement.
            codes: what stands there.
            replaces: other statements that the first of them stands for.
            makes: what they make.
        """
        new = [replace(written(code), makes=makes) for code in codes]
        new[:1] = [replace(one, replaces=replaces) for one in new[:1]]
        self.replaced.setdefault(statement, []).extend(new)

    def take_over(self, statement: ast.stmt, sources: Sequence[ast.stmt]) -> bool:
        """Let the only source stand for a statement that it does, too: ``lines = kvs.map(lambda m: m[1])``.

        Args:
            statement: the statement, of which nothing is left to do for each batch.
            sources: the statements that make the sources.

        Returns:
            whether there is such a source.
        """
        made = self.replaced.get(sources[0], []) if len(sources) == 1 else []
        if made:
            made[-1] = replace(made[-1], replaces=(*made[-1].replaces, statement))
        return bool(made)


def _targets(one: Written) -> frozenset[str]:
    """The variables that a statement binds, and those of which it binds an attribute."""
    return (
        names_in_code(one.code.target).variables
        if isinstance(one.code, Chain)
        else names_in_code(one.text).bound
    )


class Draft:
    """A plan that grows."""

    def __init__(self, basis: Basis, rules: Rules, names: frozenset[str]) -> None:
        self.basis = basis
        self.rules = rules
        self.query = Query()
        self.body = Body()
        self.outside = Outside(deleted=list(basis.place.deleted))
        self.needs = NO_NEEDS.with_more({"names": names})
        self.stages: dict[Operation, Stage] = {}
        self.tiers: dict[Use, Tier] = {}
        self.reasons: dict[Use, str] = {}
        self.times_read: defaultdict[Operation, frozenset[str]] = defaultdict(frozenset)
        """The variables of times that the code of operators reads."""
        self.typed: set[ast.Call] = set()
        """Operators that are typed Python functions."""

    def is_above(self, line: Line) -> bool:
        """Whether a line of a function makes what the query reads, so that it stands where that is called."""
        state = self.basis.state
        return (
            line.scope is not self.basis.program.scope
            and state is not None
            and line.operations[0] in upstream(state)
            and not line.operations[0].is_source
        )

    def place_of(self, line: Line) -> ast.stmt:
        """The statement of a line, or the call of the function that makes what the query reads."""
        return self.call_of(line) if self.is_above(line) else line.statement

    def call_of(self, line: Line) -> ast.stmt:
        """The statement of the graph's own function that leads to a line."""
        program = self.basis.program
        way = program.reading.ways[line]
        return next(one for one in reversed(way) if program.tree.scope_of(one) is program.scope)

    def write_above(self, line: Line, made: Chain, replaces: tuple[ast.stmt, ...] = ()) -> None:
        """Write a stream that the query reads, where the program makes it or calls the function that does.

        Args:
            line: the line that made it.
            made: the streaming DataFrame.
            replaces: other statements that it stands for.
        """
        statement = self.place_of(line)
        if statement is not line.statement:
            replaces = (*replaces, line.statement)
        self.outside.write(statement, [made], replaces, Makes.SOURCE)

    def step(self, operation: Operation, line: Line, hint: str | None = None) -> Step:
        """A step that tries a form of an operator."""
        return Step(self.attempt(), operation, line, self.rules, hint)

    def attempt(self) -> Attempt:
        """An attempt at a piece of new code; `accept` keeps its needs."""
        return Attempt(self.basis, self.needs)

    def accept(self, tried: Step | Attempt) -> None:
        """Keep the needs of an attempt."""
        self.needs |= tried.needs
        for stream in self.body.planned:
            self.times_read[stream] |= tried.needs.times_read
        self.reasons.update(tried.needs.reasons)

    def fresh(self, wanted: str, *, anywhere: bool = False) -> str:
        """A new name."""
        attempt = self.attempt()
        name = attempt.fresh(wanted, anywhere=anywhere)
        self.accept(attempt)
        return name

    def need(self, **more: Any) -> None:
        """Add to the needs, by the names of their parts."""
        self.needs = self.needs.with_more(more)

    def note(self, *notes: str) -> None:
        """Add notes to the report."""
        self.need(notes=notes)

    def must_change(self, *texts: str) -> None:
        """Tell the user what callers or deployments must change."""
        self.need(must_change=texts)

    def decided(self, use: Use, tier: Tier, reason: str) -> None:
        """Set the tier of a call, with the reason."""
        self.tiers[use] = tier
        self.reasons[use] = reason
