"""The query: how it is made, started, waited for and stopped."""

from __future__ import annotations

import ast
from dataclasses import replace
from textwrap import indent

from migrate.columns import Helper
from migrate.graph.blocked import Blocked
from migrate.graph.stopping_callbacks import callbacks
from migrate.knowledge.streaming import RECEIVERS
from migrate.plan.attempt import Attempt
from migrate.plan.choices import Choices, RatherError
from migrate.plan.code import NOTHING, Chain, Code, Inner, Makes, Written, links
from migrate.plan.draft import Draft, Sink
from migrate.plan.draining import DRAINED, DUE, all_due
from migrate.plan.every_interval import has_every_interval
from migrate.plan.failed_batches import sleep_of
from migrate.plan.interval import Interval
from migrate.plan.restarts import checkpoint_option, goes_on_notes
from migrate.plan.source_variables import spelled
from migrate.syntax.quoting import quoted
from migrate.trace import Use
from migrate.trace.values import Function

GRACEFUL = (
    "a graceful stop lets the running batch finish, where DStream puts out two more; what came since {}"
)
READ_ON = (
    "a graceful stop waits for two more batches, as DStream's does; lines that come in the meantime are in"
    " them, where DStream's receivers have stopped"
)
IN_CALLBACK = (
    "a callback that stops the context stops the query, whose batch still ends; the session stays until the "
    "program ends"
)
AGAIN = "after a restart DStream runs a batch again in which a callback stopped the context"
NOT_LAST = "`stop` in a callback leaves out the outputs below it for its batch; native code would run them"
STOP_QUERIES = Helper(
    "stop_queries",
    '''\
def stop_queries(session):
    """Stop the session's queries, of which one has called this from its batch."""
    for query in session.streams.active:
        try:
            query.stop()
        except Exception:  # Spark interrupts the batch that stops its own query
            pass''',
)
LOST = "is lost where a socket had sent it"
LEFT = "stays in the source"
ELSEWHERE = "several queries are started where the streams are made, and the context is started elsewhere"
ONE_CHECKPOINT = "several queries cannot go on from one checkpoint"
_INNER = "    "
_PAUSE = 0.1
"""Seconds between two looks at the query."""


