"""Decides where the batch function stands, and what becomes of functions that the streams went through."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrate.native.blocked import Blocked
from migrate.native.program import Line, Operation
from migrate.native.reading import Reading
from migrate.native.syntax import Tree, own_nodes, parameter_names
from migrate.nodes import walk
from migrate.trace import Context, Stream, Trace, Use


@dataclass
class Place:
    """Where a graph's batch function stands and how its query is started."""

    scope: ast.Module | ast.FunctionDef
    anchor: ast.stmt
    """The statement whose place it takes, or that it follows."""
    kept: dict[Line, str] = field(default_factory=dict)
    """Lines of other functions that still hand the source on; the text before it, ``return`` or nothing."""
    deleted: list[ast.stmt] = field(default_factory=list)
    """Statements of other functions that only made or handed on what is made in each batch now."""
    fetched: dict[ast.stmt, ast.Call] = field(default_factory=dict)
    """Statements that go but for a call in them, which gives the source."""
    consumed: list[ast.FunctionDef] = field(default_factory=list)
    """Functions that nothing is left of."""
    returned: ast.Return | None = None
    """``return ssc``, which returns the writer."""
    assigned: ast.Assign | ast.Expr | None = None
    """The call of the function that returns the writer."""
    attribute: str | None = None
    """The object whose attribute holds the writer, ``self``."""
    passed: ast.Name | None = None
    """The context that a call hands to the function that starts it: the writer."""


def candidates(reading: Reading, tree: Tree, start: Use | None) -> list[ast.Module | ast.FunctionDef]:
    """The functions that the batch function may be defined in, the best first.

    Raises:
        Blocked: there is nothing to put into it.
    """
    if reading.is_unused:
        return []
    last = _last(reading)
    home = tree.scope_of(start.node) if start is not None else None
    way = [tree.scope_of(statement) for statement in reversed(reading.ways[last])]
    scopes = {line.scope for line in _lines(reading)}
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


def _lines(reading: Reading) -> list[Line]:
    """The lines of what is done in each batch."""
    return [line for line in reading.lines if any(not op.is_source for op in line.operations)]


def _last(reading: Reading) -> Line:
    for line in reversed(_lines(reading)):
        if any(operation.is_output for operation in line.operations):
            return line
    raise Blocked("the graph has no output")


