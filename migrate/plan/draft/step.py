"""One operator on its way through a rule: its arguments, and all that its new code needs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from migrate.cached import cached_property
from migrate.columns import Helper, Origin, Refusal, Scalar
from migrate.columns import Scope as ColumnScope
from migrate.columns.element import unsettled
from migrate.columns.schema import parse_schema
from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation, Program
from migrate.model import Options
from migrate.plan.choices import Choices
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.basis import Names
from migrate.plan.draft.needs import Needs, Sliding
from migrate.plan.frames.frame import Frame
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.guards import may_come_without_input
from migrate.proofs.callbacks.printed_time import keeps_time_without_rows, only_prints_time
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.elements.read_as_lists import read_as_lists
from migrate.proofs.values.column_names import column_scope
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.proofs.values.settled import argument
from migrate.syntax.copies import changed
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.trace import Trace

Made = TypeVar("Made")
NONE: Mapping[ast.expr, Scalar] = MappingProxyType({})


class Step:
    """One operator on its way through a rule."""

    def __init__(
        self,
        attempt: Attempt,
        operation: Operation,
        line: Line,
        columns: Callable[[str], Columns | None],
        hint: str | None = None,
        per_batch: Mapping[ast.expr, Scalar] = NONE,
        callback: ast.AST | None = None,
    ) -> None:
        self._attempt = attempt
        self.basis = attempt.basis
        self.operation = operation
        self.line = line
        """The line of the program that is planned."""
        self.columns = columns
        """The forms of an operator on columns by its name, for a method of RDDs with the same name."""
        self.hint = hint
        """The program's name for the new stream or its elements, if it has one."""
        self.per_batch = per_batch
        """What functions of elements read that is the same for all of a batch, as columns."""
        self.callback = callback
        """The function whose code is planned, where that is what the operator is given."""
        self.refused = ""
        """The reason why the call is not on columns."""
        self.parses = False
        """Whether its new code parses JSON, or checks what was learnt, and names the record in errors."""
        self.by_ascii: frozenset[ast.AST] = frozenset()
        """Calls of ``lower`` and ``upper`` whose texts filters leave out where they are not ASCII."""

    def inner(self, call: ast.Call) -> Step:
        """The step of a method of an RDD in this call's callback; it shares the needs of this one."""
        operation = Operation(self.operation.use, call, self.operation.parents)
        hint = _name_of_element(call, self.facts.of(call).above)
        return Step(self._attempt, operation, self.line, self.columns, hint, self.per_batch, self.callback)

    def knowing(self, per_batch: Mapping[ast.expr, Scalar]) -> Step:
        """The same step, where more expressions are known to be the same for all elements of a batch."""
        more = {**self.per_batch, **per_batch}
        return Step(self._attempt, self.operation, self.line, self.columns, self.hint, more, self.callback)

    def within(self, callback: ast.AST) -> Step:
        """The same step for the code of its callback, whose names are those of the module that this is in."""
        parts = (self.operation, self.line, self.columns, self.hint, self.per_batch)
        return Step(self._attempt, *parts, callback)

    def attempt(self, form: Callable[[Step], Made]) -> Made:
        """Try a form: its needs are kept only if it is not refused."""
        attempt = self._attempt.copy()
        parts = (self.operation, self.line, self.columns, self.hint, self.per_batch, self.callback)
        apart = Step(attempt, *parts)
        made = form(apart)
        self._attempt = apart._attempt
        return made

    def either(self, first: Callable[[Step], Made], second: Callable[[Step], Made]) -> Made:
        """What the first form makes, or the second one if that is refused; the needs of a refused one go.

        Raises:
            Refusal: both are, for the reason of the first one.
        """
        before = self._attempt.needs, self.parses
        try:
            return first(self)
        except Refusal as refusal:
            self._attempt.needs, self.parses = before
            try:
                return second(self)
            except Refusal:
                self._attempt.needs, self.parses = before
                raise refusal from None

    # --- what is known --------------------------------------------------------------------------------------

    @property
    def program(self) -> Program:
        """The graph."""
        return self.basis.program

    @property
    def facts(self) -> Facts:
        """The facts on the names of the module."""
        return self.basis.facts.of(self.callback or self.operation.call)

    @property
    def trace(self) -> Trace:
        """The trace of the program."""
        return self.basis.trace

    @property
    def options(self) -> Options:
        """The options of the user."""
        return self.basis.options

    @property
    def choices(self) -> Choices:
        """The choices that the whole graph needs."""
        return self.basis.choices

    @property
    def in_python(self) -> bool:
        """Whether the operator's function stays Python as a whole, without columns of its parts."""
        return self.operation.call in self.choices.as_python

    @property
    def names(self) -> Names:
        """The variables and functions of the new code."""
        return self.basis.names

    @property
    def target(self) -> str | None:
        """The variable of the stream that the call reads."""
        return self.basis.targets.get(self.operation.parents[0])

    @property
    def slides_with(self) -> Sliding | None:
        """The window whose slides are the only times at which the operator's stream has a batch."""
        stream = self.operation
        while stream.parents:
            stream = stream.parents[0]
            window = self.known.windows.get(stream)
            if window is not None and window.every:
                return window
        return None

    @property
    def repeats(self) -> bool:
        """Whether the stream that it reads may have elements without input, as a running state has."""
        return may_come_without_input(self.operation, self.facts)

    # --- what is needed -------------------------------------------------------------------------------------

    @property
    def needs(self) -> Needs:
        """The needs of this form so far."""
        return self._attempt.needs

    @property
    def known(self) -> Needs:
        """Its needs, and those that were accepted before."""
        return self._attempt.known

    def need(self, **more: Any) -> None:
        """Add to the needs, by the names of their parts."""
        if "first_guard" in more and self.slides_with is not None and not self.known.queues:
            del more["first_guard"]  # no slide has ended at the start
        self._attempt.need(**more)

    def imports(self, name: str) -> None:
        """Need an import."""
        self.need(imports=frozenset({name}))

    def note(self, *notes: str) -> None:
        """Tell the user of something."""
        self.need(notes=notes)

    def must_change(self, *texts: str) -> None:
        """Tell the user what callers or deployments must change."""
        self.need(must_change=texts)

    def unsafe(self) -> None:
        """Mark the call as one whose new form may give another result, which the user allowed."""
        self.need(unsafe=frozenset({self.operation.use}))

    def fresh(self, wanted: str, *, anywhere: bool = False) -> str:
        """A new name; see `Attempt.fresh`."""
        return self._attempt.fresh(wanted, anywhere=anywhere)

    def helper(self, helper: Helper) -> str:
        """Add a function to the module; return its name there."""
        return self._attempt.helper(helper)

    def helper_name(self, wanted: str) -> str:
        """The name that a function of the module has, or will have."""
        return self._attempt.helper_name(wanted)

    def now(self) -> str:
        """An expression for the current time; see `Attempt.now`."""
        return self._attempt.now()

    def batch_time(self, *, kept: bool = False, printed: bool = False) -> str:
        """The variable of the batch time.

        Args:
            kept: whether more is done with it than to print it, also for a batch without rows.
            printed: whether it is only printed, as part of some text.
        """
        self.need(keeps_time=not printed)
        if kept:
            self.need(first_guard=True)
            if self.options.has_no_batch_time:
                self.unsafe()
        return self._attempt.time(printed=printed)

    def window_time(self) -> str:
        """The variable of the time of a batch that windows go by; see `Attempt.window_time`."""
        if self.options.has_no_batch_time:
            self.unsafe()
        return self._attempt.window_time()

    def milliseconds(self, each: str) -> str:
        """The variable of the batch time in milliseconds, of which an interval has `each`; see `Attempt`."""
        self.need(first_guard=True)
        return self._attempt.milliseconds(each)

    def time(self, callback: Callback) -> str:
        """The variable of the batch time, for a callback; None for one that does not read it."""
        if callback.time is not None and next(callback.reads(callback.time), None) is None:
            return "None"
        printed = only_prints_time(callback, self.facts)
        if self.options.has_no_batch_time and not printed:
            self.unsafe()
        return self.batch_time(kept=keeps_time_without_rows(callback, self.facts), printed=printed)

    def learnt(self) -> None:
        """Mark the call as one whose new form rests on types that were learnt."""
        self.need(learnt=frozenset({self.operation.use}))

    # --- arguments ------------------------------------------------------------------------------------------

    def arguments(self, *names: str) -> dict[str, ast.expr]:
        """The call's arguments by the names of the operator's parameters.

        Raises:
            Blocked: they are spread from a list or dict, or do not fit the parameters.
        """
        call = self.operation.call
        found: dict[str, ast.expr] = {}
        if any(isinstance(argument, ast.Starred) for argument in call.args) or len(call.args) > len(names):
            raise self.blocked("its arguments are not written out")
        found.update(zip(names, call.args, strict=False))
        for keyword in call.keywords:
            if keyword.arg not in names or keyword.arg in found:
                raise self.blocked("its arguments are not those of the operator")
            found[keyword.arg] = keyword.value
        return found

    def function(self, *names: str) -> ast.expr:
        """The function that the operator is given.

        `names` are the operator's parameters, the function first.
        """
        found = self.arguments(*names)
        if names[0] not in found:
            raise self.blocked("its function is missing")
        return found[names[0]]

    def partitions(self, found: dict[str, ast.expr]) -> None:
        """Note the number of partitions that the call asks for.

        Raises:
            Blocked: the number is not a literal.
        """
        node = found.get("numPartitions")
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return
        if not (isinstance(node, ast.Constant) and isinstance(node.value, int)):
            raise self.blocked("its number of partitions is not a literal")
        self.need(partitions=frozenset({node.value}))

    def shown(self, node: ast.expr) -> str:
        """An expression of the program as a message shows it: on one line."""
        return self.basis.shown(node)

    def blocked(self, why: str) -> Blocked:
        """Why this call keeps the graph from becoming native."""
        return Blocked(why, self.operation.use, operator=self.operation.operator)

    def argument(self, node: ast.expr, called: str = "function") -> str:
        """An argument as code of the batch function; one that is not loop-invariant is evaluated before.

        Args:
            node: the argument.
            called: the name of a variable for it.

        Raises:
            Blocked: it would have to be evaluated in a function of which more is left.
        """
        if is_loop_invariant(node, self.facts):
            return quoted(node)
        if self.line.scope not in (self.program.scope, *self.basis.place.consumed):
            raise self.blocked("its argument must be evaluated once, in another function")
        name = self.fresh(called)
        self.need(early=(f"{name} = {quoted(node)}",))
        return name

    # --- functions on columns -------------------------------------------------------------------------------

    @property
    def scope(self) -> ColumnScope:
        """The names that the call's functions may read, for the compiler, and what is known of JSON."""
        return changed(self._scope, by_ascii=self.by_ascii) if self.by_ascii else self._scope

    @cached_property
    def _scope(self) -> ColumnScope:
        """The same, whatever later filters leave out."""
        variant = self.options.spark.has_variant and not self.basis.guards.fail_as_python_does
        node = self.operation.use.node
        # another module has been imported by then
        line = node.lineno if node in self.facts.above else sys.maxsize
        known = column_scope(line, self.facts)
        home = self.program.tree.root_of(self.program.scope) is self.facts.tree
        inner = self._inner_functions
        scope = changed(
            known,
            functions={**known.functions, **inner} if inner else known.functions,
            readable=frozenset(known.constants.keys() | known.imports.keys()) if home else frozenset(),
            # a column would read it by its name; a function is imported, or has its names imported
            settled=known.settled if home or self.line.scope in self.basis.place.per_batch else unsettled,
            given=lambda node: argument(node, self.callback, known, self.facts),
            settled_type=known.settled_type,
            guards=self.basis.guards,
            has_json=bool(self.options.json_schemas or self.basis.learnt),
            has_variant=variant
            and (bool(self.basis.learnt) or self.choices.bare_variants)
            and not self.choices.json_in_python,
            bare_variants=self.choices.bare_variants,
            parse_json_fails=self.options.spark.parse_json_fails,
            learnt_calls=self.basis.learnt,
            as_lists=read_as_lists(self.operation, self.facts),
            origin=self.origin,
            learnt=self.basis.learnt.get(self.operation.call),
            per_batch=self.per_batch,
        )
        streams = (self.operation, *self.operation.parents)
        named = {self.basis.targets[stream] for stream in streams if stream in self.basis.targets}
        for name, ddl in self.options.json_schemas:
            if name in named:
                return changed(scope, json=(ddl, parse_schema(ddl)))
        return scope

    @property
    def _inner_functions(self) -> dict[str, ast.FunctionDef]:
        """The functions that a callback defines, by names that nothing else in the module has."""
        callback, bindings = self.callback, self.facts.bindings
        return {
            node.name: node
            for node in (walk(callback) if isinstance(callback, ast.FunctionDef) else ())
            if isinstance(node, ast.FunctionDef) and node is not callback and not node.decorator_list
            if bindings.get(node.name) == [node] and self.program.tree.scope_of(node) is callback
        }

    @property
    def origin(self) -> Origin:
        """Where records come from, as far as the source's columns say it."""
        named = self.basis.needs_places and self.choices.places
        return self.basis.origin if named or self.basis.origin is not Origin.KAFKA else Origin.UNKNOWN

    def scope_of(self, place: int | None) -> ColumnScope:
        """The same for a function that makes one item of each new element, or all of it for None."""
        scope = self.scope
        if place is None or scope.learnt is None:
            return scope
        return changed(scope, learnt=scope.learnt.place(place))


class Columns(Protocol):
    """An operator on columns: each form returns the DataFrame of a stream, given that of its parent."""

    def column(self, step: Step, *frames: Frame) -> Frame:
        """By expressions of columns."""

    def python(self, step: Step, *frames: Frame) -> Frame:
        """By a typed Python function."""


def _name_of_element(call: ast.Call, above: Mapping[ast.AST, ast.AST]) -> str | None:
    """What the next lambda of a chain calls an element: ``rdd.flatMap(f).map(lambda word: (word, 1))``."""
    method = above.get(call)
    following = above.get(method) if isinstance(method, ast.Attribute) else None
    match following:
        case ast.Call(args=[ast.Lambda(args=ast.arguments(args=[parameter])), *_]):
            return parameter.arg
    return None
