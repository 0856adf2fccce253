"""The values that the stages of a migration pass on: modules in, results out.

scan and parse make `Module`s; `migrate.migration.migrate` makes one `Result` of them; report and cli read it.
"""

from __future__ import annotations

import ast
import codecs
import enum
from dataclasses import field, replace
from pathlib import Path

from migrate.facts.file import Facts
from migrate.form import Form, Place
from migrate.frozen import dataclass
from migrate.knowledge.spark_version import SparkVersion, installed
from migrate.knowledge.triggers import Trigger


class Tier(str, enum.Enum):
    """The form of one call site after the migration."""

    COLUMN = "column"
    """Catalyst sees it: a DataFrame operation on Column expressions."""
    PYTHON = "python"
    """A typed Python function: ``F.udf(f, "string")``."""
    RDD = "rdd"
    """RDD code on ``batch.rdd``, inside the batch function."""
    CONTEXT = "context"
    """Context, start, stop, sources."""
    COMPAT = "compat"
    """As it was, on `compat.streaming`."""
    MANUAL = "manual"
    """Left for a person, with a reason."""
    IGNORED = "ignored"
    """Left alone because a comment asks for it."""


class Outcome(str, enum.Enum):
    """The new form of a whole graph, never of half of one."""

    NATIVE = "native"
    COMPAT = "compat"
    MANUAL = "manual"


class Status(str, enum.Enum):
    """The state of a file: the worst outcome of its graphs, or the reason why it has none."""

    NATIVE = "native"
    COMPAT = "compat"
    MANUAL = "manual"
    UNTOUCHED = "untouched"
    UNPARSED = "unparsed"


@dataclass(frozen=True)
class Module:
    """A Python file or a notebook, read but never imported."""

    path: Path
    relative: str
    """POSIX path relative to the PATH given on the command line; the name of the file in every report."""
    source: str
    """The code, in Python 3: of a plain file all its text, without a byte order mark, with its line ends."""
    tree: ast.Module
    encoding: str
    bom: bool
    form: Form = field(default=Form(), compare=False)
    """The form of the file: plain, a notebook, or Python 2."""
    python: int = 3
    """The version of the language that the file is written in."""
    limits: tuple[str, ...] = ()
    """The places of a file in Python 2 that are not proven to be the same in Python 3."""
    remarks: tuple[Remark, ...] = ()
    """On the cells of a notebook that cannot be parsed."""
    signs: tuple[str, ...] = ()
    """The places by which a file that Python 3 can parse is known to be Python 2, and what they do."""
    outside: bool = False
    """Whether it was only read because streams reach it: it is outside of the PATHs and not to be written."""
    origin: str | None = None
    """The code as it was read, where `source` already has native code of another graph; else None."""
    told_by_name: bool = field(default=False, compare=False)
    """Whether its lines are told of with its name, as they are beside those of other files."""

    @property
    def text(self) -> str:
        """The text of the file, as it is."""
        return self.form.restore(self.source, adopted=False)

    def place(self, line: int, column: int = 1) -> Place:
        """The place in the file of a place in `source`."""
        return self.form.place(line, column)

    def where(self, line: int) -> str:
        """A line of `source` in words: ``line 3``, ``cell 2, line 1``, ``jobs/count.py, line 3``."""
        place = str(self.form.place(line, 1))
        return f"{self.relative}, {place}" if self.told_by_name else place


@dataclass(frozen=True)
class KafkaClient:
    """A client of Kafka in another file than a program's, which tells where the brokers are."""

    path: Path
    texts: frozenset[str]
    """The texts of its file, of which one may be the topic that the program reads."""
    addresses: str
    """The brokers that it names; empty where it has them from settings."""
    code: str = ""
    """The expression that reads them from settings."""
    bound: tuple[tuple[str, str], ...] = ()
    """The variables of that expression, each with the code of its value."""


@dataclass(frozen=True)
class Options:
    """The options of the user, from the command line or ``[tool.dstream-migrate]``."""

    target: Outcome = Outcome.NATIVE
    """NATIVE: native where it is safe, else compat. COMPAT: only the imports change."""
    unsafe: bool = False
    assume_compat: bool = False
    """Whether contexts and streams from code that was not read are taken for those of `compat.streaming`."""
    whole_project: bool = False
    """Whether no graph of the project, which is no library, stays on the old API, as a run found out."""
    select: frozenset[str] = frozenset()
    """Rules that may rewrite; empty: all."""
    ignore: frozenset[str] = frozenset()
    """Rules that may not rewrite: a graph that needs one of them stays as it is on compat."""
    pprint_exact: bool = False
    event_time: str | None = None
    """The source's column that windows are over; None: windows over processing time stay on compat."""
    watermark: str | None = None
    """How late a row may be for its window over event time: ``10 minutes``; None: windows never close."""
    approximate_time: bool = False
    """Whether the time at which a batch runs may stand for the batch time, in paths, keys, comparisons."""
    json_schemas: tuple[tuple[str, str], ...] = ()
    """Schemas of JSON, as DDL, by the variable of the stream of objects, or of its parent."""
    facts: Facts = field(default_factory=dict)
    """What `dstream-migrate learn` found, by the absolute path of a file and the name."""
    changed_keys: bool = False
    """Whether a running state puts out the keys that a batch changed, in place of all."""
    skip_empty_batches: bool = False
    """Whether no batch runs in an interval without input, also where the old program did something in it."""
    trigger: Trigger = field(default_factory=Trigger)
    """The trigger of queries, in place of the batch interval."""
    kinesis: str = ""
    """Whose source reads Kinesis: ``aws`` or ``databricks``; empty: programs that read it stay on compat."""
    bootstrap_servers: str = ""
    """Kafka's brokers, for programs that name ZooKeeper only."""
    clients: tuple[KafkaClient, ...] = ()
    """Clients of Kafka in all files of the project, as a run found them, for such programs."""
    spark: SparkVersion = field(default_factory=installed)
    """The version that the new code is written for."""
    strict: bool = False
    """Whether columns fail wherever Python does, in any mode of Spark."""

    @property
    def has_no_batch_time(self) -> bool:
        """Whether the time at which a batch runs stands for the batch time: backfills have no intervals."""
        return self.approximate_time or self.trigger.is_backfill


