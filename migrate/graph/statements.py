"""Reads a graph in the order in which it is built: through functions, methods and attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TypeGuard

from migrate.graph.blocked import Blocked
from migrate.graph.call_graph import IMPORTS, Called, CallGraph
from migrate.graph.chains import Chains
from migrate.graph.contexts import Contexts
from migrate.graph.early_returns import Parts, parts_that_return
from migrate.graph.either import Held
from migrate.graph.lines import Lines
from migrate.graph.nodes import Nodes
from migrate.graph.operations import Condition, Entry
from migrate.graph.reading import Reading
from migrate.graph.repeated import RepeatedSources
from migrate.graph.rest import check_rest
from migrate.graph.transparent import is_transparent, wrapping
from migrate.graph.variables import Variables
from migrate.knowledge.connectors import CONNECTOR_SOURCES
from migrate.knowledge.streaming import OF_SEVERAL_BATCHES, SOURCES
from migrate.syntax.nodes import walk
from migrate.syntax.tree import EXITS, is_main_guard, own_nodes, yields_among
from migrate.trace import Use

_COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match)
_CHOOSING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Match)
"""Statements with code that may run or not."""
_LEAVING = (ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)
_SOURCES = SOURCES | CONNECTOR_SOURCES
_ONCE = SOURCES | OF_SEVERAL_BATCHES
"""Members that a batch function has no form of in a branch."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Statements:
    """Follows the statements of a graph, from the function that leads to all of it."""

    def __init__(self, nodes: Nodes, calls: CallGraph) -> None:
        self.nodes = nodes
        self.calls = calls
        self.reading = Reading()
        self.contexts = Contexts(nodes, self.reading)
        self.variables = Variables(nodes, self.reading)
        self.repeated = RepeatedSources(nodes, self.reading)
        chains = Chains(nodes, self.contexts, self.variables, self.repeated, self.reading)
        self.lines = Lines(nodes, self.contexts, chains, self.reading)
        self._returning: dict[Entry, tuple[ast.stmt, bool, int, int]] = {}
        """By functions that are being read: where each may return early, whether it returns a stream or the
        context there, and how many lines and starts there were before."""

    def read(self, root: ast.AST, constructor: Use) -> Reading:
        """Follow a graph from `root`, the function or module that leads to all of it.

        Raises:
            Blocked: it is not built in a straight line, or something else reaches its streams.
        """
        assert constructor.call is not None
        self.reading.followed.add(constructor.call)
        recovering = (use for use in self.nodes.graph.uses if use.call in self.calls.recovering)
        self.reading.done |= {constructor, *recovering}
        self._root = root
        self._body(root)
        check_rest(self.nodes, self.calls, self.contexts, self.reading)
        self.variables.check()
        return self.reading

    def _body(self, scope: ast.AST, call: ast.Call | None = None) -> None:
        outer, self.reading.scope = self.reading.scope, scope
        entry = Entry(scope, call, self.reading.entry, when=self.reading.when)
        self.reading.walked.add(scope)
        assert isinstance(scope, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef)
        if call is not None:
            self.variables.give(entry)
            self.reading.entries.setdefault(scope, []).append(entry)
        self.reading.entry = entry
        self._block(scope.body, is_tail=call is not None)
        self._check_left(entry)
        self.variables.leave(entry)
        self.reading.scope, self.reading.entry = outer, entry.outer

    def _block(self, statements: list[ast.stmt], *, is_tail: bool = False) -> None:
        """Read statements.

        Args:
            statements: those of a block.
            is_tail: whether the function that has been called ends behind them.
        """
        for place, statement in enumerate(statements):
            parts = parts_that_return(statement, statements[place + 1 :]) if is_tail else None
            if parts is not None and self._is_choice_of_results(statement, parts):
                self._choice_of_results(statement, *parts)
                return
            self.reading.way.append(statement)
            self._statement(statement)
            self.reading.way.pop()

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, _DEFINITIONS):
            return
        uses = [use for use in self.nodes.uses_in(statement) if use not in self.reading.done]
        calls = self.calls.in_code(statement)
        for module in self.calls.imported(statement) if isinstance(statement, IMPORTS) else ():
            if module not in self.reading.walked:
                self._body(module)
        if not calls and uses and all(self.contexts.is_life(use) for use in uses):
            for use in uses:
                self.contexts.life(use)
            return
        if isinstance(statement, _CHOOSING):
            self._note_early_return(statement)
        if uses and not calls and self.repeated.takes(statement, uses):
            return
        if isinstance(statement, _COMPOUND):
            if uses or calls or self.nodes.holds_ours(statement) or self.calls.imported(statement):
                self._compound(statement, uses)
            return
        for call in calls:
            self.lines.arguments(statement, call)
            self._enter(call)
        uses = [use for use in uses if use not in self.reading.done]
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            self.lines.assignment(statement, statement.value, uses)
        elif isinstance(statement, ast.Return) and statement.value is not None:
            self.lines.returned(statement, statement.value, uses)
        elif isinstance(statement, ast.Expr):
            self.lines.expression(statement, uses)
        elif uses:
            raise Blocked(f"`{uses[0].name}` stands in a {_kind(statement)}, not in a straight line", uses[0])

    def _note_early_return(self, statement: ast.stmt) -> None:
        """Remember the first statement by which a function that is called may return before its end."""
        entry = self.reading.entry
        if entry is None or entry.call is None or entry in self._returning:
            return
        returns = [node for node in own_nodes(statement) if isinstance(node, ast.Return)]
        if returns:
            ours = any(self.nodes.holds_ours(node) for node in returns)
            self._returning[entry] = statement, ours, len(self.reading.lines), self._starts()

    def _check_left(self, entry: Entry) -> None:
        """Check that a function which may return early returns to code that goes on without the graph.

        Raises:
            Blocked: the rest of its streams would be made all the same, or it may return another one.
        """
        if entry not in self._returning:
            return
        statement, ours, lines, starts = self._returning.pop(entry)
        if self._starts() == starts and (ours or len(self.reading.lines) > lines):
            name = getattr(entry.function, "name", "")
            raise Blocked(
                f"`{name}` may return here, and so make only a part of its streams, or other ones: "
                "choose in one place what is put out",
                at=statement,
            )

    def _starts(self) -> int:
        """How often the context has been started in what was read."""
        return sum(use.name == "start" for use in self.reading.lifecycle)

    def _compound(self, statement: ast.stmt, uses: list[Use]) -> None:
        """Blocks that run once, whatever happens before, are part of the straight line."""
        if is_main_guard(statement):
            assert isinstance(statement, ast.If)
            if isinstance(self.reading.scope, ast.Module) and self.reading.scope is not self._root:
                raise Blocked(
                    "streams are made where a module is run by itself, and others import it", at=statement
                )
            self._block(statement.body)
            self._idle(statement.orelse)
        elif isinstance(statement, ast.With) or self._is_left_at_once(statement, uses):
            assert isinstance(statement, ast.With | ast.While)
            self._block(statement.body)
        elif isinstance(statement, ast.Try):
            self._block(statement.body)
            self._block(statement.orelse)
            for handler in statement.handlers:
                self._idle(handler.body)
            self._idle(statement.finalbody)
        elif isinstance(statement, ast.If) and (
            self._holds_all(statement.body) or self._goes_on(statement, statement.orelse)
        ):
            self._block(statement.body)
            self._idle(statement.orelse)
        elif isinstance(statement, ast.If) and (
            self._holds_all(statement.orelse) or self._goes_on(statement, statement.body)
        ):
            self._idle(statement.body)
            self._block(statement.orelse)
        elif isinstance(statement, ast.If) and self._is_choice(statement, uses):
            self._choice(statement)
        elif uses:
            raise Blocked(f"`{uses[0].name}` stands in a {_kind(statement)}, not in a straight line", uses[0])
        elif self.calls.in_code(statement) or self.calls.imported(statement):
            raise Blocked(f"streams are made in a {_kind(statement)}", at=statement)

    def _goes_on(self, statement: ast.If, other: list[ast.stmt]) -> bool:
        """Whether a program goes on behind a statement from one branch only, as the other one ends it."""
        return (
            _ends(other)
            and not self.nodes.holds_ours(statement.test)
            and not any(isinstance(around, ast.Try | ast.With) for around in self.reading.way)
        )

    def _is_choice(self, statement: ast.If, uses: list[Use]) -> bool:
        """Whether the branches of a statement put streams out, or do not: the batch function can choose, too.

        What leaves the branch early skips what follows.
        """
        called = self._called(statement)
        return (
            bool(uses or called or self._names_streams(statement))
            and not self._may_be_caught(statement.test)
            and not self.nodes.holds_ours(statement.test)
            and self._may_be_chosen(statement, (*uses, *called))
            and not any(isinstance(node, (ast.Return, *_LEAVING)) for node in own_nodes(statement))
        )

    def _may_be_chosen(self, statement: ast.stmt, uses: Iterable[Use]) -> bool:
        """Whether a batch function can run a statement or not: what reads several batches runs in each."""
        return (
            not self.calls.imported(statement)
            and not any(self.contexts.is_life(use) for use in uses)
            and not any(use.connector or use.name in _ONCE for use in uses)
        )

    def _is_choice_of_results(self, branch: ast.stmt, parts: Parts) -> TypeGuard[ast.If]:
        """Whether a function returns one stream or another one, and a function of a batch can choose, too."""
        assert isinstance(branch, ast.If)
        if self._may_be_caught(branch.test) or self.nodes.holds_ours(branch.test):
            return False
        statements = [statement for part in parts for statement in part]
        returned = [node for one in statements for node in own_nodes(one) if isinstance(node, ast.Return)]
        streams = [one.value is not None and self.nodes.is_stream(one.value) for one in returned]
        return (
            bool(streams)
            and all(streams)
            and all(part and isinstance(part[-1], ast.Return | ast.If) for part in parts)
            and not any(isinstance(node, _LEAVING) for one in statements for node in own_nodes(one))
            and all(
                self._may_be_chosen(one, (*self.nodes.uses_in(one), *self._called(one))) for one in statements
            )
        )

    def _choice_of_results(self, branch: ast.If, true: list[ast.stmt], false: list[ast.stmt]) -> None:
        """Read what a function does where the test of a branch is true, and where it is false."""
        before = self.reading.when
        self.reading.way.append(branch)
        held = self.variables.held()
        one = self._result_of(true, (*before, Condition(branch, holds=True)))
        chosen = self.variables.part(held)
        other = self._result_of(false, (*before, Condition(branch, holds=False)))
        self.reading.when = before
        self.reading.way.pop()
        self.variables.join(chosen, branch)
        self.variables.returns_either(branch, one, other)

    def _result_of(self, block: list[ast.stmt], when: tuple[Condition, ...]) -> Held | None:
        self._part(block, when, is_tail=True)
        return self.variables.take_result()

    def _names_streams(self, statement: ast.stmt) -> bool:
        """Whether some statement in another one gives a stream another name: ``chosen = errors``."""
        return any(
            isinstance(node, ast.Assign) and self.nodes.is_stream(node.value) for node in own_nodes(statement)
        )

    def _called(self, statement: ast.stmt) -> list[Use]:
        """The members in the functions that a statement calls."""
        calls = self.calls.in_code(statement)
        inside = {scope for call in calls for scope in self.calls.reach(self.calls.targets[call])}
        uses = self.nodes.graph.uses if inside else ()
        return [use for use in uses if self.nodes.tree.scope_of(use.node) in inside]

    def _may_be_caught(self, test: ast.expr) -> bool:
        """Whether a test may fail where the graph is built, and the program goes on then."""
        may_fail = any(isinstance(node, ast.Subscript) for node in walk(test))
        return may_fail and any(isinstance(around, ast.Try) for around in self.reading.way)

    def _choice(self, statement: ast.If) -> None:
        """Read branches of which each has streams and outputs of its own."""
        before, held = self.reading.when, self.variables.held()
        self._part(statement.body, (*before, Condition(statement, holds=True)))
        chosen = self.variables.part(held)
        self._part(statement.orelse, (*before, Condition(statement, holds=False)))
        self.reading.when = before
        self.variables.join(chosen, statement)

    def _part(self, block: list[ast.stmt], when: tuple[Condition, ...], *, is_tail: bool = False) -> None:
        """Read one part of a branch.

        Raises:
            Blocked: it names the context.
        """
        self.reading.when = when
        aliases = len(self.reading.aliases)
        self._block(block, is_tail=is_tail)
        for alias in self.reading.aliases[aliases:]:
            own = self.nodes.tree.scope_of(alias) is self.reading.scope
            if own and not isinstance(alias, ast.Return) and not self._names_stream(alias):
                raise Blocked(
                    "a stream gets another name in a branch: which stream it is is not known", at=alias
                )

    def _names_stream(self, alias: ast.stmt) -> bool:
        """Whether a statement gives a variable of its own one stream that is known."""
        match alias:
            case ast.Assign([ast.Name()], value):
                return self.nodes.is_stream(value) and self.variables.stream(value) is not None
        return False

    def _is_left_at_once(self, loop: ast.stmt, uses: list[Use]) -> bool:
        """Whether a statement is a loop that makes sources, and goes on only where that fails.

        ``while True:`` with ``try: lines = made()``, ``break`` and ``except Exception: time.sleep(1)``.
        """
        match loop:
            case ast.While(ast.Constant(True | 1), [ast.Try(body=[*made, ast.Break()], finalbody=[])], []):
                inside = {node for one in made for node in walk(one)}
                leaving = any(isinstance(node, (ast.Return, *_LEAVING)) for node in inside)
                sources = all(use.name in _SOURCES and use.node in inside for use in uses)
                return sources and not leaving and not self.calls.in_code(loop)
        return False

    def _holds_all(self, branch: list[ast.stmt]) -> bool:
        """Whether a branch has the whole graph and its context: a straight line then, or nothing at all."""
        inside = {node for statement in branch for node in walk(statement)}
        return all(use.node in inside for use in self.nodes.graph.uses)

    def _idle(self, statements: list[ast.stmt]) -> None:
        """Read statements that may not run: they may start or stop the context, but make no streams."""
        for statement in statements:
            uses = [use for use in self.nodes.uses_in(statement) if use not in self.reading.done]
            wrong = [use for use in uses if not self.contexts.is_life(use)]
            if wrong or self.calls.in_code(statement) or self.calls.imported(statement):
                about = wrong[0] if wrong else None
                raise Blocked("streams are made in code that may not run", about, at=statement)
            for use in uses:
                self.contexts.life(use)

    def _enter(self, call: ast.Call) -> None:
        function = self.calls.targets[call]
        if function not in self.calls.leading:
            return
        if isinstance(function, ast.AsyncFunctionDef) or not all(
            is_transparent(one, self.nodes.trace) for one in wrapping(function)
        ):
            raise Blocked(
                f"`{function.name}` has to do with the streams and is decorated, or a coroutine: "
                "when its code runs is not known",
                at=call,
            )
        if any(yields_among(own_nodes(statement)) for statement in function.body):
            raise Blocked(
                f"`{function.name}` has to do with the streams and is a generator: it runs piece by piece",
                at=call,
            )
        if self._is_running(function):
            raise Blocked(f"`{function.name}` has to do with the streams and calls itself", at=call)
        self.reading.entered.setdefault(function, call)
        if function in self.reading.entries:
            self._again(function, call)
        self._body(function, call)

    def _again(self, function: Called, call: ast.Call) -> None:
        """Forget that a function was read: where it is called again, it makes its streams again."""
        own = {use for use in self.nodes.graph.uses if self.nodes.tree.scope_of(use.node) is function}
        if any(use.constructor or self.contexts.is_life(use) for use in own):
            raise Blocked(
                f"`{function.name}` makes, starts or stops the context and is called in several places: "
                "write what it does at each of them",
                at=call,
            )
        self.reading.done -= own

    def _is_running(self, function: ast.AST) -> bool:
        """Whether a function is being read, or called by one that is."""
        entry = self.reading.entry
        while entry is not None and entry.function is not function:
            entry = entry.outer
        return entry is not None


def _kind(statement: ast.stmt) -> str:
    names = {ast.FunctionDef: "function", ast.ClassDef: "class", ast.For: "loop", ast.While: "loop"}
    return names.get(type(statement), "branch" if isinstance(statement, ast.If | ast.Try) else "statement")


def _ends(block: list[ast.stmt]) -> bool:
    """Whether a block ends the program: ``print(USAGE)`` and ``sys.exit(1)``."""
    match block[-1:]:
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name("os" | "sys"), name) | ast.Name(name)))]:
            return name in EXITS
    return False
