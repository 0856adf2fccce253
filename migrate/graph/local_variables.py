"""Finds the variables of a function that code which moves out of it can take along.

``shortest = 3`` above ``words.filter(lambda word: len(word) > shortest)``: it is bound once, where the
function was called, and nothing else in the function reads it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.graph.blocked import Blocked
from migrate.graph.place import Carried, Place
from migrate.graph.program import Program
from migrate.syntax.bindings import BINDING, bound_by
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names
from migrate.trace import Trace

MORE = "`{}` does more than make streams, which are made in each batch: move the rest out of it"
_SUSPENDING = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


class LocalVariables:
    """The variables of functions of streams whose code moves into the batch function."""

    def __init__(self, program: Program, trace: Trace, place: Place) -> None:
        self.program = program
        self.reading = program.reading
        self.tree = program.tree
        self.trace = trace
        self.place = place

    def of(self, name: str, function: ast.AST) -> Sequence[Carried] | None:
        """A variable, below those that its value reads; None where it must stay in its function."""
        found: list[Carried] = []
        return found if self._take(name, function, found) else None

    def parameters(self, carried: Carried) -> Iterator[ast.Name]:
        """The parameters of its function that the value of a variable reads."""
        for name in self._free(carried.statement.value):
            if self._is_parameter(name.id, carried.function):
                yield name

    def _take(self, name: str, function: ast.AST, found: list[Carried]) -> bool:
        once = len(self.reading.entries.get(function, ())) == 1
        if not isinstance(function, ast.FunctionDef) or not once or not self._is_alone(name, function):
            return False
        bound = [node for node in walk(function) if _binds(node, name)]
        made = [one for one in function.body if isinstance(one, ast.Assign) and one.targets == bound]
        if len(bound) != 1 or not made or made[0] in self.reading.aliases:
            return False
        (statement,) = made
        if any(isinstance(node, _SUSPENDING) for node in walk(statement.value)):
            return False
        if any(line.statement is statement for line in self.reading.lines):
            return False
        for read in self._free(statement.value):
            known = self._is_parameter(read.id, function) or self._means_the_same(read.id, function)
            if not known and not self._take(read.id, function, found):
                return False
        found.append(Carried(statement, function))
        return True

    def _free(self, value: ast.expr) -> Iterator[ast.Name]:
        """The names in a value that are not its own, as those of its lambdas are."""
        inside = set(walk(value))
        for node in walk(value):
            if isinstance(node, ast.Name):
                home = self.trace.scopes.home(node)
                if home is None or home.node not in inside:
                    yield node

    def _is_parameter(self, name: str, function: ast.FunctionDef) -> bool:
        return name in parameter_names(function) and name != self.tree.receiver_of(function)

    def _means_the_same(self, name: str, function: ast.FunctionDef) -> bool:
        """Whether a name is the same variable of the module, or the same ``self``, in the batch function."""
        home = self.trace.scopes[function].home(name)
        if home is None or isinstance(home.node, ast.Module):
            return self.trace.scopes.is_same(name, function, self.place.scope)
        cls = self.tree.class_of(function)
        if cls is None or cls is not self.tree.class_of(self.place.scope) or home.node is not function:
            return False
        return self.tree.receiver_of(function) == name == self.tree.receiver_of(self.place.scope)

    def _is_alone(self, name: str, function: ast.FunctionDef) -> bool:
        """Whether the module of the batch function has nothing else of that name."""
        own = set(walk(function))
        return not any(
            node not in own and (_binds(node, name) or (isinstance(node, ast.Name) and node.id == name))
            for node in walk(self.tree.root_of(self.place.scope))
        )

    def check(self) -> None:
        """Check that no code which stays in a function reads a variable whose assignment moves out of it.

        Raises:
            Blocked: something does.
        """
        gone = {node for part in self.place.moved() for node in walk(part)}
        for one in self.place.carried:
            (target,) = one.statement.targets
            assert isinstance(target, ast.Name)
            names = (node for node in walk(one.function) if isinstance(node, ast.Name))
            left = [node for node in names if node.id == target.id and node not in gone]
            if left:
                raise Blocked(MORE.format(one.function.name), at=left[0])


def _binds(node: ast.AST, name: str) -> bool:
    """Whether a node gives a name a value, or takes it away."""
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Global | ast.Nonlocal):
        return name in node.names
    return isinstance(node, BINDING) and bound_by(node) == name
