"""The attributes of a stream's objects that are read: ``{"origin"}`` of ``lambda flight: flight.origin``."""

from __future__ import annotations

from migrate.graph.program import Operation
from migrate.knowledge.streaming import OF_ELEMENTS
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.elements.callback_places import callback_attributes
from migrate.proofs.elements.places_read import read_by_all, read_in_callback
from migrate.proofs.elements.tuple_reads import AllRead, attributes_of


def names_read(operation: Operation, facts: Facts) -> frozenset[str] | None:
    """The attributes of a stream's elements that anything reads; None where more is done with them.

    Args:
        operation: the call that makes the stream.
        facts: the names of the graph's module.
    """
    try:
        return frozenset(_read_of(operation, facts))
    except AllRead:
        return None


def _read_of(operation: Operation, facts: Facts) -> set[str]:
    return read_by_all(operation, lambda reader: _read_by(reader, facts))


def _read_by(reader: Operation, facts: Facts) -> set[str]:
    """The attributes that one reader of a stream reads, itself or by way of its own elements."""
    function = reader.call.args[0] if reader.call.args else None
    if function is None or reader.operator not in (*OF_ELEMENTS, "foreachRDD"):
        raise AllRead
    if reader.operator == "foreachRDD":
        return read_in_callback(function, facts, callback_attributes)
    own = {name for _, name in attributes_of(function, facts)}
    return own | _read_of(reader, facts) if reader.operator == "filter" else own
