"""Plans the states: the query's aggregate, or a DataFrame that the batch function keeps."""

from __future__ import annotations

import ast
import re

from migrate.columns import Record, Refusal
from migrate.columns.names import is_telling, without_kind
from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation, upstream
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.every_interval import need_every_interval
from migrate.plan.draft.rule import Merged, StateRule
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import Stage, makes
from migrate.plan.names.state_names import kept_name
from migrate.plan.new_code.code import Call, Makes, Written
from migrate.plan.states.changed_keys import only_changed

KEPT = (
    "a state that the batch function keeps is with the executors from batch to batch: the query fails where "
    "one of them is lost, and a restart begins anew, as without `getOrCreate`"
)
OF_WINDOW = (
    "a state of what is in a window adds up the window of each batch: an interval that is missed because a "
    "batch took too long adds none"
)
ADDED = "each batch is added to a running sum that the batch function keeps"
UPDATES = "the program's own function updates a state that the batch function keeps"
TYPED = "a typed function updates a state that the batch function keeps"
UPDATE = "updateStateByKey"
_CAMEL = re.compile("[a-z][A-Z]")


class States:
    """Plans the states of a draft."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.basis = draft.basis

    def of_query(self, operation: Operation, line: Line) -> None:
        """Plan the query's aggregate: it stands outside, and the batch function gets all keys of every batch.

        Raises:
            Blocked: it is no aggregate of columns.
        """
        draft, basis = self.draft, self.basis
        stage = draft.stages[operation]
        if not isinstance(stage, Frame):
            raise Blocked("it is not proven to be an aggregate of columns", operation.use)
        name = self._target(operation, line)
        if not name:
            step = draft.step(operation, line)
            name = kept_name(step, "windows" if basis.event_time else "totals")
            draft.accept(step)
        initial, _ = draft.needs.folds.get(operation, (None, None))
        # with an initial state the program's name is that of both together
        streaming = name if initial is None else draft.fresh("since_start")
        above = upstream(operation)
        before = [one.statement for one in basis.program.lines if one.operations[-1] in above]
        stage = self._with_derived(operation, stage).materialised()
        draft.write_above(line, replace(stage.chain, target=streaming), draft.body.melted(before))
        draft.query.read(streaming)
        changed = "" if basis.event_time else only_changed(draft, operation, stage)
        draft.query.output_mode = "update" if changed else "complete"
        if basis.event_time is not None:
            draft.query.output_mode = "update" if basis.options.watermark is None else "append"
        base = basis.names.batch if basis.has_batches else streaming
        inside = replace(stage.named(base), whole=False)
        merged = initial is not None
        draft.stages[operation] = self._merged(operation, line, inside, name, changed) if merged else inside

    def _merged(self, operation: Operation, line: Line, inside: Frame, name: str, changed: str) -> Frame:
        """The state in the batch function, merged with the initial one: all of it, or the changed keys."""
        draft = self.draft
        step = draft.step(operation, line)
        try:
            merged = self._rule().with_initial(step, inside, changed)
        except Refusal as refusal:
            raise Blocked(refusal.reason, operation.use, operator=UPDATE) from None
        draft.accept(step)
        if merged.statement is not None:
            draft.outside.deleted.append(merged.statement)
        draft.body.write(f"{merged.name} = {merged.first}", merged.statement, makes(merged.stage))
        assert isinstance(merged.stage, Frame)
        draft.body.write(replace(merged.stage.chain, target=name), None)
        if changed:
            draft.body.uses += 1  # the batch is read by the join, too
        else:
            draft.body.variables[operation] = name
        draft.body.reads_all = True
        return merged.stage.named(name)

    def kept(self, operation: Operation, line: Line) -> None:
        """Plan a state that the batch function keeps and merges with each batch.

        Raises:
            Blocked: it has no such form.
            RatherError: it may change without input, so the query must run a batch in every interval.
        """
        draft, facts = self.draft, self.basis.facts
        stage = draft.stages[operation]
        step = draft.step(operation, line)
        if step.repeats:
            need_every_interval(step)
        # a function of DataFrames declares its own variable as one of those around it
        target = self._target(operation, line)
        own = target if line.scope is draft.basis.program.scope else None
        update = draft.needs.updates.get(operation)
        # the program's name is that of the items of a tuple
        is_apart = update is not None and isinstance(update.state, Record)
        is_apart = is_apart or operation in draft.needs.derivations
        bound = own if own and facts.only_binding(own) and not is_apart else None
        wanted = None if is_apart or target is None else _state_of(target)
        name = bound or (draft.fresh(wanted, anywhere=True) if wanted else "")
        if not name:
            name = kept_name(step, "totals" if update is None else "states")
            draft.accept(step)
        draft.note(KEPT)
        if upstream(operation) & draft.needs.windows.keys():
            draft.note(OF_WINDOW)
        else:
            draft.body.uses += 1
        draft.reasons[operation.use] = self._why(operation, stage)
        added = stage.materialised() if isinstance(stage, Frame) else stage
        statement: ast.stmt | None = line.statement
        if added.calls:
            variable = draft.body.variable_with(added.chain)
            if not variable:
                variable = draft.fresh(f"added_{name}" if self._has_others(line) else "added")
                draft.body.write(replace(added.chain, target=variable), statement, makes(added))
                statement = None
            added = added.named(variable)
        step = draft.step(operation, line)
        try:
            merged = self._rule().with_state(step, added, name)
        except Refusal as refusal:
            raise Blocked(refusal.reason, operation.use, operator=UPDATE) from None
        draft.accept(step)
        draft.body.states[name] = "" if self._takes_place(merged) else merged.first
        draft.body.write(replace(merged.stage.chain, target=name), statement, makes(merged.stage))
        kept = merged.stage.named(name)
        draft.stages[operation] = self._with_derived(operation, kept) if isinstance(kept, Frame) else kept
        changed = only_changed(draft, operation, added if isinstance(added, Frame) else None)
        if changed:
            self._changed(operation, merged.stage.named(name), added.base, changed)

    def _with_derived(self, operation: Operation, frame: Frame) -> Frame:
        """The state, with what its function makes of its sums."""
        derived = self.draft.needs.derivations.get(operation)
        return frame if derived is None else frame.holding(derived)

    def _why(self, operation: Operation, stage: Stage) -> str:
        if operation in self.draft.needs.updates:
            return TYPED
        return ADDED if isinstance(stage, Frame) else UPDATES

    def _changed(self, operation: Operation, state: Stage, added: str, keys: str) -> None:
        """Give the outputs of a state the keys that a batch changed."""
        draft = self.draft
        assert isinstance(state, Frame)
        found = state.call(Call("join", f'{added}, {keys}, "left_semi"'), shuffles=True, filtered=True)
        name = draft.fresh(f"changed_{state.base}" if len(draft.body.states) > 1 else "changed")
        draft.body.uses += 1
        draft.body.write(replace(found.chain, target=name), None, Makes.FRAME)
        draft.stages[operation] = self._with_derived(operation, found.named(name))

    def _takes_place(self, merged: Merged) -> bool:
        """Whether the first value of a state replaces a statement of the program."""
        draft, statement = self.draft, merged.statement
        if statement is None:
            return False
        if self.basis.has_session(statement):
            draft.outside.replaced[statement] = [
                Written(f"{merged.name} = {merged.first}", makes=makes(merged.stage))
            ]
            return True
        draft.outside.deleted.append(statement)
        draft.body.pending.append(statement)
        return False

    def _rule(self) -> StateRule:
        rule = self.draft.rules(UPDATE)
        assert isinstance(rule, StateRule)
        return rule

    def _has_others(self, line: Line) -> bool:
        """Whether several states are kept in the function of a line."""
        own = (one.operations for one in self.basis.program.lines if one.scope is line.scope)
        return sum(operation in self.basis.kept for operations in own for operation in operations) > 1

    def _target(self, operation: Operation, line: Line) -> str | None:
        """The variable that the program gives the state."""
        return self.basis.targets.get(operation) if operation is line.operations[-1] else None


def _state_of(variable: str) -> str | None:
    """The name of a state whose own is bound again: ``counts_state``; None if that says nothing of it."""
    name = without_kind(variable)
    if not is_telling(name) or name.lower().endswith(("state", "states")):
        return None
    return f"{name}{'State' if _CAMEL.search(name) else '_state'}"
