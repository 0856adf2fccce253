"""Reads a graph in the order in which it is built: through functions, methods and attributes.

This is where it is decided that nothing else can reach the streams: every expression that holds one must be
read here.
"""

from __future__ import annotations

import ast

from migrate.graph.blocked import Blocked
from migrate.graph.calls import Called
from migrate.graph.chains import Chains, Reading
from migrate.graph.program import Operation
from migrate.knowledge.builtins import SHOWS
from migrate.syntax.nodes import walk
from migrate.syntax.tree import is_main_guard
from migrate.trace import Context, Use

_COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Reader(Chains):
    """Follows the statements of a graph from `root` on."""

    def read(self, root: ast.AST, constructor: Use) -> Reading:
        """Follow all of it.

        Raises:
            Blocked: it is not built in a straight line, or something else reaches its streams.
        """
        self.done.add(constructor)
        assert constructor.call is not None
        self.read_nodes.add(constructor.call)
        self.done |= {use for use in self.graph.uses if use.call in self.calls.recovering}
        self._body(root)
        self._all_must_be_read()
        return self.found

    # --- statements -----------------------------------------------------------------------------------------

    def _body(self, scope: ast.AST) -> None:
        outer, self._scope = self._scope, scope
        self._walked.add(scope)
        assert isinstance(scope, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef)
        self._block(scope.body)
        self._scope = outer

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._way.append(statement)
            self._statement(statement)
            self._way.pop()

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, _DEFINITIONS):
            return
        uses = [use for use in self._uses_in(statement) if use not in self.done]
        calls = self.calls.in_code(statement)
        if not calls and uses and all(self._is_life(use) for use in uses):
            for use in uses:
                self._life(use)
            return
        if isinstance(statement, _COMPOUND):
            if uses or calls or self.ours_in(statement):
                self._compound(statement, uses)
            return
        for call in calls:
            self._arguments(statement, call)
            self._enter(call)
        uses = [use for use in uses if use not in self.done]
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            self._assignment(statement, statement.value, uses)
        elif isinstance(statement, ast.Return) and statement.value is not None:
            self._return(statement, statement.value, uses)
        elif isinstance(statement, ast.Expr):
            self._expression(statement, uses)
        elif uses:
            raise Blocked(f"`{uses[0].name}` stands in a {_kind(statement)}, not in a straight line", uses[0])

    def _compound(self, statement: ast.stmt, uses: list[Use]) -> None:
        """Blocks that run once, whatever happens before, are part of the straight line."""
        if is_main_guard(statement):
            assert isinstance(statement, ast.If)
            self._block(statement.body)
            self._idle(statement.orelse)
        elif isinstance(statement, ast.With):
            self._block(statement.body)
        elif isinstance(statement, ast.Try):
            self._block(statement.body)
            self._block(statement.orelse)
            for handler in statement.handlers:
                self._idle(handler.body)
            self._idle(statement.finalbody)
        elif isinstance(statement, ast.If) and self._holds_all(statement.body):
            self._block(statement.body)
            self._idle(statement.orelse)
        elif isinstance(statement, ast.If) and self._holds_all(statement.orelse):
            self._idle(statement.body)
            self._block(statement.orelse)
        elif uses:
            raise Blocked(f"`{uses[0].name}` stands in a {_kind(statement)}, not in a straight line", uses[0])
        elif self.calls.in_code(statement):
            raise Blocked(f"streams are made in a {_kind(statement)}", at=statement)

    def _holds_all(self, branch: list[ast.stmt]) -> bool:
        """Whether a branch has the whole graph and its context: a straight line then, or nothing at all."""
        inside = {node for statement in branch for node in walk(statement)}
        return all(use.node in inside for use in self.graph.uses)

    def _idle(self, statements: list[ast.stmt]) -> None:
        """Statements that may not run: only of the context's life may they say anything."""
        for statement in statements:
            uses = [use for use in self._uses_in(statement) if use not in self.done]
            wrong = [use for use in uses if not self._is_life(use)]
            if wrong or self.calls.in_code(statement):
                about = wrong[0] if wrong else None
                raise Blocked("this may not run, and streams are made in it", about, at=statement)
            for use in uses:
                self._life(use)

    def _arguments(self, statement: ast.stmt, call: ast.Call) -> None:
        """``process(ssc.socketTextStream(host, port))``: streams are made where a function is given them."""
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            use = self.by_node.get(argument.func) if isinstance(argument, ast.Call) else None
            if use is None or use in self.done or self._is_life(use):
                continue
            made: list[Operation] = []
            _, inner = self._chain(argument, made, use)
            if not made or not made[0].is_source:
                raise Blocked(f"`{use.name}` is called in an argument", use)
            self._line(statement, made, None, inner, [])
            self.found.lines[-1].argument = argument

    # --- functions ------------------------------------------------------------------------------------------

    def _enter(self, call: ast.Call) -> None:
        function = self.calls.targets[call]
        if function not in self.calls.leading:
            return
        if len(self.calls.sites[function]) > 1:
            raise Blocked(f"`{function.name}` is called in several places", at=call)
        decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
        if isinstance(function, ast.AsyncFunctionDef) or set(decorators) - {"staticmethod", "classmethod"}:
            raise Blocked(f"`{function.name}` is decorated, or a coroutine", at=call)
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in walk(function)):
            raise Blocked(f"`{function.name}` is a generator", at=call)
        self.found.entered[function] = call
        self._body(function)

    # --- lines ----------------------------------------------------------------------------------------------

    def _assignment(self, statement: ast.Assign | ast.AnnAssign, value: ast.expr, uses: list[Use]) -> None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if not uses:
            if self.ours_in(statement):
                self.found.aliases.append(statement)
            return
        plain = len(targets) == 1 and isinstance(targets[0], ast.Name | ast.Attribute)
        if not plain:
            raise Blocked(f"the result of `{uses[0].name}` is not simply assigned to a name", uses[0])
        made: list[Operation] = []
        last, inner = self._chain(value, made, uses[0])
        name = _name_of(targets[0])
        if last.is_output:
            if self._is_read(targets[0], statement):
                raise Blocked(f"the result of `{last.operator}` is assigned to a name", last.use)
            self._line(statement, made, None, inner, uses)
            return
        if not made:
            if (last.is_source and last.target != name) or not isinstance(targets[0], ast.Name):
                raise Blocked(f"`{name}` is a second name for a stream", uses[0])
            self.found.removed.append(statement)  # kept = words.cache()
            self._finish(uses)
            return
        last.target = name
        self._line(statement, made, name, inner, uses)

    def _is_read(self, target: ast.expr, statement: ast.stmt) -> bool:
        """Whether anything may read a variable or attribute after a statement in a straight line."""
        loads = [node for root in self.tree.roots for node in walk(root) if _is_load(node, target)]
        if isinstance(target, ast.Attribute):
            return bool(loads)
        assert isinstance(target, ast.Name)
        scopes, code = self.trace.scopes, self.tree.scope_of(statement)
        home, end = scopes.home(target), statement.end_lineno or 0
        return any(
            scopes.home(node) is home and not (self.tree.scope_of(node) is code and node.lineno <= end)
            for node in loads
            if isinstance(node, ast.Name)
        )

    def _return(self, statement: ast.Return, value: ast.expr, uses: list[Use]) -> None:
        if not uses:
            if self.ours_in(statement):
                self.found.aliases.append(statement)
            return
        made: list[Operation] = []
        last, inner = self._chain(value, made, uses[0])
        if last.is_output or not made:
            raise Blocked(f"the result of `{uses[0].name}` is returned", uses[0])
        self._line(statement, made, None, inner, uses)

    def _expression(self, statement: ast.Expr, uses: list[Use]) -> None:
        if not uses:
            shown = self._shown(statement.value)
            if shown:
                self.read_nodes.update(shown)
                self.found.removed.append(statement)
                self.found.shown.append(statement)
            return
        if len(uses) == 1 and uses[0].name == "checkpoint" and uses[0].call is statement.value:
            self._checkpoint(statement, uses[0])
            return
        made: list[Operation] = []
        _, inner = self._chain(statement.value, made, uses[0])
        if made:
            self._line(statement, made, None, inner, uses)
        else:
            self.found.removed.append(statement)
            self._finish(uses)

    def _is_always_ours(self, node: ast.Name | ast.Attribute) -> bool:
        """Whether nothing else than the context or a stream is assigned to a name, or to an attribute."""
        name = _name_of(node)
        return all(
            bool(self.ours & self.trace.kinds.get(assigned.value, frozenset()))
            for assigned in walk(self.tree.tree)
            if isinstance(assigned, ast.Assign)
            for target in assigned.targets
            if isinstance(target, ast.Name | ast.Attribute) and _name_of(target) == name
        )

    def _shown(self, node: ast.expr) -> list[ast.expr]:
        """The streams and contexts of which an expression only shows something: ``print(type(lines))``."""
        if isinstance(node, ast.Name | ast.Attribute):
            ours = self.ours & self.trace.kinds.get(node, frozenset())
            return [node] if ours and self._is_always_ours(node) else []
        if not isinstance(node, ast.Call) or node.keywords or node.func in self.trace.kinds:
            return []
        if not (isinstance(node.func, ast.Name) and node.func.id in SHOWS):
            return []
        others = [argument for argument in node.args if not isinstance(argument, ast.Constant)]
        found = [self._shown(argument) for argument in others]
        return [name for names in found for name in names] if all(found) else []

    def _checkpoint(self, statement: ast.Expr, use: Use) -> None:
        if all(isinstance(owner, Context) for owner in use.owners):
            self._on_context(use)
        else:
            assert isinstance(use.node, ast.Attribute)
            self._stream(use.node.value, [], use)
        self.found.removed.append(statement)
        self.done.add(use)

    # --- nothing else ---------------------------------------------------------------------------------------

    def _all_must_be_read(self) -> None:
        for use in self.graph.uses:
            scope = self.tree.scope_of(use.node)
            ends = self._is_life(use) and use.name not in ("start", "sparkContext")
            if use not in self.done and ends and isinstance(scope, ast.FunctionDef):
                self._scope = scope
                self._life(use)
        missed = [use for use in self.graph.uses if use not in self.done]
        if missed:
            raise Blocked(
                f"`{missed[0].name}` is used outside the code that is followed from the context on", missed[0]
            )
        for node in self.calls.carriers:
            if any(isinstance(value, Context) for value in self.trace.kinds[node]):
                self.found.contexts.add(node)
            if node in self.read_nodes or node in self.found.operations:
                continue
            if not self._hands_on(node):
                raise Blocked(f"`{ast.unparse(node)}` is handed on in a way that is not followed", at=node)
            self.found.plumbing.append(node)

    def _hands_on(self, node: ast.AST) -> bool:
        """Whether an expression is only assigned, returned, or given to a function that was read."""
        if not isinstance(node, ast.Name | ast.Attribute | ast.Call):
            return False
        if self.tree.scope_of(node) not in self._walked:
            return False
        if isinstance(node, ast.Call) and self.calls.targets.get(node) not in self.found.entered:
            return False
        parent = self.tree.above[node]
        if isinstance(parent, ast.keyword):
            parent = self.tree.above[parent]
        if isinstance(parent, ast.Tuple) and isinstance(self.tree.above[parent], ast.Return):
            return True
        if isinstance(parent, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr):
            return True
        return isinstance(parent, ast.Call) and self.calls.targets.get(parent) in self.found.entered


def _is_load(node: ast.AST, target: ast.expr) -> bool:
    """Whether a node reads a name or an attribute that is spelled like `target`."""
    if not (isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)):
        return False
    return type(node) is type(target) and _name_of(node) == _name_of(target)


def _name_of(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    assert isinstance(node, ast.Name)
    return node.id


def _kind(statement: ast.stmt) -> str:
    names = {ast.FunctionDef: "function", ast.ClassDef: "class", ast.For: "loop", ast.While: "loop"}
    return names.get(type(statement), "branch" if isinstance(statement, ast.If | ast.Try) else "statement")


__all__ = ["Called", "Reader", "Reading"]
