"""What expressions are: parsed arguments, objects of classes of the module, or these classes themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.proofs.analysis.called_functions import called_function, calls_of
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.declared_arguments import parsing_call
from migrate.syntax.attributes import names_bound
from migrate.syntax.nodes import of_kinds
from migrate.syntax.tree import own_nodes, parameter_names

_DEPTH = 6
"""How many names and calls an object is followed through."""

Object = ast.Call | ast.ClassDef
"""The call that parses arguments, for these; or the class of an object, or that is it."""


class KnownObjects:
    """The objects of one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def object_of(self, node: ast.expr) -> Object | None:
        """What an expression is; None where it may be anything else."""
        return self._object(node, _DEPTH)

    def stores(self, name: str) -> list[ast.Attribute]:
        """What sets an attribute of a name, in all modules."""
        return [
            node
            for module in self._facts.trace.modules
            for node in of_kinds(module.tree, ast.Attribute)
            if node.attr == name and not isinstance(node.ctx, ast.Load)
        ]

    def values(self, cls: ast.ClassDef, name: str) -> list[tuple[ast.expr, ast.AST | None]]:
        """The values that an attribute has, with the functions that set it; none if one is not known."""
        constructor = _constructor(cls)
        receiver = next(iter(parameter_names(constructor)), None) if constructor is not None else None
        found: list[tuple[ast.expr, ast.AST | None]] = []
        for store in self.stores(name):
            value = self._assigned(store)
            own = isinstance(store.value, ast.Name) and store.value.id == receiver
            if value is None or not own or store not in _own_nodes(constructor):
                return []
            found.append((value, constructor))
        for other, statement in self._bound_in_bodies(name):
            value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
            if other is not cls or value is None:
                return []
            found.append((value, cls))
        return found if found and self._is_plain(cls) else []

    def _assigned(self, store: ast.Attribute) -> ast.expr | None:
        """The value of ``self.length = 4``; None for any other way to set an attribute."""
        match self._facts.above.get(store):
            case ast.Assign(targets, value) if store in targets:
                return value
            case ast.AnnAssign(value=value):
                return value
        return None

    def _bound_in_bodies(self, name: str) -> Iterator[tuple[ast.ClassDef, ast.stmt]]:
        """The statements of the bodies of classes that bind a name, in all modules."""
        for module in self._facts.trace.modules:
            for cls in of_kinds(module.tree, ast.ClassDef):
                for statement in cls.body:
                    if name in names_bound(statement):
                        yield cls, statement

    def _is_plain(self, cls: ast.ClassDef, depth: int = _DEPTH) -> bool:
        """Whether nothing but what is read here sets the attributes of a class's objects."""
        if cls.decorator_list or cls.keywords or depth == 0:
            return False
        bases = (base for base in cls.bases if not (isinstance(base, ast.Name) and base.id == "object"))
        found = [self._class(base) for base in bases]
        return all(base is not None and self._is_plain(base, depth - 1) for base in found)

    def _class(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of this module that a name is."""
        binding = self._facts.only_binding(node.id) if isinstance(node, ast.Name) else None
        return binding if isinstance(binding, ast.ClassDef) else None

    def _object(self, node: ast.expr, depth: int) -> Object | None:
        """What an expression is: parsed arguments, or an object of a class or the class itself."""
        if depth == 0:
            return None
        match node:
            case ast.Name():
                return self._of_name(node, depth)
            case ast.Attribute(value):
                holder = self._object(value, depth - 1)
                given = self.values(holder, node.attr) if isinstance(holder, ast.ClassDef) else []
                return self._object(given[0][0], depth - 1) if len(given) == 1 else None
            case ast.Call(function):
                if parsing_call(node, self._facts) is False:
                    return node
                return self._class(function) or self._returned(function, depth)
        return None

    def _returned(self, function: ast.expr, depth: int) -> Object | None:
        """What a function of this module returns: ``return parser.parse_args()``."""
        called = called_function(function, self._facts)
        if called is None or called.node not in self._facts.above:
            return None
        returns = [node for node in _own_nodes(called.node) if isinstance(node, ast.Return)]
        if len(returns) != 1 or returns[0].value is None:
            return None
        return self._object(returns[0].value, depth - 1)

    def _of_name(self, name: ast.Name, depth: int) -> Object | None:
        """What a variable is that is bound once, a parameter, or the object of a method."""
        facts, home = self._facts, self._facts.home(name)
        bindings = [one for one in facts.bindings.get(name.id, ()) if self._home_of(one) is home]
        if len(bindings) != 1 or facts.is_declared_elsewhere(name.id) or name.id in facts.starred:
            return None
        match bindings[0]:
            case ast.ClassDef() as cls:
                return cls
            case ast.arg() as parameter if isinstance(home, ast.FunctionDef):
                return self._of_parameter(parameter, home, depth)
            case ast.Name() as binding:
                return self._bound(binding, depth)
        return None

    def _bound(self, binding: ast.Name, depth: int) -> Object | None:
        value = self._facts.value_of(binding)
        if value is not None:
            return self._object(value, depth - 1)
        match self._facts.statement_of(binding):
            case ast.Assign([ast.Tuple([first, *_])], ast.Call() as call) if first is binding:
                return call if parsing_call(call, self._facts) else None
        return None

    def _of_parameter(self, parameter: ast.arg, function: ast.FunctionDef, depth: int) -> Object | None:
        """The object of a method, or what all calls of a function give a parameter."""
        names = parameter_names(function)
        if parameter.arg not in names:
            return None
        place, cls = names.index(parameter.arg), self._facts.above[function]
        if isinstance(cls, ast.ClassDef) and place == 0:
            return cls if not function.decorator_list else None
        calls = calls_of(function, self._facts) or []
        place -= isinstance(cls, ast.ClassDef)
        found = [
            self._object(call.args[place], depth - 1) if place < len(call.args) else None for call in calls
        ]
        return found[0] if found and all(one is found[0] for one in found) else None

    def _home_of(self, binding: ast.AST) -> ast.AST | None:
        """The function or class that holds a binding; None for the module."""
        if isinstance(binding, ast.Name):
            return self._facts.home(binding)
        if isinstance(binding, ast.arg):
            return self._facts.above[self._facts.above[binding]]
        return self.function_of(binding)

    def function_of(self, node: ast.AST) -> ast.AST | None:
        """The function or class that holds a node; None for the module."""
        step = self._facts.above[node]
        while not isinstance(step, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            step = self._facts.above[step]
        return None if isinstance(step, ast.Module) else step


def _constructor(cls: ast.ClassDef) -> ast.FunctionDef | None:
    found = (one for one in cls.body if isinstance(one, ast.FunctionDef) and one.name == "__init__")
    return next(found, None)


def _own_nodes(function: ast.FunctionDef | None) -> list[ast.AST]:
    """The nodes of a function without those of functions inside of it."""
    body = function.body if function is not None else []
    return [node for statement in body for node in own_nodes(statement)]
