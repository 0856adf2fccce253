"""Functions of ``foreachPartition`` that do nothing where a partition has no elements."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.outside import is_client
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names

_BUILTINS = frozenset({"bool", "dict", "len", "list", "print", "repr", "set", "sorted", "str", "tuple"})
"""Builtins that take what is empty, and do no more; a note tells of what is printed."""
_OPENING = frozenset({"bz2.open", "codecs.open", "gzip.open", "io.open", "lzma.open"})
"""Functions that may make a file, as `open` does."""
_FAILING = (ast.BinOp, ast.Subscript, ast.Yield, ast.YieldFrom, ast.Starred, ast.GeneratorExp)
"""What may fail, or do more, where there are no elements: a division by their number, the first of them."""


def is_idle_without_elements(function: ast.expr, facts: Facts) -> bool:
    """Whether a function does nothing without elements but to open and to close.

    ``producer = KafkaProducer()`` stands above the loop, and ``producer.flush()`` below it. It is a
    function of which `foreach_partition.why_not` gives no reason.
    """
    return _is_idle_with(function, 0, facts, frozenset())


def _is_idle_with(function: ast.expr, place: int, facts: Facts, above: frozenset[ast.AST]) -> bool:
    """The same for a function that gets the iterator as its argument of a place, from functions `above`."""
    called = called_function(function, facts)
    node = called.node if called is not None else function
    if node in above or not isinstance(node, ast.FunctionDef | ast.Lambda):
        return False
    names = parameter_names(node)[called.bound if called is not None else 0 :]
    if place >= len(names) or (isinstance(node, ast.FunctionDef) and node.decorator_list):
        return False
    partition = _Partition(node, names[place], facts.of(node), above | {node})
    return partition.is_idle(node.body) if isinstance(node, ast.FunctionDef) else partition.are_idle([node])


@dataclass(frozen=True)
class _Partition:
    """A function and its iterator, which has no elements."""

    function: ast.FunctionDef | ast.Lambda
    iterator: str
    facts: Facts
    above: frozenset[ast.AST]
    """The function, and those that call it."""

    def is_idle(self, body: Sequence[ast.stmt]) -> bool:
        """Whether statements cannot fail, and keep nothing, where a loop over the iterator does not run."""
        for statement in body:
            match statement:
                case ast.For(iter=ast.Name(iterated), orelse=[]) if iterated == self.iterator:
                    continue
                case ast.With(items, inner):
                    idle = self.are_idle(items) and self.is_idle(inner)
                case ast.Try(inner, handlers, other, final):
                    handling = [one for handler in handlers for one in handler.body]
                    idle = self.is_idle([*inner, *handling, *other, *final])
                case ast.Assign([ast.Attribute(client)], value) if self._is_opened(client):
                    idle = self.are_idle([value])  # `connection.autocommit = True`
                case ast.Expr() | ast.Assign() | ast.Pass() | ast.Import() | ast.ImportFrom():
                    idle = self.are_idle([statement])
                case _:
                    idle = False
            if not idle:
                return False
        return True

    def are_idle(self, parts: Iterable[ast.AST]) -> bool:
        """Whether nothing in some code may fail or be kept."""
        nodes = [node for part in parts for node in walk(part)]
        return not any(
            isinstance(node, _FAILING)
            or (isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load))
            or (isinstance(node, ast.Call) and not self._is_known(node))
            for node in nodes
        )

    def _is_known(self, call: ast.Call) -> bool:
        """Whether a call by a name is of a function that is known, and idle where it gets the iterator.

        Methods and functions of libraries are known but for those that may make a file.
        """
        if not isinstance(call.func, ast.Name):
            return self.facts.qualified(call.func) not in _OPENING
        name, facts = call.func, self.facts
        if facts.home(name) is None and name.id in _BUILTINS - facts.shadowed:
            return True
        if called_function(name, facts) is None:
            return bool(facts.trace.kinds.get(name))
        places = [place for place, one in enumerate(call.args) if self._is_iterator(one)]
        return all(_is_idle_with(name, place, facts, self.above) for place in places)

    def _is_iterator(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.iterator

    def _is_opened(self, client: ast.expr) -> bool:
        """Whether an expression is a variable of the function that only holds a client it has opened."""
        if not isinstance(client, ast.Name):
            return False
        stores = [
            node
            for node in walk(self.function)
            if isinstance(node, ast.Name) and node.id == client.id and not isinstance(node.ctx, ast.Load)
        ]
        made = [self.facts.above.get(one) for one in stores]
        return bool(made) and all(
            isinstance(one, ast.Assign) and is_client(one.value, self.function, self.facts) for one in made
        )
