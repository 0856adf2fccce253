"""Graceful stops: batches that DStream still ran are waited for, and the one that runs is not cut off."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from migrate.columns import Helper
from migrate.frozen import dataclass
from migrate.graph.blocked import Blocked
from migrate.graph.program import Operation
from migrate.knowledge.streaming import RECEIVERS
from migrate.model import Tier
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.interval import Interval
from migrate.plan.new_code.code import Call, Chain, Code, Written, block
from migrate.plan.sources.draining import DRAINED, DUE, REST, batches_after
from migrate.proofs.callbacks.one_job import does_all_or_nothing
from migrate.proofs.callbacks.roles import forwarded, given_callback
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.trace import Use

GRACEFUL = (
    "a graceful stop lets the running batch finish, where DStream puts out two more; what came since {}"
)
WAITS = "a graceful stop waits for two more batches, as DStream's does, and therefore {} longer"
WAITS_BY_SLIDE = (
    "a graceful stop waits for as long as two batches of the program, as DStream's does, and therefore {}"
    " longer: a window whose slide ends by then is put out"
)
READ_ON = "; lines that come in the meantime are read, where DStream's receivers have stopped"
CUT_OFF = (
    "`query.stop()` cuts off a batch that runs at that moment, and what it has not shown yet is not shown; "
    "DStream's graceful stop let it finish"
)
CUT_SHORT = (
    "a graceful stop lets the running batch finish; one that begins in the hundredth of a second before the"
    " query is stopped is cut off, and may have shown something"
)
TWO_MORE = "# a graceful stop ran two more batches"
LOST = "is lost where a socket had sent it"
LEFT = "stays in the source"
_STOP = '''\
def stop_gracefully(query):
    """Stop the query when the batch that runs is over, which `stop` alone cuts off."""
    progress = query.lastProgress
    while query.status["isTriggerActive"] and query.lastProgress == progress:
        {pause}
    query.stop()'''
_AT_ANY_TIME = frozenset({"atexit.register", "signal.signal"})
_SOON, _NEXT = "0.01", "0.1"
"""Seconds between two looks at the query: until its batch is over, and until a queue is empty."""


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


class GracefulStops:
    """The statements of graceful stops."""

    def __init__(
        self, draft: Draft, attempt: Attempt, interval: Interval, replaces: Callable[..., None]
    ) -> None:
        """The statements.

        Args:
            draft: the plan of all lines.
            attempt: gets what they need.
            interval: the batch interval.
            replaces: is called with a statement, and new code in its place.
        """
        self._draft = draft
        self._attempt = attempt
        self._interval = interval
        self._replace = replaces
        self._basis = draft.basis
        self._program = draft.basis.program
        self.waits: dict[ast.stmt, Wait] = {}
        """The statements that wait for some seconds."""
        self.notes: list[str] = []
        self.imports: set[str] = set()
        self.stopping = ""
        """The variable that says that no batch is to run any more; empty if nothing sets it."""
        self._declaring: set[ast.AST] = set()
        """The functions that declare it to be of an outer scope."""

    def statements(self, use: Use, statement: ast.stmt, queries: list[str]) -> list[Code | Written]:
        """The statements that stop some queries in place of a graceful stop of the context."""
        queues = self._draft.needs.queues
        if not queues:
            return self._after_batches(statement, queries)
        if self._basis.beside_queues:
            raise Blocked("a graceful stop still takes all RDDs from the queue that are due", use)
        after = batches_after(self._basis, queues, statement)
        if after is None:
            self.notes.append(REST)
            return self._after_batches(statement, queries)
        self.notes.append(DRAINED)
        query, left, pause = queries[0], " or ".join(queues), self._pause(statement, queries[0], _NEXT)
        if after == 0:
            running = f'{query}.status["isTriggerActive"]'
            taken = block(f"while {query}.isActive and ({left} or {running}):", pause)
            return [taken, *map(stop, queries)]
        left = f"({left})" if len(queues) > 1 else left
        taken = block(f"while {query}.isActive and {left}:", pause)
        return [taken, *self._no_more_batches(statement), *self._when_over(statement, queries)]

    def _after_batches(self, statement: ast.stmt, queries: list[str]) -> list[Code | Written]:
        """The statements that stop queries when the batches that DStream still runs are over."""
        due = self._due_batches(statement, queries[0])
        if self._only_shows():
            self.notes.append(CUT_OFF)
            return [*due, *map(stop, queries)]
        if self._may_be_cut_short():
            self.notes.append(CUT_SHORT)
            return [*due, *self._when_over(statement, queries)]
        return [*due, *self._no_more_batches(statement), *self._when_over(statement, queries)]

    def _when_over(self, statement: ast.stmt, queries: Iterable[str]) -> list[Code | Written]:
        """Statements that stop queries when the batch that runs is over.

        A query that is behind begins its next batch at once, with hardly a moment between two.
        """
        if not self._is_at_home(statement):  # another module, which has no helper
            return [
                step
                for query in queries
                for step in (
                    block(
                        f'while {query}.status["isTriggerActive"]:',
                        f"{query}.awaitTermination({_SOON})",
                        comment="# let the running batch finish",
                    ),
                    stop(query),
                )
            ]
        module = self._program.module_of(statement).tree
        helper = Helper("stop_gracefully", _STOP.format(pause=self._pause(module, "query", _SOON)))
        return [f"{self._attempt.helper(helper)}({query})" for query in queries]

    def _is_at_home(self, statement: ast.AST) -> bool:
        """Whether a statement stands in the module of the query."""
        program = self._program
        return program.module_of(statement) is program.module_of(program.construction)

    def _only_shows(self) -> bool:
        """Whether batches do nothing but show rows, of which no half is left behind.

        RDD code may do anything beside that.
        """
        return bool(self._program.outputs) and not self._lasting() and not self._has_rdds()

    def _lasting(self) -> list[Operation]:
        """The outputs that may leave something behind."""
        return [output for output in self._program.outputs if output.operator != "pprint"]

    def _has_rdds(self) -> bool:
        return Tier.RDD in self._draft.tiers.values()

    def _may_be_cut_short(self) -> bool:
        """Whether a batch that has just begun may be cut off, as it leaves nothing or all of it behind."""
        match self._lasting():
            case [Operation(operator="foreachRDD") as output]:
                return not self._has_rdds() and self._does_all_or_nothing(output)
        return bool(self._draft.query.sinks)

    def _does_all_or_nothing(self, output: Operation) -> bool:
        facts = self._basis.facts
        callback = given_callback(output.call.args[0], facts) if output.call.args else None
        if callback is None:
            return False
        handed = forwarded(callback, facts) if isinstance(callback.node, ast.Lambda) else None
        return does_all_or_nothing(callback if handed is None else handed.callback, facts)

    def _due_batches(self, statement: ast.stmt, query: str) -> list[Written]:
        """The statement that waits for the batches which are due after a graceful stop, if one can."""
        received = any(operation.operator in RECEIVERS for operation in self._program.sources)
        untimed = self._basis.options.trigger.argument or self._comes_at_any_time(statement)
        seconds = "" if untimed else self._interval.times(DUE, statement)
        if not seconds:
            self.notes.append(GRACEFUL.format(LOST if received else LEFT))
            return []
        shown = f"{seconds} seconds" if seconds.replace(".", "").isdigit() else f"`{seconds}` seconds"
        waits = WAITS if self._basis.slide is None else WAITS_BY_SLIDE
        self.notes.append(waits.format(shown) + (READ_ON if received else ""))
        above = self._above(statement)
        wait = self.waits.get(above) if above is not None else None
        if above is None or wait is None:
            return [Written(self._pause(statement, query, seconds), comment=TWO_MORE)]
        self._replace(above, wait.written(seconds))
        return []

    def _comes_at_any_time(self, statement: ast.stmt) -> bool:
        """Whether an error, Ctrl-C or a signal leads to a statement: any number of batches ran by then.

        So does one in a handler, in the ``finally:`` of a wait without an end, or in a function that
        ``signal.signal`` or ``atexit.register`` is given.
        """
        below: ast.AST = statement
        for above in self._program.tree.path(statement):
            if isinstance(above, ast.ExceptHandler):
                return True
            if isinstance(above, ast.Try) and below in above.finalbody and _waits_for_ever(above.body):
                return True
            if isinstance(above, ast.FunctionDef) and self._is_called_by_signals(above):
                return True
            below = above
        return False

    def _is_called_by_signals(self, function: ast.FunctionDef) -> bool:
        facts = self._basis.facts.of(function)
        calls = (facts.above[load] for load in facts.loads.get(function.name, ()))
        return any(
            isinstance(call, ast.Call) and facts.qualified(call.func) in _AT_ANY_TIME for call in calls
        )

    def _above(self, statement: ast.stmt) -> ast.stmt | None:
        """The statement right above another one in its block, as one that waits if it is ``time.sleep``."""
        block = self._program.tree.block_of(statement)
        at = block.index(statement)
        above = block[at - 1] if at else None
        match above:
            case ast.Expr(ast.Call(func, [seconds], [])) if above not in self.waits:
                if self._basis.facts.of(above).qualified(func) == "time.sleep":
                    self.waits[above] = Wait(quoted(func), seconds)
        return above

    def _no_more_batches(self, statement: ast.stmt) -> list[str]:
        """Statements that keep the batch function from running again, where its variables are in reach.

        One that has begun when the query is stopped would do a part of what it does.
        """
        program = self._program
        scope = program.tree.scope_of(statement)
        inside = scope is program.scope or program.scope in program.tree.path(scope)
        if not inside or not self._is_at_home(statement):
            return []
        self.stopping = self.stopping or self._draft.fresh("stopping", anywhere=True)
        rows = [f"{self.stopping} = True"]
        if scope is not program.scope and scope not in self._declaring:
            self._declaring.add(scope)
            word = "global" if isinstance(program.scope, ast.Module) else "nonlocal"
            rows.insert(0, f"{word} {self.stopping}")
        return rows

    def _pause(self, place: ast.AST, query: str, seconds: str) -> str:
        """A wait: ``time.sleep`` by the program's own import or a new one, else the query's own.

        Args:
            place: the statement where it stands; a module for a function at its beginning.
            query: the variable of the query.
            seconds: code of how long it is.
        """
        program, facts = self._program, self._basis.facts
        around = {place, *program.tree.path(place)}
        bound = [(name, node) for name, nodes in facts.bindings.items() for node in nodes]
        reached = [(name, node) for name, node in bound if program.tree.scope_of(node) in around]
        for name, node in reached:
            if not isinstance(node, ast.alias) or facts.only_binding(name) is not node:
                continue
            imported = facts.imported(node)
            if imported in ("time", "time.sleep"):
                return f"{name}{'.sleep' if imported == 'time' else ''}({seconds})"
        taken = any(name == "time" for name, _ in reached)
        if taken or not (isinstance(place, ast.Module) or self._is_at_home(place)):
            return f"{query}.awaitTermination({seconds})"
        self.imports.add("time")
        return f"time.sleep({seconds})"


def _waits_for_ever(body: Iterable[ast.stmt]) -> bool:
    """Whether some statements end with the query, or with an error: ``ssc.awaitTermination()``."""
    calls = (call for statement in body for call in walk(statement) if isinstance(call, ast.Call))
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "awaitTermination"
        and not (call.args or call.keywords)
        for call in calls
    )


def stop(name: str) -> Chain:
    """``query.stop()``."""
    return Chain(name, (Call("stop", ""),))
