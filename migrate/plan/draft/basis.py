"""The facts that the plan of a graph is made from; they do not change while its lines are planned."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import field

from migrate.columns import Origin
from migrate.columns.guards import Guards
from migrate.facts.learnt import Learnt
from migrate.frozen import dataclass
from migrate.graph.place import Place
from migrate.graph.program import Operation, Program
from migrate.knowledge.connectors import KAFKA
from migrate.model import Options
from migrate.plan.choices import Choices, RatherError
from migrate.plan.session.session import Session
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import position
from migrate.syntax.text import Text
from migrate.trace import Trace


def origin_of(source: Operation) -> Origin:
    """Where the records of a source come from."""
    if source.repeated is not None:
        return Origin.UNKNOWN  # a union has no columns that say it
    if source.use.connector.startswith(f"{KAFKA}."):
        return Origin.KAFKA
    return Origin.FILES if source.operator == "textFileStream" else Origin.UNKNOWN


@dataclass(frozen=True)
class Names:
    """The variables and functions of the new code."""

    session: str
    batch: str
    batch_id: str
    query: str
    writer: str
    function: str
    rdd: str
    record: str
    """An element that is printed."""
    rows: str
    """A DataFrame that the program has no name for, as callbacks get it."""


@dataclass(frozen=True)
class Basis:
    """The facts that a graph is planned from."""

    program: Program
    place: Place
    facts: Facts
    trace: Trace
    options: Options
    choices: Choices
    session: Session
    names: Names
    live: frozenset[Operation]
    """The outputs, and the streams that some output needs."""
    origins: frozenset[Origin]
    """Where the records of all sources come from."""
    several: bool
    """Whether the query reads several sources side by side."""
    beside_queues: bool
    """Whether it reads one source, and its batch function takes from queues, too."""
    equal: Mapping[Operation, Operation]
    """The sources of files that the query has read already, each with the one that it reads for both."""
    state: Operation | None = None
    """The running fold, or the aggregate of a window over event time, which makes the query stateful."""
    kept: frozenset[Operation] = frozenset()
    """The running folds whose states the batch function keeps, beside other outputs or states."""
    foreach: ast.expr | None = None
    """The function that the sink of the query calls for each element, where it has no batch function."""
    prints: bool = False
    """Whether the console is the sink of the query, which has no batch function."""
    guards: Guards = Guards.STRICT
    """What columns do where Python fails."""
    learnt: Mapping[ast.expr, Learnt] = field(default_factory=dict)
    """What was learnt of elements, by the call that makes the stream, and of JSON, by its ``json.loads``."""
    texts: frozenset[str] = frozenset()
    """The texts that the program has as literals, where something was learnt of it."""
    targets: Mapping[Operation, str] = field(default_factory=dict)
    """The variables that hold streams."""
    around: Basis | None = None
    """That of the batch function, in a function that it calls."""

    @property
    def of_batch(self) -> Basis:
        """That of the batch function, also in a function that it calls."""
        return self.around or self

    @property
    def has_chosen_sink(self) -> bool:
        """Whether the only output is the sink of the query by itself, and not by the trigger."""
        return self.foreach is not None or self.prints

    @property
    def origin(self) -> Origin:
        """Where the records of the only source come from."""
        plain = not self.several and not self.choices.in_order and len(self.origins) == 1
        return next(iter(self.origins)) if plain else Origin.UNKNOWN

    @property
    def needs_places(self) -> bool:
        """Whether the place of a record is in columns of the source."""
        return self.origin is Origin.KAFKA and not self.choices.unplaced

    @property
    def event_time(self) -> str | None:
        """The column of the source that windows are over; None in a graph without them."""
        windowed = self.state is not None and self.state.operator != "updateStateByKey"
        return self.options.event_time if windowed else None

    @property
    def has_batches(self) -> bool:
        """Whether the query has a batch function."""
        return not (self.foreach is not None or self.prints or self.options.trigger.is_by_record)

    @property
    def slide(self) -> ast.expr | None:
        """The slide of all windows, where it triggers the query; else None."""
        return None if self.choices.counts_slides else self.choices.slide

    @property
    def interval(self) -> ast.expr | None:
        """The interval of the query's batches: the program's batch interval, or the slide of its windows."""
        return self.slide if self.slide is not None else self.batch_interval

    @property
    def batch_interval(self) -> ast.expr | None:
        """The batch interval of the program."""
        call = self.program.constructor.call
        assert call is not None
        if len(call.args) > 1:
            return call.args[1]
        return next((keyword.value for keyword in call.keywords if keyword.arg == "batchDuration"), None)

    def need_batch_interval(self) -> None:
        """Have the program's batch interval trigger the query, as something shows it.

        Raises:
            RatherError: the slide of windows does.
        """
        if self.slide is not None:
            raise RatherError(Choices(counts_slides=True))

    def session_at(self, holder: ast.expr) -> str:
        """The session where the program reads its context."""
        carriers = self.program.carriers
        return self.names.session if carriers is None else carriers.name_of(holder)

    def has_session(self, statement: ast.stmt) -> bool:
        """Whether the session has been made before a statement of the program runs."""
        made: ast.stmt = self.session.statement or self.program.construction
        if self.session.builder is None:
            facts = self.facts.of(made)
            binding = facts.only_binding(self.session.name)
            made = facts.statement_of(binding) if binding is not None else made
        tree = self.program.tree
        return tree.root_of(made) is tree.root_of(statement) and position(made) < position(statement)

    def allowed(self, rule: str) -> bool:
        """Whether the options let a rule rewrite."""
        return rule not in self.options.ignore and (not self.options.select or rule in self.options.select)

    def shown(self, node: ast.AST) -> str:
        """Code of the program as a message shows it: on one line."""
        rows = Text(self.program.module_of(node).source).of(node).splitlines()
        return " ".join(row.strip() for row in rows)
