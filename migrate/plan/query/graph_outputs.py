"""Outputs in the batch function, or as the sink of the query."""

from __future__ import annotations

from contextlib import suppress

from migrate.columns import Refusal
from migrate.frozen import replace
from migrate.graph.program import Line, Operation, upstream
from migrate.knowledge.cassandra import SAVE
from migrate.knowledge.streaming import ROWWISE, SAVES_TEXTS
from migrate.model import Tier
from migrate.plan.advance import hint_for
from migrate.plan.callbacks.cassandra import saving
from migrate.plan.choices import RatherError
from migrate.plan.draft.conditions import ELSE_NONE, NO_COUNT, may_be_left_out
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.outputs import Printed
from migrate.plan.draft.rule import OutputRule
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame, makes_each
from migrate.plan.frames.row_elements import has_json
from migrate.plan.frames.stages import Stage, check_not_named, check_not_within, check_objects, to_rdd
from migrate.plan.new_code.code import Makes, When, written
from migrate.plan.query.failed_batches import only_names
from migrate.plan.query.record_by_record import SINK, RecordByRecord
from migrate.plan.query.shuffled_once import shuffled_for
from migrate.plan.typed.by_schema import framed
from migrate.plan.typed.composed import texts_of
from migrate.plan.typed.shown_rows import bytes_shown, shown_within, texts_shown


class Outputs:
    """Writes the outputs of a program.

    Args:
        draft: what has been planned so far.
        records: plans queries without a batch function.
    """

    def __init__(self, draft: Draft, records: RecordByRecord) -> None:
        self._draft = draft
        self._basis = draft.basis
        self._records = records
        self._shuffled: set[Operation] = set()
        """What holds the RDDs behind shuffles that have been read."""

    def plan(self, operation: Operation, line: Line) -> None:
        """Write one output.

        Raises:
            Blocked: it has no native form.
            RatherError: it needs other choices.
        """
        draft, basis = self._draft, self._basis
        rule = draft.rules(operation.operator)
        step = draft.step(operation, line)
        if not isinstance(rule, OutputRule):
            raise step.blocked("it has no native form yet")
        if not self._basis.allowed(rule.id):
            raise step.blocked(f"the rule {rule.id} is switched off")
        stage: Stage = draft.stages[operation.parents[0]].after(operation.call)
        if isinstance(stage, Frame) and not basis.has_batches:
            check_not_within(stage)
        if self._records.is_chosen:
            self._records.plan(operation, step, stage, line)
            draft.decided(operation.use, Tier.COLUMN, SINK)
            return
        if isinstance(stage, Frame):
            stage = self._shown(step, stage)
        printed = self._asking(step, rule.output(step, stage))
        draft.accept(step)
        if basis.has_chosen_sink:
            self._records.of_output(operation, printed, stage, line)
            draft.decided(operation.use, Tier.COLUMN, SINK)
            return
        self._write(operation, line, printed, stage)
        tier = Tier.COLUMN if printed.column else Tier.RDD
        summary = step.needs.reasons.get(operation.use, rule.summary)
        draft.decided(operation.use, tier, summary if printed.column else step.refused or summary)

    def _asking(self, step: Step, printed: Printed) -> Printed:
        """The output of a count that a batch without rows has not, under the condition that it has some.

        Raises:
            Blocked: the output runs for batches without elements, or under another condition, or what it puts
                out is made of more than the count.
        """
        output, counted = step.operation, step.known.counted
        above = upstream(output) - {output}
        if not counted & above:
            return printed
        behind = [one for one in above - counted if counted & upstream(one)]
        is_plain = all(one.operator in ROWWISE for one in behind) and may_be_left_out(output, self._basis)
        if printed.when is not None or not is_plain:
            raise step.blocked(NO_COUNT)
        is_empty = f"{self._basis.names.batch}.isEmpty()"
        return replace(printed, when=When(f"not {is_empty}", opposite=is_empty, comment=ELSE_NONE))

    def _shown(self, step: Step, frame: Frame) -> Frame:
        """The DataFrame as an output gets it.

        Raises:
            Blocked: its elements have no form there.
            RatherError: Python code must make them.
        """
        operator = step.operation.operator
        if operator != "foreachRDD" or not has_json(frame.element):
            check_objects(frame)
        # what is printed as a table has its names
        if operator not in ("foreachRDD", "pprint", SAVE):
            check_not_named(frame)
        if operator == "foreachRDD":
            frame = frame.without_times()
        elif operator != "pprint" or frame.beside:
            frame = frame.elements_only()  # a person who looks at counts wants to know of which window
        if not frame.within:
            return bytes_shown(step, frame) if operator == "pprint" else frame
        made = framed(step, frame)
        if made is not None:
            return made
        if operator == SAVES_TEXTS:
            with suppress(Refusal):
                return step.attempt(lambda tried: texts_of(tried, frame))
        try:
            return shown_within(step, frame)
        except RatherError as other:
            if operator == "foreachRDD" and other.more.as_rdd and makes_each(frame):
                return frame  # the functions of its callback may call them
            if operator == "pprint" and other.more.as_rdd and not step.options.pprint_exact:
                with suppress(Refusal):
                    return step.attempt(lambda tried: texts_shown(tried, frame))
            raise

    def _write(self, operation: Operation, line: Line, printed: Printed, stage: Stage) -> None:
        """Write an output into the batch function."""
        body = self._draft.body
        if not line.when:
            body.sortable |= printed.sortable
            body.reads_all |= printed.whole or (isinstance(stage, Frame) and stage.whole)
        of_frame = printed.column or printed.rows
        what = Makes.FRAME if of_frame else Makes.RDD
        if printed.variable is not None and (stage.calls or stage.base != printed.variable):
            if isinstance(stage, Frame):
                hint = hint_for(operation.parents[0], self._basis.targets, self._basis.facts)
                stage = stage.materialised(hint) if of_frame else to_rdd(stage)
            is_new = body.variable_with(stage.chain) != printed.variable  # else another output has written it
            if is_new:
                # what is said of the output stands above it, where other lines of the program make its stream
                statement = None if body.pending else line.statement
                body.write(replace(stage.chain, target=printed.variable), statement, what)
            stream = operation.parents[0]
            keeps = stream.cached and not of_frame
            is_kept = isinstance(stage, Frame) or keeps or saving(operation) is not None
            if is_kept and not line.when:
                body.variables[stream] = printed.variable
            if keeps and is_new:
                body.cached[stream] = body.statements[-1]
        body.write(printed.code, line.statement, what, printed.when, map(written, printed.body))
        if printed.when is not None and printed.otherwise is not None:
            body.write(printed.otherwise, None, what, replace(printed.when, holds=False))
        body.direct = printed.direct
        body.outputs += [operation] * printed.uses
        body.takes_frames += [printed.takes_frame] if printed.takes_frame is not None else []
        if self._reads_batch(operation):
            is_view = printed.column and only_names(operation, self._basis.facts)
            body.uses += 0 if is_view else self._computes(operation, printed.uses)
            body.readers.append(operation)

    def _computes(self, output: Operation, uses: int) -> int:
        """How often the batch is computed for an output that reads its stream so many times."""
        holder = shuffled_for(output, self._draft.stages)
        if holder is None:
            return uses
        is_first = holder not in self._shuffled
        self._shuffled.add(holder)
        return int(is_first)

    def _reads_batch(self, operation: Operation) -> bool:
        """Whether an output reads what the batch brings, and not only states that have been computed."""
        return any(
            parent not in self._basis.kept
            and parent not in self._draft.needs.windows
            and (parent.is_source or self._reads_batch(parent))
            for parent in operation.parents
        )
