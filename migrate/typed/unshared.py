"""Values that nothing else holds: a function that is given one may change it.

    def parsed(row):
        row[2] = float(row[2])
        return Flight(*row)

    def flights(line):
        return [parsed(row) for row in csv.reader([line])]

Such a value is made where it is given away, or by way of a variable that is not read afterwards.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from migrate.columns.element import Scope
from migrate.knowledge.libraries import JSON_READERS
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names
from migrate.typed.held import Held
from migrate.typed.moves import Binding, FunctionNode, is_stored, variables_of, with_second_names
from migrate.typed.ownership import MAKING, NEW_METHODS
from migrate.typed.project_functions import in_order
from migrate.typed.qualified import qualified
from migrate.typed.types import NEVER, Type

_PARTS_ALIKE = frozenset(
    {"csv.reader", "enumerate", "iter", "list", "next", "reversed", "sorted", "tuple", "zip"}
)
"""Functions whose results hold the items of what they are given, or are one of these."""
_METHODS = {**dict.fromkeys(NEW_METHODS, Held.WHOLE), "copy": Held.ITSELF}
_PLAIN = frozenset({"bool", "float", "int", "len", "repr", "str"})
"""Functions that make no list or dict."""


def given_away(node: ast.expr, function: FunctionNode | None, held: Sequence[Held], scope: Scope) -> Held:
    """How much of an argument, or of what is gone through, nothing holds but what gets it.

    Args:
        node: the expression.
        function: the function around it, if there is one.
        held: how much of that function's arguments nothing else holds.
        scope: the names that it reads.
    """
    return _Function(function, held, scope).of(node)


def given_back(function: ast.expr, held: Sequence[Held], scope: Scope) -> Held:
    """How much of the result of a function nothing else holds, if that much of its arguments nothing does."""
    found = _defined(function, scope)
    if found is not None:
        return _result(*found, held)
    name = qualified(function, {}, scope)
    return Held.WHOLE if name in JSON_READERS else Held.NOTHING


def holds_items(name: str, function: FunctionNode, held: Sequence[Held], scope: Scope) -> bool:
    """Whether a variable holds one item after the other that nothing else holds, as long as it does.

    That is the variable of a loop over a list of lists that the function alone has.
    """
    bindings = variables_of(function).all_bindings(name)
    inside = _Function(function, held, scope)
    is_alone = bool(bindings) and name not in with_second_names(function)
    return is_alone and all(
        one.is_part and one.value is not None and inside.of(one.value) is Held.WHOLE for one in bindings or ()
    )


def _defined(function: ast.expr, scope: Scope) -> tuple[FunctionNode, Scope] | None:
    """The function of the project that an expression names, with the names that it reads."""
    if isinstance(function, ast.Lambda):
        return function, scope
    if isinstance(function, ast.Name) and function.id in scope.functions:
        return scope.functions[function.id], scope
    defined = scope.defined(function) if isinstance(function, ast.Name | ast.Attribute) else None
    return None if defined is None or defined.bound else (defined.node, defined.scope)


def _result(function: FunctionNode, scope: Scope, held: Sequence[Held], depth: int = 0) -> Held:
    inside = _Function(function, held, scope, depth)
    if isinstance(function, ast.Lambda):
        return inside.of(function.body)
    nodes = [*walk(function)]
    if any(isinstance(node, ast.Yield | ast.YieldFrom | ast.FunctionDef) for node in nodes[1:]):
        return Held.NOTHING
    values = [node.value for node in nodes if isinstance(node, ast.Return)]
    return min((inside.of(value) for value in values if value is not None), default=Held.NOTHING)


_DEPTH = 5
"""The depth up to which calls are looked into."""


@dataclass
class _Function:
    """The values in one function.

    Attributes:
        function: the function; None for an expression in none.
        held: how much of its arguments nothing else holds.
        scope: the names that it reads.
        depth: how many calls lead to it.
    """

    function: FunctionNode | None
    held: Sequence[Held]
    scope: Scope
    depth: int = 0
    _asked: set[str] = field(default_factory=set)

    def of(self, node: ast.expr) -> Held:
        """How much of the value of an expression is held by nothing but what gets it."""
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.Compare():
                return Held.WHOLE
            case ast.Name():
                return self._variable(node)
            case ast.IfExp(_, body, orelse):
                return min(self.of(body), self.of(orelse))
            case ast.List(items) | ast.Tuple(items) | ast.Set(items):
                return self._made(items)
            case ast.Dict(_, values):
                return self._made(values)
            case ast.ListComp(item) | ast.SetComp(item) | ast.GeneratorExp(item) | ast.DictComp(_, item):
                return self._made([item])
            case ast.Subscript(_, ast.Slice()):
                return Held.ITSELF
            case ast.Call():
                return self._called(node)
        return Held.NOTHING

    def _made(self, items: Sequence[ast.expr]) -> Held:
        """How much of a new list, tuple or dict of items is held by nothing else."""
        return Held.WHOLE if all(self.of(item) is Held.WHOLE for item in items) else Held.ITSELF

    def _called(self, node: ast.Call) -> Held:
        found = _defined(node.func, self.scope) if self._is_outer(node.func) else None
        if found is not None:
            given = in_order(node, found[0], bound=False)
            if given is None or self.depth >= _DEPTH:
                return Held.NOTHING
            return _result(*found, [self.of(argument) for argument in given], self.depth + 1)
        name = qualified(node.func, self._names, self.scope)
        if name in JSON_READERS or name in _PLAIN:
            return Held.WHOLE
        if name in _PARTS_ALIKE and node.args:
            inner = min(map(self.of, node.args))
            if name == "csv.reader":
                return Held.WHOLE  # it makes a row of texts of each line
            return inner if name == "next" or inner is Held.WHOLE else Held.ITSELF
        if name in MAKING:
            return Held.ITSELF
        if name is None and isinstance(node.func, ast.Attribute) and self.scope.defined(node.func) is None:
            return _METHODS.get(node.func.attr, Held.NOTHING)
        return Held.NOTHING

    def _is_outer(self, function: ast.expr) -> bool:
        """Whether an expression names something that the function does not bind."""
        return not any(isinstance(node, ast.Name) and node.id in self._names for node in walk(function))

    @cached_property
    def _names(self) -> Mapping[str, Type]:
        """The names that the function binds; of no type that matters."""
        if self.function is None:
            return {}
        stored = (node.id for node in walk(self.function) if isinstance(node, ast.Name) and is_stored(node))
        given = (node.arg for node in walk(self.function) if isinstance(node, ast.arg))
        return dict.fromkeys((*stored, *given), NEVER)

    def _variable(self, read: ast.Name) -> Held:
        """How much of a variable's value nothing holds after it is read."""
        if self.function is None or read.id in self._asked:
            return Held.NOTHING
        variables = variables_of(self.function)
        bindings = variables.bindings(read)
        if not bindings:
            return Held.NOTHING
        self._asked.add(read.id)
        found = min(self._bound(one, read.id) for one in bindings)
        self._asked.discard(read.id)
        if found is Held.NOTHING or variables.is_read_last(read):
            return found
        return Held.ITSELF if variables.is_kept_by_none(read) else Held.NOTHING

    def _bound(self, binding: Binding, name: str) -> Held:
        """How much of what a variable is bound to is held by nothing else."""
        if binding.value is not None:
            found = self.of(binding.value)
            return Held.NOTHING if binding.is_part and found is not Held.WHOLE else found
        assert self.function is not None
        place = parameter_names(self.function).index(name)
        return self.held[place] if place < len(self.held) else Held.NOTHING
