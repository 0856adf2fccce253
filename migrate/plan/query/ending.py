"""The ends of a query: how it is waited for and stopped."""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.columns import Helper
from migrate.frozen import dataclass, replace
from migrate.graph.blocked import Blocked
from migrate.graph.outliving import stops_session
from migrate.graph.program import Program
from migrate.graph.session_expressions import named
from migrate.graph.stopping_callbacks import callbacks
from migrate.knowledge.streaming import RECEIVERS
from migrate.model import Tier
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.every_interval import SKIPPED, has_every_interval, skips_empty_batches
from migrate.plan.draft.interval import Interval
from migrate.plan.new_code.code import Call, Chain, Code, Makes, Written, block, written
from migrate.plan.new_code.inner import NOTHING, Inner
from migrate.plan.query.failed_batches import sleep_of
from migrate.plan.sources.draining import DRAINED, DUE, all_due
from migrate.proofs.values.changed_elsewhere import is_bound_elsewhere
from migrate.proofs.values.constants import constant
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
CUT_OFF = (
    "`query.stop()` cuts off a batch that runs at that moment, and what it has not shown yet is not shown; "
    "DStream's graceful stop let it finish"
)
TWO_MORE = "# a graceful stop ran two more batches"
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
LOST = "is lost where a socket had sent it"
LEFT = "stays in the source"
_CONTEXT = frozenset({"pyspark.SparkContext"})
_PAUSE = 0.1
"""Seconds between two looks at the query."""


@dataclass(frozen=True)
class Wait:
    """A statement that waits for some seconds: ``query.awaitTermination(60)``, ``time.sleep(60)``."""

    function: str
    """Code of the function that it calls."""
    seconds: ast.expr

    def written(self, more: str = "") -> Written:
        """It in new code, with a number of seconds more."""
        if not more:
            return Written(f"{self.function}({quoted(self.seconds)})")
        return Written(f"{self.function}({quoted(self.seconds)} + {more})", comment=TWO_MORE)


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
        self._interval = interval
        self._query = query
        self.replaced: dict[ast.stmt, tuple[Written, ...]] = {}
        """Statements, each with its replacement."""
        self.inner = NOTHING
        self.notes: list[str] = []
        self.imports: set[str] = set()
        self.stopping = ""
        """The variable that says that no batch is to run any more; empty if nothing sets it."""
        self._declaring: set[ast.AST] = set()
        """The functions that declare it to be of an outer scope."""
        self._waits: dict[ast.stmt, Wait] = {}
        """The statements that wait for some seconds."""
        sleep = sleep_of(draft)
        if sleep is not None and isinstance(sleep.value, ast.Call) and self.program.start is not None:
            called = f"{query(self.program.start)}.awaitTermination"
            self._wait(sleep, Wait(called, sleep.value.args[0]))

    def _replace(self, statement: ast.stmt, *codes: Code | Written) -> None:
        self.replaced[statement] = tuple(replace(written(code), makes=Makes.QUERY) for code in codes)

    def _wait(self, statement: ast.stmt, wait: Wait) -> None:
        self._waits[statement] = wait
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
        queries = self._queries if len(self._queries) > 1 else [query]
        rows: list[Code | Written] = list(map(_stop, queries))
        waits = isinstance(graceful, ast.Constant) and graceful.value and self.program.start is not None
        waits = waits and not (self.draft.query.sinks and self.basis.options.trigger.name)
        if waits and not self._is_over(statement) and not self._never_runs(statement):
            rows = [*self._last_batches(use, statement, query), *rows]
        if self.program.start is None and self._has_other_queries():
            raise Blocked("the context is never started", use)
        may_be_none = self._may_be_none(statement) and (
            self.program.start is None or not self.draft.needs.queues
        )
        if may_be_none or not in_reach:
            own = rows if len(self._queries) == 1 else [_stop(query)]
            rows = [block(f"for {query} in {session}.streams.active:", *own)]
        above = self._context_stopped_above(statement)
        if stops_session(use) or above is not None:
            returned = self.basis.place.returned is not None and isinstance(
                self.basis.place.assigned, ast.Assign
            )
            if returned or (in_reach and self.basis.place.passed is not None):
                raise Blocked("`stop` also stops the session, which nothing holds there", use)
            # where the query is over only the session is left
            rows = [*([] if self._is_over(statement) else rows), _stop(session)]
        if above is not None:  # the query ends first, and is told of where that stood
            self._replace(statement)
            statement = above
        self._replace(statement, *rows)

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

    def _last_batches(self, use: Use, statement: ast.stmt, query: str) -> list[str | Written]:
        """What a graceful stop waits for, and keeps from running, before the query is stopped.

        Raises:
            RatherError: the slide of windows triggers the query: DStream stops at the end of a batch.
        """
        self.basis.need_batch_interval()
        pause = self._pause(statement, query, str(_PAUSE))
        running = f'{query}.status["isTriggerActive"]'
        waiting = block(f"while {running}:", pause, comment="# let the running batch finish")
        queues = self.draft.needs.queues
        if not queues:
            due = self._due_batches(statement, query)
            if self._only_shows():
                self.notes.append(CUT_OFF)
                return [*due]
            return [*due, *self._no_more_batches(statement), waiting]
        if self.basis.beside_queues:
            raise Blocked("a graceful stop still takes all RDDs from the queue that are due", use)
        self.notes.append(DRAINED)
        left = " or ".join(queues)
        if all_due(self.basis, queues, use, statement):
            return [block(f"while {query}.isActive and ({left} or {running}):", pause)]
        left = f"({left})" if len(queues) > 1 else left
        taken = block(f"while {query}.isActive and {left}:", pause)
        return [taken, *self._no_more_batches(statement), waiting]

    def _only_shows(self) -> bool:
        """Whether batches do nothing but show rows, of which no half is left behind.

        RDD code may do anything beside that.
        """
        outputs = self.program.outputs
        shows = all(output.operator == "pprint" for output in outputs)
        return bool(outputs) and shows and Tier.RDD not in self.draft.tiers.values()

    def _due_batches(self, statement: ast.stmt, query: str) -> list[Written]:
        """The statement that waits for the batches which are due after a graceful stop, if one can."""
        received = any(operation.operator in RECEIVERS for operation in self.program.sources)
        seconds = "" if self.basis.options.trigger.argument else self._interval.times(DUE, statement)
        if not seconds:
            self.notes.append(GRACEFUL.format(LOST if received else LEFT))
            return []
        self.notes += [READ_ON] if received else []
        above = self._above(statement)
        wait = self._waits.get(above) if above is not None else None
        if above is None or wait is None:
            return [Written(self._pause(statement, query, seconds), comment=TWO_MORE)]
        self._replace(above, wait.written(seconds))
        return []

    def _above(self, statement: ast.stmt) -> ast.stmt | None:
        """The statement right above another one in its block, as one that waits if it is ``time.sleep``."""
        block = self.program.tree.block_of(statement)
        at = block.index(statement)
        above = block[at - 1] if at else None
        match above:
            case ast.Expr(ast.Call(func, [seconds], [])) if above not in self._waits:
                if self.basis.facts.of(above).qualified(func) == "time.sleep":
                    self._waits[above] = Wait(quoted(func), seconds)
        return above

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


def _stop(name: str) -> Chain:
    """``query.stop()``."""
    return Chain(name, (Call("stop", ""),))
