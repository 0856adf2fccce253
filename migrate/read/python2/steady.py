"""Names of lists, sets and dicts that change only where the function that makes them adds to them."""

from __future__ import annotations

import ast

from migrate.read.python2.collections import COPIES
from migrate.syntax.nodes import around, of_kinds, parents_of

_GROWING = frozenset({"add", "append"})
_READING = COPIES | {
    *("all", "any", "dict", "enumerate", "filter", "iter", "len", "map", "max", "min", "print", "repr"),
    *("str", "sum", "zip"),
}
_PURE = frozenset({"copy", "count", "get", "index", "items", "keys", "values"})


def steady(tree: ast.Module) -> set[str]:
    """The names that nothing but their own function's ``words.add(word)`` and ``counts[key] = 0`` changes.

    A function that gets such a collection must leave it as it is, too.
    """
    uses = _Uses(tree)
    while changed := {name for name in uses.kept if not uses.are_harmless(name)}:
        uses.kept -= changed
    return uses.kept


def addition(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name and what is added to it, of ``words.add(word)``."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), method), [added], [])) if method in _GROWING:
            return name, added
    return None


class _Uses:
    """Where a module reads its variables."""

    def __init__(self, tree: ast.Module) -> None:
        self.parents = parents_of(tree)
        self.functions = {node.name: node.args.args for node in of_kinds(tree, ast.FunctionDef)}
        self.made_in: dict[str, set[ast.AST | None]] = {}
        self.loads: dict[str, list[ast.Name]] = {}
        for name in of_kinds(tree, ast.Name):
            if isinstance(name.ctx, ast.Load):
                self.loads.setdefault(name.id, []).append(name)
            else:
                self.made_in.setdefault(name.id, set()).add(self.scope(name))
        self.kept = set(self.loads)

    def scope(self, node: ast.AST) -> ast.AST | None:
        """The function or lambda around code."""
        outer = around(node, self.parents)
        return next((one for one in outer if isinstance(one, ast.FunctionDef | ast.Lambda)), None)

    def are_harmless(self, name: str) -> bool:
        return all(self.is_harmless(load) for load in self.loads[name])

    def is_harmless(self, load: ast.Name) -> bool:
        """Whether a use leaves a collection as it is, or adds to it where it was made."""
        parent = self.parents.get(load)
        match parent:
            case ast.Compare() | ast.Return() | ast.BoolOp() | ast.UnaryOp() | ast.If():
                return True
            case ast.For(iter=source) | ast.comprehension(iter=source):
                return source is load
            case ast.Subscript(whole, ctx=ast.Store()):
                is_set = isinstance(self.parents.get(parent), ast.Assign)
                return whole is not load or (is_set and self.is_own(load))
            case ast.Subscript(ctx=ast.Load()):
                return True
            case ast.Attribute(attr=method):
                return method in _PURE or (self.is_own(load) and self.is_addition(parent))
            case ast.keyword(str(parameter)):
                return self.is_given(self.parents[parent], None, parameter)
            case ast.Call(_, arguments) if load in arguments:
                return self.is_given(parent, arguments.index(load), "")
        return False

    def is_own(self, load: ast.Name) -> bool:
        """Whether a use stands in the function that makes the collection."""
        return self.scope(load) in self.made_in.get(load.id, ())

    def is_addition(self, method: ast.Attribute) -> bool:
        statement = self.parents.get(self.parents[method])
        return isinstance(statement, ast.stmt) and addition(statement) is not None

    def is_given(self, call: ast.AST, place: int | None, parameter: str) -> bool:
        """Whether a call that gets a collection leaves it as it is."""
        match call:
            case ast.Call(ast.Name(function)) if function in self.functions:
                parameters = [one.arg for one in self.functions[function]]
                if place is not None and place < len(parameters):
                    parameter = parameters[place]
                return parameter in self.kept or (parameter in parameters and parameter not in self.loads)
            case ast.Call(ast.Name(function)):
                return function in _READING
            case ast.Call(ast.Attribute(attr="broadcast" | "parallelize")):
                return True
        return False
