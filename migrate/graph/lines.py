"""Reads the statements that make streams and outputs, and those that only name or show them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.graph.blocked import Blocked
from migrate.graph.chains import Chains
from migrate.graph.contexts import Contexts
from migrate.graph.failing import FAILS
from migrate.graph.nodes import Nodes
from migrate.graph.operations import Operation
from migrate.graph.reading import Reading
from migrate.knowledge.builtins import SHOWS
from migrate.knowledge.connectors import CONNECTOR_SOURCES, connector_of
from migrate.knowledge.streaming import OUTPUTS, STREAM
from migrate.syntax.nodes import end_of, position, walk
from migrate.trace import Context, Use
from migrate.trace.values import External


class Lines:
    """Reads one statement of a straight line."""

    def __init__(self, nodes: Nodes, contexts: Contexts, chains: Chains, reading: Reading) -> None:
        self.nodes = nodes
        self.variables = chains.variables
        self.contexts = contexts
        self.chains = chains
        self.reading = reading

    def assignment(self, statement: ast.Assign | ast.AnnAssign, value: ast.expr, uses: list[Use]) -> None:
        """Read ``words = lines.flatMap(f)``."""
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if not uses:
            if self._is_shown_to_nobody(statement, value, targets):
                return
            if self.nodes.holds_ours(statement):
                self.reading.aliases.append(statement)
            known = len(targets) == 1 and isinstance(targets[0], ast.Name)
            known = known and self.nodes.is_stream(value)
            self.variables.bind(statement, self.variables.stream(value) if known else None)
            return
        plain = len(targets) == 1 and isinstance(targets[0], ast.Name | ast.Attribute)
        if not plain:
            raise Blocked(
                f"the result of `{uses[0].name}` is not simply assigned to a name: give it one of its own",
                uses[0],
            )
        made: list[Operation] = []
        last, inner = self.chains.read(value, made, uses[0])
        name = _name_of(targets[0])
        self.variables.bind(statement, None if last.is_output else last)
        if last.is_output:
            read = self._reads(targets[0], statement)
            alone = [node for node in map(self.nodes.tree.statement_of, read) if _is_name(node)]
            if len(alone) < len(read):
                members = [
                    one for one in map(self.nodes.tree.above.get, read) if isinstance(one, ast.Attribute)
                ]
                why = f"the result of `{last.operator}` is assigned to a name that is read: it is None"
                if members:
                    why = FAILS.format(f"{why}, and `{ast.unparse(members[0])}` reads a member of it")
                raise Blocked(why, last.use)
            self.reading.removed += alone
            self.reading.add(statement, made, inner)
            self.reading.finish(uses)
            return
        if not made:
            if (last.is_source and last.target != name) or not isinstance(targets[0], ast.Name):
                raise Blocked(f"`{name}` is a second name for a stream: use the first one", uses[0])
            self.reading.removed.append(statement)  # kept = words.cache()
            self.reading.finish(uses)
            return
        last.target = name
        self.reading.add(statement, made, inner, target=name)
        self.reading.finish(uses)

    def _reads(self, target: ast.expr, statement: ast.stmt) -> list[ast.AST]:
        """What may read a variable or attribute after a statement in a straight line."""
        loads: list[ast.AST] = [
            node for node in self.nodes.tree.of_kinds(type(target)) if _is_load(node, target)
        ]
        if isinstance(target, ast.Attribute):
            return loads
        assert isinstance(target, ast.Name)
        scopes, code = self.nodes.trace.scopes, self.nodes.tree.scope_of(statement)
        home, end = scopes.home(target), end_of(statement)
        return [
            node
            for node in loads
            if isinstance(node, ast.Name)
            and scopes.home(node) is home
            and not (self.nodes.tree.scope_of(node) is code and position(node) <= end)
        ]

    def returned(self, statement: ast.Return, value: ast.expr, uses: list[Use]) -> None:
        """Read ``return lines.flatMap(f)``."""
        if not uses:
            if self.nodes.holds_ours(statement):
                self.reading.aliases.append(statement)
            known = self.variables.stream(value) if self.nodes.is_stream(value) else None
            self.variables.returned(statement, known)
            return
        made: list[Operation] = []
        last, inner = self.chains.read(value, made, uses[0])
        self.variables.returned(statement, last)
        if last.is_output or not made:
            raise Blocked(f"the result of `{uses[0].name}` is returned, and it is no new stream", uses[0])
        self.reading.add(statement, made, inner)
        self.reading.finish(uses)

    def expression(self, statement: ast.Expr, uses: list[Use]) -> None:
        """Read ``lines.pprint()``."""
        shown = self._shown(statement.value) if self.nodes.called(statement.value) is None else []
        made_there = [node for node in shown if isinstance(node, ast.Call)]
        if shown and len(made_there) <= 1:
            for node in made_there:
                new: list[Operation] = []
                _, start = self.chains.read(node, new, uses[0])
                self.reading.add(statement, new, start)
            self.reading.followed.update(shown)
            self.reading.removed.append(statement)
            self.reading.shown.append(statement)
            self.reading.finish(uses)
            return
        if not uses:
            if self._only_names_source(statement.value):
                self.reading.removed.append(statement)
            return
        if len(uses) == 1 and uses[0].name == "checkpoint" and uses[0].call is statement.value:
            self._checkpoint(statement, uses[0])
            return
        made: list[Operation] = []
        printed = self._printed(statement.value)
        _, inner = self.chains.read(printed or statement.value, made, uses[0])
        if made:
            self.reading.add(statement, made, inner)
            self.reading.printed += [statement] if printed is not None else []
        else:
            self.reading.removed.append(statement)
        self.reading.finish(uses)

    def _is_shown_to_nobody(
        self, statement: ast.Assign | ast.AnnAssign, value: ast.expr, targets: Sequence[ast.expr]
    ) -> bool:
        """Leave out ``kind = type(lines)`` if nothing reads the variable.

        Returns:
            whether it is such a statement.
        """
        match targets:
            case [ast.Name() as name] if not self.nodes.is_ours(value) and not self._reads(name, statement):
                shown = self._shown(value)
            case _:
                return False
        if not shown or any(isinstance(node, ast.Call) for node in shown):
            return False
        self.reading.followed.update(shown)
        self.reading.removed.append(statement)
        self.reading.shown.append(statement)
        return True

    def _only_names_source(self, node: ast.expr) -> bool:
        """Whether an expression is ``KafkaUtils.createDirectStream``, which is not called."""
        kinds = self.nodes.trace.kinds.get(node, frozenset()) if isinstance(node, ast.Attribute) else ()
        return any(
            isinstance(kind, External)
            and kind.name.rpartition(".")[2] in CONNECTOR_SOURCES
            and connector_of(kind.name)
            for kind in kinds
        )

    def _printed(self, node: ast.expr) -> ast.Call | None:
        """The output in ``print("words:", words.pprint())``, which prints that its result is None."""
        match node:
            case ast.Call(func=ast.Name(id="print") as name, args=printed, keywords=[]):
                calls = [one for one in printed if not isinstance(one, ast.Constant)]
            case _:
                return None
        match calls:
            case [ast.Call() as call] if self.nodes.trace.scopes.home(name) is None:
                use = self.nodes.called(call)
                return call if use is not None and use.name in OUTPUTS else None
        return None

    def _is_always_ours(self, node: ast.Name | ast.Attribute) -> bool:
        """Whether nothing else than a context or a stream is assigned to a name, or to an attribute."""
        name = _name_of(node)
        return all(
            self.nodes.is_stream(assigned.value) or self.nodes.is_context(assigned.value)
            for assigned in self.nodes.tree.of_kinds(ast.Assign)
            for target in assigned.targets
            if isinstance(target, ast.Name | ast.Attribute) and _name_of(target) == name
        )

    def _is_bound_before(self, node: ast.Name | ast.Attribute) -> bool:
        """Whether the last statement before, in the same block, that binds a name gives it a stream."""
        statement = self.nodes.tree.statement_of(node)
        block = self.nodes.tree.block_of(statement)
        for before in reversed(block[: block.index(statement)]):
            bound = (inner for inner in walk(before) if isinstance(inner, ast.Name | ast.Attribute))
            if any(not isinstance(one.ctx, ast.Load) and _name_of(one) == _name_of(node) for one in bound):
                return isinstance(before, ast.Assign) and self.nodes.is_ours(before.value)
        return False

    def _shown(self, node: ast.expr) -> list[ast.expr]:
        """The streams and contexts of which an expression only shows something: ``print(type(lines))``."""
        if isinstance(node, ast.Name | ast.Attribute):
            ours = self.nodes.is_ours(node)
            known = ours and (self._is_always_ours(node) or self._is_bound_before(node))
            return [node] if known else []
        if (use := self.nodes.called(node)) is not None:
            return (
                [node]
                if use.name in STREAM and use.name not in OUTPUTS and isinstance(node, ast.Call)
                else []
            )
        if isinstance(node, ast.Tuple):  # `print("a stream:", lines)` of Python 2
            return self._shown_by_all(node.elts)
        if not isinstance(node, ast.Call) or node.keywords or node.func in self.nodes.trace.kinds:
            return []
        if not (isinstance(node.func, ast.Name) and node.func.id in SHOWS):
            return []
        return self._shown_by_all(node.args)

    def _shown_by_all(self, parts: list[ast.expr]) -> list[ast.expr]:
        found = [self._shown(part) for part in parts if not isinstance(part, ast.Constant)]
        return [name for names in found for name in names] if all(found) else []

    def _checkpoint(self, statement: ast.Expr, use: Use) -> None:
        if all(isinstance(owner, Context) for owner in use.owners):
            self.contexts.on_context(use)
        else:
            assert isinstance(use.node, ast.Attribute)
            self.chains.stream(use.node.value, [], use)
            if isinstance(use.node.value, ast.Name | ast.Attribute):  # a call would be lost with it
                self.reading.followed.add(statement.value)
        self.reading.removed.append(statement)
        self.reading.done.add(use)

    def arguments(self, statement: ast.stmt, call: ast.Call) -> None:
        """Read ``process(ssc.socketTextStream(h, p))``: sources that are made where a function gets them."""
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            use = self.nodes.called(argument)
            if use is None or use in self.reading.done or self.contexts.is_life(use):
                continue
            made: list[Operation] = []
            _, inner = self.chains.read(argument, made, use)
            if not made:
                raise Blocked(f"`{use.name}` is called in an argument: leave it out there", use)
            self.reading.add(statement, made, inner).argument = argument
            self.variables.give_part(argument, made[-1])


def _is_name(statement: ast.stmt) -> bool:
    """Whether a statement only names a variable, as the last line of a notebook's cell does."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Name)


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
