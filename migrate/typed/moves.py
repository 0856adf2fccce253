"""Variables that are not read again after some place, where what they hold may be given away."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from migrate.syntax.nodes import children, walk
from migrate.syntax.tree import parameter_names

FunctionNode = ast.Lambda | ast.FunctionDef
_COPYING = frozenset({"any", "all", "dict", "len", "list", "max", "min", "set", "sorted", "str", "sum"})
"""Builtins that keep nothing of a list but its items."""
Loop = ast.For | ast.While | ast.comprehension | ast.Lambda | ast.FunctionDef
"""What may be run several times, or later."""


@dataclass(frozen=True)
class Binding:
    """What a variable is bound to.

    Attributes:
        target: the node that binds it.
        value: the value; None for a parameter.
        is_part: whether it is an item of the value, or one of its items.
        statement: the assignment, if it is one.
    """

    target: ast.AST
    value: ast.expr | None = None
    is_part: bool = False
    statement: ast.stmt | None = None


def with_second_names(function: FunctionNode) -> set[str]:
    """The variables whose values get into others while the function still reads them.

    What is appended to such a list later would be seen there, too.
    """
    harmless, others = harmless_reads(function), defaultdict[str, list[ast.Name]](list)
    for node in walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in harmless:
            others[node.id].append(node)
    variables = variables_of(function)
    return {name for name, reads in others.items() if not variables.are_given_away(reads)}


def harmless_reads(function: ast.AST) -> set[ast.AST]:
    """What is read in a function, or in an expression, without getting into another value.

    An item of it may.
    """
    harmless: set[ast.AST] = set()
    for node in walk(function):
        match node:
            case ast.Attribute(ast.Name() as value) | ast.Subscript(ast.Name() as value):
                harmless.add(value)
            case ast.Call(ast.Name(called), arguments) if called in _COPYING:
                harmless.update(arguments)
            case ast.Call(ast.Attribute(_, "join" | "dumps"), arguments):
                harmless.update(arguments)
            case ast.Return(ast.Name() as value) | ast.For(_, ast.Name() as value):
                harmless.add(value)
            case ast.Return(ast.Tuple(items)):
                harmless.update(items)
            case ast.Starred(ast.Name() as value) | ast.comprehension(_, ast.Name() as value):
                harmless.add(value)
            case ast.Compare(left, _, others):
                harmless.update((left, *others))
            case (
                ast.If(ast.Name() as value) | ast.While(ast.Name() as value) | ast.IfExp(ast.Name() as value)
            ):
                harmless.add(value)
            case ast.UnaryOp(ast.Not(), ast.Name() as value):
                harmless.add(value)
    return harmless


@lru_cache(maxsize=256)
def variables_of(function: FunctionNode) -> Variables:
    """The variables of a function."""
    return Variables(function)


class Variables:
    """Where the variables of a function are bound and read."""

    def __init__(self, function: FunctionNode) -> None:
        self.function = function
        self._around: dict[ast.AST, tuple[Loop, ...]] = {}
        self._comprehensions: dict[ast.AST, ast.AST] = {}
        for child in children(function):
            self._place(child, ())

    def bindings(self, read: ast.Name) -> list[Binding] | None:
        """What the variable that is read is bound to; None where it is not known.

        All of them are bound right before that, or in no loop.
        """
        generator = self._generator_of(read)
        found = (
            self.all_bindings(read.id)
            if generator is None
            else [Binding(generator.target, generator.iter, is_part=True)]
        )
        loops = self._around.get(read)
        if found is None or loops is None or any(self._around[one.target] != loops for one in found):
            return None
        assigned = [one.statement for one in found if one.statement is not None]
        if loops and assigned and (len(found) > 1 or assigned[0] not in getattr(loops[-1], "body", ())):
            return None  # it may have been bound for another turn
        return found

    def all_bindings(self, name: str) -> list[Binding] | None:
        """What a variable of the function is bound to; None where it is not known."""
        return None if self._is_bound_otherwise(name) else [*self._bound_in_function(name)]

    def is_read_last(self, read: ast.Name) -> bool:
        """Whether the variable is read by conditions at most before that, and not after it."""
        return not self._others(read)

    def is_kept_by_none(self, read: ast.Name) -> bool:
        """Whether no other name, and no value, has what the variable holds, and it is not read again."""
        others, home = self._others(read), self._home(read)
        loops = self._around[read]
        turns = {node for loop in loops if isinstance(loop, ast.While) for node in walk(loop.test)}
        return (
            all(_position(node) < _position(read) for node in others)
            and not any(self._is_lazy(node, home) for node in others)
            and harmless_reads(home) >= others
            and not turns & others
        )

    def are_given_away(self, reads: Sequence[ast.Name]) -> bool:
        """Whether these are one place that gives the value away, after which nothing reads the variable."""
        return len(reads) == 1 and bool(self.bindings(reads[0])) and self.is_kept_by_none(reads[0])

    def _generator_of(self, read: ast.Name) -> ast.comprehension | None:
        """The part of a comprehension that binds the name; None where the function does, or nothing."""
        for loop in reversed(self._around.get(read, ())):
            if isinstance(loop, ast.comprehension) and read.id in _stored(loop.target):
                return loop
        return None

    def _home(self, read: ast.Name) -> ast.AST:
        generator = self._generator_of(read)
        return self.function if generator is None else self._comprehensions[generator]

    def _others(self, read: ast.Name) -> set[ast.Name]:
        """The other places where a variable is read, but for conditions that come before."""
        home = self._home(read)
        tests: set[ast.AST] = set()
        for node in walk(home):
            match node:
                case ast.If(test) | ast.Assert(test) if _position(test) < _position(read):
                    tests.update(walk(test))
                case ast.IfExp(test, body, orelse) if read in {*walk(body), *walk(orelse)}:
                    tests.update(walk(test))
                case ast.comprehension(ifs=ifs) if node in self._around[read]:
                    tests.update(inner for test in ifs for inner in walk(test))
        reads = {node for node in walk(home) if isinstance(node, ast.Name) and node.id == read.id}
        return {node for node in reads if isinstance(node.ctx, ast.Load)} - tests - {read}

    def _is_lazy(self, read: ast.AST, home: ast.AST) -> bool:
        """Whether a variable is read by something that may run later."""
        return any(
            read in walk(node)
            for node in walk(home)
            if isinstance(node, ast.GeneratorExp | ast.Lambda | ast.FunctionDef) and node is not home
        )

    def _bound_in_function(self, name: str) -> Iterator[Binding]:
        if name in parameter_names(self.function):
            yield Binding(self.function.args)
        for node in walk(self.function):
            match node:
                case ast.Assign([target], ast.expr() as value) | ast.AnnAssign(
                    target, value=ast.expr() as value
                ):
                    if name in _stored(target):
                        yield Binding(target, value, not isinstance(target, ast.Name), node)
                case ast.For(target, value) if name in _stored(target):
                    yield Binding(target, value, is_part=True)

    def _is_bound_otherwise(self, name: str) -> bool:
        """Whether a function binds a name in a way that is not followed, or changes it in place."""
        plain: set[ast.AST] = set()
        for node in walk(self.function):
            match node:
                case ast.Assign([target]) | ast.AnnAssign(target, value=ast.expr()) | ast.For(target):
                    plain.update(walk(target))
                case ast.comprehension(target):
                    plain.update(walk(target))
                case ast.ExceptHandler(name=bound) if bound == name:
                    return True
                case ast.FunctionDef(name=bound) if bound == name and node is not self.function:
                    return True
                case ast.alias(imported, other) if name in (other, imported):
                    return True
                case ast.Global(names) | ast.Nonlocal(names) if name in names:
                    return True
        return any(
            isinstance(node, ast.Name) and node.id == name and is_stored(node) and node not in plain
            for node in walk(self.function)
        )

    def _place(self, node: ast.AST, loops: tuple[Loop, ...]) -> None:
        """Note the loops around a node and what is below it."""
        self._around[node] = loops
        parts: Sequence[ast.AST]
        outside: Sequence[ast.AST]
        match node:
            case ast.For():
                parts, outside = [node.target, *node.body], [node.iter, *node.orelse]
            case ast.While():
                parts, outside = [node.test, *node.body], node.orelse
            case ast.Lambda():
                parts, outside = [node.body], [node.args]
            case ast.FunctionDef():
                parts, outside = node.body, [node.args]
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._place_comprehension(node, loops)
                return
            case _:
                parts, outside = [], list(children(node))
        for part in outside:
            self._place(part, loops)
        for part in parts:
            assert isinstance(node, ast.For | ast.While | ast.Lambda | ast.FunctionDef)
            self._place(part, (*loops, node))

    def _place_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, loops: tuple[Loop, ...]
    ) -> None:
        for generator in node.generators:
            self._comprehensions[generator] = node
            self._place(generator.iter, loops)
            loops = (*loops, generator)
            for part in (generator.target, *generator.ifs):
                self._place(part, loops)
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in made:
            self._place(part, loops)


def _stored(target: ast.expr) -> set[str]:
    """The names that a target binds."""
    return {node.id for node in walk(target) if isinstance(node, ast.Name) and is_stored(node)}


def is_stored(node: ast.Name) -> bool:
    """Whether a name is bound where it stands."""
    return isinstance(node.ctx, ast.Store)


def _position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
