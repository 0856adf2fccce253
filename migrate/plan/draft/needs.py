"""The needs of a piece of new code: imports, helpers, settings, and lines for the report."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from migrate.columns import Element, Fold, Helper
from migrate.frozen import dataclass
from migrate.graph.program import Operation
from migrate.model import Callers
from migrate.plan.draft.held import Held
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import Stage
from migrate.plan.new_code.code import Call, Chain, Code
from migrate.plan.new_code.inner import NOTHING, Inner
from migrate.plan.new_code.own_imports import OwnImport
from migrate.syntax.copies import changed
from migrate.trace import Use


@dataclass(frozen=True)
class Sliding:
    """A sliding window that the batch function keeps."""

    name: str
    """Its variable."""
    stream: Operation
    """The stream that it is a window of."""
    added: Stage
    """What each batch adds to it."""
    length: str
    """Code of its length, in the unit of `Needs.window_time`."""
    slide: str
    """Code of its slide in that unit; empty if that is the batch interval."""
    every: str
    """A text that is the same for windows with the same slide; empty if that is the batch interval."""
    held: ast.expr
    """The length for which it holds batches: its own, or that of a longer window which shares it."""
    keeps: str = ""
    """The variable of its last sums, which keeps their keys; empty if it forgets them."""
    keeps_if: str = ""
    """The condition under which it does, where that is known only when the program runs."""
    negative: Call | None = None
    """The method call by which what falls out is subtracted from these sums; None if they are made anew."""
    slides: ast.expr | None = None
    """Its slide; None if it has a batch whenever its stream has."""
    is_shared: bool = False
    """Whether the variable is that of another window, which holds its batches too."""
    value: Held | None = None
    """The values of batches that it holds in the driver; None if it holds DataFrames or RDDs."""
    of_stream: str = ""
    """The name of its stream, if it is called after that: ``words`` for ``words_window``."""
    own: str = ""
    """Code of its own length, where it holds values for a longer one."""

    @property
    def holds(self) -> Literal["rows", "rdd", "value"]:
        """A word for what it holds of a batch."""
        if self.value is not None:
            return "value"
        return "rows" if isinstance(self.added, Frame) else "rdd"


@dataclass(frozen=True)
class Slides:
    """When windows with a slide have a batch: the variables for that, and the slide."""

    is_due: str
    """The variable that says whether a slide has ended."""
    due: str
    """The variable of the batch time at which the next one ends."""
    length: str
    """Code of the slide."""


@dataclass(frozen=True)
class Static:
    """A DataFrame that does not stream, in place of an RDD of the program."""

    name: str
    """Its variable."""
    value: Chain
    """What that is bound to."""
    frame: Stage
    """What it is for those who read it."""
    made: Frame
    """The same, before its columns got names."""


@dataclass(frozen=True)
class Update:
    """How a typed function changes a state that the batch function keeps."""

    call: str
    """Its call, over the columns of the last states and a batch's new values."""
    column: str
    """The name of the column of states."""
    state: Element
    """A state, over that column."""
    type: str
    """Spark's name of its type."""
    drops: bool
    """Whether it may return None, which drops a key."""
    initial: str = "[]"
    """Code of the list of pairs that it begins with."""
    statement: ast.stmt | None = None
    """The statement of the program that made an RDD of that list."""


Place = ast.FunctionDef | Literal["batch function", "line"]
"""At a callback or a function of DataFrames; where the batch function begins; at the line that is planned."""

_NONE: Mapping[Any, Any] = MappingProxyType({})


