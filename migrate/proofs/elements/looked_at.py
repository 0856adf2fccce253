"""Results of functions that something reads, so that Spark calls the functions for all elements."""

from __future__ import annotations

import ast

from migrate.graph.operations import Operation
from migrate.knowledge.streaming import OF_ELEMENTS
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import given_callback
from migrate.proofs.elements.places_read import places_read
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names

_READING = frozenset({"countByValue", "pprint", "reduceByKey", "reduceByKeyAndWindow", "updateStateByKey"})
_COUNTING = frozenset({"context", "count", "ctx", "isEmpty"})
"""Members of an RDD that tell nothing of its elements."""


def is_looked_at(operation: Operation, facts: Facts) -> bool:
    """Whether anything reads all of what a ``map`` makes, and not only how much that is."""
    places = places_read(operation, facts)
    made = operation.call.args[0] if operation.call.args else None
    items = made.body.elts if isinstance(made, ast.Lambda) and isinstance(made.body, ast.Tuple) else []
    if places is not None and not places >= {*range(max(len(items), 1))}:
        return False
    return any(_reads(reader, facts) for reader in operation.consumers)


def _reads(reader: Operation, facts: Facts) -> bool:
    """Whether an operator reads the elements that it is given."""
    if reader.is_chosen:
        return any(_reads(one, facts) for one in reader.consumers)
    function = reader.call.args[0] if reader.call.args else None
    if reader.operator == "foreachRDD" and function is not None:
        return _reads_in_callback(function, facts)
    if reader.operator in OF_ELEMENTS and isinstance(function, ast.Lambda):
        names = {node.id for node in walk(function.body) if isinstance(node, ast.Name)}
        return bool(names & {*parameter_names(function)})
    return reader.operator in _READING


def _reads_in_callback(function: ast.expr, facts: Facts) -> bool:
    callback = given_callback(function, facts)
    if callback is None:
        return False
    members = [callback.parents.get(read) for read in callback.reads(callback.rdd)]
    return any(isinstance(one, ast.Attribute) and one.attr not in _COUNTING for one in members)
