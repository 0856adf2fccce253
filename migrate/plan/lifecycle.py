"""The query: how it is made, started, waited for and stopped."""

from __future__ import annotations

import ast

from migrate.syntax.text import Edit
from migrate.codemod.layout import Layout
from migrate.codemod.style import duration, joined
from migrate.graph.blocked import Blocked
from migrate.plan.draining import drain
from migrate.plan.plan import Plan
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names
from migrate.trace import Use

GRACEFUL = "a query has no graceful stop: data that was received and not processed yet is left"


class Lifecycle:
    """Writes what becomes of start, awaitTermination and stop."""

    def __init__(self, plan: Plan, layout: Layout) -> None:
        self.plan = plan
        self.program = plan.program
        self.layout = layout
        self.text = layout.text
        self.spread = any(
            self.program.tree.scope_of(use.node) is not self.program.home for use in self.program.lifecycle
        )
        """Whether the query is used in other functions than the one that starts it."""

    # --- making it ------------------------------------------------------------------------------------------

    def made(self, depth: int, prefix: str, *calls: str) -> str:
        """The writer, or with ``start()`` the query, as a statement."""
        plan = self.plan
        chain = (
            "writeStream",
            f'outputMode("{plan.output_mode}")',
            f"trigger(processingTime={self.interval()})",
            f"foreachBatch({plan.function})",
            *calls,
        )
        return self.layout.style.chain(prefix, plan.streaming, chain, depth)

    def writer(self, depth: int) -> str | None:
        """The statement after the batch function, where the query is started in another function."""
        place = self.plan.place
        if place.attribute is not None:
            return self.made(depth, f"{place.attribute}.{self._attribute('writer')} = ")
        if place.passed is not None or self.program.start is None:
            return self.made(depth, f"{self.plan.writer} = ")
        if place.assigned is not None and place.returned is None:
            return self.made(depth, "return " if self.last is None else f"{self.plan.writer} = ")
        return None

    @property
    def last(self) -> ast.stmt | None:
        """The statement that ``return writer`` follows; None where the writer itself is the last one."""
        place = self.plan.place
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
        attributes = {node.attr for node in walk(self.program.tree.tree) if isinstance(node, ast.Attribute)}
        names = attributes | {
            node.name for node in walk(self.program.tree.tree) if isinstance(node, ast.FunctionDef)
        }
        name, number = wanted, 2
        while name in names:
            name, number = f"{wanted}_{number}", number + 1
        return name

    # --- starting it ----------------------------------------------------------------------------------------

    def start(self, use: Use) -> None:
        """Replace the call of ``start``."""
        place = self.plan.place
        statement = self.statement(use)
        depth = len(self.layout.own(statement))
        if place.attribute is None and place.assigned is None and place.passed is None:
            code = self.made(depth, f"{self.query(use)} = ", "start()")
        elif place.attribute is not None:
            base = self._base(use)
            code = f"{self.query(use)} = {base}.{self._attribute('writer')}.start()"
        elif place.passed is not None:
            code = f"{self.query(use)} = {self._handed_in(use)}.start()"
        else:
            code = f"{self.query(use)} = {self._returned()}.start()"
        self.layout.replace(statement, "\n".join([*self._moved_comments(), code]))

    def _handed_in(self, use: Use) -> str:
        """The parameter that the writer is handed in by."""
        passed = self.plan.place.passed
        assert passed is not None
        name = self.plan.writer
        self.layout.edits.append(Edit(self.text.start(passed), self.text.end(passed), name))
        home = self.program.home
        assert isinstance(home, ast.FunctionDef) and isinstance(use.node, ast.Attribute)
        for argument in home.args.args:
            if argument.arg == self.text.of(use.node.value):
                start = self.text.start(argument)
                end = self.text.end(argument) if argument.annotation else start + len(argument.arg)
                self.layout.edits.append(Edit(start, end, name))
        return name

    def _returned(self) -> str:
        """The variable of the writer that a function returns."""
        place = self.plan.place
        name = self.plan.writer
        assert place.assigned is not None
        if isinstance(place.assigned, ast.Assign):
            target = place.assigned.targets[0]
            self.layout.edits.append(Edit(self.text.start(target), self.text.end(target), name))
        else:
            at = self.text.start(place.assigned)
            self.layout.edits.append(Edit(at, at, f"{name} = "))
        if place.returned is not None:
            depth = len(self.layout.own(place.returned))
            self.layout.replace(place.returned, self.made(depth, "return "))
        return name

    def _moved_comments(self) -> list[str]:
        """What was said of the construction, where that goes and something else takes its place."""
        session = self.plan.session_plan
        if session is None or session.statement is None:
            return []
        moved = self.layout.comments(self.program.construction)
        return [*moved.above, *moved.inner, *([moved.trailing] if moved.trailing else [])]

    def query(self, use: Use) -> str:
        """What the query is called where a member of the context was used."""
        if not self.spread:
            return self.plan.query
        home = self.program.home
        inside = isinstance(use.node, ast.Attribute) and isinstance(use.node.value, ast.Name)
        path: list[ast.AST | None] = [*self.program.tree.path(use.node)]
        if isinstance(home, ast.Module) or (inside and home in path):
            return self.plan.query
        return f"{self._base(use)}.{self._attribute('query')}"

    def _base(self, use: Use) -> str:
        """``self`` in ``self.ssc.start()``."""
        receiver = use.node.value if isinstance(use.node, ast.Attribute) else None
        if not isinstance(receiver, ast.Attribute):
            raise Blocked(
                f"`{use.name}` is called in another function than the one that starts the query", use
            )
        return self.text.of(receiver.value)

    def statement(self, use: Use) -> ast.stmt:
        """The statement that a call is, all of it."""
        statement = self.plan.facts.statement_of(use.node)
        if not isinstance(statement, ast.Expr) or statement.value is not use.call:
            raise Blocked(f"`{use.name}` is not a statement of its own", use)
        return statement

    # --- its interval ---------------------------------------------------------------------------------------

    def interval(self) -> str:
        """The trigger's interval as a text or an f-string."""
        node = self._interval()
        whole = isinstance(node, ast.Name) and isinstance(
            self.plan.facts.constant(node.id, node.lineno)[1], int
        )
        return duration(node, self.text.of(node), whole=whole)

    def seconds(self) -> str:
        """The interval as a number of seconds, which is computed twice then."""
        node = self._interval()
        calls = [part for part in walk(node) if isinstance(part, ast.Call)]
        if any(not (isinstance(call.func, ast.Name) and call.func.id in ("int", "float")) for call in calls):
            why = "the batch time needs the batch interval, which a call gives: assign it to a name before"
            raise Blocked(why, self.program.constructor)
        return joined(self.text.of(node), node)

    def _interval(self) -> ast.expr:
        node = self.plan.interval
        if node is None:
            raise Blocked("the batch interval is missing", self.program.constructor)
        node = self._given(node, self.program.tree.scope_of(self.program.construction))
        for name in walk(node):
            if isinstance(name, ast.Name | ast.Attribute) and self._is_bound_later(name):
                shown = ast.unparse(name)
                raise Blocked(f"`{shown}` of the batch interval is bound again", self.program.constructor)
        return node

    def _is_bound_later(self, name: ast.Name | ast.Attribute) -> bool:
        """Whether a name or attribute gets another value between the context and the query."""
        facts, made = self.plan.facts, self.program.construction
        if isinstance(name, ast.Attribute):
            return any(
                isinstance(other, ast.Attribute)
                and other.attr == name.attr
                and not isinstance(other.ctx, ast.Load)
                and other.lineno > made.lineno
                for other in walk(self.program.tree.tree)
            )
        later = [
            other for other in facts.bindings.get(name.id, ()) if getattr(other, "lineno", 0) > made.lineno
        ]
        return any(facts.visible(other) and not isinstance(other, ast.arg) for other in later)

    def _given(self, node: ast.expr, made: ast.AST) -> ast.expr:
        """The interval as the place of the query may read it: what a call gave for a parameter, if need be.

        Args:
            node: the expression where it is read.
            made: the function whose names it reads.
        """
        here = self.program.scope
        if made is here or isinstance(node, ast.Constant):
            return node
        scopes = self.plan.trace.scopes
        parameter = self._argument(node, made)
        if parameter is not None:
            return self._given(*parameter)
        for name in (part for part in walk(node) if isinstance(part, ast.Name)):
            home = scopes[made].home(name.id)
            if home is None or isinstance(home.node, ast.Module):
                if scopes[here].home(name.id) is home:
                    continue
            elif self._is_receiver(name.id, made) and self._is_receiver(name.id, here):
                continue
            raise Blocked(
                f"the batch interval reads `{name.id}` of another function than the streams are made in",
                self.program.constructor,
            )
        return node

    def _argument(self, node: ast.expr, function: ast.AST) -> tuple[ast.expr, ast.AST] | None:
        """What the only call of a function gives for a parameter that it never assigns, and where that is."""
        call = self.program.reading.entered.get(function)
        if not (isinstance(node, ast.Name) and isinstance(function, ast.FunctionDef) and call is not None):
            return None
        names = parameter_names(function)
        stored = any(
            isinstance(part, ast.Name) and part.id == node.id and not isinstance(part.ctx, ast.Load)
            for part in walk(function)
        )
        spread = any(isinstance(argument, ast.Starred) for argument in call.args)
        if node.id not in names or stored or spread or any(k.arg is None for k in call.keywords):
            return None
        tree = self.program.tree
        method = tree.class_of(function) is not None and not function.decorator_list
        position = names.index(node.id)
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        if node.id in given:
            return given[node.id], tree.scope_of(call)
        if position - method < len(call.args):
            return call.args[position - method], tree.scope_of(call)
        defaults = function.args.defaults
        late = position - (len(names) - len(defaults))
        return (defaults[late], tree.scope_of(function)) if late >= 0 else None

    def _is_receiver(self, name: str, scope: ast.AST) -> bool:
        cls = self.program.tree.class_of(scope)
        tree = self.program.tree
        same = cls is not None and tree.class_of(self.program.scope) in tree.family(cls)
        return same and isinstance(scope, ast.FunctionDef) and parameter_names(scope)[:1] == [name]

    # --- waiting and stopping -------------------------------------------------------------------------------

    def end(self, use: Use) -> None:
        """Replace a call of ``awaitTermination``, ``awaitTerminationOrTimeout`` or ``stop``."""
        call = use.call
        assert call is not None
        query = self.query(use)
        if use.name == "stop":
            self._stop(use, call, query)
        elif use.name == "awaitTermination":
            statement = self.statement(use)
            if not call.args and not call.keywords:
                self.layout.replace(statement, f"{query}.awaitTermination()")
            else:
                arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
                self.layout.replace(statement, f"{query}.awaitTermination({self.text.of(arguments[0])})")
        else:
            arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
            if len(arguments) != 1:
                raise Blocked("`awaitTerminationOrTimeout` has one argument", use)
            new = f"{query}.awaitTermination({self.text.of(arguments[0])})"
            self.layout.edits.append(Edit(self.text.start(call), self.text.end(call), new))

    def _stop(self, use: Use, call: ast.Call, query: str) -> None:
        statement = self.statement(use)
        given = dict(zip(("stopSparkContext", "stopGraceFully"), call.args, strict=False))
        given.update({keyword.arg: keyword.value for keyword in call.keywords if keyword.arg})
        for node in given.values():
            if not (isinstance(node, ast.Constant) and isinstance(node.value, bool)):
                raise Blocked("`stop`: its arguments are not literals", use)
        spark = given.get("stopSparkContext")
        graceful = given.get("stopGraceFully")
        assert isinstance(use.node, ast.Attribute)
        session = self.plan.session_at(use.node.value)
        rows = [f"{query}.stop()"]
        if self._after_a_failure(statement) and not self.plan.queues:
            rows = [f"for {query} in {session}.streams.active:", f"{self.layout.style.indent}{rows[0]}"]
        if isinstance(graceful, ast.Constant) and graceful.value:
            if self.plan.queues:
                rows = [*drain(self.plan, use, statement, query), *rows]
            else:
                self.plan.notes[GRACEFUL] = None
        if not (isinstance(spark, ast.Constant) and spark.value is False):
            returned = self.plan.place.returned is not None and isinstance(
                self.plan.place.assigned, ast.Assign
            )
            if returned or self.plan.place.passed is not None:
                raise Blocked("`stop` also stops the session, which nothing holds there", use)
            rows.append(f"{session}.stop()")
        self.layout.replace(statement, "\n".join(rows))

    def _after_a_failure(self, statement: ast.stmt) -> bool:
        """Whether a statement runs though the start may have failed: then there is no query in its variable.

        Its session has no other query then, as far as this module is concerned.
        """
        module, start, tree = self.program.module, self.program.start, self.program.tree
        if start is None or "writeStream" in (module.source if module.origin is None else module.origin):
            return False
        if tree.scope_of(statement) is not self.program.home:
            return False
        before, after = {*tree.path(start.node)}, {statement, *tree.path(statement)}
        around = [node for node in after if isinstance(node, ast.Try)]
        return any(before & {*node.body} and after & {*node.handlers, *node.finalbody} for node in around)
