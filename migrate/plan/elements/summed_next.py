"""Pairs that are summed by key right away: ones among them need no column."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.operations import Operation
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names

_SUMS = frozenset({"reduceByKey", "reduceByKeyAndWindow", "updateStateByKey"})
"""Operators that may count where values are ones."""
_COUNTS = frozenset({"count", "isEmpty", "reduceByKey"})
"""Those that read no value of a pair but to count such ones."""


def are_summed(operation: Operation, facts: Facts) -> bool:
    """Whether pairs go to such an operator, at most past conditions on them.

    Those of a callback's RDD go to the methods that are called on it.
    """
    if operation.consumers:
        return _are_summed(operation)
    return any(one in _SUMS for one in _next(operation.call, facts))


def are_only_counted(operation: Operation) -> bool:
    """Whether all that reads a stream of pairs counts them, or sums them by key."""
    readers = operation.consumers
    return bool(readers) and all(
        one.operator in _COUNTS or (one.operator == "filter" and are_only_counted(one)) for one in readers
    )


def is_only_counted(call: ast.Call, facts: Facts) -> bool:
    """Whether all that reads an RDD of pairs, which a callback makes by a call, counts them likewise."""
    found = [*_next(call, facts)]
    return bool(found) and all(one in _COUNTS for one in found)


def _are_summed(operation: Operation) -> bool:
    return any(
        one.operator in _SUMS or (one.operator == "filter" and _are_summed(one))
        for one in operation.consumers
    )


def _next(call: ast.AST, facts: Facts) -> Iterator[str | None]:
    """The methods that are called on what a call makes, past conditions, and through a variable.

    None stands for another use.
    """
    above = facts.of(call).above
    match above.get(call):
        case ast.Attribute(attr="filter") as method if isinstance(after := above.get(method), ast.Call):
            yield from _next(after, facts)
        case ast.Attribute(attr=method):
            yield method
        case ast.Assign([ast.Name(name)]) as statement:
            scope = facts.of(call).program.tree.scope_of(statement)
            named = [node for node in walk(scope) if isinstance(node, ast.Name) and node.id == name]
            reads = [node for node in named if isinstance(node.ctx, ast.Load)]
            given = isinstance(scope, ast.FunctionDef) and name in parameter_names(scope)
            if given or len(reads) + 1 < len(named):
                yield None  # it has another value before, or later
                return
            for read in reads:
                yield from _next(read, facts)
        case _:
            yield None
