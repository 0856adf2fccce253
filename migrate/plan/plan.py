"""What becomes of a program: what the batch function will say, and what stays outside."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from migrate.columns import Fold, Helper
from migrate.graph.blocked import Blocked
from migrate.graph.place import Place
from migrate.graph.program import Line, Operation, Program
from migrate.model import Options, Tier
from migrate.plan.batch_time import APPROXIMATE, QUEUED, RECOVERED, TIMES, batch_times
from migrate.plan.code import NOTHING, Inner, ModuleChanges, Written
from migrate.plan.session import Session
from migrate.plan.stages import Choices, Stage
from migrate.proofs.facts import Facts
from migrate.trace import Trace, Use


@dataclass
class Plan:
    """What becomes of a program."""

    program: Program
    place: Place
    facts: Facts
    trace: Trace
    options: Options
    choices: Choices = field(default_factory=Choices)
    over_arrow: set[ast.Call] = field(default_factory=set)
    """Those whose functions run over Arrow."""
    narrower: set[Operation] = field(default_factory=set)
    """Those whose columns raise for some values that Python takes."""
    batch: str = "batch"
    batch_id: str = "batch_id"
    session: str = "spark"
    query: str = "query"
    writer: str = "writer"
    function: str = "process_batch"
    rdd: str = "rdd"
    session_plan: Session | None = None
    inside: list[Written] = field(default_factory=list)
    """Statements of the batch function."""
    outside: dict[ast.stmt, list[Written]] = field(default_factory=dict)
    """New statements that stand where old ones stood."""
    arguments: dict[ast.expr, str] = field(default_factory=dict)
    """New text of arguments of calls that stay."""
    before: dict[ast.stmt, tuple[str, ...]] = field(default_factory=dict)
    """Statements that must stand before those calls."""
    line: Line | None = None
    """The line that is being planned."""
    early: list[str] = field(default_factory=list)
    """Assignments that must stand where that line stood."""
    pending_comments: list[ast.stmt] = field(default_factory=list)
    """Old statements that melted into the next one of the batch function."""
    inner: Inner = NOTHING
    """What changes in functions that the batch function calls, and in what it quotes."""
    streaming: str = ""
    """The variable of the streaming DataFrame that the query reads."""
    sources: list[tuple[str, ast.stmt]] = field(default_factory=list)
    """The streaming DataFrames, as the place of the batch function calls them, and what made them."""
    inputs: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """Those that the query reads side by side, with the types of their columns, if it reads several."""
    places: tuple[str, ...] = ()
    """Columns that a batch is sorted by, and that no one reads after."""
    output_mode: str = "append"
    stages: dict[Operation, Stage] = field(default_factory=dict)
    tiers: dict[Use, Tier] = field(default_factory=dict)
    reasons: dict[Use, str] = field(default_factory=dict)
    unsafe: set[Use] = field(default_factory=set)
    """Calls whose new form may give something else, which the user allowed."""
    batch_time: str = ""
    """The variable of the batch function that stands for the batch time; empty where nothing reads it."""
    notes: dict[str, None] = field(default_factory=dict)
    helpers: dict[str, Helper] = field(default_factory=dict)
    settings: dict[str, Helper] = field(default_factory=dict)
    """Assignments at the top of the module, by what they set."""
    imports: set[str] = field(default_factory=set)
    """Names that the new code needs imported: ``F``, ``SparkSession``, ``datetime``."""
    partitions: set[int] = field(default_factory=set)
    """Numbers of partitions that operators ask for."""
    mapped: set[str] = field(default_factory=set)
    """Settings of DStreams that the new code has in another form."""
    shuffles: bool = False
    empty_guard: bool = False
    """Whether the batch function must return at once for a batch without rows."""
    first_guard: bool = False
    """Whether something may fail on the micro-batch without rows that a query starts with."""
    batch_uses: int = 0
    """How often the batch is computed."""
    keeps_batch: bool = True
    """Whether a batch that is computed more than once is kept meanwhile."""
    models: dict[str, str] = field(default_factory=dict)
    """The variables of the batch function that hold a model of MLlib as it was before it, by the model's."""
    queues: dict[str, ast.expr] = field(default_factory=dict)
    """The variables of the lists of RDDs that the batch function takes from, and what they were made of."""
    saved: set[tuple[str, str | None]] = field(default_factory=set)
    """Prefixes and suffixes of directories that the batches are saved in."""
    reads_all: bool = False
    """Whether some output is certain to compute all of the batch, as an aggregate or a sort does."""
    state: Operation | None = None
    """The running fold, or the aggregate of a window over event time, which makes the query stateful."""
    kept: frozenset[Operation] = frozenset()
    """The running folds whose states the batch function keeps, beside other outputs or states."""
    states: dict[str, str] = field(default_factory=dict)
    """The variables that hold them, and the code of what they are before the first batch, if it is added."""
    folds: dict[Operation, tuple[ast.expr | None, Fold]] = field(default_factory=dict)
    """The running folds, with their initial states as the program gives them."""
    changes: dict[str, ModuleChanges] = field(default_factory=dict)
    """What is written, by the path of each module."""

    @property
    def event_time(self) -> str | None:
        """The column of the source that windows are over; None in a graph without them."""
        windowed = self.state is not None and self.state.operator != "updateStateByKey"
        return self.options.event_time if windowed else None

    @property
    def interval(self) -> ast.expr | None:
        """The batch interval."""
        call = self.program.constructor.call
        assert call is not None
        if len(call.args) > 1:
            return call.args[1]
        return next((keyword.value for keyword in call.keywords if keyword.arg == "batchDuration"), None)

    def shown(self, node: ast.AST) -> str:
        """Code of the program as a message shows it: on one line."""
        rows = (ast.get_source_segment(self.program.module.source, node) or "").splitlines()
        return " ".join(row.strip() for row in rows)

    def session_at(self, holder: ast.expr) -> str:
        """The session where the program reads its context."""
        carriers = self.program.carriers
        return self.session if carriers is None else carriers.name_of(holder)

    def has_session(self, statement: ast.stmt) -> bool:
        """Whether the session is there where a statement of the program stands."""
        session = self.session_plan
        assert session is not None
        made: ast.stmt = session.statement or self.program.construction
        if session.builder is None:
            binding = self.facts.only_binding(session.name)
            made = self.facts.statement_of(binding) if binding is not None else made
        return made.lineno < statement.lineno

    def now(self, *, top: bool = False) -> str:
        """An expression for the current time, with the module's own import of datetime if there is one.

        Args:
            top: whether it stands in a function of the module, not in the batch function.
        """
        binding = self.facts.only_binding("datetime")
        if isinstance(binding, ast.alias) and self._is_there(binding, top=top):
            if isinstance(self.facts.above[binding], ast.Import) and binding.name == "datetime":
                return "datetime.datetime.now()"
            if self.facts.imported(binding) == "datetime.datetime":
                return "datetime.now()"
        elsewhere = isinstance(binding, ast.alias) and self.facts.imported(binding) == "datetime.datetime"
        if self.facts.bindings.get("datetime") and not elsewhere:
            raise Blocked("`datetime` is the name of something else than the class in this file")
        self.imports.add("datetime")
        return "datetime.now()"

    def _is_there(self, imported: ast.alias, *, top: bool) -> bool:
        """Whether an import has run, and is in reach, where the graph begins."""
        statement, tree = self.facts.above[imported], self.program.tree
        in_reach = tree.scope_of(statement) in ((tree.tree,) if top else (tree.tree, self.program.scope))
        assert isinstance(statement, ast.stmt)
        return in_reach and statement.lineno < self.program.construction.lineno

    def time(self, use: Use) -> str:
        """What stands for the batch time where `use` does more with it than to print it.

        All of a batch are given the same one, as DStream gives them.

        Raises:
            Blocked: a query's batch may have another time, and the user does not allow it.
        """
        why = self._other_time()
        if why is not None and not self.has_any_time:
            raise Blocked(why, use)
        if self.has_any_time:
            self.unsafe.add(use)
        self.notes[APPROXIMATE if self.has_any_time else TIMES] = None
        self.batch_time = self.batch_time or self.facts.fresh("batch_time", anywhere=True)
        return self.batch_time

    @property
    def has_any_time(self) -> bool:
        """Whether the current time stands for the batch time, as the user allows."""
        options = self.options
        return options.approximate_time or (options.unsafe and self._other_time() is not None)

    def _other_time(self) -> str | None:
        """Why a query's batch may have another time than that of a DStream."""
        if self.program.recovering:
            return RECOVERED
        return QUEUED if self.queues else None

    def times(self) -> str:
        """The function of the module that gives batches their times."""
        if self.facts.shadowed & {"int", "next"}:
            raise Blocked("the batch time is used, and `int` or `next` may be something else in this file")
        return self.helper(batch_times(self.now(top=True)))

    def helper_name(self, wanted: str) -> str:
        """The name of a function that is added to the module, the same each time."""
        if wanted in self.helpers:
            return self.helpers[wanted].name
        return self.facts.fresh(wanted, anywhere=True)  # a parameter of any function may hide it

    def helper(self, helper: Helper) -> str:
        """Add a function to the module, and give the name by which it is called there."""
        name = self.helper_name(helper.name)
        source = helper.source.replace(f"def {helper.name}(", f"def {name}(")
        self.helpers.setdefault(helper.name, Helper(name, source))
        return name

    def allowed(self, rule: str) -> bool:
        """Whether the options let a rule rewrite."""
        return rule not in self.options.ignore and (not self.options.select or rule in self.options.select)
