"""The replacements that turn a callback on an RDD into one on a DataFrame."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.new_code.code import Written
from migrate.plan.new_code.function_call import LEFT_OUT
from migrate.plan.new_code.inner import GONE, Inner, Put
from migrate.proofs.callbacks.roles import Callback
from migrate.syntax.nodes import walk
from migrate.syntax.wording import Words

WHOLE = "# the state is kept only if all of the batch is computed"


@dataclass(frozen=True)
class Guard:
    """``if rows.isEmpty(): return``."""

    frame: str
    """Code of the DataFrame that it looks at."""
    actions: tuple[Written, ...]
    """The statements that run where that has no rows; the last one leaves the function."""
    returns: bool
    counts: bool = False
    """Whether all rows are to be computed by it, those of a running state."""

    @property
    def put(self) -> Put:
        """It as code above a statement."""
        test, said = (f"{self.frame}.count() == 0", WHOLE) if self.counts else (f"{self.frame}.isEmpty()", "")
        found = Put(f"if {test}:", body=self.actions, looks=True, returns=self.returns)
        return replace(found, comment=said, counts=self.counts)


@dataclass
class Conversion:
    """A callback on a DataFrame: replacements of its expressions, by node."""

    callback: Callback
    step: Step
    frame: Frame
    parameter: str
    """The name of the DataFrame in the callback."""
    composes: bool = False
    """Whether functions whose results no columns hold may be called by the next one."""
    replaced: dict[ast.AST, str] = field(default_factory=dict)
    renamed: dict[ast.AST, str] = field(default_factory=dict)
    reworded: dict[ast.expr, Words] = field(default_factory=dict)
    """Texts, of the callback and of code that reads its temp views, with words and their replacements."""
    guards: dict[ast.stmt, Guard] = field(default_factory=dict)
    """What stands above statements, and does what the original does for an empty batch."""
    above: dict[ast.stmt, Put] = field(default_factory=dict)
    """Other code that stands above statements."""
    raises: bool = False
    """Whether one of the guards raises, also for a batch without input."""
    told_empty: bool = False
    """Whether a handler may print of a batch without input that createDataFrame fails for it."""
    emptied: bool = False
    """Whether a DataFrame may have no rows where createDataFrame failed for an RDD without elements."""
    empty_at_first: bool = False
    """Whether it is made for a batch without input, too."""
    dropped: dict[ast.stmt, None] = field(default_factory=dict)
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    held: set[ast.AST] = field(default_factory=set)
    """Assignments of RDDs to variables that hold DataFrames now."""
    frames: dict[str, Frame] = field(default_factory=dict)
    """Local names of RDDs, and the frames that they stand for."""
    sessions: set[str] = field(default_factory=set)
    uses: int = 0
    """How often it computes the DataFrame."""
    peeks: int = 0
    """How often it looks whether there is a row, for which a row is enough where nothing shuffles."""
    used_session: bool = False
    own_sessions: list[ast.expr] = field(default_factory=list)
    """The expressions in whose places the session of the batch stands."""
    unread: dict[ast.Name, ast.arg] = field(default_factory=dict)
    """Arguments of the call that hands the RDD on which go, with the parameters that they are for."""
    reads: list[ast.expr] = field(default_factory=list)
    """Those in whose places variables of DataFrames stand."""
    floats: list[ast.Call] = field(default_factory=list)
    """Actions that sum floats."""

    @property
    def variables(self) -> dict[ast.stmt, str]:
        """The variables of RDDs in the callback, by the statements that bind them: of DataFrames, or gone."""
        assignments = (node for node in (*self.held, *self.dropped) if isinstance(node, ast.Assign))
        return {node: target.id for node in assignments if isinstance(target := node.targets[0], ast.Name)}

    def mentions(self, node: ast.AST) -> bool:
        """Whether code reads an RDD of the callback."""
        return any(isinstance(inner, ast.Name) and self.is_frame(inner) for inner in walk(node))

    def is_frame(self, name: ast.Name) -> bool:
        """Whether a name stands for an RDD of the callback where it is read or bound."""
        return name.id in self.frames and name.id not in self.callback.hidden_at(name)

    def is_gone(self, node: ast.AST) -> bool:
        """Whether a node is in code that goes, or has another form."""
        above: ast.AST | None = node
        while above is not None and above not in self.replaced and above not in self.dropped:
            above = self.parents.get(above)
        return above is not None

    @property
    def inner(self) -> Inner:
        """The changes in the code of the callback, and in queries that read its temp views."""
        return Inner(
            (*self.replaced.items(), *((argument, LEFT_OUT) for argument in self.unread)),
            renamed=tuple(self.renamed.items()),
            parameters=tuple((one, GONE) for one in self.unread.values()),
            before=(*self.above.items(), *((below, guard.put) for below, guard in self.guards.items())),
            dropped=tuple(self.dropped),
            reworded=tuple(self.reworded.items()),
            sessions=tuple(one for one in self.own_sessions if one in self.replaced),
            reads=tuple(one for one in (*self.own_sessions, *self.reads) if one in self.replaced),
        )
