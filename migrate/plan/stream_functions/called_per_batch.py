"""Functions of streams that stay where they are, as functions of DataFrames that the batch function calls."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.operations import Chosen, Entry, Line, Operation, upstream
from migrate.plan.advance import is_read_inside
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.branches import branches_of
from migrate.plan.draft.draft import Body, Draft
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.row_elements import has_objects
from migrate.plan.frames.stages import Stage, makes
from migrate.plan.new_code.code import Chain, Written, calling
from migrate.plan.new_code.function_call import Argument, as_it_stands, before_value
from migrate.plan.new_code.inner import Inner, Put
from migrate.plan.states.function_states import declare_states
from migrate.plan.stream_functions.bound_in_branches import BoundInBranches
from migrate.plan.stream_functions.chosen_streams import with_names_of_other
from migrate.plan.stream_functions.function_parameters import GivenVariables, annotate, annotation_of
from migrate.plan.stream_functions.several_calls import SeveralCalls
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.syntax.code_names import names_in_code
from migrate.syntax.quoting import quoted

OF_SLIDE = "only the batch function can hold a window with a slide, or one of numbers"
OF_GIVEN = "a window in a function would hold the RDD that this is given, which others release"
GIVEN = "`{}` is given what must be evaluated once: `{}`"


@dataclass
class _Entered:
    """A function that is being planned, and what to go on with after it."""

    entry: Entry
    function: ast.FunctionDef
    call: ast.Call
    arguments: list[Argument]
    basis: Basis
    body: Body
    stages: dict[Operation, Stage]
    versions: dict[str, int]
    seen: dict[Operation, int]


class CalledPerBatch:
    """Enters and leaves such functions, line by line."""

    def __init__(
        self,
        draft: Draft,
        versions: Counter[str],
        seen: dict[Operation, int],
        branches: BoundInBranches,
        check: Callable[[Operation], None],
    ) -> None:
        """The functions of a draft.

        Args:
            draft: the plan so far.
            versions: how often each variable has been bound where the plan is.
            seen: the version of its variable that each stream was given.
            branches: follows how branches bind variables.
            check: refuses to give a stream that is no DataFrame or RDD.
        """
        self.draft = draft
        self._versions = versions
        self._seen = seen
        self._branches = branches
        self._check_given = check
        self._stack: list[_Entered] = []
        self._calls = SeveralCalls(draft)
        self._unnamed = 0
        self._given = GivenVariables(draft)

    @property
    def inside(self) -> bool:
        """Whether the line that is planned is one of such a function."""
        return bool(self._stack)

    @property
    def entry(self) -> Entry:
        """The run of the innermost function."""
        return self._stack[-1].entry

    @property
    def entered(self) -> list[ast.FunctionDef]:
        """The functions that the line which is planned is in, the outer ones first."""
        return [one.function for one in self._stack]

    def reach(self, line: Line | Chosen | None) -> None:
        """Leave the functions that a line is not in, and enter those that it is in; leave all for None."""
        chain: list[Entry] = []
        entry = line.entry if line is not None else None
        while entry is not None and entry.function in self.draft.basis.place.per_batch:
            chain.insert(0, entry)
            entry = entry.outer
        while self._stack and [one.entry for one in self._stack] != chain[: len(self._stack)]:
            self._branches.reach_call(self.entry)
            self._leave()
        for entry in chain[len(self._stack) :]:
            self._branches.reach_call(entry)
            self._enter(entry)
        self._branches.reach(line)

    def _enter(self, entry: Entry) -> None:
        draft, basis = self.draft, self.draft.basis
        function, call = entry.function, entry.call
        assert isinstance(function, ast.FunctionDef) and call is not None
        inside: dict[Operation, Stage] = {}
        given_code: list[Written] = []
        arguments: list[Argument] = []
        if isinstance(call.func, ast.Attribute) and not is_loop_invariant(
            call.func.value, basis.facts.of(call)
        ):
            raise Blocked(GIVEN.format(function.name, ast.unparse(call.func.value)), at=call)
        if call in basis.program.reading.unbound:
            raise Blocked(GIVEN.format(function.name, ast.unparse(call.args[0])), at=call)
        positional = [*zip(basis.program.tree.given_by(function), call.args, strict=False)]
        named = [(keyword.arg, keyword.value) for keyword in call.keywords]
        for number, (name, given) in enumerate([*positional, *named]):
            operation = entry.given.get(name or "")
            argument = as_it_stands(given)
            if operation is not None:
                self._check_given(operation)
                stage = draft.stages[operation]
                if isinstance(stage, Frame):
                    if stage.kept or has_objects(stage.element):
                        raise Blocked(
                            f"`{function.name}` is given more than the elements of a stream", at=call
                        )
                    stage = stage.materialised()
                if operation in inside:
                    raise Blocked(f"`{function.name}` is given one stream twice", at=call)
                assert name is not None
                stage = self._calls.given(function, name, stage)
                inside[operation] = stage.named(name)
                annotate(draft, annotation_of(function, name), stage)
                made = stage.chain
                if made.text != name:
                    given_code.append(Written(replace(made, target=name)))
                argument = Argument(
                    made.text,
                    is_variable=stage.is_held,
                    makes_rdd=made.makes_rdd,
                    has_ones=made.has_ones,
                )
            elif not is_loop_invariant(given, basis.facts.of(call)):
                assert name is not None
                argument = Argument(self._evaluated_once(entry, given, name), is_variable=True)
            is_named = number >= len(positional)
            before = before_value(name) if is_named else ""
            arguments.append(replace(argument, before=before, parameter=name or ""))
        known = (dict(draft.stages), dict(self._versions), dict(self._seen))
        self._stack.append(_Entered(entry, function, call, arguments, basis, draft.body, *known))
        self._versions.clear()
        self._seen.update(dict.fromkeys(inside, 0))
        draft.stages.clear()
        program = replace(basis.program, scope=function)
        facts = Facts(program, basis.trace)
        draft.basis = replace(basis, program=program, facts=facts, around=basis.of_batch)
        draft.body = Body(around=[*draft.body.above, *given_code])
        draft.stages.update(inside)
        self._calls.enter(function)

    def _evaluated_once(self, entry: Entry, given: ast.expr, parameter: str) -> str:
        """The variable of an argument that is evaluated where the function was called, and not in each batch.

        Args:
            entry: the run of the function.
            given: the argument.
            parameter: its parameter.

        Raises:
            Blocked: the call stands in a branch, or in another function.
        """
        draft, call = self.draft, entry.call
        assert call is not None and isinstance(entry.function, ast.FunctionDef)
        program = draft.basis.program
        if self.inside or entry.own_when or program.tree.scope_of(call) is not program.scope:
            raise Blocked(GIVEN.format(entry.function.name, ast.unparse(given)), at=call)
        variable = draft.fresh(parameter)
        put = Put(f"{variable} = {quoted(given)}")
        draft.need(inner=Inner(before=((program.tree.statement_of(call), put),)))
        return variable

    def _leave(self) -> None:
        draft = self.draft
        entered = self._stack[-1]
        declare_states(draft, entered.function, draft.body.states)
        self._return(entered)
        self._stack.pop()
        first = draft.basis.program.reading.entries[entered.function][0]
        self._calls.leave(entered.function, again=entered.entry is not first)
        result = entered.entry.result
        body, stage = draft.body, draft.stages[result] if result is not None else None
        draft.basis, draft.body = entered.basis, entered.body
        draft.stages.update(entered.stages)
        self._versions.clear()
        self._versions.update(entered.versions)
        self._seen.update(entered.seen)
        draft.body.states_of_functions |= {**body.states_of_functions, **body.states}
        draft.body.global_states += body.global_states
        draft.body.readers += body.readers
        draft.body.outputs += body.outputs
        draft.body.takes_frames += [one for one in body.takes_frames if one not in draft.body.takes_frames]
        draft.body.uses += body.uses
        branches = branches_of(entered.entry.own_when, draft.basis)
        draft.body.branches = () if self.inside else branches
        draft.body.reads_all |= body.reads_all and not branches
        draft.body.keeps_batch &= body.keeps_batch
        if stage is not None:
            annotate(draft, entered.function.returns, stage)
        statement: ast.stmt | None = draft.basis.program.tree.statement_of(entered.call)
        alone = getattr(statement, "value", None) is entered.call
        times = self._given.of(entered.function)
        named = bool(entered.call.keywords)
        given = [Argument(one, before=before_value(one) if named else "", is_variable=True) for one in times]
        call = calling(entered.call.func, *entered.arguments, *given)
        if result is not None and stage is not None and (isinstance(statement, ast.Assign) or not alone):
            only = len(result.consumers) == 1 and not isinstance(statement, ast.Assign)
            if self._is_argument(entered.call) or (self.inside and not alone and only):
                draft.stages[result] = replace(stage.named(call.base), is_made=True)
                self._seen[result] = 0
                return
            bound = statement.targets[0] if isinstance(statement, ast.Assign) and alone else None
            target = ast.unparse(bound) if bound is not None else ""
            if not target or self._hides(target):
                target, bound = self._name_of(entered.function, stage), None
            in_attribute = bound is not None and not isinstance(bound, ast.Name)
            call = replace(call, target=target, in_attribute=in_attribute)
            draft.stages[result] = stage.named(target)
            if isinstance(stage, Frame) and not self.inside:
                draft.body.variables[result] = target
            self._versions[target] += 1
            self._seen[result] = self._versions[target]
        elif isinstance(statement, ast.Return) and result is not None and stage is not None:
            call = replace(call, returned=True)
            draft.stages[result], self._seen[result] = stage, 0
        what = makes(stage) if stage is not None else None
        statement = statement if alone else None
        if self.inside:
            if statement is None:
                raise Blocked("its result is used in an expression: assign it to a name", at=entered.call)
            self._calls.write(self._stack[-1].function, statement, [Written(call, makes=what)])
        else:
            draft.body.planned = (*entered.entry.given.values(),)
            draft.body.write(call, statement, what)
        draft.body.branches = ()

    def _return(self, entered: _Entered) -> None:
        """Let a function return the variable that its result is in, which may have another name than it had.

        Raises:
            Blocked: it is in none.
        """
        final, result = entered.function.body[-1], entered.entry.result
        if result is None or not isinstance(final, ast.Return) or not isinstance(final.value, ast.Name):
            return
        stage = self.draft.stages[result]
        if result.is_chosen and not stage.variable:
            return  # each part returns its own
        if stage.calls:
            raise Blocked(f"`{final.value.id}` is returned and has no variable", at=final)
        if stage.variable != final.value.id:
            self._calls.write(entered.function, final, [Written(Chain(stage.variable, returned=True))])

    def check(self, line: Line) -> None:
        """Refuse a line of such a function that reads a stream which the function is not given.

        Raises:
            Blocked: it does.
        """
        for operation in line.operations:
            for parent in operation.parents:
                if parent not in line.operations and parent not in self.draft.stages:
                    why = "it reads a stream of another function, which this one is not given"
                    raise Blocked(why, operation.use, operator=operation.operator)

    def finish(self, line: Line) -> None:
        """Put the new statements of a line where it stands, in its function.

        Raises:
            Blocked: they need what only the batch function has.
        """
        draft = self.draft
        last = line.operations[-1]
        if isinstance(line.statement, ast.Return):
            stage = draft.stages[last]
            if isinstance(stage, Frame):
                stage = with_names_of_other(last, stage, draft.stages).materialised()
            draft.body.write(replace(stage.chain, returned=True), line.statement, makes(stage))
            draft.stages[last] = stage.named("")
        written, draft.body.statements = draft.body.statements, []
        draft.body.done += written
        here = {*draft.stages, last} - {*self.entry.given.values()}
        made = upstream(last) & here
        read = frozenset().union(*(draft.times_read[one] for one in made))
        held = self._held_by_windows(line, written)
        self._given.give(self.entered, read | held, last)
        own = [
            replace(one, replaces=tuple(old for old in one.replaces if old is not line.statement))
            for one in written
        ]
        self._calls.write(self._stack[-1].function, line.statement, own, line.argument)

    def _held_by_windows(self, line: Line, written: Sequence[Written]) -> frozenset[str]:
        """The variables of the batch function for what windows hold, and how long, that a line reads.

        Raises:
            Blocked: the batch function alone can hold a window of the line.
        """
        needs = self.draft.needs
        for operation in line.operations:
            window = needs.windows.get(operation)
            if window is None:
                continue
            if window.every or window.value is not None:
                raise Blocked(OF_SLIDE, operation.use)
            added = window.added
            if isinstance(added, Rdd) and not added.calls and added.base in self.entry.given:
                raise Blocked(OF_GIVEN, operation.use)
        variables = {*needs.durations, *(window.name for window in needs.windows.values())}
        codes = (text for one in written for text in one.texts())
        return names_in_code(*codes).variables & variables

    def rewrite(self, statement: ast.stmt, new: Written) -> None:
        """Put a statement in the place of one in the function that is planned."""
        self._calls.write(self._stack[-1].function, statement, [new])

    def has_readers(self, line: Line) -> bool:
        """Whether all that reads the stream of a line is made in the function that is planned."""
        program = self.draft.basis.program
        readers = line.operations[-1].consumers
        lines = {*program.removed, *(one.statement for one in program.lines)}
        inside = (one.entry is line.entry for one in program.lines if {*readers} & {*one.operations})
        return all(inside) and not is_read_inside(line, program, lines)

    def _hides(self, target: str) -> bool:
        """Whether a variable of the batch function would hide a function that it calls."""
        basis = self.draft.basis
        functions = (one for one in basis.place.per_batch if basis.program.tree.class_of(one) is None)
        return any(one.name == target for one in functions)

    def _is_argument(self, call: ast.Call) -> bool:
        """Whether a call is what another such function is given."""
        above = self.draft.basis.program.tree.above[call]
        return any(above in calls for calls in self.draft.basis.place.per_batch.values())

    def _name_of(self, function: ast.FunctionDef, stage: Stage) -> str:
        """A name for what a function returns: its own one."""
        last, names = function.body[-1], self.draft.basis.names
        value = last.value if isinstance(last, ast.Return) else None
        if isinstance(value, ast.Name):
            return self.draft.fresh(value.id)
        wanted = names.rows if isinstance(stage, Frame) else names.rdd
        self._unnamed += 1
        return wanted if self._unnamed == 1 else self.draft.fresh(wanted)
