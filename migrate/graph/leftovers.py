"""Finds the statements and functions that go, as they only handed on streams of the batch function."""

from __future__ import annotations

import ast
from collections.abc import Container

from migrate.graph.blocked import Blocked
from migrate.graph.local_variables import MORE
from migrate.graph.operations import upstream
from migrate.graph.place import GivenBack, NotGiven, Place, lines_of, source_in
from migrate.graph.reading import Reading
from migrate.graph.transparent import wrapping
from migrate.syntax.nodes import position, walk
from migrate.syntax.tree import Tree, own_nodes
from migrate.trace import Trace


class Leftovers:
    """Finds the statements and functions that nothing is left of."""

    def __init__(self, reading: Reading, trace: Trace, tree: Tree, place: Place) -> None:
        self.reading = reading
        self.trace = trace
        self.tree = tree
        self.place = place

    def remove(self) -> None:
        """Note in the place which statements, calls and functions go.

        Raises:
            Blocked: one of them does something else, too.
        """
        found = self.place
        physical = {line.operations[-1] for line in found.kept}
        dead = [
            node
            for node in self.reading.plumbing
            if (operation := self.reading.operation_at(node, self.trace)) is not None
            and not operation.is_source
            and operation not in physical
            and self.tree.scope_of(node) not in found.per_batch
        ]
        self._give_back(dead)
        chosen = {statement for one in self.reading.chosen for statement in one.bound}
        for statement in self.reading.aliases:
            goes = statement in chosen and self.tree.scope_of(statement) not in found.per_batch
            if statement is not found.returned and (goes or any(node in dead for node in walk(statement))):
                found.deleted.append(statement)
        self._drop_branches()
        self._drop_emptied()
        self._consume()
        self._check_calls(dead)
        self._check_unpacked()
        gone = {node for statement in found.deleted for node in walk(statement)}
        for consumed in (*found.consumed, *(call for calls in found.per_batch.values() for call in calls)):
            gone.update(walk(consumed))
        if found.returned is not None:
            gone.update(walk(found.returned))
        if isinstance(found.assigned, ast.Expr):
            gone.add(found.assigned.value)
        lines = (line.statement for line in self.reading.lines if line not in found.kept)
        gone.update(node for statement in lines for node in walk(statement))
        left = [node for node in dead if node not in gone and not self._is_no_more_given(node, gone)]
        if left:
            raise Blocked(
                f"`{ast.unparse(left[0])}` is handed on to code that runs once, but it is made in each batch",
                at=left[0],
            )
        self._drop_emptied()
        self._no_empty_block()

    def _give_back(self, dead: list[ast.AST]) -> None:
        """Let a function that makes a source and returns a stream of it return the source."""
        for function, call in self.reading.entered.items():
            statement = self.tree.statement_of(call)
            last = function.body[-1] if isinstance(function, ast.FunctionDef) else None
            plain = isinstance(statement, ast.Assign) and statement.value is call
            plain = plain and len(getattr(statement, "targets", ())) == 1
            if not plain or not isinstance(last, ast.Return) or len(self.reading.entries[function]) != 1:
                continue
            assert isinstance(statement, ast.Assign)
            parts, targets = _parts(last.value), _parts(statement.targets[0])
            for node, target in zip(parts, targets, strict=False) if len(parts) == len(targets) else ():
                operation = self.reading.operation_at(node, self.trace)
                source = ""
                if operation is not None:
                    source = source_in(function, operation, self.reading, self.place.deleted)
                names = isinstance(node, ast.Name) and isinstance(target, ast.Name)
                if operation is None or node not in dead or not source or not names:
                    continue
                assert isinstance(node, ast.Name) and isinstance(target, ast.Name)
                self.place.given_back.append(GivenBack(operation, node, target, source))
                given = {node, call} if call is statement.value and len(parts) == 1 else {node}
                dead[:] = [one for one in dead if one not in given]

    def _is_no_more_given(self, node: ast.AST, gone: Container[ast.AST]) -> bool:
        """Whether an argument can go, with its parameter: the function does nothing with it any more."""
        call = self.tree.above[node]
        named = call.arg if isinstance(call, ast.keyword) else None
        call = self.tree.above[call] if isinstance(call, ast.keyword) else call
        function = next((f for f, given in self.reading.entered.items() if given is call), None)
        if not isinstance(call, ast.Call) or not isinstance(function, ast.FunctionDef):
            return False
        if len(self.reading.entries[function]) != 1 or any(isinstance(a, ast.Starred) for a in call.args):
            return False
        if call in self.reading.unbound:
            return False
        names = self.tree.given_by(function)
        position = call.args.index(node) if named is None and node in call.args else None
        name = named if position is None else names[position] if position < len(names) else None
        parameter = next((one for one in function.args.args if one.arg == name), None)
        reads = (one for one in walk(function) if isinstance(one, ast.Name) and one.id == name)
        if parameter is None or not all(one in gone for one in reads):
            return False
        assert isinstance(node, ast.expr)
        self.place.not_given.append(NotGiven(call, node, parameter))
        return True

    def _drop_branches(self) -> None:
        """Branches of which nothing is left go, where the batch function has them, and so do their ends.

        Raises:
            Blocked: nothing is left of what a branch does where its test is true, but of the other part.
        """
        found = self.place
        moved = {line.statement for line in self.reading.lines if line not in found.kept}
        branches = {condition.branch for line in self.reading.lines for condition in line.all_when}
        stay = {branch for branch in branches if self.tree.scope_of(branch) in found.per_batch}
        for branch in sorted(branches - stay, key=position, reverse=True):
            body, other = (
                all(self._is_gone(statement) or statement in moved for statement in block)
                for block in (branch.body, branch.orelse)
            )
            if body and other:
                found.deleted.append(branch)
            elif body:
                raise Blocked(
                    "one part of a branch puts out streams, another does something else: write two branches",
                    at=branch,
                )

    def _drop_emptied(self) -> None:
        """Branches of which nothing is left go: ``if len(sys.argv) > 2: ssc.checkpoint(sys.argv[2])``.

        So does a ``try`` in which nothing is left that could fail.
        """
        found = self.place
        pending = [*self.reading.removed, *found.deleted]
        while pending:
            around = self.tree.above.get(pending.pop())
            match around:
                case ast.If(test, body, orelse) if only_looks(test):
                    inside = [*body, *orelse]
                case ast.Try(body, _, orelse, finalbody):
                    inside = [*body, *orelse, *finalbody]
                case _:
                    continue
            if all(map(self._is_gone, inside)) and found.anchor not in inside and not self._is_gone(around):
                found.deleted.append(around)
                pending.append(around)

    def _is_gone(self, statement: ast.stmt) -> bool:
        return self.place.is_gone(statement) or statement in self.reading.removed

    def _check_calls(self, dead: list[ast.AST]) -> None:
        """A statement that goes may call only functions of which nothing is left."""
        found = self.place
        lines = [line for line in lines_of(self.reading) if line not in found.kept]
        inner = {line.inner for line in lines if line.inner is not None and self._stays(line.inner, dead)}
        for statement in (*found.deleted, *(line.statement for line in lines)):
            own = set(own_nodes(statement))
            for function, call in self.reading.entered.items():
                called = call in own and call not in inner and function not in found.per_batch
                if called and call not in dead and statement in found.deleted:
                    found.fetched[statement] = call
                elif called and function not in found.consumed:
                    name = getattr(function, "name", "")
                    raise Blocked(MORE.format(name), at=call)

    def _stays(self, inner: ast.expr, dead: Container[ast.AST]) -> bool:
        """Whether new code reads what a chain starts from: a source, and no stream that it makes itself.

        A function that makes the source may return it in place of a stream.
        """
        operation = self.reading.operation_at(inner, self.trace)
        if operation is None or operation.is_source:
            return inner not in dead
        kept = {line.operations[-1] for line in self.place.kept}
        sources = {one for one in upstream(operation) if one.is_source}
        own = [line for line in self.reading.lines if line.scope is self.place.scope]
        is_made_there = all(sources.isdisjoint(line.operations) for line in own)
        return inner not in dead and operation in kept and is_made_there

    def _check_unpacked(self) -> None:
        """A call that stays may be taken apart only if the function returns still what it did."""
        found = self.place
        silent = {self.tree.scope_of(node) for node in found.deleted if isinstance(node, ast.Return)}
        for function, call in self.reading.entered.items():
            statement = self.tree.statement_of(call)
            stays = function not in found.consumed and not found.is_gone(statement)
            if function in silent and stays and isinstance(statement, ast.Assign):
                raise Blocked(MORE.format(getattr(function, "name", "")), at=call)

    def _consume(self) -> None:
        """Functions of which nothing is left go, and so do their calls."""
        found = self.place
        grown = True
        while grown:
            grown = False
            for function, call in self.reading.entered.items():
                if function in found.consumed or function is found.scope or function in found.per_batch:
                    continue
                assert isinstance(function, ast.FunctionDef)
                if wrapping(function):  # which do something around each call
                    continue
                *above, last = function.body
                body = above if gives_nothing(last) else function.body
                if all(self.place.is_gone(one) or _declares_nothing(one, function) for one in body):
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
            raise Blocked(
                f"`{called}` is called inside of something else: call it in a statement of its own", at=call
            )

    def _no_empty_block(self) -> None:
        found = self.place
        for statement in (*found.deleted, *self.reading.removed):
            block = self.tree.block_of(statement)
            holder = self.tree.above[statement]
            gone = (*found.deleted, *self.reading.removed)
            if holder in (*found.consumed, *gone) or self.tree.scope_of(statement) in found.consumed:
                continue
            is_else = isinstance(holder, ast.If) and statement in holder.orelse
            if all(other in gone for other in block) and found.anchor not in block and not is_else:
                raise Blocked("nothing would be left of the block around this statement", at=statement)


