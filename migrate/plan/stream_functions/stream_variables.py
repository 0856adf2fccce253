"""The variables of streams, which hold DataFrames, RDDs or states now."""

from __future__ import annotations

from collections import Counter

from migrate.frozen import replace
from migrate.graph.program import Line, Operation, upstream
from migrate.plan.advance import deferred
from migrate.plan.callbacks.cassandra import saving
from migrate.plan.callbacks.typed_at_once import typed_at_once
from migrate.plan.draft.draft import Draft
from migrate.plan.elements.summed_next import are_only_counted
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage, makes
from migrate.plan.sources.source_names import name_one_of_several, name_source
from migrate.plan.states.function_states import name_state
from migrate.plan.stream_functions.cached_rdds import persist_inside
from migrate.plan.stream_functions.called_per_batch import CalledPerBatch
from migrate.plan.stream_functions.chosen_streams import with_names_of_other
from migrate.proofs.functions.pure_functions import only_computes


class StreamVariables:
    """Assigns streams to the variables that the program has for them.

    Args:
        draft: what has been planned so far.
        functions: the functions of DataFrames that the batch function calls.
        versions: how often each variable of the batch function has been bound.
    """

    def __init__(self, draft: Draft, functions: CalledPerBatch, versions: Counter[str]) -> None:
        self._draft = draft
        self._basis = draft.basis
        self._functions = functions
        self._versions = versions

    def name(self, line: Line, last: Operation, target: str) -> None:
        """Assign the line's stream to its variable, unless the code that reads it includes it."""
        draft = self._draft
        stage = draft.stages[last]
        if isinstance(stage, Frame) and stage.only is not None and stage.only.code == target:
            return
        inside = self._functions.inside
        if isinstance(stage, Frame):
            draft.need(frames={line.statement: target})
        if deferred(line, stage) and (not inside or self._functions.has_readers(line)):
            draft.body.pending.append(line.statement)
            return
        if isinstance(stage, Frame):
            stage = stage if inside else typed_at_once(draft, last, stage)
            stage = with_names_of_other(last, stage, draft.stages)
            counted = not inside and are_only_counted(last)
            stage = stage.with_what_differs(keys=True) if counted else stage.materialised(target)
            if counted and not stage.calls:  # ones beside what another variable holds
                draft.body.pending.append(line.statement)
                draft.stages[last] = stage
                return
        is_plain = not (stage.calls or inside)
        inputs = dict(draft.query.inputs)
        if is_plain and stage.base in (self._basis.names.batch, draft.query.streaming, *inputs):
            draft.stages[last] = stage
            self._name_source(line, last, target)
        elif is_plain and isinstance(stage, Frame) and stage.shown is not None:
            draft.body.pending.append(line.statement)
        elif not stage.calls and (stage.base == target or last in self._basis.kept):
            draft.stages[last] = stage
            if inside and stage.base != target:
                name_state(draft, self._functions.entry, line, target)
        elif self._is_second_name(line, stage) or self._is_held_already(line, stage):
            draft.stages[last] = stage
        else:
            draft.stages[last] = self._assigned(line, last, stage, target)

    def _name_source(self, line: Line, last: Operation, target: str) -> None:
        """Let the source, or the batch, stand for a line that changes nothing of it, with its comments."""
        draft, stage = self._draft, self._draft.stages[last]
        if last is self._basis.state or draft.needs.idle.issuperset(line.operations):
            return  # what a comment says of an idle line is no longer there
        sources = [statement for _, statement in draft.query.sources]
        is_shown = isinstance(stage, Frame) and stage.shown is not None
        of_sink = is_shown and self._basis.foreach is not None
        if not is_shown and name_one_of_several(draft, line, target, stage.base):
            self._versions[target] += 1
            draft.stages[last] = stage.named(target)
        elif of_sink or not draft.outside.take_over(line.statement, sources):
            draft.body.pending.append(line.statement)
        elif not is_shown:
            name_source(draft, line, target)
            if stage.base not in (self._basis.names.batch, draft.query.streaming):
                draft.stages[last] = stage.named(draft.query.streaming)

    def _assigned(self, line: Line, last: Operation, stage: Stage, target: str) -> Stage:
        """Write the assignment, above the batch function or in it; what the variable then holds."""
        draft, state = self._draft, self._basis.state
        made = replace(stage.held, target=target)
        if not self._basis.has_batches or (state is not None and last in upstream(state)):
            draft.write_above(line, made)
            if isinstance(stage, Frame):  # a streaming DataFrame is no more than its plan
                return replace(stage.named(target), is_sorted_last=stage.is_sorted_last)
            return stage.named(target)
        draft.body.write(made, line.statement, makes(stage))
        # what looks at the first dicts for their types would call functions for these once more
        is_kept = last.cached or any(saving(one) is not None for one in last.consumers)
        if isinstance(stage, Frame) or (
            not stage.only and (is_kept or only_computes(last, self._basis.facts))
        ):
            draft.body.variables[last] = target
        is_random = isinstance(stage, Frame) and draft.needs.changing
        if last.cached and (is_random or (isinstance(stage, Rdd) and not stage.only)):
            draft.body.cached[last] = draft.body.statements[-1]
            if self._functions.inside:
                persist_inside(draft, last, target)
        return stage.named(target)

    def _is_held_already(self, line: Line, stage: Stage) -> bool:
        """Whether a line makes what a variable of the batch function holds: the totals of a window."""
        is_alone = not (line.when or line.operations[-1].cached or self._functions.inside)
        is_held = not (stage.calls or stage.only or (isinstance(stage, Frame) and stage.shown is not None))
        return is_held and is_alone and self._basis.has_batches and stage.base in self._draft.body.states

    def _is_second_name(self, line: Line, stage: Stage) -> bool:
        """Whether a line changes nothing of a DataFrame that a variable of the batch function holds."""
        idle = self._draft.needs.idle.issuperset(line.operations)
        is_alone = not (line.when or line.operations[-1].cached or self._functions.inside)
        bound = isinstance(stage, Frame) and not (stage.calls or stage.only) and self._versions[stage.base]
        return bool(idle and self._basis.has_batches and is_alone and bound)
