"""The query: how it is made and started."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.draft import Draft, Sink
from migrate.plan.draft.interval import Interval
from migrate.plan.new_code.code import Call, Chain, Code, Makes, Written, links
from migrate.plan.new_code.inner import NOTHING, Inner, Parameters
from migrate.plan.query.ending import Ends, statement_of
from migrate.plan.query.failed_batches import sleep_of
from migrate.plan.query.restarts import checkpoint_option, goes_on_notes, own_checkpoint, tell_stored
from migrate.plan.sources.source_variables import spelled
from migrate.syntax.quoting import quoted
from migrate.trace import Use

ELSEWHERE = "several queries are started where the streams are made, and the context is started elsewhere"
ONE_CHECKPOINT = "several queries cannot go on from one checkpoint"


class Lifecycle:
    """The replacements of what a program calls of its context: ``start``, and what ends its query."""

    def __init__(self, draft: Draft, attempt: Attempt, function: str) -> None:
        """The replacements.

        Args:
            draft: the plan of all lines.
            attempt: gets what they need.
            function: code of the function that the query calls for each batch.
        """
        self.draft = draft
        self._attempt = attempt
        self._function = function
        self.basis = draft.basis
        self.program = draft.basis.program
        self._asked = draft.basis.options.trigger.argument
        """The argument of a trigger in place of the batch interval; empty if there is none."""
        self._queries = [draft.basis.names.query]
        """The variables of the queries."""
        self._queries += [draft.fresh("query", anywhere=True) for _ in draft.query.sinks[1:]]
        self.interval = Interval(draft.basis, draft.fresh("interval"))
        self.times: list[Chain] = []
        """The statements that give the variables of the batch's time their values, if it has some."""
        counted = draft.needs.window_time or draft.needs.milliseconds
        if draft.needs.batch_time or counted:
            has_none = self._asked and not counted
            self.times = attempt.times(None if has_none else self.interval.seconds())
        self.replaced: dict[ast.stmt, tuple[Written, ...]] = {}
        """Statements, each with its replacement."""
        self.inner = NOTHING
        self.notes: list[str] = []
        self.imports: set[str] = set()
        self.spread = any(
            self.program.tree.scope_of(use.node) is not self.program.home for use in self.program.lifecycle
        )
        """Whether the query is used in other functions than the one that starts it."""
        self._trigger()
        self.own_imports = self.interval.imports
        ends = Ends(draft, attempt, self._queries, self.interval, self._query_in_reach)
        for use in self.program.lifecycle:
            if use.name == "start":
                self._start(use)
            else:
                ends.end(use)
        self.replaced |= ends.replaced
        self.inner |= ends.inner
        self.notes += [*ends.notes, *ends.graceful.notes]
        self.imports |= ends.graceful.imports
        self.stopping = ends.graceful.stopping
        """The variable that says that no batch is to run any more; empty if nothing sets it."""

    def _replace(self, statement: ast.stmt, *codes: Code) -> None:
        self.replaced[statement] = tuple(Written(code, makes=Makes.QUERY) for code in codes)

    # --- making it ------------------------------------------------------------------------------------------

    def _made(self, *calls: Call, target: str = "", returned: bool = False) -> Chain:
        """The writer, or with ``start()`` the query, as a statement."""
        query = self.draft.query
        if query.sinks:
            return self._to_sink(query.sinks[0], *calls, target=target, returned=returned)
        # rows that no aggregate holds back can only be appended
        mode = () if self.basis.state is None else (Call("outputMode", f'"{query.output_mode}"'),)
        chain = (
            Call("writeStream"),
            *mode,
            Call("trigger", self._trigger()),
            Call("foreachBatch", self._function),
            *calls,
        )
        made = Chain(query.streaming, links(chain), target=target, returned=returned)
        return self._with_trigger(made)

    def _to_sink(self, sink: Sink, *calls: Call, target: str, returned: bool = False) -> Chain:
        """The same for a query without a batch function; real time knows update mode alone."""
        named = "update" if self.basis.options.trigger.is_real_time else self.draft.query.output_mode
        mode = (Call("outputMode", f'"{named}"'),) if named != "append" else ()
        trigger = Call("trigger", self._trigger())
        where = (*sink.calls, trigger) if sink.has_format else (trigger, *sink.calls)
        chain = links((Call("writeStream"), *mode, *where, *calls))
        made = Chain(sink.records.base, (*sink.records.calls, *chain), target=target, returned=returned)
        return self._with_trigger(made)

    def _with_trigger(self, made: Chain) -> Chain:
        seconds = None if self._asked else self.interval.figure()
        of_slide = self.basis.slide is not None
        return replace(made, has_trigger=True, seconds=seconds, of_slide=of_slide)

    def _trigger(self) -> str:
        """The argument of ``trigger``."""
        return self._asked or f"processingTime={self.interval.trigger()}"

    @property
    def writer(self) -> Chain | None:
        """The statement after the batch function, where the query is started in another function."""
        place = self.basis.place
        if place.attribute is not None:
            return self._made(target=f"{place.attribute}.{self._attribute('writer')}")
        if place.passed is not None or self.program.start is None:
            return self._made(target=self.basis.names.writer)
        if place.assigned is not None and place.returned is None:
            return (
                self._made(returned=True) if self.last is None else self._made(target=self.basis.names.writer)
            )
        return None

    @property
    def last(self) -> ast.stmt | None:
        """The statement that ``return writer`` follows; None where the writer itself is the last one."""
        place = self.basis.place
        if (
            place.assigned is None
            or place.returned is not None
            or not isinstance(place.scope, ast.FunctionDef)
        ):
            return None
        end = place.scope.body[-1]
        return end if end is not place.anchor else None

    def _attribute(self, wanted: str) -> str:
        """A name that no attribute in the module has."""
        tree = self.program.tree
        names = {node.attr for node in tree.of_kinds(ast.Attribute)}
        names |= {node.name for node in tree.of_kinds(ast.FunctionDef)}
        name, number = wanted, 2
        while name in names:
            name, number = f"{wanted}_{number}", number + 1
        return name

    # --- starting it ----------------------------------------------------------------------------------------

    def _start(self, use: Use) -> None:
        """Replace the call of ``start``."""
        place = self.basis.place
        statement = statement_of(use, self.program)
        kept_in = checkpoint_option(self.program) or own_checkpoint(self.basis, self._attempt)
        start = (*kept_in, Call("start", ""))
        tell_stored(self.basis, self._attempt)
        self.notes += goes_on_notes(self.program) if self.program.goes_on is not None else ()
        if len(self._queries) > 1:
            self._start_all(use, statement, kept_in)
            return
        others = [one for one in self.program.lifecycle if one is not use]
        is_read = not others or any(map(self._query_in_reach, others)) or sleep_of(self.draft) is not None
        target = self.query(use) if is_read else ""
        if place.attribute is None and place.assigned is None and place.passed is None:
            code = self._made(*start, target=target)
        elif place.attribute is not None:
            writer = f"{self._base(use)}.{self._attribute('writer')}"
            code = Chain(writer, links(start), target=target)
        elif place.passed is not None:
            code = Chain(self._handed_in(use), links(start), target=target)
        else:
            code = Chain(self._returned(), links(start), target=target)
        # the comments of the construction, if nothing takes its place
        own = [old for sink in self.draft.query.sinks for old in sink.replaces]
        self.replaced[statement] = (Written(code, (self.program.construction, *own), makes=Makes.QUERY),)

    def _start_all(self, use: Use, statement: ast.stmt, kept_in: tuple[Call, ...]) -> None:
        """Replace the call of ``start`` by the starts of several queries."""
        place = self.basis.place
        elsewhere = (place.attribute, place.assigned, place.passed)
        if self.spread or any(part is not None for part in elsewhere):
            raise Blocked(ELSEWHERE, use)
        if kept_in:
            raise Blocked(ONE_CHECKPOINT, use)
        sinks = self.draft.query.sinks
        started = [
            self._to_sink(sink, Call("start", ""), target=name)
            for sink, name in zip(sinks, self._queries, strict=True)
        ]
        taken = [(self.program.construction, *sinks[0].replaces), *(sink.replaces for sink in sinks[1:])]
        self.replaced[statement] = tuple(
            Written(code, old, makes=Makes.QUERY) for code, old in zip(started, taken, strict=True)
        )

    def call(self, function: str) -> None:
        """Have the query call another function for each batch."""
        self._function = function

        def calling(code: Code) -> Code:
            if not isinstance(code, Chain):
                return code
            calls = (
                replace(call, arguments=function) if call.method == "foreachBatch" else call
                for call in code.calls
            )
            return replace(code, calls=tuple(calls))

        self.replaced = {
            statement: tuple(replace(one, code=calling(one.code)) for one in written)
            for statement, written in self.replaced.items()
        }

    def take_over(self, statements: Sequence[Written]) -> None:
        """Have the query take over the comments of statements of its function that go."""
        start = self.program.start
        statement = self.program.tree.statement_of(start.node) if start is not None else None
        if statement in self.replaced and isinstance(statement, ast.stmt):
            first, *others = self.replaced[statement]
            gone = tuple(old for one in statements for old in one.replaces)
            self.replaced[statement] = (replace(first, replaces=(*first.replaces, *gone)), *others)

    def _handed_in(self, use: Use) -> str:
        """The parameter that the writer is handed in by."""
        passed = self.basis.place.passed
        assert passed is not None
        name = self.basis.names.writer
        home = self.program.home
        assert isinstance(home, ast.FunctionDef) and isinstance(use.node, ast.Attribute)
        context = ast.unparse(use.node.value)
        parameters = [argument for argument in home.args.args if argument.arg == context]
        given = tuple((one, Parameters((name,), has_batch=False)) for one in parameters)
        self.inner |= Inner(((passed, name),), parameters=given)
        return name

    def _returned(self) -> str:
        """The variable of the writer that a function returns."""
        place = self.basis.place
        name = self.basis.names.writer
        assert place.assigned is not None
        if isinstance(place.assigned, ast.Assign):
            target = place.assigned.targets[0]
            self.inner |= Inner(((target, name),))
        else:
            self._replace(place.assigned, f"{name} = {quoted(place.assigned.value)}")
        if place.returned is not None:
            self._replace(place.returned, self._made(returned=True))
        return name

    def query(self, use: Use) -> str:
        """The name of the query where a member of the context was used."""
        if not self.spread or self.program.start is None:
            return self.basis.names.query
        home = self.program.home
        inside = isinstance(use.node, ast.Attribute) and isinstance(use.node.value, ast.Name)
        path: list[ast.AST | None] = [*self.program.tree.path(use.node)]
        if isinstance(home, ast.Module) or (inside and home in path):
            return self.basis.names.query
        if self.basis.place.passed is not None:
            raise self._elsewhere(use)  # the function that is given the writer keeps the query
        return f"{self._base(use)}.{self._attribute('query')}"

    def _query_in_reach(self, use: Use) -> str:
        """The same; empty where a member is used that no variable of the query reaches."""
        try:
            return self.query(use)
        except Blocked:
            return ""

    def _base(self, use: Use) -> str:
        """``self`` in ``self.ssc.start()``."""
        receiver = use.node.value if isinstance(use.node, ast.Attribute) else None
        if not isinstance(receiver, ast.Attribute):
            raise self._elsewhere(use)
        return spelled(receiver.value).code

    @staticmethod
    def _elsewhere(use: Use) -> Blocked:
        return Blocked(f"`{use.name}` is called in another function than the one that starts the query", use)
