"""Plans what becomes of states: the query's aggregate, or what the batch function keeps of each batch."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.columns import Refusal
from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation
from migrate.plan.code import Written
from migrate.plan.planning import Planning
from migrate.plan.stages import Frame
from migrate.plan.step import Step
from migrate.rules import rule_for
from migrate.rules.update_state_by_key import UpdateStateByKey

KEPT = (
    "a state beside other outputs is kept by the executors from batch to batch: the query fails where one of "
    "them is lost, and a restart begins anew, as without `getOrCreate`"
)
ADDS_MORE = "DStream adds what it reads in an interval without input too, and no batch may come then"


class PlannedStates(Planning):
    """The part of a planner that sees to states."""

    def state(self, operation: Operation, line: Line) -> None:
        """Plan the query's aggregate: it stands outside, and the batch function gets all keys of every batch.

        Raises:
            Blocked: it is no aggregate of columns.
        """
        made = self.made
        stage = made.stages[operation]
        if not isinstance(stage, Frame):
            raise Blocked("it is not proven to be an aggregate of columns", operation.use)
        own = operation is line.operations[-1] and line.target is not None
        name = (
            line.target
            if own and line.target
            else made.facts.fresh("windows" if made.event_time else "totals")
        )
        made.outside.setdefault(line.statement, []).append(Written(replace(stage.chain, target=name)))
        made.streaming = name
        made.output_mode = "complete"
        if made.event_time is not None:
            made.output_mode = "update" if made.options.watermark is None else "append"
        made.imports.add("F")
        inside = stage.named(made.batch)
        rule = rule_for("updateStateByKey")
        initial, _ = made.folds.get(operation, (None, None))
        if initial is not None and isinstance(rule, UpdateStateByKey):
            try:
                inside, assignment, old = rule.with_initial(Step(made, operation, None), inside)
            except Refusal as refusal:
                raise Blocked(f"`updateStateByKey`: {refusal.reason}", operation.use) from None
            if made.has_session(old):
                made.outside[old] = [Written(assignment)]
            else:
                made.outside[line.statement].insert(0, Written(assignment))
                made.place.deleted.append(old)
                made.pending_comments.append(old)
            self.inside(replace(inside.chain, target=name), None)
            inside = inside.named(name)
            made.reads_all = True
        made.stages[operation] = inside

    def kept(self, operation: Operation, line: Line) -> None:
        """Plan a state that the batch function keeps: it adds what the batch brings to that of those before.

        Raises:
            Blocked: it may get something without input too, or has no such form.
        """
        made = self.made
        stage = made.stages[operation]
        rule = rule_for("updateStateByKey")
        assert isinstance(rule, UpdateStateByKey)
        if Step(made, operation, None).repeats:
            raise Blocked(f"`{operation.operator}`: {ADDS_MORE}", operation.use)
        own = operation is line.operations[-1] and line.scope is self.program.scope
        bound = line.target if own and line.target and made.facts.only_binding(line.target) else None
        name = bound or made.facts.fresh("totals", anywhere=True)
        made.batch_uses += 1
        made.notes[KEPT] = None
        made.reasons[operation.use] = "each batch is added to a running sum that the batch function keeps"
        added = stage.materialised() if isinstance(stage, Frame) else stage
        statement: ast.stmt | None = line.statement
        if added.calls:
            variable = made.facts.fresh("added")
            self.inside(replace(added.chain, target=variable), statement)
            added, statement = added.named(variable), None
        try:
            state, made.states[name] = rule.with_state(Step(made, operation, None), added, name)
        except Refusal as refusal:
            raise Blocked(f"`updateStateByKey`: {refusal.reason}", operation.use) from None
        self.inside(replace(state.chain, target=name), statement)
        made.stages[operation] = state.named(name)
