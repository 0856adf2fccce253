"""Plans the native form of a graph, line by line in program order."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Sequence
from contextlib import suppress

from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.place import NO_OUTPUT
from migrate.graph.program import Line, Operation
from migrate.graph.starting import StartedElsewhere
from migrate.knowledge.streaming import QUEUE
from migrate.model import Options, Tier
from migrate.plan.advance import advance
from migrate.plan.arranged import Arranged, Forms
from migrate.plan.bare_variants import are_columns, may_be_columns
from migrate.plan.beginning import begin
from migrate.plan.callbacks.cassandra_tables import read_tables
from migrate.plan.callbacks.late_batches import late_batches
from migrate.plan.callbacks.once_a_batch import once_a_batch
from migrate.plan.certain_failures import certain_failures
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.branches import branches_of
from migrate.plan.draft.conditions import check_dead, check_guard, rather_ask
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.held_tests import HeldTests
from migrate.plan.draft.plan import Plan
from migrate.plan.draft.rule import Rules
from migrate.plan.elements.static_frames import check_statics
from migrate.plan.frames.frame import LOOKING, Frame, is_part
from migrate.plan.frames.stages import check_not_within
from migrate.plan.modules.new_modules import new_modules
from migrate.plan.modules.notes import HIVE, notes_of
from migrate.plan.names.moved_names import carry_variables, give_moved_names, leave_out_streams
from migrate.plan.new_code.code import Code, Makes, Written
from migrate.plan.new_code.inner import Inner, Put
from migrate.plan.query.backfills import check_backfill
from migrate.plan.query.exits import leave_exits
from migrate.plan.query.failed_batches import ends_unseen
from migrate.plan.query.graph_outputs import Outputs
from migrate.plan.query.record_by_record import RecordByRecord
from migrate.plan.query.restarts import TAKEN_OVER, check_restart
from migrate.plan.settings.ansi_notes import ansi_notes, must_change_for_ansi
from migrate.plan.settings.old_platform import leave_old_platform
from migrate.plan.settings.older_spark import older_spark_notes
from migrate.plan.settings.pinned_spark import find_spark
from migrate.plan.sources.only_elements import name_number
from migrate.plan.sources.sources import Sources
from migrate.plan.states.states import States
from migrate.plan.stream_functions.bound_in_branches import BoundInBranches
from migrate.plan.stream_functions.cached_rdds import why_left_out
from migrate.plan.stream_functions.called_per_batch import CalledPerBatch
from migrate.plan.stream_functions.chosen_streams import ChosenStreams
from migrate.plan.stream_functions.stream_variables import StreamVariables
from migrate.plan.windows.by_slide import BY_SLIDE, TRIGGER
from migrate.plan.windows.held_windows import Windows
from migrate.plan.windows.window_values import WindowValues
from migrate.trace import Graph, Trace

IN_PYTHON = "its JSON has no form on columns"
DEAD = "no output reads this stream, so it is left out"
STORED = "it stores Kafka's offsets for the next start, which the query's checkpoint does now"
KEEPS = "remember is left out: a query keeps the rows of a batch until that is done"


def plan_graph(
    graph: Graph, trace: Trace, options: Options, rules: Rules, choices: Choices | None = None
) -> Plan:
    """The native form of a graph.

    Args:
        graph: one StreamingContext with its streams.
        trace: the trace of the program.
        options: the user's.
        rules: give the rule of each operator.
        choices: those that another program needs, with which this one shares code.

    Raises:
        Blocked: none is proven to be the same.
    """
    forms, choices = Forms(graph, trace), choices or Choices()
    if may_be_columns(graph, trace, options):
        with suppress(Blocked):
            plan = _planned(graph, forms, trace, options, rules, choices | Choices(bare_variants=True))
            if are_columns(plan):
                return plan
    return _planned(graph, forms, trace, options, rules, choices)


def _planned(
    graph: Graph, forms: Forms, trace: Trace, options: Options, rules: Rules, choices: Choices
) -> Plan:
    """The native form of a graph that begins with some choices; see `plan_graph`.

    One whose JSON is to be columns is given up as soon as something asks for Python.
    """
    while True:
        typed: set[ast.Call] = set()
        try:
            return _first(forms, trace, options, choices, rules, typed)
        except RatherError as rather:
            if choices.bare_variants and (rather.more.json_in_python or rather.more.as_rdd):
                raise Blocked(IN_PYTHON) from None
            choices |= rather.more
        except Blocked:
            if choices.slide is not None and not choices.counts_slides:
                choices |= Choices(counts_slides=True)
            elif choices.bare_variants:
                raise
            elif typed:
                choices |= Choices(dict.fromkeys(typed, ""))
            elif not choices.queues_of_rdds and any(use.name == QUEUE for use in graph.uses):
                choices |= Choices(queues_of_rdds=True)
            else:
                raise


def _first(
    forms: Forms,
    trace: Trace,
    options: Options,
    choices: Choices,
    rules: Rules,
    typed: set[ast.Call],
) -> Plan:
    """The first form that is the same; `typed` gets the operators that were typed functions."""
    first: Blocked | None = None
    planned: Blocked | None = None
    """The first reason that is not about the place of the batch function, but about what it does."""
    for form in forms:
        other: Arranged | None = form
        while other is not None:
            form, planner = other, None
            try:
                basis, names = begin(form, trace, options, choices)
                planner = _Planner(Draft(basis, rules, names))
                return planner.plan()
            except Blocked as blocked:
                if planner is not None and planner.basis.has_chosen_sink:
                    raise RatherError(Choices(in_batches=True)) from None
                last = blocked
            except RatherError as rather:
                # in batches there may be a form that needs no such choice
                if planner is not None and planner.basis.prints and not rather.more.own_names:
                    raise RatherError(Choices(in_batches=True)) from None
                raise
            finally:
                typed |= planner.draft.typed if planner is not None else set()
            other = form.dissolving(planner.inside if planner is not None else ())
        if planner is None:
            first = last if first is None or isinstance(first, StartedElsewhere) else first
        else:
            planned = planned or last
    raise planned or first or Blocked(NO_OUTPUT)


LEFT_OUT = "it is left out: nothing uses the context"


class _Planner:
    """Plans one program.

    Attributes:
        draft: what has been planned so far.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.basis = draft.basis
        self.program = draft.basis.program
        self._sources = Sources(draft)
        self._states = States(draft)
        self._windows = Windows(draft)
        self._values = WindowValues(draft, self._windows)
        self._records = RecordByRecord(draft)
        self._tests = HeldTests(draft)
        self._versions: Counter[str] = Counter()
        """How often each variable of the batch function has been bound."""
        self._seen: dict[Operation, int] = {}
        """The version of its variable that each stream was given."""
        self._told: set[ast.stmt] = set()
        branches = BoundInBranches(self._versions)
        check = self._values.check_not_given
        self._functions = CalledPerBatch(draft, self._versions, self._seen, branches, check)
        self._chosen = ChosenStreams(draft, branches, self._functions, self._tests, self._seen)
        self._variables = StreamVariables(draft, self._functions, self._versions)
        self._outputs = Outputs(draft, self._records)

    @property
    def inside(self) -> Container[ast.AST]:
        """The functions of DataFrames that the line which is planned is in."""
        return self._functions.entered

    def plan(self) -> Plan:
        """The plan of all lines.

        Raises:
            Blocked: something in them has no native form.
            RatherError: it needs more choices.
        """
        draft = self.draft
        draft.note(*([HIVE] if self.basis.session.has_hive else []), *self.basis.session.notes)
        files = self.program.graph.files
        draft.must_change(*must_change_for_ansi(self.basis.trace, self.basis.options, files))
        draft.note(*ansi_notes(self.basis.trace, self.basis.options, self.program.graph))
        draft.note(*older_spark_notes(self.basis.trace, self.basis.options.spark, files))
        draft.note(*([BY_SLIDE] if self.basis.slide is not None else []))
        give_moved_names(draft)
        carry_variables(draft)
        leave_out_streams(draft)
        if not self.program.reading.is_unused:
            self._records.check()
            for one in self.program.reading.in_order():
                self._functions.reach(one)
                if isinstance(one, Line):
                    self._line(one)
                elif one.stream in self.basis.live:
                    inside = self._functions.inside
                    self._chosen.write(one, self.basis.targets[one.stream], inside=inside)
            self._functions.reach(None)
            self._check_outputs()
            if draft.needs.empty_guard:
                if draft.needs.windows:
                    raise rather_ask(self.basis.choices)
                check_guard(self.basis, draft.stages)
            self._statics()
            self._check_queues()
            if self.basis.choices.places and self.basis.needs_places and not self.draft.needs.places:
                raise RatherError(Choices(unplaced=True))
            check_restart(draft)
            check_backfill(draft)
            draft.must_change(*certain_failures(draft), *ends_unseen(draft), *late_batches(draft))
            draft.note(*once_a_batch(draft))
            self._sources.check_names()
            if draft.query.inputs:
                draft.query.read(draft.fresh("sources", anywhere=True))
        self._context_sites()
        draft.note(*notes_of(draft))
        read_tables(draft)
        find_spark(draft)
        leave_old_platform(draft)
        leave_exits(draft)
        modules = new_modules(draft)
        needs = draft.needs
        told = (needs.notes, needs.must_change, needs.callers, needs.requires)
        found = (draft.tiers, draft.reasons, needs.unsafe, needs.learnt)
        return Plan(self.program, modules, self.basis.choices, *found, *told)

    def _check_outputs(self) -> None:
        """Refuse a graph that puts nothing out and would lose its Python code, or only empty its queues.

        Raises:
            Blocked: it is one.
        """
        queues = any(source.operator == QUEUE for source in self.program.sources)
        if not self.program.outputs and (
            queues or {Tier.RDD, Tier.PYTHON}.intersection(self.draft.tiers.values())
        ):
            raise Blocked(NO_OUTPUT)

    def _check_queues(self) -> None:
        """Leave the RDDs of queues as they are where RDD code reads them.

        Raises:
            RatherError: some does, and they are DataFrames.
        """
        queues = [source for source in self.program.sources if source.operator == QUEUE]
        frames = any(isinstance(self.draft.stages.get(source), Frame) for source in queues)
        if frames and Tier.RDD in self.draft.tiers.values():
            raise RatherError(Choices(queues_of_rdds=True))

    def _statics(self) -> None:
        """Let the program's own RDDs that batches are joined with be DataFrames."""
        needs = self.draft.needs
        check_statics(needs.statics, needs.static_reads, self.basis.facts)
        for statement, static in needs.statics.items():
            made = replace(static.value, target=static.name)
            self.draft.outside.replaced[statement] = [Written(made, makes=Makes.FRAME)]

    # --- lines ----------------------------------------------------------------------------------------------

    def _line(self, line: Line) -> None:
        draft = self.draft
        for call in self.program.reading.ways[line][:-1]:
            # the comments of a call that goes move to the stream that the call returned
            branch = any(condition.branch is call for condition in line.when)
            own = self._functions.inside  # those of such a function stay at its call
            if call in draft.outside.deleted and call not in self._told and not (branch or own):
                self._told.add(call)
                draft.body.pending.append(call)
        before = len(draft.needs.early)
        if self._functions.inside:
            self._functions.check(line)
        branches = branches_of(line.when, draft.basis, self._tests.name)
        draft.body.branches = () if self._functions.inside else branches
        within = () if line.operations[-1].is_output else self._within()
        self._operations(line)
        draft.body.branches = ()
        early = draft.needs.early[before:]
        if not early:
            draft.body.pending[:0] = within
        if early and line.when:
            raise _blocked(line, "its argument must be evaluated once, and before a branch")
        if self._functions.inside:
            if early:
                raise _blocked(line, "its argument must be evaluated once")
            self._functions.finish(line)
        elif early:
            self._put_early(line, early, within)

    def _put_early(self, line: Line, early: Sequence[Code], within: tuple[ast.stmt, ...]) -> None:
        """Write what must be there before the batch function, where the program has a line.

        The comments of the line go with its stream or output, if that is in the batch function.
        """
        draft = self.draft
        # a function of streams that goes has its call
        statement = draft.place_of(line) if line.scope is self.program.scope else draft.call_of(line)
        made = draft.outside.replaced.pop(statement, [])
        if made:
            draft.outside.write(statement, early, within)
            draft.outside.replaced[statement] += made
            return
        first, *others = early
        puts = (Put(first, replaces=within), *map(Put, others))
        draft.need(inner=Inner(before=tuple((statement, put) for put in puts)))

    def _within(self) -> tuple[ast.stmt, ...]:
        """Take the statements whose functions became parts of a typed function, for their comments."""
        stages = ((line, self.draft.stages.get(line.operations[-1])) for line in self.program.lines)
        inner = {line.statement for line, stage in stages if isinstance(stage, Frame) and is_part(stage)}
        return self.draft.body.melted(inner)

    def _operations(self, line: Line) -> None:
        draft, basis = self.draft, self.basis
        for operation in line.operations:
            draft.body.planned = (operation,)
            self._check_current(operation)
            self._check_columns(operation)
            self._windows.begin(operation)
            if operation in self.program.offsets.operations:
                continue
            if operation not in basis.live:
                check_dead(basis, operation)
                remembers = operation.operator == "remember"
                draft.decided(operation.use, *((Tier.CONTEXT, KEEPS) if remembers else (Tier.COLUMN, DEAD)))
            elif not self._functions.inside and self._values.plan(operation, line):
                pass
            elif operation.is_source:
                self._sources.plan(operation, line)
            elif operation.is_output:
                self._outputs.plan(operation, line)
            else:
                draft.stages[operation] = advance(draft, operation, line)
                if operation is basis.state:
                    self._states.of_query(operation, line)
                elif operation in basis.kept:
                    self._states.kept(operation, line)
                elif operation in draft.needs.windows:
                    self._windows.plan(operation, line)
                number = name_number(draft, operation, line)
                if number is not None:
                    self._windows.only(operation, number)
            if operation in draft.stages:
                self._seen[operation] = self._versions[draft.stages[operation].variable]
        last = line.operations[-1]
        target = basis.targets.get(last)
        if target is None or last not in basis.live or last.is_source or self._values.finish(line):
            return
        self._variables.name(line, last, target)
        if draft.stages[last].variable == target:
            self._versions[target] += 1
        self._seen[last] = self._versions[draft.stages[last].variable]

    def _check_current(self, operation: Operation) -> None:
        """Refuse a stream whose variable was bound again since.

        Raises:
            Blocked: it was, though its variable is no name.
            RatherError: it was.
        """
        for parent in operation.parents:
            stage = self.draft.stages.get(parent)
            if stage is not None and self._seen[parent] != self._versions[stage.variable]:
                if stage.variable not in self.basis.choices.own_names:
                    raise RatherError(Choices(own_names=frozenset({stage.variable})))
                raise Blocked(f"`{stage.variable}` is bound again before its stream is read", operation.use)

    def _check_columns(self, operation: Operation) -> None:
        """Have RDD code make elements that no columns hold, for an operator that calls no function of them.

        One in another function of streams does not see those functions, either.

        Raises:
            RatherError: its parents have such elements.
        """
        scope_of = self.program.tree.scope_of
        scope = scope_of(operation.call)
        for parent in operation.parents:
            stage = self.draft.stages.get(parent)
            if not isinstance(stage, Frame):
                continue
            looks = operation.operator in LOOKING or (
                operation.operator == "transform" and not is_part(stage)
            )
            if not looks or any(scope_of(part.call) is not scope for part in stage.within):
                check_not_within(stage)

    # --- the context ----------------------------------------------------------------------------------------

    def _context_sites(self) -> None:
        """Set the tier of all other calls: they are the context's."""
        for use in self.program.graph.uses:
            if use not in self.draft.tiers:
                rule = self.draft.rules(use.name)
                why = rule.summary if rule is not None else "it has no counterpart and is left out"
                if self.program.reading.is_unused:
                    why = LEFT_OUT
                elif use is self.program.constructor and self.basis.slide is not None:
                    why = TRIGGER
                elif any(use is one.use for one in self.program.offsets.operations):
                    why = STORED
                elif use.name in ("cache", "persist"):
                    why = why_left_out(use, self.draft)
                elif use.name == "checkpoint" and self.program.goes_on is not None:
                    why = TAKEN_OVER
                self.draft.decided(use, Tier.CONTEXT, why)


def _blocked(line: Line, why: str) -> Blocked:
    """Why the call that a line ends with keeps the graph from becoming native."""
    last = line.operations[-1]
    return Blocked(why, last.use, operator=last.operator)