class Needs:
    """The needs of a piece of new code.

    A rule returns them with the code; the planner adds up those of the code that it accepts.
    An object holds those parts that it has any of, which are few; what is here is for all others.
    """

    # --- in the module
    own_imports: frozenset[OwnImport] = frozenset()
    """Imports of names of the project."""
    imports: frozenset[str] = frozenset()
    """Names that must be imported: ``SparkSession``, ``datetime``."""
    helpers: Mapping[str, Helper] = _NONE
    """Functions to add, by the names that they get if those are free."""
    settings: Mapping[str, Helper] = _NONE
    """Assignments at the top of the module, by their targets."""
    names: frozenset[str] = frozenset()
    """Names that were given to something new."""
    loops: frozenset[str] = frozenset()
    """Those of these names that are variables of loops which print: each loop may have the same."""
    float_sums: tuple[ast.Call, ...] = ()
    """Methods of a callback's RDD that sum floats by a key."""
    inner: Inner = NOTHING
    """Changes in functions that the batch function calls, and in code that it quotes."""
    callbacks: Mapping[ast.FunctionDef, Inner] = _NONE
    """The changes in functions that several outputs hand their RDDs to."""
    named: Mapping[tuple[Place, Code], str] = _NONE
    """The names of functions of ours that stand at a place, by that and their code with `NAME` in it."""
    early: tuple[Code, ...] = ()
    """Assignments and functions that must stand where the program has the line that is planned."""

    # --- in the session
    shuffles: bool = False
    partitions: frozenset[int] = frozenset()
    """Numbers of partitions that operators ask for."""
    ansi: bool = False
    """Whether columns are right in ANSI mode alone."""
    in_python: bool = False
    """Whether columns are made by functions of Python that fail for nothing, as `str.lower`."""
    mapped: frozenset[str] = frozenset()
    """Settings of DStreams that the new code has in another form."""

    # --- in the batch function
    asks_lists: bool = False
    """Whether columns ask about lists that the program fills before it starts, after it has made them."""
    first: tuple[Code, ...] = ()
    """Statements that it begins with."""
    batch_time: str = ""
    """The variable that stands for the batch time."""
    times_read: frozenset[str] = frozenset()
    """The variables of times that the code itself reads."""
    keeps_time: bool = False
    """Whether more is done with the batch time than to print it."""
    window_time: str = ""
    """The variable of the batch time that windows go by: in seconds, or for other intervals in those."""
    slides: Mapping[str, Slides] = _NONE
    """The slides of windows that are longer than the batch interval, by `Sliding.every`."""
    durations: Mapping[str, str] = _NONE
    """Variables of durations in batch intervals, each with the seconds."""
    milliseconds: Mapping[str, str] = _NONE
    """The variable of the batch time in milliseconds, with how many of them an interval has."""
    sorted_state: bool = False
    """Whether it prints the running state sorted, which computes all of it."""
    outlives_batch: bool = False
    """Whether code elsewhere reads rows of the query's state when their batch is over, in a temp view."""
    empty_guard: bool = False
    """Whether it must return at once for a batch without rows."""
    changing: frozenset[Code] = frozenset()
    """The typed functions, by their statements, that may give something else for the same rows again."""
    counted: frozenset[Operation] = frozenset()
    """The counts that DStream has for batches with rows alone, and that are put out under that condition."""
    first_guard: bool = False
    """Whether the micro-batch without rows that a query starts with may fail, or do what counts."""
    models: Mapping[str, str] = _NONE
    """The variables that hold a model of MLlib as it was before the batch, by the model's own variable."""
    queues: Mapping[str, ast.expr] = _NONE
    """The variables of the queues that it takes RDDs from, with the expressions that made them."""
    windows: Mapping[Operation, Sliding] = _NONE
    """The sliding windows over processing time."""
    places: bool = False
    """Whether something names the place of a record in errors."""
    saved: frozenset[tuple[str, str | None]] = frozenset()
    """Prefixes and suffixes of directories that the batches are saved in."""
    folds: Mapping[Operation, tuple[ast.expr | None, Fold]] = _NONE
    """The running folds, with their initial states as the program gives them."""
    derivations: Mapping[Operation, Element] = _NONE
    """The keys and states of running folds that have more than sums."""
    updates: Mapping[Operation, Update] = _NONE
    """The states that typed functions update."""
    statics: Mapping[ast.stmt, Static] = _NONE
    """The RDDs of the program that become DataFrames, by the statements that bind them."""
    frames: Mapping[ast.stmt, str] = _NONE
    """The variables of the program that hold DataFrames now, by the statements that bind them."""
    static_reads: frozenset[ast.Name] = frozenset()
    """Where these are read as DataFrames."""

    idle: frozenset[Operation] = frozenset()
    """Operators that change nothing, and are left out."""
    joined: frozenset[Operation] = frozenset()
    """Filters whose conditions are asked by the typed functions of those before them."""

    # --- to be known
    notes: tuple[str, ...] = ()
    must_change: tuple[str, ...] = ()
    """What people must change by hand, in callers and deployments."""
    callers: Callers | None = None
    """What callers pass no more; None where nothing of that changes."""
    requires: tuple[str, ...] = ()
    """Packages of ours that the new code imports."""
    libraries: frozenset[str] = frozenset()
    """Packages that extend PySpark and that the new code has no use for: their imports go."""
    reasons: Mapping[Use, str] = _NONE
    """Reasons for the report, of calls beside the one that is planned."""
    unsafe: frozenset[Use] = frozenset()
    """Calls whose new form may give another result, which the user allowed."""
    learnt: frozenset[Use] = frozenset()
    """Calls whose new form rests on types that were learnt."""
    raises: tuple[str, ...] = ()
    """Values for which columns raise although Python takes them."""
    gives: tuple[str, ...] = ()
    """Values for which Python raises, and columns may not."""
    gives_without_ansi: tuple[str, ...] = ()
    """Values for which Python raises, and columns do in ANSI mode."""
    narrower: frozenset[Operation] = frozenset()
    """Operators whose columns raise for some values that Python takes."""
    looser: frozenset[Operation] = frozenset()
    """Operators whose columns do not raise for some values for which Python does."""
    often: frozenset[Operation] = frozenset()
    """Those of both for values that may well come: letters, an index beyond the end."""

    @property
    def times(self) -> frozenset[str]:
        """The variables of times, and of what is due, that the batch function begins with."""
        is_due = (slides.is_due for slides in self.slides.values())
        return frozenset((self.batch_time, self.window_time, *self.milliseconds, *is_due)) - {""}

    def __or__(self, more: Needs) -> Needs:
        """The needs of both."""
        if self is NO_NEEDS or more is NO_NEEDS:
            return more if self is NO_NEEDS else self
        return self.with_more(vars(more))

    def with_more(self, more: Mapping[str, Any]) -> Needs:
        """These needs and more, by the names of their parts."""
        new = {
            name: _both(getattr(self, name), other)
            for name, other in more.items()
            if other and other is not NOTHING
        }
        return changed(self, **new) if new else self


NO_NEEDS = Needs()


def _both(one: Any, other: Any) -> Any:
    if not one:
        return other
    if isinstance(one, Mapping):
        return {**one, **other}
    if isinstance(one, tuple):
        return tuple(dict.fromkeys((*one, *other)))
    return one or other if isinstance(one, str) else one | other
