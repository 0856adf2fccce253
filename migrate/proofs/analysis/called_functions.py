"""The function that an expression names, if it was read and the name can be no other function."""

from __future__ import annotations

import ast
from collections import Counter

from migrate.cached import cached_property
from migrate.frozen import dataclass
from migrate.proofs.analysis.arguments import argument_of
from migrate.proofs.analysis.facts import Facts
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


def calls_of(function: ast.FunctionDef, facts: Facts) -> list[ast.Call] | None:
    """The calls of a function, method or constructor of a module, all of which are in it.

    None if it may be called by what is not seen: it is handed on, another module names it.

    Args:
        function: the function.
        facts: the names of its module.
    """
    return facts.once(_Functions).calls(function)


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

    def calls(self, function: ast.FunctionDef) -> list[ast.Call] | None:
        """See `calls_of`."""
        cls = self._facts.above[function]
        if not isinstance(cls, ast.ClassDef):
            return self._calls_by_name(function)
        if function.decorator_list:
            return None
        return self._calls_by_name(cls) if function.name == "__init__" else self._calls_of_method(function)

    def _calls_by_name(self, made: ast.FunctionDef | ast.ClassDef) -> list[ast.Call] | None:
        """The calls of a function or a class."""
        facts, name = self._facts, made.name
        home = self._home_of(made)
        loads = [load for load in facts.loads.get(name, ()) if facts.home(load) is home]
        calls = [call for load in loads if (call := _call_of(load, facts)) is not None]
        seen = bool(calls) and len(calls) == len(loads) and not self._is_named_elsewhere(name)
        return calls if seen else None

    def _home_of(self, made: ast.AST) -> ast.AST | None:
        """The function or class that holds a definition; None for the module."""
        step = self._facts.above[made]
        while not isinstance(step, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            step = self._facts.above[step]
        return None if isinstance(step, ast.Module) else step

    def _calls_of_method(self, method: ast.FunctionDef) -> list[ast.Call] | None:
        """The calls of a method, if each of its name is one of it."""
        facts, name = self._facts, method.name
        if self._is_named_elsewhere(name):
            return None
        calls = [_call_of(node, facts) for node in of_kinds(facts.tree, ast.Attribute) if node.attr == name]
        found = [call for call in calls if call is not None]
        own = all((called := self.function(call.func)) and called.node is method for call in found)
        return found if found and own and len(found) == len(calls) else None

    def _is_named_elsewhere(self, name: str) -> bool:
        """Whether another module of the project has a name that may be one of this module."""
        others = [module.tree for module in self._facts.trace.modules if module.tree is not self._facts.tree]
        return any(
            name in (alias.name for alias in of_kinds(tree, ast.alias))
            or name in (node.attr for node in of_kinds(tree, ast.Attribute))
            or any(alias.name == "*" for alias in of_kinds(tree, ast.alias))
            for tree in others
        )

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


def _call_of(function: ast.expr, facts: Facts) -> ast.Call | None:
    """The call of what an expression names."""
    call = facts.above[function]
    return call if isinstance(call, ast.Call) and call.func is function else None


def _is_inside(binding: ast.AST, facts: Facts) -> bool:
    """Whether a binding is a variable or a parameter of a function, class or comprehension."""
    if isinstance(binding, ast.Name):
        return facts.home(binding) is not None
    return isinstance(binding, ast.arg)


def _defaults(function: ast.FunctionDef) -> list[ast.expr | None]:
    return [*function.args.defaults, *function.args.kw_defaults]
