"""The ends of a query: how it is waited for and stopped."""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.columns import Helper
from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.outliving import stops_session
from migrate.graph.program import Program
from migrate.graph.session_expressions import named
from migrate.graph.stopping_callbacks import callbacks
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.every_interval import SKIPPED, has_every_interval, skips_empty_batches
from migrate.plan.draft.interval import Interval
from migrate.plan.new_code.code import Code, Makes, Written, block, written
from migrate.plan.new_code.inner import NOTHING, Inner
from migrate.plan.query.failed_batches import sleep_of
from migrate.plan.query.graceful_stops import GracefulStops, Wait, stop
from migrate.proofs.values.changed_elsewhere import is_bound_elsewhere
from migrate.proofs.values.constants import constant
from migrate.syntax.quoting import quoted
from migrate.trace import Use
from migrate.trace.values import Function

ELSEWHERE = "`{}` is called in another function than the one that starts the query"
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
_CONTEXT = frozenset({"pyspark.SparkContext"})


def statement_of(use: Use, program: Program) -> ast.stmt:
    """The statement that consists of a call alone.

    Raises:
        Blocked: the call is a part of another one.
    """
    statement = program.tree.statement_of(use.node)
    if not isinstance(statement, ast.Expr) or statement.value is not use.call:
        raise Blocked(f"`{use.name}` is not a statement of its own", use)
    return statement


