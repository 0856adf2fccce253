"""What the batch function does for sliding windows: it holds what each batch adds, and lets it go again.

What reads a window runs when that is due.
"""

from __future__ import annotations

import ast

from migrate.columns import leaves
from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation, upstream
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.needs import Sliding
from migrate.plan.frames.equal_plans import Outline, is_made_by, outline
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import makes
from migrate.plan.new_code.code import Call, Chain, When, Written, block
from migrate.plan.new_code.spark_types import type_name
from migrate.plan.windows.windows import APART, subtracted

SUMS = (
    "the sums that a window keeps are with the executors from batch to batch: the query fails where one of"
    " them is lost"
)
FALLS_OUT = "# it falls out of the window"
COMPUTED = "# before what it is made of is released"
LINEAGE = "else it would be computed from all batches before it"
KEEPS = "then DStream keeps keys with a sum of 0"
SLIDES = "streams with different slides, of which one has no batch at some times, are not joined natively"


class Windows:
    """Plans the windows of a draft."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._due: dict[Operation, tuple[When, ...]] = {}
        """The conditions under which a stream has a batch, of those that have not always one."""
        self._slides: dict[Operation, str] = {}
        """How often such a stream has a batch, as a text that is the same for the same slide."""
        self._persisted: set[Outline] = set()
        """The DataFrames that windows hold."""
        self._tests: dict[str, When] = {}
        """The conditions under which windows have a batch, by their slides."""
        self._loop: tuple[str, str] | None = None
        """The variables of all loops through what a window holds: a batch time and its rows."""

    def begin(self, operation: Operation) -> None:
        """Let what is written next run only when the parents of an operator have a batch.

        Raises:
            Blocked: they have not always one at the same times.
        """
        parents = operation.parents
        if operation is self.draft.basis.state and upstream(operation) & self.draft.needs.windows.keys():
            raise RatherError(Choices(keeps_states=True))
        if len({self._slides.get(parent, "") for parent in parents}) > 1:
            raise Blocked(SLIDES, operation.use, operator=operation.operator)
        self._due[operation] = self._due.get(parents[0], ()) if parents else ()
        self._slides[operation] = self._slides.get(parents[0], "") if parents else ""
        self.draft.body.due = self._due[operation]

    def plan(self, operation: Operation, line: Line) -> None:
        """Add what a batch gives to its window."""
        draft, body = self.draft, self.draft.body
        window = draft.needs.windows[operation]
        if not window.is_shared:
            self._add(window, operation)
        if window.negative is not None:
            self._update(window, operation, line.statement)
        self.slide(operation)
        if window.keeps:
            draft.note(SUMS)
        if window.keeps and window.negative is None:
            stage = draft.stages[operation]
            if not isinstance(stage, Frame):
                self._keep_rdd(window, stage, line.statement)
                draft.stages[operation] = stage.named(window.keeps)
                return
            body.states[window.keeps] = self._no_sums(stage)
            totals = window.keeps
            if window.keeps_if:
                totals = draft.basis.targets.get(operation) or draft.fresh("sums")
            body.write(replace(stage.chain, target=totals), line.statement, makes(stage))
            if window.keeps_if:
                kept = Written(Chain(totals, target=window.keeps))
                body.write(f"if {window.keeps_if}:", None, body=[kept], comment=f"# {KEEPS}")
            draft.stages[operation] = stage.named(totals)

    def slide(self, operation: Operation) -> None:
        """Let what is written next, and what reads a window, run only when the window has a batch."""
        window = self.draft.needs.windows[operation]
        if window.every:
            self._slides[operation] = window.every
            self.only(operation, self._is_due(window))

    def only(self, operation: Operation, when: When) -> None:
        """Let what is written next, and what reads a stream, run only under one more condition."""
        self._due[operation] = self.draft.body.due = (*self._due[operation], when)

    def always(self, operation: Operation, due: tuple[When, ...]) -> None:
        """Let what is written next, and what reads a stream, run under these conditions alone."""
        self._due[operation] = self.draft.body.due = due

    def _no_sums(self, stage: Frame) -> str:
        """Code of the first value of a variable for sums."""
        fields = ", ".join(f"{leaf.name} {type_name(leaf.shape)}" for leaf in leaves(stage.element))
        return f'{self.draft.basis.names.session}.createDataFrame([], "{fields}")'

    def _update(self, window: Sliding, operation: Operation, statement: ast.stmt) -> None:
        """Bring the sums of a window up to date, in each batch, and release what falls out."""
        draft, stage = self.draft, self.draft.stages[operation]
        if isinstance(stage, Rdd):
            self._keep_rdd(window, stage, statement)
            draft.body.write(f"{window.keeps}.count()", None, comment=COMPUTED)
        else:
            draft.body.states[window.keeps] = self._no_sums(stage)
            draft.body.write(replace(stage.chain, target=window.keeps), statement, makes(stage))
        self._release(window)
        draft.stages[operation] = stage.named(window.keeps)

    def _keep_rdd(self, window: Sliding, stage: Rdd, statement: ast.stmt) -> None:
        """Keep the sums of a window, which read those before, as an RDD."""
        draft, body, totals = self.draft, self.draft.body, window.keeps
        body.states[totals] = f"{draft.basis.names.session}.sparkContext.emptyRDD()"
        persists = "" if stage.calls else stage.base
        made = replace(stage.call(Call("persist", "")).chain, target=totals, persists=persists)
        body.write(made, statement, makes(stage))
        body.write(f"{totals}.localCheckpoint()", None, comment=f"# {LINEAGE}")

    def _add(self, window: Sliding, operation: Operation) -> None:
        """Put what a batch adds in its window, and take out what is too old, or subtract it from the sums."""
        draft, body, added = self.draft, self.draft.body, window.added
        if isinstance(added, Frame):
            added = self._apart(added)
        if added.calls:
            variable = body.variable_with(added.chain)
            if not variable:
                variable = draft.fresh(named_after("added", window))
                body.write(replace(added.chain, target=variable), None, makes(added))
            added = added.named(variable)
        if added.base == draft.basis.names.batch:
            body.keeps_batch = False  # the window does
        now, sums = draft.needs.window_time, window.keeps
        adds = Call("append", f"({now}, {added.base}.persist())", origin=(operation.call,))
        persisted = replace(adds, arguments=f"({now}, {added.base})")
        body.write(Chain(window.name, (adds,), persists=added.base, otherwise=(persisted,)), None)
        body.uses += not upstream(operation.parents[0]) & draft.needs.windows.keys()
        if window.negative is None:
            self._release(window)
            return
        body.write(f"{sums} = {sums}.union({added.base})", None)
        self._loop = self._loop or (draft.fresh("then"), draft.fresh("old"))
        then, old = self._loop
        less = Chain(sums, (Call("union", Chain(old, (window.negative,)).text),), target=sums)
        is_over = f"if {then} <= {now} - {subtracted(window.length, window.held)}:"
        inside = block(is_over, less, comment=FALLS_OUT)
        body.write(f"for {then}, {old} in {window.name}:", None, body=[inside])

    def _release(self, window: Sliding) -> None:
        """Take out of a window what is too old."""
        length = subtracted(window.length, window.held)
        test = f"while {window.name}[0][0] <= {self.draft.needs.window_time} - {length}:"
        self.draft.body.write(test, None, body=[released(window)])

    def _is_due(self, window: Sliding) -> When:
        """The condition under which windows with a slide have a batch, also when one was passed over."""
        is_due = self.draft.needs.slides[window.every].is_due
        return self._tests.setdefault(window.every, When(is_due))

    def _apart(self, added: Frame) -> Frame:
        """What a batch adds to a window, with a plan that no other DataFrame has which is persisted.

        The batch itself is, where it is computed more than once.
        """
        draft = self.draft
        if added.apart:
            return added
        # a source may be planned below a function that is given its stream, of which no window is held
        sources = map(draft.stages.get, draft.basis.program.sources)
        persisted = {outline(source.named("batch"), ()) for source in sources if isinstance(source, Frame)}
        own = outline(added, draft.body.above)
        in_function = draft.basis.around is not None
        is_batch = not (added.calls or in_function) and added.base == draft.basis.names.batch
        # what calls the function may persist what it gives to it
        is_given = in_function and is_made_by(own, draft.body.around)
        if is_given or own in self._persisted or (own in persisted and not is_batch):
            added = added.checkpointed(f"# {APART}")
        self._persisted.add(own)
        return added


def released(window: Sliding) -> Written:
    """The statement that takes the oldest batch out of a window, and releases it."""
    return Written(Chain(window.name, (Call("popleft", "", item=1), Call("unpersist", ""))))


def named_after(name: str, window: Sliding) -> str:
    """A name for a variable of a window, which says which one where that is named after its stream."""
    return f"{name}_{window.of_stream}" if window.of_stream else name