class _Placer:
    def __init__(
        self,
        reading: Reading,
        trace: Trace,
        tree: Tree,
        start: Use | None,
        scope: ast.Module | ast.FunctionDef,
    ) -> None:
        self.reading = reading
        self.trace = trace
        self.tree = tree
        self.lines = _lines(reading)
        self.start = start
        anchor = [s for s in reading.ways[_last(reading)] if tree.scope_of(s) is scope][-1]
        self.place_ = Place(scope, anchor)

    def place(self) -> Place:
        found = self.place_
        self._start()
        block = self.tree.block_of(found.anchor)
        for line in self.lines:
            if line.scope is not found.scope:
                self._foreign(line)
            elif line.statement not in block:
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

    def _operation(self, node: ast.AST) -> Operation | None:
        streams = [value for value in self.trace.kinds.get(node, ()) if isinstance(value, Stream)]
        return self.reading.operations.get(streams[0].node) if len(streams) == 1 else None

    def _free(self, line: Line) -> Iterator[str]:
        """Names that what is done to a line's streams reads, without those of streams."""
        given = [
            argument
            for operation in line.operations
            if not operation.is_source
            for argument in (*operation.call.args, *(keyword.value for keyword in operation.call.keywords))
        ]
        for value in given:
            inner = {arg.arg for arg in walk(value) if isinstance(arg, ast.arg)}
            names = [node for node in walk(value) if isinstance(node, ast.Name)]
            inner |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
            for node in names:
                if node.id not in inner and not self._carries(node):
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
            here = self.trace.scopes[self.place_.scope].home(name)
            return here is home
        cls = self.tree.class_of(line.scope)
        if cls is None or cls is not self.tree.class_of(self.place_.scope) or home.node is not line.scope:
            return False
        return self._receiver(line.scope) == name == self._receiver(self.place_.scope)

    def _receiver(self, scope: ast.AST) -> str | None:
        method = isinstance(scope, ast.FunctionDef) and self.tree.class_of(scope) is not None
        if not isinstance(scope, ast.FunctionDef) or not method or scope.decorator_list:
            return None
        names = parameter_names(scope)
        return names[0] if names else None

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
            line = getattr(left[0], "lineno", 0)
            raise Blocked(f"line {line}: `{ast.unparse(left[0])}` is handed on to code that runs once")
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
                    raise Blocked(f"line {call.lineno}: `{name}` does more than make streams")

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
            raise Blocked(f"line {call.lineno}: `{called}` is called inside of something else")

    def _is_nothing(self, statement: ast.stmt) -> bool:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        return text or isinstance(statement, ast.Pass) or statement in self.place_.deleted

    def _no_empty_block(self) -> None:
        found = self.place_
        for statement in found.deleted:
            block = self.tree.block_of(statement)
            holder = self.tree.above[statement]
            if holder in found.consumed or self.tree.scope_of(statement) in found.consumed:
                continue
            if all(other in found.deleted for other in block) and found.anchor not in block:
                raise Blocked(f"line {statement.lineno}: nothing would be left of the block around it")

    # --- starting -------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """See how what the batch function's place makes gets to where the query is started."""
        found = self.place_
        if self.start is None:
            return
        home = self.tree.scope_of(self.start.node)
        if home is found.scope:
            return
        receiver = self.start.node.value if isinstance(self.start.node, ast.Attribute) else None
        own = self._receiver(found.scope)
        if own is not None and isinstance(receiver, ast.Attribute) and self._same_class(receiver):
            found.attribute = own
            return
        call = self.reading.entered.get(home)
        if call is not None and self.tree.scope_of(call) is found.scope and isinstance(receiver, ast.Name):
            self._passed(call, home, receiver)
        elif isinstance(found.scope, ast.FunctionDef):
            self._returned(home)
        else:
            raise self._apart()

    def _apart(self) -> Blocked:
        return Blocked("`start` is called in another function than the streams are made in", self.start)

    def _passed(self, call: ast.Call, home: ast.AST, receiver: ast.Name) -> None:
        """``run(ssc)``: the function that starts the context is given the writer."""
        assert isinstance(home, ast.FunctionDef)
        names = parameter_names(home)
        given = [node for node in call.args if self._is_context(node)]
        in_order = self.tree.statement_of(call).lineno > self.place_.anchor.lineno
        plain = len(given) == 1 and isinstance(given[0], ast.Name) and self.tree.class_of(home) is None
        if not (plain and in_order and names[call.args.index(given[0])] == receiver.id):
            raise self._apart()
        if not self._only_lives(receiver.id, home):
            raise self._apart()
        assert isinstance(given[0], ast.Name)
        self.place_.passed = given[0]

    def _is_context(self, node: ast.AST) -> bool:
        return any(isinstance(value, Context) for value in self.trace.kinds.get(node, ()))

    def _same_class(self, receiver: ast.Attribute) -> bool:
        """Whether ``x.ssc`` is an attribute of the class that the batch function's place is a method of."""
        from migrate.trace.values import Instance

        values = self.trace.kinds.get(receiver.value, frozenset())
        cls = self.tree.class_of(self.place_.scope)
        family = self.tree.family(cls) if cls is not None else set()
        return bool(values) and all(isinstance(v, Instance) and v.of.node in family for v in values)

    def _returned(self, home: ast.AST) -> None:
        found = self.place_
        assert isinstance(found.scope, ast.FunctionDef)
        call = self.reading.entered.get(found.scope)
        statement = self.tree.statement_of(call) if call is not None else None
        refusal = self._apart()
        if call is None or statement is None or self.tree.scope_of(statement) is not home:
            raise refusal
        if getattr(statement, "value", None) is not call or not isinstance(statement, ast.Assign | ast.Expr):
            raise refusal
        returns = [
            node
            for node in walk(found.scope)
            if isinstance(node, ast.Return) and self.tree.scope_of(node) is found.scope
        ]
        given = [node for node in returns if node.value is not None]
        if isinstance(statement, ast.Assign):
            target = statement.targets[0]
            plain = len(statement.targets) == 1 and isinstance(target, ast.Name)
            if not plain or len(given) != 1 or given[0] is not found.scope.body[-1]:
                raise refusal
            assert given[0].value is not None and isinstance(target, ast.Name)
            if not self._is_context(given[0].value) or not self._only_lives(target.id, home):
                raise refusal
            found.returned = given[0]
        elif given:
            if len(returns) != 1 or given[0] is not found.scope.body[-1] or not self._is_carrier(given[0]):
                raise refusal
            found.returned = given[0]
        elif returns or found.anchor not in found.scope.body:
            raise refusal
        found.assigned = statement

    def _is_carrier(self, statement: ast.Return) -> bool:
        """Whether all that a function returns is the context or a stream."""
        value = statement.value
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        return all(part in self.reading.plumbing for part in parts)

    def _only_lives(self, name: str, home: ast.AST) -> bool:
        """Whether a variable of the context is only started, waited for and stopped."""
        life = {use.node.value for use in self.reading.lifecycle if isinstance(use.node, ast.Attribute)}
        return all(
            node in life
            for node in walk(home)
            if isinstance(node, ast.Name)
            and node.id == name
            and isinstance(node.ctx, ast.Load)
            and self.tree.scope_of(node) is home
        )
