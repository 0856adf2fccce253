"""Decides which statements of other functions become a part of the batch function."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from migrate.graph.blocked import Blocked
from migrate.graph.local_variables import LocalVariables
from migrate.graph.operations import Entry, Line, Operation, upstream
from migrate.graph.own_values import OwnValues
from migrate.graph.per_batch import PerBatch
from migrate.graph.place import Borrowed, Carried, Place, lines_of, source_in
from migrate.graph.program import Program
from migrate.syntax.nodes import walk
from migrate.syntax.tree import is_main_guard
from migrate.trace import Trace, Use

_BLOCKS = (
    "the streams are made in different blocks of code, and one function takes their place: "
    "make them one after another"
)


class Moving:
    """Moves the lines of other functions into the batch function, or leaves them where they are."""

    def __init__(
        self, program: Program, trace: Trace, place: Place, dissolved: Collection[ast.FunctionDef]
    ) -> None:
        self.program = program
        self.dissolved = dissolved
        self.reading = program.reading
        self.trace = trace
        self.tree = program.tree
        self.place = place
        self._carrying = LocalVariables(program, trace, place)

    def move(self) -> None:
        """Note in the place which lines stay and which statements go.

        Raises:
            Blocked: a line reads what the batch function cannot, or stands in another block.
        """
        found = self.place
        block = self.tree.block_of(found.anchor)
        self._keep_functions()
        for line in lines_of(self.reading):
            if line.scope in found.per_batch:
                continue
            if line.scope is not found.scope:
                self._foreign(line)
            elif not ({line.statement, self.reading.stands_in(line)} & {*block}) and not self._leads_to(
                line.statement, found.anchor
            ):
                raise Blocked(_BLOCKS, line.operations[-1].use)
        self._carrying.check()

    def _keep_functions(self) -> None:
        """Let the batch function call those that it can call.

        The code of dissolved ones moves into it, unless it cannot: code of other files, or with own names.
        """
        found = self.place
        values = OwnValues(self.tree, [module.tree for module in self.trace.modules])
        finder = PerBatch(self.reading, self.tree, found, self.dissolved, values)
        possible = finder.functions()
        root = self.tree.root_of(found.scope)
        given = self._given()
        read = self._read()
        alive = {one for one in possible if one in read and one not in self.dissolved}
        if not self._takes_object(alive):
            alive = {one for one in alive if not self._is_idle_method(one)}
        wanted = {
            function
            for function in possible
            for line in lines_of(self.reading)
            if line.scope is function
            if function in alive
            or len(possible[function]) > 1
            or any(entry.own_when or self._is_part(entry) for entry in self.reading.entries[function])
            or given.keys() & {*possible[function]}
            or self.tree.root_of(function) is not root
            or not all(self._means_the_same(name.id, line) for name in self._free(line))
        }
        found.per_batch = finder.connected(possible, wanted)
        self._check_branches()
        kept = {call for calls in found.per_batch.values() for call in calls}
        for call, line in given.items():
            if call not in kept:
                name = line.operations[-1].operator
                raise Blocked(
                    f"`{name}` is called in an argument: assign its result to a name first",
                    line.operations[-1].use,
                )
        lines = {line.statement for line in self.reading.lines}
        calls = (call for calls in found.per_batch.values() for call in calls)
        statements = map(self.tree.statement_of, calls)
        found.deleted += [
            statement
            for statement in dict.fromkeys(statements)
            if self.tree.scope_of(statement) is found.scope and statement not in lines
        ]

    def _takes_object(self, methods: Collection[ast.FunctionDef]) -> bool:
        """Whether the batch function takes an object along whatever becomes of its idle methods."""
        if any(self.tree.class_of(one) is not None and not self._is_idle_method(one) for one in methods):
            return True
        receiver = self.tree.receiver_of(self.place.scope)
        steps = (one for line in lines_of(self.reading) for one in line.operations if not one.is_source)
        given = (argument for one in steps for argument in (*one.call.args, *one.call.keywords))
        return receiver is not None and any(_reads(receiver, argument) for argument in given)

    def _is_idle_method(self, function: ast.FunctionDef) -> bool:
        """Whether a function is a method that does nothing with its object.

        A batch function that called it would take the object along, which Spark Connect would have to pickle.
        """
        own = function.args.args[:1] if self.tree.class_of(function) is not None else []
        return bool(own) and not any(_reads(own[0].arg, part) for part in function.body)

    def _read(self) -> set[ast.AST]:
        """The functions that make an output or a stream that one reads, of others that are read.

        What no output reads never runs, and a function would make it for its arguments.
        """
        lines = lines_of(self.reading)
        outputs = (one for line in lines for one in line.operations if one.is_output)
        live = frozenset[Operation]().union(*map(upstream, outputs))
        idle = {
            function
            for function, entries in self.reading.entries.items()
            if any(not live.issuperset(entry.given.values()) for entry in entries)
        }
        return {line.scope for line in lines if line.scope and live & {*line.operations}} - idle

    def _is_part(self, entry: Entry) -> bool:
        """Whether a call is given streams of the batch function and is a part of a statement only."""
        assert entry.call is not None
        whole = getattr(self.tree.statement_of(entry.call), "value", None) is entry.call
        return not whole and not all(operation.is_source for operation in entry.given.values())

    def _check_branches(self) -> None:
        """Check that the batch function can call what the program calls in a branch, or in another block.

        Raises:
            Blocked: it cannot.
        """
        found = self.place
        for function, entries in self.reading.entries.items():
            for entry in entries:
                if entry.own_when and function not in found.per_batch:
                    raise Blocked("streams are made in a branch", at=entry.own_when[0].branch)
                if function not in found.per_batch or entry.call is None:
                    continue
                statement = self.tree.statement_of(entry.call)
                stands: ast.stmt = entry.own_when[0].branch if entry.own_when else statement
                apart = self.tree.scope_of(statement) is found.scope
                apart &= stands not in self.tree.block_of(found.anchor)
                if apart and not self._leads_to(stands, found.anchor):
                    raise Blocked(_BLOCKS, at=statement)

    def _given(self) -> dict[ast.AST, Line]:
        """The calls that are given streams made of others, ``count(lines.map(f))``."""
        found: dict[ast.AST, Line] = {}
        for line in lines_of(self.reading):
            if line.argument is not None and not line.makes_source:
                above = self.tree.above[line.argument]
                found[self.tree.above[above] if isinstance(above, ast.keyword) else above] = line
        return found

    def _leads_to(self, statement: ast.stmt, anchor: ast.stmt) -> bool:
        """Whether a statement of a module comes before its guard, in which the batch function stands."""
        guard = self.tree.above[anchor]
        top = self.tree.root_of(statement).body
        return is_main_guard(guard) and statement in top and guard in top

    def _foreign(self, line: Line) -> None:
        """Keep a line of another function if it makes the source, or else move what it does."""
        about = line.operations[-1].use
        assert line.scope is not None
        for name in self._free(line):
            if self._means_the_same(name.id, line):
                continue
            inner = self._inner_function(name.id, line.scope)
            if inner is not None:
                assert isinstance(line.scope, ast.FunctionDef)
                self.place.hoisted[inner] = line.scope
                self.program.hoisted.add(inner)
                continue
            carried = self._carrying.of(name.id, line.scope)
            if carried is None:
                self.place.borrowed.append(Borrowed(name, line.scope, about))
            else:
                self._carry(carried, about)
        if line.makes_source:
            self.place.kept[line] = ""
        elif isinstance(line.statement, ast.Return) and self._returns_source(line):
            held = "" if self._starts_from_source(line) else self._source_of(line)
            self.place.kept[line] = held
        else:
            self.place.deleted.append(line.statement)

    def _carry(self, carried: Sequence[Carried], about: Use) -> None:
        """Take variables of a function along, and what they read of its parameters."""
        found = self.place
        for one in carried:
            if one not in found.carried:
                found.carried.append(one)
                found.deleted.append(one.statement)
                self.program.hoisted.add(one.statement.targets[0])
                names = self._carrying.parameters(one)
                found.borrowed += [Borrowed(name, one.function, about) for name in names]

    def _inner_function(self, name: str, function: ast.AST) -> ast.FunctionDef | None:
        """The function of that name inside of one of the module, if it can stand beside it as well."""
        top = self.tree.root_of(function)
        inner = [
            one
            for one in getattr(function, "body", [])
            if isinstance(one, ast.FunctionDef) and one.name == name and not one.decorator_list
        ]
        if function not in top.body or len(inner) != 1 or top is not self.tree.root_of(self.place.scope):
            return None
        own = set(walk(inner[0]))
        for node in walk(top):
            if isinstance(node, ast.Name) and node in own and node.id != name:
                home = self.trace.scopes.home(node)
                if not (home is None or isinstance(home.node, ast.Module) or home.node in own):
                    return None
            if node in own and isinstance(node, ast.Nonlocal):
                return None
            if node is not inner[0] and name in _bound(node):
                return None
        return inner[0]

    def _does_more(self, line: Line) -> bool:
        """Whether the function of a line gets a source, or has code beside its streams."""
        lines = (other for other in lines_of(self.reading) if other not in self.place.kept)
        aliases = (one for one in self.reading.aliases if not self._fetches_source(one))
        ours = {*aliases, *(other.statement for other in lines)}
        assert isinstance(line.scope, ast.FunctionDef)
        return not all(self.place.is_gone(part) or part in ours for part in line.scope.body)

    def _stream_at(self, node: ast.AST) -> Operation | None:
        return self.reading.operation_at(node, self.trace)

    def _returns_source(self, line: Line) -> bool:
        """Whether a ``return`` gives the source from now on, as its function has other code that stays."""
        return self._does_more(line) and (self._starts_from_source(line) or bool(self._source_of(line)))

    def _source_of(self, line: Line) -> str:
        """The variable of the source that what a line makes comes from, if its function makes that."""
        assert line.scope is not None
        return source_in(line.scope, line.operations[-1], self.reading, self.place.deleted)

    def _fetches_source(self, alias: ast.stmt) -> bool:
        """Whether a statement gives a name to the source that a function makes: ``lines = source(ssc)``."""
        value = getattr(alias, "value", None)
        return isinstance(value, ast.Call) and self._holds_source(value)

    def _starts_from_source(self, line: Line) -> bool:
        """Whether a line starts from a source, or from what holds one now."""
        return line.inner is not None and self._holds_source(line.inner)

    def _holds_source(self, node: ast.AST) -> bool:
        operation = self._stream_at(node)
        kept = {line.operations[-1] for line in self.place.kept}
        return operation is not None and (operation.is_source or operation in kept)

    def _free(self, line: Line) -> Iterator[ast.Name]:
        """The free names in the arguments of a line's operators that are no streams: `f` of ``map(f)``."""
        given = [
            argument
            for operation in line.operations
            if not operation.is_source
            for argument in (*operation.call.args, *(keyword.value for keyword in operation.call.keywords))
        ]
        given += [condition.branch.test for condition in line.when]
        for value in given:
            inside = set(walk(value))
            for node in walk(value):
                if isinstance(node, ast.Name) and not self._carries(node):
                    home = self.trace.scopes.home(node)
                    if home is None or home.node not in inside:
                        yield node

    def _carries(self, node: ast.AST) -> bool:
        """Whether a name is, or leads to, a stream."""
        parent = self.tree.above[node]
        attribute = isinstance(parent, ast.Attribute) and self._stream_at(parent) is not None
        return attribute or self._stream_at(node) is not None

    def _means_the_same(self, name: str, line: Line) -> bool:
        """Whether a name of a line is the same variable, or the same ``self``, in the batch function."""
        assert line.scope is not None
        home = self.trace.scopes[line.scope].home(name)
        if home is None or isinstance(home.node, ast.Module):
            return self.trace.scopes.is_same(name, line.scope, self.place.scope)
        cls = self.tree.class_of(line.scope)
        if cls is None or cls is not self.tree.class_of(self.place.scope) or home.node is not line.scope:
            return False
        return self.tree.receiver_of(line.scope) == name == self.tree.receiver_of(self.place.scope)


def _bound(node: ast.AST) -> tuple[str | None, ...]:
    """The names that a node gives something to, without those of the nodes below it."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.arg(arg=name):
            return (name,)
        case ast.alias(name=name, asname=other):
            return (name, other)
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return (name,)
    return ()


def _reads(name: str, code: ast.AST) -> bool:
    """Whether code reads a variable."""
    return any(isinstance(node, ast.Name) and node.id == name for node in walk(code))