class Ends:
    """The replacements of ``awaitTermination``, ``awaitTerminationOrTimeout`` and ``stop``."""

    def __init__(
        self,
        draft: Draft,
        attempt: Attempt,
        queries: list[str],
        interval: Interval,
        query: Callable[[Use], str],
    ) -> None:
        """The replacements.

        Args:
            draft: the plan of all lines.
            attempt: gets what they need.
            queries: the variables of the queries.
            interval: the batch interval.
            query: gives the name of the query where a member of the context was used; empty where none has
                it, and the session's queries have to do.
        """
        self.draft = draft
        self._attempt = attempt
        self.basis = draft.basis
        self.program = draft.basis.program
        self._queries = queries
        self._query = query
        self.replaced: dict[ast.stmt, tuple[Written, ...]] = {}
        """Statements, each with its replacement."""
        self.inner = NOTHING
        self.notes: list[str] = []
        self.graceful = GracefulStops(draft, attempt, interval, self._replace)
        sleep = sleep_of(draft)
        if sleep is not None and isinstance(sleep.value, ast.Call) and self.program.start is not None:
            called = f"{query(self.program.start)}.awaitTermination"
            self._wait(sleep, Wait(called, sleep.value.args[0]))

    def _replace(self, statement: ast.stmt, *codes: Code | Written) -> None:
        self.replaced[statement] = tuple(replace(written(code), makes=Makes.QUERY) for code in codes)

    def _wait(self, statement: ast.stmt, wait: Wait) -> None:
        self.graceful.waits[statement] = wait
        self._replace(statement, wait.written())

    def end(self, use: Use) -> None:
        """Replace a call of ``awaitTermination``, ``awaitTerminationOrTimeout`` or ``stop``."""
        call = use.call
        assert call is not None
        query = self._query(use)
        if not query and (self.program.start is None or self._has_other_queries()):
            raise Blocked(ELSEWHERE.format(use.name), use)
        waits = f"{query}.awaitTermination"
        if len(self._queries) > 1 or not query:
            assert isinstance(use.node, ast.Attribute)
            waits = f"{self.basis.session_at(use.node.value)}.streams.awaitAnyTermination"
        if use.name == "stop":
            self._stop(use, call, query)
            return
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if use.name == "awaitTerminationOrTimeout" and len(arguments) != 1:
            raise Blocked("`awaitTerminationOrTimeout` has one argument", use)
        if use.name == "awaitTerminationOrTimeout" and not self._is_alone(call):
            self.inner |= Inner(((call, f"{waits}({quoted(arguments[0])})"),))
        elif arguments:
            self._wait(statement_of(use, self.program), Wait(waits, arguments[0]))
        else:
            self._replace(statement_of(use, self.program), f"{waits}()")

    def _is_alone(self, call: ast.Call) -> bool:
        """Whether a call is a statement."""
        statement = self.program.tree.statement_of(call)
        return isinstance(statement, ast.Expr) and statement.value is call

    def _stop(self, use: Use, call: ast.Call, query: str) -> None:
        statement = statement_of(use, self.program)
        if self.program.tree.scope_of(statement) in callbacks(self.program.graph, self.basis.trace):
            self._stop_in_callback(use, statement)
            return
        given = dict(zip(("stopSparkContext", "stopGraceFully"), call.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
        for node in given.values():
            if not (isinstance(node, ast.Constant) and isinstance(node.value, bool)):
                raise Blocked("`stop`: its arguments are not literals", use)
        graceful = given.get("stopGraceFully")
        assert isinstance(use.node, ast.Attribute)
        session = self.basis.session_at(use.node.value)
        in_reach, query = bool(query), query or self.basis.names.query
        may_be_none = self._may_be_none(statement) and (
            self.program.start is None or not self.draft.needs.queues
        )
        searched = may_be_none or not in_reach
        queries = self._queries if len(self._queries) > 1 and not searched else [query]
        rows: list[Code | Written] = list(map(stop, queries))
        waits = isinstance(graceful, ast.Constant) and graceful.value and self.program.start is not None
        waits = waits and not (self.draft.query.sinks and self.basis.options.trigger.name)
        if waits and not self._is_over(statement) and not self._never_runs(statement):
            rows = self.graceful.statements(use, statement, queries)
        if self.program.start is None and self._has_other_queries():
            raise Blocked("the context is never started", use)
        if searched:
            rows = [block(f"for {query} in {session}.streams.active:", *rows)]
        above = self._context_stopped_above(statement)
        if stops_session(use) or above is not None:
            returned = self.basis.place.returned is not None and isinstance(
                self.basis.place.assigned, ast.Assign
            )
            if returned or (in_reach and self.basis.place.passed is not None):
                session = self._active_session(use, statement)
            # where the query is over only the session is left
            rows = [*([] if self._is_over(statement) else rows), stop(session)]
        if above is not None:  # the query ends first, and is told of where that stood
            self._replace(statement)
            statement = above
        self._replace(statement, *rows)

    def _active_session(self, use: Use, statement: ast.stmt) -> str:
        """The session where no variable holds it, as it is one of the function that makes the writer.

        Raises:
            Blocked: the statement is of another module than the query.
        """
        if self.program.module_of(statement) is not self.program.module_of(self.program.construction):
            raise Blocked("`stop` also stops the session, which nothing holds there", use)
        self._attempt.need(imports=frozenset({"SparkSession"}))
        return "SparkSession.active()"

    def _context_stopped_above(self, statement: ast.stmt) -> ast.stmt | None:
        """The statement ``sc.stop()`` right above another one."""
        block = self.program.tree.block_of(statement)
        place = block.index(statement)
        match block[place - 1] if place else None:
            case ast.Expr(ast.Call(ast.Attribute(context, "stop"), [], [])) as above:
                return above if named(context, self.basis.trace) == _CONTEXT else None
        return None

    def _stop_in_callback(self, use: Use, statement: ast.stmt) -> None:
        """Stop the query where a callback stops the context.

        Raises:
            Blocked: other outputs would run after it, or a restart of DStream runs the batch again.
            RatherError: it may stop in an interval without input, in which a batch must come then.
        """
        if self.program.recovering:
            raise Blocked(AGAIN, use)
        if not has_every_interval(self.basis, self.draft.needs):
            if not skips_empty_batches(self.basis):
                raise RatherError(Choices(every_interval=True))
            self.draft.need(unsafe=frozenset({use}), notes=(SKIPPED,))
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

    def _never_runs(self, statement: ast.stmt) -> bool:
        """Whether a statement stands below ``if scc is not None:``, where that is None for good."""
        below: ast.AST = statement
        for above in self.program.tree.path(statement):
            match above:
                case ast.If(test=ast.Compare(ast.Name(name), [ast.IsNot()], [ast.Constant(None)])):
                    facts = self.basis.facts.of(above)
                    is_none = constant(name, above.lineno, facts) == (True, None)
                    if below in above.body and is_none and not is_bound_elsewhere(name, facts):
                        return True
            below = above
        return False

    def _has_other_queries(self) -> bool:
        """Whether the session may have a query of the program's own, as far as its modules are concerned."""
        sources = (module.origin or module.source for module in self.program.modules)
        return any("writeStream" in source for source in sources)

    def _may_be_none(self, statement: ast.stmt) -> bool:
        """Whether no query may be there where a statement runs, and the session has no other one.

        So it is after ``start`` has failed, as in ``finally``, and where nothing but a user calls that.
        """
        start, tree = self.program.start, self.program.tree
        if self._has_other_queries():
            return False
        if start is None:
            return True
        if tree.scope_of(statement) is not self.program.home:
            return False
        before, after = {*tree.path(start.node)}, {statement, *tree.path(statement)}
        around = [node for node in after if isinstance(node, ast.Try)]
        return any(before & {*node.body} and after & {*node.handlers, *node.finalbody} for node in around)