@dataclass(frozen=True)
class Site:
    """One call, or bare reference, of a traced member, or a constructor."""

    graph: str
    path: str
    line: int
    """From 1."""
    column: int
    """From 1, in code points."""
    operator: str
    tier: Tier
    safe: bool
    rule: str
    reason: str
    learnt: bool = False
    """Whether it rests on types that `dstream-migrate learn` found; it is not safe then."""
    cell: int | None = None
    """The position of the cell in its notebook, from 1, all cells counted; None outside of notebooks."""


@dataclass(frozen=True)
class Callers:
    """What callers of a program pass no more, to be looked for in the other files of the project."""

    flags: tuple[tuple[str, str], ...] = ()
    """Options, by what they were called and what they are called: ``--zookeeper``, ``--brokers``."""
    variables: tuple[tuple[str, str], ...] = ()
    """Variables of the environment in the same way."""
    address: bool = False
    """Whether they passed ZooKeeper's address as an argument."""
    connectors: frozenset[str] = frozenset()
    """The modules of the connectors whose packages they named for it."""

    def __or__(self, more: Callers) -> Callers:
        return Callers(
            tuple(dict.fromkeys((*self.flags, *more.flags))),
            tuple(dict.fromkeys((*self.variables, *more.variables))),
            self.address or more.address,
            self.connectors | more.connectors,
        )


READY = "ready"
"""What a report says of a program that runs on Spark Connect."""


@dataclass(frozen=True)
class GraphResult:
    """The outcome for one StreamingContext with its streams."""

    id: str
    files: tuple[str, ...]
    outcome: Outcome
    reasons: tuple[str, ...]
    """Why it is not native, one sentence for each call that blocked it; empty for native."""
    notes: tuple[str, ...] = ()
    """Notes on the native code: no socket reconnect, outputs that may miss empty batches."""
    edges: tuple[tuple[int, int], ...] = ()
    """Pairs of sites, by their positions: the second one reads the stream of the first one."""
    connect: str | None = None
    """Whether its native code runs on Spark Connect: ``ready``, or why not; None for what is not native."""
    must_change: tuple[str, ...] = ()
    """What callers and deployments must change before the new code runs."""
    callers: Callers | None = None
    """What callers pass no more; None where nothing of that changes."""
    requires: tuple[str, ...] = ()
    """Packages of ours that native code imports: ``compat.sources``."""

    fixtures: frozenset[str] | None = None
    """Where only contexts that functions are given keep a graph: those that tests get as fixtures."""

    @property
    def is_ready(self) -> bool:
        """Whether its native code runs on Spark Connect."""
        return self.connect == READY


@dataclass(frozen=True)
class Remark:
    """A remark on a place in a file, whatever the outcome of the file."""

    cell: int | None
    line: int
    column: int
    name: str
    """The name that it is about; empty for a cell that cannot be parsed."""
    text: str


@dataclass(frozen=True)
class FileResult:
    """One file and its text before and after."""

    path: str
    status: Status
    graphs: tuple[str, ...] = ()
    python: int = 3
    old: str = ""
    new: str = ""
    error: str | None = None
    """Why the file is unparsed."""
    remarks: tuple[Remark, ...] = ()
    """Names that only Python 2 has, in a file that Python 3 can parse; cells that cannot be parsed."""
    encoding: str = "utf-8"
    bom: bool = False
    pending: bool = False
    """Whether it would change, where `new` was not asked for."""

    @property
    def judged(self) -> FileResult:
        """The result as it counts: a file without a graph but with a broken cell is unparsed."""
        broken = [remark for remark in self.remarks if not remark.name]
        if self.status is not Status.UNTOUCHED or not broken:
            return self
        first, *others = broken
        more = f" (and {len(others)} more)" if others else ""
        error = f"{Place(first.cell, first.line, first.column)}: {first.text}{more}"
        named = tuple(remark for remark in self.remarks if remark.name)
        return replace(self, status=Status.UNPARSED, error=error, remarks=named)

    @property
    def is_whole(self) -> bool:
        """Whether all of it was parsed."""
        return self.status is not Status.UNPARSED and all(remark.name for remark in self.remarks)

    @property
    def old_bytes(self) -> bytes:
        """The file as it is."""
        return self._encoded(self.old)

    @property
    def new_bytes(self) -> bytes:
        """The file as it will be; a character that its encoding lacks, in a comment of ours, is escaped."""
        return self._encoded(self.new)

    def _encoded(self, text: str) -> bytes:
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding, "backslashreplace")

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.pending or self.old != self.new


@dataclass(frozen=True)
class Result:
    """A whole run."""

    graphs: tuple[GraphResult, ...] = ()
    files: tuple[FileResult, ...] = ()
    sites: tuple[Site, ...] = field(default=())
    spark: SparkVersion = field(default_factory=installed)
    """The version that the new code is written for."""
