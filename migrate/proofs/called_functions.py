"""The function that an expression names, if it was read and the name can be no other function."""

from __future__ import annotations

import ast
from collections import Counter

from migrate.cached import cached_property
from migrate.frozen import dataclass
from migrate.proofs.arguments import argument_of
from migrate.proofs.facts import Facts
from migrate.syntax.nodes import of_kinds
from migrate.trace.values import Bound, Function


def called_function(node: ast.expr, facts: Facts) -> Called | None:
    """The function or method that an expression is, if it is one that was read, and can be no other."""
    return facts.once(_Functions).function(node)


def repeated(name: str, facts: Facts) -> list[ast.FunctionDef]:
    """The definitions of a function that the module repeats word by word, as notebooks do.

    Each is as good as any other.
    """
    return facts.once(_Functions).repeated(name)


@dataclass(frozen=True)
class Called:
    """A function that was read, as an expression names it."""

    node: ast.FunctionDef
    bound: bool
    """Whether it is a method taken from its object, which is its first argument."""


class _Functions:
    """The functions that the expressions of one module name."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._found: dict[ast.expr, Called | None] = {}

    @cached_property
    def _defined(self) -> Counter[str]:
        """How often the module defines a function of each name, methods among them."""
        return Counter(node.name for node in of_kinds(self._facts.tree, ast.FunctionDef))

    def repeated(self, name: str) -> list[ast.FunctionDef]:
        """See `repeated`."""
        found = self._facts.bindings.get(name, ())
        if len(found) < 2:
            return []
        same = [
            node
            for node in found
            if isinstance(node, ast.FunctionDef) and not node.decorator_list and self._facts.visible(node)
            if all(isinstance(default, ast.Constant | None) for default in _defaults(node))
        ]
        if len(same) != len(found) or len({ast.dump(node) for node in same}) != 1:
            return []
        return [] if self._facts.is_declared_elsewhere(name) or name in self._facts.starred else same

    def function(self, node: ast.expr) -> Called | None:
        """See `called_function`."""
        if node not in self._found:
            self._found[node] = self._function(node)
        return self._found[node]

    def _function(self, node: ast.expr) -> Called | None:
        values = self._facts.trace.kinds.get(node, frozenset())
        same = self.repeated(node.id) if isinstance(node, ast.Name) else []
        if same and all(isinstance(value, Function) and value.node in same for value in values):
            return Called(same[0], bound=False)
        given = self._given(node)
        if given is not None:
            return called_function(given, self._facts.of(given))
        if len(values) != 1:
            return None
        (value,) = values
        bound = isinstance(value, Bound)
        function = value.function if isinstance(value, Bound) else value
        if not isinstance(function, Function) or not isinstance(function.node, ast.FunctionDef):
            return None
        decorators = {ast.unparse(decorator) for decorator in function.node.decorator_list}
        if decorators - {"staticmethod"} or not self._is_only(node, function.node):
            return None
        return Called(function.node, bound)

    def _given(self, node: ast.expr) -> ast.expr | None:
        """What a parameter is given in the only call of its function."""
        facts, home = self._facts, self._facts.home(node) if isinstance(node, ast.Name) else None
        if home is None or home in facts.program.called_by_others:
            return None
        found = argument_of(node, home, facts.program)
        if found is None or len(facts.program.reading.entries.get(home, ())) != 1:
            return None
        return found[0]

    def _is_only(self, node: ast.expr, function: ast.FunctionDef) -> bool:
        """Whether nothing else is ever bound to the name that an expression reads a function by."""
        home = self._facts.of(function)
        if home.once(_Functions)._defined[function.name] != 1:
            return False
        if isinstance(node, ast.Name):
            binding = self._facts.only_binding(node.id)
            if home is self._facts:
                return binding is function or self._is_only_of_module(node, function)
            stored = any(isinstance(other, ast.Name) for other in home.bindings.get(function.name, ()))
            imported = isinstance(binding, ast.alias) or self._facts.is_only_starred(node.id)
            return imported and not stored
        if not isinstance(node, ast.Attribute):
            return False
        return not (self._facts.stores_attribute(node.attr) or home.stores_attribute(node.attr))

    def _is_only_of_module(self, name: ast.Name, function: ast.FunctionDef) -> bool:
        """Whether a name is the module's, and only a function's there; in functions it may be a variable's.

        def mood(text):
            mood = TextBlob(text).polarity
        """
        facts = self._facts
        if facts.home(name) is not None or facts.is_declared_elsewhere(name.id) or name.id in facts.starred:
            return False
        bound = [one for one in facts.bindings.get(name.id, ()) if not _is_inside(one, facts)]
        return bound == [function]


def _is_inside(binding: ast.AST, facts: Facts) -> bool:
    """Whether a binding is a variable or a parameter of a function, class or comprehension."""
    if isinstance(binding, ast.Name):
        return facts.home(binding) is not None
    return isinstance(binding, ast.arg)


def _defaults(function: ast.FunctionDef) -> list[ast.expr | None]:
    return [*function.args.defaults, *function.args.kw_defaults]
