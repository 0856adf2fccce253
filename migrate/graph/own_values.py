"""Statements beside streams that a function may run for every batch: they make values of its own.

def count(self, words):
    limit, skipped = self.limit, ["a", "the"]
    skipped.append("an")
    return words.filter(lambda word: word not in skipped and len(word) > limit)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.syntax.attributes import is_set_once
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.tree import Tree, parameter_names

_LITERAL = (
    *(ast.Constant, ast.expr_context, ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop),
)
_ADDING = frozenset({"add", "append", "extend", "update"})


class OwnValues:
    """Finds such statements.

    Args:
        tree: the modules of the graph.
        modules: all modules that may set attributes.
    """

    def __init__(self, tree: Tree, modules: Sequence[ast.Module]) -> None:
        self._tree = tree
        self._modules = modules

    def makes_one(self, statement: ast.stmt, function: ast.FunctionDef) -> bool:
        """Whether a statement makes a value that is the same in each batch, or adds to a list made so."""
        match statement:
            case ast.Assign([ast.Name()], value):
                return self._is_the_same(value, function)
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), method), given, [])) if method in _ADDING:
                bound = [node for node in walk(function) if isinstance(node, ast.Name) and node.id == name]
                stores = [node for node in bound if not isinstance(node.ctx, ast.Load)]
                made = [
                    one for one in function.body if isinstance(one, ast.Assign) and one.targets == stores[:1]
                ]
                is_new = len(stores) == 1 and any(isinstance(one.value, ast.List | ast.Set) for one in made)
                return is_new and all(self._is_the_same(one, function) for one in given)
        return False

    def _is_the_same(self, value: ast.expr, function: ast.FunctionDef) -> bool:
        """Whether an expression computes nothing but what it did when the program started."""
        match value:
            case ast.Name(name):
                return self._is_settled(name, function)
            case ast.Attribute(ast.Name(owner), attr):
                is_object = self._tree.receiver_of(function) == owner
                return is_object and is_set_once(attr, self._modules)
        parts = [*ast.iter_child_nodes(value)]
        return isinstance(value, _LITERAL) and all(
            self._is_the_same(part, function) if isinstance(part, ast.expr) else isinstance(part, _LITERAL)
            for part in parts
        )

    def _is_settled(self, name: str, function: ast.FunctionDef) -> bool:
        """Whether a name is a variable of the function, or one of the module that nothing binds again."""
        if name in parameter_names(function):
            return True
        root = self._tree.root_of(function)
        stores = [
            node
            for node in of_kinds(root, ast.Name)
            if node.id == name and not isinstance(node.ctx, ast.Load)
        ]
        if any(self._tree.scope_of(node) is function for node in stores):
            return True
        declared = any(name in one.names for one in of_kinds(root, ast.Global))
        return len(stores) == 1 and self._tree.scope_of(stores[0]) is root and not declared
