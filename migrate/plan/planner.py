"""Plans the native form of a graph, line by line in program order."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

from migrate.codemod.edits import OverlapError
from migrate.codemod.write import write
from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation, Program, upstream
from migrate.graph.starting import NO_OUTPUT
from migrate.graph.straight import read
from migrate.model import Options, Tier
from migrate.plan.advance import advance, deferred, hint_for
from migrate.plan.conditions import (
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
from migrate.plan.every_interval import has_every_interval
from migrate.plan.plan import Plan, Written
from migrate.plan.side_by_side import OVER_TIME
from migrate.plan.sources import PlannedSources
from migrate.plan.stages import (
    OBJECTS,
    Choices,
    Frame,
    RatherError,
    Stage,
    has_objects,
    to_rdd,
)
from migrate.plan.states import PlannedStates
from migrate.plan.step import Step
from migrate.proofs.kept_between_elements import check_kept_between_elements
from migrate.proofs.order_in_batch import check_order_in_batch
from migrate.rules import rule_for
from migrate.rules._rule import OutputRule
from migrate.syntax.nodes import parsed, walk
from migrate.trace import Graph, Trace

_SHUFFLES = re.compile(r"(?:groupBy|agg|orderBy|sort|distinct|dropDuplicates|repartition)\(")
UNUSED = "the context is made and never used, so it is left out"
NOT_STARTED = "nothing in this code starts the context: `{writer}.start()` starts the query"
NOBODY_STARTS = "`{function}` makes the context, and nothing in the files that were read starts it"
SHOWN = "`{statement}` shows an object of the old API, and is left out"
SAID = "`{statement}` runs at every start; a DStream that went on from its checkpoint did not run it"
NO_EFFECT = "the setting `{key}` is for DStreams and has no effect on a query"
NOBODY_WAITS = (
    "a batch that fails ends the query, and nobody waits for it here to be told so; DStream went on with the"
    " next batch"
)
NO_EMPTY_BATCHES = "an interval without input runs no batch: nothing is printed or called for it"
REPEATED_STATE = "an interval without input runs no batch: the running state is not printed again for it"
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


class _Planner(PlannedSources, PlannedStates):
    def __init__(
        self,
        trace: Trace,
        options: Options,
        choices: Choices,
        over_arrow: set[ast.Call],
        program: Program,
    ) -> None:
        super().__init__(trace, options, choices, over_arrow, program)
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
        check_order_in_batch(made.facts, self.live)
        check_kept_between_elements(made.facts, self.live)
        apart = made.choices.keeps_states or self.several
        made.state, made.kept = states_of(self.program, self.live, made.options.event_time, apart=apart)
        if self.several and made.state is not None:
            raise Blocked(OVER_TIME, made.state.use)
        check_after_window(made)
        self._local_names()
        for line in self.program.lines:
            self._line(line)
        check_guard(made)
        self.check_names_of_sources()
        if made.inputs:
            made.streaming = made.facts.fresh("sources", anywhere=True)
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
        if not has_every_interval(made):
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
                self.source(operation, line)
            elif operation.is_output:
                self._output(operation, line)
            else:
                made.stages[operation] = advance(made, operation)
                if operation is made.state:
                    self.state(operation, line)
                elif operation in made.kept:
                    self.kept(operation, line)
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
            text = self.style.chain(f"{line.target} = ", stage.base, stage.calls, self.depth)
            self.inside(text, line.statement)
        made.stages[last] = stage.named(line.target)

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
        text = self.style.chain("", printed.base, printed.calls, self.depth)
        self.inside(text, line.statement)
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
        self.inside(self.style.chain(f"{name} = ", stage.base, stage.calls, self.depth), line.statement)

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
