"""Tuples that a function makes of lists, ``tuple(line.split(","))``, and whose places alone are read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from migrate.graph.operations import Operation
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.elements.places_read import places_read
from migrate.syntax.nodes import walk


def read_as_lists(operation: Operation, facts: Facts) -> frozenset[ast.AST]:
    """The names of ``tuple`` in calls whose results a ``map`` gives, where readers read places alone."""
    if operation.operator != "map" or not operation.call.args:
        return frozenset()
    found = frozenset[ast.AST](_of_tuples(_results(operation.call.args[0], facts)))
    return found if found and places_read(operation, facts) is not None else frozenset[ast.AST]()


def _results(function: ast.expr, facts: Facts) -> Iterator[ast.expr | None]:
    """What a function returns."""
    called = called_function(function, facts)
    if isinstance(function, ast.Lambda):
        yield function.body
    elif called is not None:
        yield from (node.value for node in walk(called.node) if isinstance(node, ast.Return))


def _of_tuples(results: Iterable[ast.expr | None]) -> Iterator[ast.Name]:
    for made in results:
        match made:
            case ast.Call(ast.Name("tuple") as name, [_], []):
                yield name