class Lifecycle:
    """The replacements of ``start``, ``awaitTermination`` and ``stop``."""

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
        self.times: list[str] = []
        """The statements that give the variables of the batch's time their values, if it has some."""
        counted = draft.needs.interval_number or draft.needs.milliseconds
        if draft.needs.batch_time or counted:
            has_none = self._asked and not counted
            self.times = attempt.times("" if has_none else self.interval.seconds())
        self.replaced: dict[ast.stmt, tuple[Written, ...]] = {}
        """Statements, each with its replacement."""
        self.inner = NOTHING
        self.notes: list[str] = []
        self.imports: set[str] = set()
        self.stopping = ""
        """The variable that says that no batch is to run any more; empty if nothing sets it."""
        self._declaring: set[ast.AST] = set()
        """The functions that declare it to be of an outer scope."""
        self.spread = any(
            self.program.tree.scope_of(use.node) is not self.program.home for use in self.program.lifecycle
        )
        """Whether the query is used in other functions than the one that starts it."""
        self._trigger()
        self.imports |= self.interval.imports
        for use in self.program.lifecycle:
            if use.name == "start":
                self._start(use)
            else:
                self._end(use)

        sleep = sleep_of(draft)
        if sleep is not None and isinstance(sleep.value, ast.Call) and self.program.start is not None:
            seconds = quoted(sleep.value.args[0])
            self._replace(sleep, f"{self.query(self.program.start)}.awaitTermination({seconds})")

    def _replace(self, statement: ast.stmt, *codes: Code) -> None:
        self.replaced[statement] = tuple(Written(code, makes=Makes.QUERY) for code in codes)

    # --- making it ------------------------------------------------------------------------------------------

    def _made(self, *calls: str, target: str = "", returned: bool = False) -> Chain:
        """The writer, or with ``start()`` the query, as a statement."""
        query = self.draft.query
        if query.sinks:
            return self._to_sink(query.sinks[0], *calls, target=target, returned=returned)
        # rows that no aggregate holds back can only be appended
        mode = () if self.basis.state is None else (f'outputMode("{query.output_mode}")',)
        chain = (
            "writeStream",
            *mode,
            f"trigger({self._trigger()})",
            f"foreachBatch({self._function})",
            *calls,
        )
        return Chain(query.streaming, links(chain), target, returned)

    def _to_sink(self, sink: Sink, *calls: str, target: str, returned: bool = False) -> Chain:
        """The same for a query without a batch function; real time knows update mode alone."""
        mode = ('outputMode("update")',) if self.basis.options.trigger.is_real_time else ()
        chain = links(("writeStream", *mode, f"trigger({self._trigger()})", *sink.calls, *calls))
        return Chain(sink.records.base, (*sink.records.calls, *chain), target, returned)

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
        statement = self.statement(use)
        kept_in = checkpoint_option(self.program)
        start = ".".join((*kept_in, "start()"))
        self.notes += goes_on_notes(self.program) if kept_in else ()
        if len(self._queries) > 1:
            self._start_all(use, statement, kept_in)
            return
        code: Code
        if place.attribute is None and place.assigned is None and place.passed is None:
            code = self._made(*kept_in, "start()", target=self.query(use))
        elif place.attribute is not None:
            base = self._base(use)
            code = f"{self.query(use)} = {base}.{self._attribute('writer')}.{start}"
        elif place.passed is not None:
            code = f"{self.query(use)} = {self._handed_in(use)}.{start}"
        else:
            code = f"{self.query(use)} = {self._returned()}.{start}"
        # the comments of the construction, if nothing takes its place
        own = [old for sink in self.draft.query.sinks for old in sink.replaces]
        self.replaced[statement] = (Written(code, (self.program.construction, *own), Makes.QUERY),)

    def _start_all(self, use: Use, statement: ast.stmt, kept_in: tuple[str, ...]) -> None:
        """Replace the call of ``start`` by the starts of several queries."""
        place = self.basis.place
        elsewhere = (place.attribute, place.assigned, place.passed)
        if self.spread or any(part is not None for part in elsewhere):
            raise Blocked(ELSEWHERE, use)
        if kept_in:
            raise Blocked(ONE_CHECKPOINT, use)
        sinks = self.draft.query.sinks
        started = [
            self._to_sink(sink, "start()", target=name)
            for sink, name in zip(sinks, self._queries, strict=True)
        ]
        taken = [(self.program.construction, *sinks[0].replaces), *(sink.replaces for sink in sinks[1:])]
        self.replaced[statement] = tuple(
            Written(code, old, Makes.QUERY) for code, old in zip(started, taken, strict=True)
        )

    def take_over(self, statements: tuple[Written, ...]) -> None:
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
        self.inner |= Inner(((passed, name), *((argument, name) for argument in parameters)))
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
        if not self.spread:
            return self.basis.names.query
        home = self.program.home
        inside = isinstance(use.node, ast.Attribute) and isinstance(use.node.value, ast.Name)
        path: list[ast.AST | None] = [*self.program.tree.path(use.node)]
        if isinstance(home, ast.Module) or (inside and home in path):
            return self.basis.names.query
        return f"{self._base(use)}.{self._attribute('query')}"

    def _base(self, use: Use) -> str:
        """``self`` in ``self.ssc.start()``."""
        receiver = use.node.value if isinstance(use.node, ast.Attribute) else None
        if not isinstance(receiver, ast.Attribute):
            raise Blocked(
                f"`{use.name}` is called in another function than the one that starts the query", use
            )
        return spelled(receiver.value)

    def statement(self, use: Use) -> ast.stmt:
        """The statement that consists of a call alone."""
        statement = self.program.tree.statement_of(use.node)
        if not isinstance(statement, ast.Expr) or statement.value is not use.call:
            raise Blocked(f"`{use.name}` is not a statement of its own", use)
        return statement

    # --- waiting and stopping -------------------------------------------------------------------------------

    def _end(self, use: Use) -> None:
        """Replace a call of ``awaitTermination``, ``awaitTerminationOrTimeout`` or ``stop``."""
        call = use.call
        assert call is not None
        query = self.query(use)
        waits = f"{query}.awaitTermination"
        if len(self._queries) > 1:
            assert isinstance(use.node, ast.Attribute)
            waits = f"{self.basis.session_at(use.node.value)}.streams.awaitAnyTermination"
        if use.name == "stop":
            self._stop(use, call, query)
        elif use.name == "awaitTermination":
            statement = self.statement(use)
            if not call.args and not call.keywords:
                self._replace(statement, f"{waits}()")
            else:
                arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
                self._replace(statement, f"{waits}({quoted(arguments[0])})")
        else:
            arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
            if len(arguments) != 1:
                raise Blocked("`awaitTerminationOrTimeout` has one argument", use)
            self.inner |= Inner(((call, f"{waits}({quoted(arguments[0])})"),))

    def _stop(self, use: Use, call: ast.Call, query: str) -> None:
        statement = self.statement(use)
        if self.program.tree.scope_of(statement) in callbacks(self.program.graph, self.basis.trace):
            self._stop_in_callback(use, statement)
            return
        given = dict(zip(("stopSparkContext", "stopGraceFully"), call.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
        for node in given.values():
            if not (isinstance(node, ast.Constant) and isinstance(node.value, bool)):
                raise Blocked("`stop`: its arguments are not literals", use)
        spark = given.get("stopSparkContext")
        graceful = given.get("stopGraceFully")
        assert isinstance(use.node, ast.Attribute)
        session = self.basis.session_at(use.node.value)
        rows = [f"{one}.stop()" for one in (self._queries if len(self._queries) > 1 else [query])]
        waits = isinstance(graceful, ast.Constant) and graceful.value and not self.draft.query.sinks
        if waits and not self._is_over(statement):
            rows = [*self._last_batches(use, statement, query), *rows]
        if self._after_a_failure(statement) and not self.draft.needs.queues:
            waited = "\n".join(rows if len(self._queries) == 1 else [f"{query}.stop()"])
            rows = [f"for {query} in {session}.streams.active:\n{indent(waited, _INNER)}"]
        if not (isinstance(spark, ast.Constant) and spark.value is False):
            returned = self.basis.place.returned is not None and isinstance(
                self.basis.place.assigned, ast.Assign
            )
            if returned or self.basis.place.passed is not None:
                raise Blocked("`stop` also stops the session, which nothing holds there", use)
            # where the query is over only the session is left
            rows = [*([] if self._is_over(statement) else rows), f"{session}.stop()"]
        self._replace(statement, *rows)

    def _stop_in_callback(self, use: Use, statement: ast.stmt) -> None:
        """Stop the query where a callback stops the context.

        Raises:
            Blocked: other outputs would run after it, or a restart of DStream runs the batch again.
            RatherError: it may stop in an interval without input, in which a batch must come then.
        """
        if self.program.recovering:
            raise Blocked(AGAIN, use)
        if not has_every_interval(self.basis, self.draft.needs):
            raise RatherError(Choices(every_interval=True))
        called = self.program.tree.scope_of(statement)
        last = self.program.outputs[-1]
        values = self.basis.trace.kinds.get(last.call.args[0], ()) if last.call.args else ()
        if not any(isinstance(value, Function) and value.node is called for value in values):
            raise Blocked(NOT_LAST, use)
        assert isinstance(use.node, ast.Attribute)
        self.notes.append(IN_CALLBACK)
        self._replace(
            statement, f"{self._attempt.helper(STOP_QUERIES)}({self.basis.session_at(use.node.value)})"
        )

    def _is_over(self, statement: ast.stmt) -> bool:
        """Whether the query has ended where a statement runs: it stands below ``awaitTermination()``."""
        block = self.program.tree.block_of(statement)
        waits = [use.call for use in self.program.lifecycle if use.name == "awaitTermination"]
        return any(
            isinstance(before, ast.Expr)
            and before.value in waits
            and isinstance(before.value, ast.Call)
            and not (before.value.args or before.value.keywords)
            for before in block[: block.index(statement)]
        )

    def _last_batches(self, use: Use, statement: ast.stmt, query: str) -> list[str]:
        """What a graceful stop waits for, and keeps from running, before the query is stopped."""
        pause = self._pause(statement, query, str(_PAUSE))
        running = f'{query}.status["isTriggerActive"]'
        waiting = f"while {running}:  # let the running batch finish\n    {pause}"
        queues = self.draft.needs.queues
        if not queues:
            due = self._due_batches(statement, query)
            return [*due, *self._no_more_batches(statement), waiting]
        self.notes.append(DRAINED)
        left = " or ".join(queues)
        if all_due(self.basis, queues, use, statement):
            return [f"while {query}.isActive and ({left} or {running}):\n    {pause}"]
        left = f"({left})" if len(queues) > 1 else left
        taken = f"while {query}.isActive and {left}:\n    {pause}"
        return [taken, *self._no_more_batches(statement), waiting]

    def _due_batches(self, statement: ast.stmt, query: str) -> list[str]:
        """The statement that waits for the batches which are due after a graceful stop, if one can."""
        received = any(operation.operator in RECEIVERS for operation in self.program.sources)
        seconds = "" if self._asked else self.interval.times(DUE, statement)
        if not seconds:
            self.notes.append(GRACEFUL.format(LOST if received else LEFT))
            return []
        self.notes += [READ_ON] if received else []
        return [f"{self._pause(statement, query, seconds)}  # a graceful stop ran two more batches"]

    def _no_more_batches(self, statement: ast.stmt) -> list[str]:
        """Statements that keep the batch function from running again, where its variables are in reach.

        A query that is behind begins the next batch at once, so that there would be no moment between two.
        """
        program = self.program
        scope = program.tree.scope_of(statement)
        inside = scope is program.scope or program.scope in program.tree.path(scope)
        if not inside or program.module_of(statement) is not program.module_of(program.construction):
            return []
        self.stopping = self.stopping or self.draft.fresh("stopping", anywhere=True)
        rows = [f"{self.stopping} = True"]
        if scope is not program.scope and scope not in self._declaring:
            self._declaring.add(scope)
            word = "global" if isinstance(program.scope, ast.Module) else "nonlocal"
            rows.insert(0, f"{word} {self.stopping}")
        return rows

    def _pause(self, statement: ast.stmt, query: str, seconds: str) -> str:
        """A wait: ``time.sleep`` by the program's own import or a new one, else the query's own."""
        program, facts = self.program, self.basis.facts
        around = set(program.tree.path(statement))
        bound = [(name, node) for name, nodes in facts.bindings.items() for node in nodes]
        reached = [(name, node) for name, node in bound if program.tree.scope_of(node) in around]
        for name, node in reached:
            if not isinstance(node, ast.alias) or facts.only_binding(name) is not node:
                continue
            imported = facts.imported(node)
            if imported in ("time", "time.sleep"):
                return f"{name}{'.sleep' if imported == 'time' else ''}({seconds})"
        taken = any(name == "time" for name, _ in reached)
        if taken or program.module_of(statement) is not program.module_of(program.construction):
            return f"{query}.awaitTermination({seconds})"
        self.imports.add("time")
        return f"time.sleep({seconds})"

    def _after_a_failure(self, statement: ast.stmt) -> bool:
        """Whether a statement may run after ``start`` has failed, as in ``finally``: no query is there.

        Its session has no other query then, as far as these modules are concerned.
        """
        start, tree = self.program.start, self.program.tree
        sources = (module.origin or module.source for module in self.program.modules)
        if start is None or any("writeStream" in source for source in sources):
            return False
        if tree.scope_of(statement) is not self.program.home:
            return False
        before, after = {*tree.path(start.node)}, {statement, *tree.path(statement)}
        around = [node for node in after if isinstance(node, ast.Try)]
        return any(before & {*node.body} and after & {*node.handlers, *node.finalbody} for node in around)
