"""Plans the native form of a graph, line by line in program order."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from migrate.columns import Refusal
from migrate.edits import OverlapError
from migrate.model import Options, Tier
from migrate.native.advance import advance, deferred, hint_for, live_operations
from migrate.native.blocked import Blocked
from migrate.native.conditions import (
    check_after_window,
    check_dead,
    check_exports,
    check_guard,
    check_lines,
    check_names,
    check_references,
    check_sources,
    states_of,
)
from migrate.native.facts import Facts
from migrate.native.outputs import Source
from migrate.native.placing import place
from migrate.native.plan import Plan, Written
from migrate.native.program import Line, Operation, Program, upstream
from migrate.native.session import existing_session, later_session, plan_session
from migrate.native.stage import (
    OBJECTS,
    Choices,
    Frame,
    RatherError,
    Rdd,
    Stage,
    has_objects,
    to_rdd,
)
from migrate.native.starting import NO_OUTPUT
from migrate.native.step import Step
from migrate.native.straight import read
from migrate.native.streaming import expression_of_source, target_of_source
from migrate.native.style import Style, one_line
from migrate.native.write import write
from migrate.nodes import parsed, walk
from migrate.rules import rule_for
from migrate.rules._rule import OutputRule, SourceRule
from migrate.rules.update_state_by_key import UpdateStateByKey
from migrate.trace import Graph, Trace

_SHUFFLES = re.compile(r"(?:groupBy|agg|orderBy|sort|distinct|dropDuplicates|repartition)\(")
UNUSED = "the context is made and never used, so it is left out"
NOT_STARTED = "nothing in this code starts the context: `{writer}.start()` starts the query"
NOBODY_STARTS = "`{function}` makes the context, and nothing in the files that were read starts it"
HIVE = "a `HiveContext` had Hive up to Spark 2.4, and has none by itself since: the new session has it"
SHOWN = "`{statement}` shows an object of the old API, and is left out"
SAID = "`{statement}` runs at every start; a DStream that went on from its checkpoint did not run it"
NO_EFFECT = "the setting `{key}` is for DStreams and has no effect on a query"
NOBODY_WAITS = (
    "a batch that fails ends the query, and nobody waits for it here to be told so; DStream went on with the"
    " next batch"
)
NO_EMPTY_BATCHES = "an interval without input runs no batch: nothing is printed or called for it"
REPEATED_STATE = "an interval without input runs no batch: the running state is not printed again for it"
KEPT = (
    "a state beside other outputs is kept by the executors from batch to batch: the query fails where one of "
    "them is lost, and a restart begins anew, as without `getOrCreate`"
)
ADDS_MORE = "DStream adds what it reads in an interval without input too, and no batch may come then"
DEAD = "no output reads this stream, so it is left out"


def migrate_graph(graph: Graph, trace: Trace, options: Options) -> tuple[Plan, str]:
    """The native form of a graph, and the new text of its file.

    Raises:
        Blocked: it has none that is proven to be the same.
    """
    choices = Choices()
    while True:
        used: set[ast.Call] = set()
        try:
            return _first(read(graph, trace), partial(_Planner, trace, options, choices, used))
        except RatherError as rather:
            choices |= rather.more
        except Blocked:
            if not used:
                raise
            choices |= Choices(dict.fromkeys(used, ""))


def _first(programs: Iterable[Program], planner: Callable[[Program], _Planner]) -> tuple[Plan, str]:
    """The first form that can be written."""
    first: Blocked | None = None
    for program in programs:
        try:
            plan = planner(program).plan()
            text = write(plan)
            parsed(text)
            return plan, text
        except Blocked as blocked:  # noqa: PERF203  (there are two or three)
            first = first or blocked
        except (SyntaxError, OverlapError) as error:
            # an error of ours; the program is better off on compat than unmigrated
            first = first or Blocked(f"its native form could not be written, please report it: {error}")
    raise first or Blocked(NO_OUTPUT)


class _Planner:
    def __init__(
        self,
        trace: Trace,
        options: Options,
        choices: Choices,
        over_arrow: set[ast.Call],
        program: Program,
    ) -> None:
        self.program = program
        facts = Facts(program, trace)
        found = place(program.reading, trace, program.tree, program.start, program.scope)
        self.made = Plan(program, found, facts, trace, options, choices, over_arrow)
        name = later_session(program, facts, trace) or facts.fresh("spark")
        existing = existing_session(program.tree, program.construction, trace)
        if program.carriers is not None:
            name = program.carriers.text_of(program.construction.targets[0], self.made.text)
            existing = existing if existing == name else None
        self.made.session_plan = plan_session(program, trace, name, existing)
        self.made.session = self.made.session_plan.name
        if self.made.session_plan.has_hive:
            self.made.notes[HIVE] = None
        self.made.batch = facts.fresh("batch")
        self.made.batch_id = facts.fresh("batch_id")
        apart = program.home is not program.scope
        self.made.query = facts.fresh("query", anywhere=apart)
        self.made.writer = facts.fresh("writer", anywhere=apart)
        self.made.function = facts.fresh("process_batch")
        self.made.rdd = facts.fresh("rdd")
        self.style = Style(self.made.text)
        self.block_indent = self.made.text.indent(found.anchor.lineno)
        self.live = live_operations(program)
        self._versions: Counter[str] = Counter()
        self._told: set[ast.stmt] = set()
        self._seen: dict[Operation, int] = {}

    def plan(self) -> Plan:
        made = self.made
        check_names(made)
        check_lines(made)
        check_exports(made)
        check_references(made)
        if self.program.reading.is_unused:
            self._context_sites()
            made.notes[UNUSED] = None
            return made
        check_sources(self.program, self.live)
        made.state, made.kept = states_of(
            self.program, self.live, made.options.event_time, apart=made.choices.keeps_states
        )
        check_after_window(made)
        self._local_names()
        for line in self.program.lines:
            self._line(line)
        check_guard(made)
        self._context_sites()
        for key in _streaming_settings(self.program.tree.tree):
            if key in made.mapped:
                continue
            made.notes[NO_EFFECT.format(key=key)] = None
        for statement in self.program.reading.said:
            made.notes[SAID.format(statement=made.text.of(statement))] = None
        for statement in self.program.reading.shown:
            made.notes[SHOWN.format(statement=made.text.of(statement))] = None
        if self.program.start is None:
            if not isinstance(self.program.scope, ast.Module):
                raise Blocked(NOBODY_STARTS.format(function=self.program.scope.name))
            made.notes[NOT_STARTED.format(writer=made.writer)] = None
        names = {use.name for use in self.program.lifecycle}
        if "start" in names and not names & {"awaitTermination", "awaitTerminationOrTimeout"}:
            made.notes[NOBODY_WAITS] = None
        repeated = (made.state is not None and made.event_time is None) or bool(made.kept)
        if not made.queues:  # those have a batch in every interval
            made.notes[REPEATED_STATE if repeated else NO_EMPTY_BATCHES] = None
        return made

    def _local_names(self) -> None:
        """Streams of other functions and of attributes are variables of the batch function."""
        for line in self.program.lines:
            assert line.operations
            last = line.operations[-1]
            target = getattr(line.statement, "targets", [None])[0]
            foreign = line.scope is not self.program.scope or isinstance(target, ast.Attribute)
            name = line.target or self._name_of_result(line)
            if name is not None and foreign and not last.is_source:
                line.target = last.target = self._free_name(name.lstrip("_") or "rows")

    def _name_of_result(self, line: Line) -> str | None:
        """``words`` in ``words = words_of(lines)``, for what that function returns."""
        program = self.program
        call = program.reading.entered.get(line.scope) if line.scope is not None else None
        if call is None or not isinstance(line.statement, ast.Return):
            return None
        statement = program.tree.statement_of(call)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        own = isinstance(statement, ast.Assign) and statement.value is call and len(statement.targets) == 1
        return target.id if own and isinstance(target, ast.Name) else None

    def _free_name(self, wanted: str) -> str:
        """`wanted` where only lines that go bind it, else a new name."""
        facts, place = self.made.facts, self.made.place
        gone = {node for statement in place.deleted for node in walk(statement)}
        gone |= {node for line in self.program.lines for node in walk(line.statement)}
        bindings = [node for node in facts.bindings.get(wanted, ()) if facts.visible(node)]
        if bindings and all(node in gone for node in bindings):
            return wanted
        return facts.fresh(wanted)

    # --- lines ----------------------------------------------------------------------------------------------

    @property
    def _depth(self) -> int:
        return len(self.block_indent.expandtabs()) + len(self.style.indent.expandtabs())

    def _line(self, line: Line) -> None:
        made = self.made
        made.line = line
        made.early.clear()
        for call in self.program.reading.ways[line][:-1]:
            # what was said of a call that goes is said of what it made
            if call in made.place.deleted and call not in self._told:
                self._told.add(call)
                made.pending_comments.append(call)
        self._operations(line)
        if made.early:
            before = made.outside.get(line.statement)
            rows = [*([before.text] if before is not None else []), *made.early]
            made.outside[line.statement] = Written("\n".join(rows))

    def _operations(self, line: Line) -> None:
        made = self.made
        for operation in line.operations:
            self._check_current(operation)
            if operation not in self.live:
                check_dead(made, operation)
                made.tiers[operation.use] = Tier.COLUMN
                made.reasons[operation.use] = DEAD
            elif operation.is_source:
                self._source(operation, line)
            elif operation.is_output:
                self._output(operation, line)
            else:
                made.stages[operation] = advance(made, operation)
                if operation is made.state:
                    self._state(operation, line)
                elif operation in made.kept:
                    self._kept(operation, line)
            if operation in made.stages:
                self._seen[operation] = self._versions[made.stages[operation].base]
        last = line.operations[-1]
        if line.target is None or last not in self.live or last.is_source:
            return
        self._name(line, last)
        if made.stages[last].base == line.target:
            self._versions[line.target] += 1
        self._seen[last] = self._versions[made.stages[last].base]

    def _check_current(self, operation: Operation) -> None:
        """A variable may have been bound again since the stream that is read here was given its name."""
        for parent in operation.parents:
            stage = self.made.stages.get(parent)
            if stage is not None and self._seen[parent] != self._versions[stage.base]:
                raise Blocked(f"`{stage.base}` is bound again before its stream is read", operation.use)

    def _name(self, line: Line, last: Operation) -> None:
        """The line's stream gets its variable, unless what reads it says it all."""
        made = self.made
        stage = made.stages[last]
        assert line.target is not None
        if deferred(line, stage):
            made.pending_comments.append(line.statement)
            return
        if isinstance(stage, Frame):
            stage = stage.materialised(line.target)
        if not stage.calls and stage.base in (made.batch, made.streaming):
            made.stages[last] = stage
            made.pending_comments.append(line.statement)
            return
        if not stage.calls and stage.base == line.target:
            made.stages[last] = stage
            return
        if made.state is not None and last in upstream(made.state):
            text = self.style.chain(f"{line.target} = ", stage.base, stage.calls, len(self.block_indent))
            made.outside[line.statement] = Written(text)
        else:
            text = self.style.chain(f"{line.target} = ", stage.base, stage.calls, self._depth)
            self._inside(text, line.statement)
        made.stages[last] = stage.named(line.target)

    def _inside(self, text: str, statement: ast.stmt | None) -> None:
        made = self.made
        replaced = [*made.pending_comments, *([statement] if statement is not None else [])]
        made.pending_comments.clear()
        already = {old for written in made.inside for old in written.replaces}
        made.inside.append(Written(text, [old for old in replaced if old not in already]))

    def _source(self, operation: Operation, line: Line) -> None:
        made = self.made
        rule = rule_for(operation.operator)
        step = Step(made, operation, None)
        if not isinstance(rule, SourceRule):
            raise step.blocked("it has no native form yet")
        if not made.allowed(rule.id):
            raise step.blocked(f"the rule {rule.id} is switched off")
        source = rule.load(step)
        if made.event_time is not None:
            source = source.with_time(made.event_time, step)
        if source.fetch:
            self._fetched(source, operation, line)
            made.notes.update(dict.fromkeys(source.notes))
            made.tiers[operation.use] = Tier.CONTEXT
            made.reasons[operation.use] = rule.summary
            return
        if line.argument is not None and line.statement not in made.place.deleted:
            made.before[line.statement] = source.before
            made.arguments[line.argument] = one_line(made.session_at(operation.holder), source.calls)
            made.streaming = expression_of_source(made, operation)
            self._sourced(source, operation, rule.summary)
            return
        prefix, name = target_of_source(made, operation, line)
        if not prefix:
            name = made.facts.fresh(source.name)
            prefix = f"{name} = "
        depth = len(made.text.indent(line.statement.lineno))
        text = self.style.chain(prefix, made.session_at(operation.holder), source.calls, depth)
        made.outside[line.statement] = Written("\n".join([*source.before, text]))
        made.streaming = name or expression_of_source(made, operation)
        self._sourced(source, operation, rule.summary)

    def _sourced(self, source: Source, operation: Operation, summary: str) -> None:
        made = self.made
        made.notes.update(dict.fromkeys(source.notes))
        made.places = source.places
        made.shuffles |= bool(source.places)
        made.tiers[operation.use] = Tier.RDD if source.rdd else Tier.CONTEXT
        made.reasons[operation.use] = summary
        if source.element is None:
            made.stages[operation] = Rdd(made.batch, source.rdd, source.sure)
            return
        base = made.streaming if made.state is not None else made.batch
        kept = () if made.event_time is None else (made.event_time,)
        made.stages[operation] = Frame(base, (), source.element, source.sure, kept=kept)

    def _fetched(self, source: Source, operation: Operation, line: Line) -> None:
        """A source of RDDs: one DataFrame wakes the query for all of them."""
        made = self.made
        if line.scope is not self.program.scope:
            raise Blocked("the queue is made in another function than its streams", operation.use)
        rows = list(source.before)
        if not made.streaming:
            made.streaming = made.facts.fresh(source.name)
            depth = len(made.text.indent(line.statement.lineno))
            session = made.session_at(operation.holder)
            rows.append(self.style.chain(f"{made.streaming} = ", session, source.calls, depth))
        made.outside[line.statement] = Written("\n".join(rows))
        own = operation is line.operations[-1] and line.target is not None
        name = line.target if own and line.target else made.facts.fresh("rdd")
        self._inside(f"{name} = {source.fetch}", None)
        made.stages[operation] = Rdd(name, (), sure=True, exact=True)
        made.keeps_batch = False

    def _state(self, operation: Operation, line: Line) -> None:
        """The aggregation stands outside; the batch function gets all keys of every batch."""
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
        text = self.style.chain(f"{name} = ", stage.base, stage.calls, len(self.block_indent))
        before = made.outside.get(line.statement)
        made.outside[line.statement] = Written(f"{before.text}\n{text}" if before else text)
        made.streaming = name
        made.output_mode = "complete"
        if made.event_time is not None:
            made.output_mode = "update" if made.options.watermark is None else "append"
        made.imports.add("F")
        inside = replace(stage, base=made.batch, calls=())
        rule = rule_for("updateStateByKey")
        initial, _ = made.folds.get(operation, (None, None))
        if initial is not None and isinstance(rule, UpdateStateByKey):
            try:
                inside, assignment, old = rule.with_initial(Step(made, operation, None), inside)
            except Refusal as refusal:
                raise Blocked(f"`updateStateByKey`: {refusal.reason}", operation.use) from None
            made.outside[old] = Written(assignment)
            merged = self.style.chain(f"{name} = ", inside.base, inside.calls, self._depth)
            self._inside(merged, None)
            inside = inside.named(name)
            made.reads_all = True
        made.stages[operation] = inside

    def _kept(self, operation: Operation, line: Line) -> None:
        """The batch function adds what the batch brings to the state of those before it."""
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
            self._inside(self.style.chain(f"{variable} = ", added.base, added.calls, self._depth), statement)
            added, statement = added.named(variable), None
        try:
            state, made.states[name] = rule.with_state(Step(made, operation, None), added, name)
        except Refusal as refusal:
            raise Blocked(f"`updateStateByKey`: {refusal.reason}", operation.use) from None
        self._inside(self.style.chain(f"{name} = ", state.base, state.calls, self._depth), statement)
        made.stages[operation] = state.named(name)

    def _output(self, operation: Operation, line: Line) -> None:
        made = self.made
        rule = rule_for(operation.operator)
        step = Step(made, operation, None)
        if not isinstance(rule, OutputRule):
            raise step.blocked("it has no native form yet")
        if not made.allowed(rule.id):
            raise step.blocked(f"the rule {rule.id} is switched off")
        stage: Stage = made.stages[operation.parents[0]]
        if isinstance(stage, Frame) and has_objects(stage.element):
            raise step.blocked(OBJECTS)
        if isinstance(stage, Frame) and operation.operator != "pprint":
            stage = stage.elements_only()  # a person who looks at counts wants to know of which window
        printed = rule.output(step, stage)
        made.reads_all |= isinstance(stage, Frame) and any(_SHUFFLES.match(call) for call in stage.calls)
        if printed.variable is not None and (stage.calls or stage.base != printed.variable):
            self._variable(printed.variable, stage, column=printed.column, line=line, operation=operation)
        text = self.style.chain("", printed.base, printed.calls, self._depth)
        self._inside(text, line.statement)
        made.batch_uses += printed.uses if self._reads_batch(operation) else 0
        made.callback_edits.extend(printed.edits)
        made.tiers[operation.use] = Tier.COLUMN if printed.column else Tier.RDD
        made.reasons[operation.use] = rule.summary if printed.column else step.refused or rule.summary

    def _reads_batch(self, operation: Operation) -> bool:
        """Whether an output reads what the batch brings, and not only states that have been computed."""
        return any(
            parent not in self.made.kept and (parent.is_source or self._reads_batch(parent))
            for parent in operation.parents
        )

    def _variable(self, name: str, stage: Stage, *, column: bool, line: Line, operation: Operation) -> None:
        if isinstance(stage, Frame):
            stage = stage.materialised(hint_for(operation.parents[0])) if column else to_rdd(stage)
        self._inside(self.style.chain(f"{name} = ", stage.base, stage.calls, self._depth), line.statement)

    # --- the context ----------------------------------------------------------------------------------------

    def _context_sites(self) -> None:
        made = self.made
        for use in self.program.graph.uses:
            if use not in made.tiers:
                rule = rule_for(use.name)
                made.tiers[use] = Tier.CONTEXT
                made.reasons[use] = (
                    rule.summary if rule is not None else "it has no counterpart and is left out"
                )


def _streaming_settings(tree: ast.Module) -> list[str]:
    """Settings of DStreams that a program names: ``spark.streaming.backpressure.enabled``."""
    texts = [node.value for node in walk(tree) if isinstance(node, ast.Constant)]
    return sorted({text for text in texts if isinstance(text, str) and text.startswith("spark.streaming.")})
