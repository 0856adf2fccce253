"""Which object a ``self`` or a variable is, so that its attributes are followed as variables are.

A trace takes all objects of a class for one; two of them have attributes of their own.
"""

from __future__ import annotations

import ast

from migrate.graph.nodes import Nodes
from migrate.graph.operations import Entry
from migrate.syntax.tree import Tree
from migrate.trace.values import Class, Function

Made = tuple[ast.Call, Entry | None]
"""An object: the call that makes it, and the run of the code that has the call."""
Variable = tuple[object, str]
"""A variable of a module or of a run of a function, or an attribute of an object: `home` and name."""


class Objects:
    """Follows objects from where they are made to the methods that are called on them."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self._held: dict[Variable, Made] = {}
        self.asked: dict[ast.Name | ast.Attribute, None] = {}
        """The variables that were read as objects: all that binds them must have been seen."""

    def bind(self, variable: Variable, made: Made | None) -> None:
        """A variable is given an object, or something else for None."""
        if made is not None:
            self._held[variable] = made
        else:
            self._held.pop(variable, None)

    def of(self, node: ast.expr, entry: Entry | None) -> Made | None:
        """The object that an expression in the code of a run is; None where that is not known."""
        if isinstance(node, ast.Call):
            return self._of_call(node, entry)
        variable = self.variable(node, entry)
        if variable is None:
            return None
        home, name = variable
        if isinstance(home, Entry) and name == _first(home.function, self.nodes.tree):
            return self._receiver(home)
        made = self._held.get(variable)
        if made is not None and isinstance(node, ast.Name | ast.Attribute):
            self.asked[node] = None
        return made

    def variable(self, node: ast.expr, entry: Entry | None) -> Variable | None:
        """The variable that a name, or an attribute of an object, is in the code of a run."""
        if isinstance(node, ast.Attribute):
            owner = self.of(node.value, entry)
            return (owner, node.attr) if owner is not None else None
        home = self.nodes.trace.scopes.home(node) if isinstance(node, ast.Name) else None
        if home is None or not isinstance(node, ast.Name):
            return None
        if isinstance(home.node, ast.Module):
            return home.node, node.id
        while entry is not None and entry.function is not home.node:
            entry = entry.outer
        return (entry, node.id) if entry is not None else None

    def _of_call(self, call: ast.Call, entry: Entry | None) -> Made | None:
        if isinstance(call.func, ast.Name) and call.func.id == "super":
            while entry is not None and _first(entry.function, self.nodes.tree) is None:
                entry = entry.outer
            return self._receiver(entry) if entry is not None else None
        made = any(isinstance(value, Class) for value in self.nodes.values(call.func))
        return (call, entry) if made else None

    def _receiver(self, entry: Entry) -> Made | None:
        """The object whose method is run."""
        call = entry.call
        if call is None:
            return None
        values = self.nodes.values(call.func)
        if any(isinstance(value, Class) for value in values):
            return call, entry.outer
        if gives_self(call, entry.function, self.nodes):
            return self.of(call.args[0], entry.outer)
        return self.of(call.func.value, entry.outer) if isinstance(call.func, ast.Attribute) else None


def gives_self(call: ast.Call, function: ast.AST, nodes: Nodes) -> bool:
    """Whether a call gives a method its object as an argument: ``Base.save(self, rows)``."""
    values = nodes.values(call.func)
    unbound = any(isinstance(value, Function) and value.node is function for value in values)
    return unbound and bool(call.args) and _first(function, nodes.tree) is not None


def _first(function: ast.AST, tree: Tree) -> str | None:
    """The ``self`` of a method."""
    if (
        not isinstance(function, ast.FunctionDef)
        or tree.class_of(function) is None
        or function.decorator_list
    ):
        return None
    names = [*function.args.posonlyargs, *function.args.args]
    return names[0].arg if names else None