def gives_nothing(statement: ast.stmt) -> bool:
    """Whether a statement is ``return`` or ``return None``, which says nothing at the end of a function."""
    match statement:
        case ast.Return(value=None | ast.Constant(value=None)):
            return True
    return False


def only_looks(test: ast.expr) -> bool:
    """Whether a test only compares values and asks for files: no one misses it."""
    does = (ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
    calls = (node.func for node in walk(test) if isinstance(node, ast.Call))
    return all(map(_looks, calls)) and not any(isinstance(node, does) for node in walk(test))


def _looks(called: ast.expr) -> bool:
    match called:
        case ast.Name(name):
            return name in ("bool", "hasattr", "int", "isinstance", "len", "str")
        case ast.Attribute(ast.Attribute(ast.Name("os"), "environ"), "get"):
            return True
        case ast.Attribute(attr=name):
            return name in _LOOKING
    return False


_LOOKING = frozenset(
    {"endswith", "exists", "getenv", "isdir", "isfile", "lower", "startswith", "strip", "upper"}
)
"""Methods, and functions of modules, that change nothing."""


def _declares_nothing(statement: ast.stmt, function: ast.FunctionDef) -> bool:
    """Whether a statement declares names as global that its function only reads."""
    if not isinstance(statement, ast.Global):
        return False
    names = (node for node in walk(function) if isinstance(node, ast.Name))
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return bound.isdisjoint(statement.names)


def _parts(node: ast.expr | None) -> list[ast.expr]:
    """The parts of a tuple, or one expression by itself."""
    if isinstance(node, ast.Tuple):
        return node.elts
    return [node] if node is not None else []
