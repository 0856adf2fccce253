"""Decides where the batch function stands, and what becomes of functions that the streams went through."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.blocked import Blocked
from migrate.graph.chains import Reading
from migrate.graph.program import Line
from migrate.graph.starting import Place, Starting, last_of, lines_of
from migrate.syntax.nodes import walk
from migrate.syntax.tree import Tree, is_main_guard, own_nodes
from migrate.trace import Trace, Use


def candidates(reading: Reading, tree: Tree, start: Use | None) -> list[ast.Module | ast.FunctionDef]:
    """The functions that the batch function may be defined in, the best first.

    Raises:
        Blocked: there is nothing to put into it.
    """
    if reading.is_unused:
        return []
    last = last_of(reading)
    home = tree.scope_of(start.node) if start is not None else None
    way = [tree.scope_of(statement) for statement in reversed(reading.ways[last])]
    scopes = {line.scope for line in lines_of(reading)}
    order = [*([*scopes] if len(scopes) == 1 else []), *([home] if home in way else []), *way]
    return [scope for scope in dict.fromkeys(order) if isinstance(scope, ast.Module | ast.FunctionDef)]


def place(
    reading: Reading, trace: Trace, tree: Tree, start: Use | None, scope: ast.Module | ast.FunctionDef
) -> Place:
    """Put the batch function into a function.

    Raises:
        Blocked: the streams are made in several functions whose code cannot stand there, or the query cannot
            get from there to the call of ``start``.
    """
    if reading.is_unused:
        return Place(scope, scope.body[0])
    return _Placer(reading, trace, tree, start, scope).place()


class _Placer(Starting):
    def _leads_to(self, statement: ast.stmt, anchor: ast.stmt) -> bool:
        """Whether a statement of a module comes before its guard, in which the batch function stands."""
        guard = self.tree.above[anchor]
        return is_main_guard(guard) and statement in self.tree.tree.body and guard in self.tree.tree.body

    def place(self) -> Place:
        found = self.place_
        self._start()
        block = self.tree.block_of(found.anchor)
        for line in self.lines:
            if line.scope is not found.scope:
                self._foreign(line)
            elif line.statement not in block and not self._leads_to(line.statement, found.anchor):
                raise Blocked("the streams are made in different blocks", line.operations[-1].use)
        self._dead()
        return found

    # --- code of other functions ----------------------------------------------------------------------------

    def _foreign(self, line: Line) -> None:
        about = line.operations[-1].use
        for name in self._free(line):
            if not self._means_the_same(name, line):
                raise Blocked(
                    f"`{about.name}` reads `{name}` of another function than the one that starts", about
                )
        returns = isinstance(line.statement, ast.Return) and self._is_source(line.inner)
        kept = line.makes_source or (returns and self._does_more(line))
        if kept and isinstance(line.statement, ast.Return) and line.argument is None:
            self.place_.kept[line] = "return "
        elif kept:
            self.place_.kept[line] = ""
        else:
            self.place_.deleted.append(line.statement)

    def _does_more(self, line: Line) -> bool:
        """Whether a function has code beside its streams."""
        ours = {*self.reading.aliases, *(other.statement for other in self.reading.lines)}
        assert isinstance(line.scope, ast.FunctionDef)
        return not all(self._is_nothing(part) or part in ours for part in line.scope.body)

    def _is_source(self, node: ast.expr | None) -> bool:
        operation = self._operation(node) if node is not None else None
        return operation is not None and operation.is_source

    def _free(self, line: Line) -> Iterator[str]:
        """Names that what is done to a line's streams reads, without those of streams."""
        given = [
            argument
            for operation in line.operations
            if not operation.is_source
            for argument in (*operation.call.args, *(keyword.value for keyword in operation.call.keywords))
        ]
        for value in given:
            inside = set(walk(value))
            for node in walk(value):
                if isinstance(node, ast.Name) and not self._carries(node):
                    home = self.trace.scopes.home(node)
                    if home is None or home.node not in inside:
                        yield node.id

    def _carries(self, node: ast.AST) -> bool:
        """Whether a name is, or leads to, a stream."""
        parent = self.tree.above[node]
        attribute = isinstance(parent, ast.Attribute) and self._operation(parent) is not None
        return attribute or self._operation(node) is not None

    def _means_the_same(self, name: str, line: Line) -> bool:
        assert line.scope is not None
        home = self.trace.scopes[line.scope].home(name)
        if home is None or isinstance(home.node, ast.Module):
            return self.trace.scopes.is_same(name, line.scope, self.place_.scope)
        cls = self.tree.class_of(line.scope)
        if cls is None or cls is not self.tree.class_of(self.place_.scope) or home.node is not line.scope:
            return False
        return self._receiver(line.scope) == name == self._receiver(self.place_.scope)

    # --- what is left of them -------------------------------------------------------------------------------

    def _dead(self) -> None:
        """Take out what only handed on streams that are made in each batch now."""
        found = self.place_
        physical = {line.operations[-1] for line in found.kept}
        dead = [
            node
            for node in self.reading.plumbing
            if (operation := self._operation(node)) is not None
            and not operation.is_source
            and operation not in physical
        ]
        for statement in self.reading.aliases:
            if statement is not found.returned and any(node in dead for node in walk(statement)):
                found.deleted.append(statement)
        self._consume()
        self._check_calls(dead)
        gone = {node for statement in found.deleted for node in walk(statement)}
        for function in found.consumed:
            gone.update(walk(function))
        if found.returned is not None:
            gone.update(walk(found.returned))
        if isinstance(found.assigned, ast.Expr):
            gone.add(found.assigned.value)
        left = [node for node in dead if node not in gone]
        if left:
            raise Blocked(f"`{ast.unparse(left[0])}` is handed on to code that runs once", at=left[0])
        self._no_empty_block()

    def _check_calls(self, dead: list[ast.AST]) -> None:
        """A statement that goes may call only functions of which nothing is left."""
        found = self.place_
        lines = [line for line in self.lines if line not in found.kept]
        inner = {line.inner for line in lines if line.inner is not None and line.inner not in dead}
        for statement in (*found.deleted, *(line.statement for line in lines)):
            own = set(own_nodes(statement))
            for function, call in self.reading.entered.items():
                called = call in own and call not in inner
                if called and call not in dead and statement in found.deleted:
                    found.fetched[statement] = call
                elif called and function not in found.consumed:
                    name = getattr(function, "name", "")
                    raise Blocked(f"`{name}` does more than make streams", at=call)

    def _consume(self) -> None:
        """Functions of which nothing is left go, and so do their calls."""
        found = self.place_
        grown = True
        while grown:
            grown = False
            for function, call in self.reading.entered.items():
                if function in found.consumed or function is found.scope:
                    continue
                assert isinstance(function, ast.FunctionDef)
                if all(self._is_nothing(statement) for statement in function.body):
                    found.consumed.append(function)
                    statement = self.tree.statement_of(call)
                    own = not any(line.statement is statement for line in self.reading.lines)
                    if own and statement not in found.deleted:
                        self._check_call(statement, call)
                        found.deleted.append(statement)
                    grown = True

    def _check_call(self, statement: ast.stmt, call: ast.Call) -> None:
        whole = getattr(statement, "value", None)
        if whole is not call or not isinstance(statement, ast.Expr | ast.Assign | ast.Return):
            called = ast.unparse(call.func)
            raise Blocked(f"`{called}` is called inside of something else", at=call)

    def _is_nothing(self, statement: ast.stmt) -> bool:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        gone = (*self.place_.deleted, *self.reading.removed)
        return text or isinstance(statement, ast.Pass) or statement in gone

    def _no_empty_block(self) -> None:
        found = self.place_
        for statement in (*found.deleted, *self.reading.removed):
            block = self.tree.block_of(statement)
            holder = self.tree.above[statement]
            if holder in found.consumed or self.tree.scope_of(statement) in found.consumed:
                continue
            gone = (*found.deleted, *self.reading.removed)
            if all(other in gone for other in block) and found.anchor not in block:
                raise Blocked("nothing would be left of the block around it", at=statement)


__all__ = ["Place", "candidates", "place"]
