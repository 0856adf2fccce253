"""The producers and sockets that expressions of a module hold: by variables, parameters and functions."""

from __future__ import annotations

import ast

from migrate.read.python2.clients import KAFKA_PYTHON, Clients, Settings
from migrate.read.python2.handed import Handed
from migrate.syntax.nodes import of_kinds, walk

_DEEPEST = 8
"""How many functions may hand a producer to one another."""


class Producers:
    """The clients that a module makes, and where they go."""

    def __init__(self, tree: ast.Module, clients: Clients) -> None:
        self._clients = clients
        self._handed = Handed(tree)
        functions = of_kinds(tree, ast.FunctionDef)
        names = [function.name for function in functions]
        self._functions = {one.name: one for one in functions if names.count(one.name) == 1}
        self._assigned = assigned(tree)
        self._results: dict[str, Settings | None] = {}
        """What functions give; None while one is looked into."""
        made = [one for call in of_kinds(tree, ast.Call) if (one := clients.made_by(call)) is not None]
        self.of_kafka = [settings for settings in made if settings[0] is KAFKA_PYTHON]
        """The settings of each producer of kafka-python that the module makes."""

    def held(self, node: ast.expr, depth: int = 0) -> Settings | None:
        """The class and settings of the client that an expression is, also as an argument of each call."""
        if isinstance(node, ast.Call):
            return self._of_call(node)
        values = self._handed.values(node) if isinstance(node, ast.Name) else None
        if values is None:
            return _one([self._of_call(value) for value in self._assigned.get(ast.unparse(node), ())])
        return None if depth == _DEEPEST else _one([self.held(value, depth + 1) for value in values])

    def is_unknown(self, node: ast.expr) -> bool:
        """Whether a module does not say what an object is: a parameter, an attribute of another class."""
        match node:
            case ast.Name():
                same = self._assigned.get(node.id, [])  # of a variable of that name somewhere
                return self._handed.values(node) == [] and (not same or self._held_by_all(same))
            case ast.Attribute(ast.Name("self")):
                return ast.unparse(node) not in self._assigned
        return False

    def _held_by_all(self, values: list[ast.expr]) -> bool:
        made = _one([self._of_call(value) for value in values])
        return made is not None and made[0] is KAFKA_PYTHON

    def _of_call(self, node: ast.expr) -> Settings | None:
        """The client that a class makes, or that a function of the module gives, where it gives anything."""
        made = self._clients.made_by(node)
        match node:
            case ast.Call(ast.Name(name)) if made is None and name in self._functions:
                if name not in self._results:
                    self._results[name] = None
                    self._results[name] = self._returned(self._functions[name])
                return self._results[name]
        return made

    def _returned(self, function: ast.FunctionDef) -> Settings | None:
        own = assigned(function)
        given = [node.value for node in walk(function) if isinstance(node, ast.Return)]
        values = [one for one in given if not (one is None or isinstance(one, ast.Constant))]
        return _one([self._of_call(made) for one in values for made in own.get(ast.unparse(one), [one])])


def _one(settings: list[Settings | None]) -> Settings | None:
    """The one client that all of some expressions are."""
    return settings[0] if settings and all(other == settings[0] for other in settings) else None


def assigned(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """The variables of some code, with all that each of them gets but constants."""
    held: dict[str, list[ast.expr]] = {}
    for node in walk(tree):
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant):
            for target in node.targets:  # a constant is there until a producer is made: None or ""
                if isinstance(target, ast.Tuple):
                    target = target.elts[0]  # ``connection, address = listener.accept()``
                held.setdefault(ast.unparse(target), []).append(node.value)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            held.setdefault(ast.unparse(node.optional_vars), []).append(node.context_expr)
    return held
