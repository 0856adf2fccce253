"""The places of a stream's tuples that its readers read: ``{1}`` of Kafka's pairs if keys are not used."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TypeVar

from migrate.graph.program import Operation
from migrate.knowledge import streaming
from migrate.knowledge.streaming import OF_VALUES
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, NotTheSame, given
from migrate.proofs.elements.callback_places import callback_places
from migrate.proofs.elements.tuple_reads import AllRead, reads_of
from migrate.syntax.tree import parameter_names

SAME = streaming.ITSELF | {"repartition", "window"}
"""Operators whose elements are those of the streams that they are called on."""
NUMBERS = frozenset({"count", "countByWindow"})
"""Operators that read nothing of the elements."""
KEY, VALUE = 0, 1
Part = TypeVar("Part")
"""What says which part of an element is read: its place, or its name."""


def places_read(operation: Operation, facts: Facts) -> frozenset[int] | None:
    """The places of a stream's tuples that anything reads; None where it may be any of them.

    Args:
        operation: the call that makes the stream.
        facts: the names of the graph's module.
    """
    try:
        return frozenset(_read_of(operation, facts))
    except AllRead:
        return None


def read_by_all(operation: Operation, read_by: Callable[[Operation], set[Part]]) -> set[Part]:
    """The parts of a stream's elements that its readers read, also those of streams of the same elements.

    Args:
        operation: the call that makes the stream.
        read_by: what one reader reads of them, which has other elements.
    """
    found: set[Part] = set()
    for reader in operation.consumers:
        if _is_idle(reader):
            continue
        if reader.operator in SAME or reader.is_chosen:
            found |= read_by_all(reader, read_by)
        elif reader.operator not in NUMBERS:
            found |= read_by(reader)
    return found


def _is_idle(reader: Operation) -> bool:
    """Whether a stream is never computed, as no output reads it."""
    known = reader.operator in streaming.OPERATORS and reader.operator not in streaming.OUTPUTS
    return known and all(map(_is_idle, reader.consumers))


def _read_of(operation: Operation, facts: Facts) -> set[int]:
    return read_by_all(operation, lambda reader: _read_by(reader, facts))


def _read_by(reader: Operation, facts: Facts) -> set[int]:
    """The places that one reader of a stream reads, itself or by way of its own elements."""
    function = reader.call.args[0] if reader.call.args else None
    if (reader.operator == "map" and is_identity(function)) or (
        reader.operator == "flatMap" and _is_list_of_one(function)
    ):
        return _read_of(reader, facts)
    if reader.operator == "map" and _is_place(function) and _is_only_counted(reader):
        return set()
    if reader.operator in ("map", "flatMap") and function is not None:
        return {place for _, place in reads_of(function, facts)}
    if reader.operator == "filter" and function is not None:
        return {place for _, place in reads_of(function, facts)} | _read_of(reader, facts)
    if reader.operator == "foreachRDD" and function is not None:
        return read_in_callback(function, facts, callback_places)
    if reader.operator in OF_VALUES:
        return {VALUE} | (_read_of(reader, facts) & {KEY})
    raise AllRead


def read_in_callback(
    function: ast.expr, facts: Facts, parts: Callable[[Callback, Facts], Iterable[tuple[ast.AST, Part]]]
) -> set[Part]:
    """The parts that a callback reads of the elements of its RDD, if its code may be changed.

    Raises:
        AllRead: it may read more, or stays as it is.
    """
    called = given(function, facts)
    try:
        callback = called.callback() if called is not None and called.editable else None
    except NotTheSame:
        callback = None
    if callback is None:
        raise AllRead
    return {part for _, part in parts(callback, facts.of(callback.node))}


def _is_only_counted(operation: Operation) -> bool:
    """Whether nothing reads the elements of a stream: they are counted, or moved and counted."""
    readers = [one for one in operation.consumers if not _is_idle(one)]
    return all(one.operator in NUMBERS or (one.operator in SAME and _is_only_counted(one)) for one in readers)


def _is_place(function: ast.expr | None) -> bool:
    """``lambda message: message[1]``, which no pair makes fail."""
    match function:
        case ast.Lambda(body=ast.Subscript(ast.Name(name), ast.Constant(0 | 1))):
            return parameter_names(function) == [name]
    return False


def _is_list_of_one(function: ast.expr | None) -> bool:
    """``lambda message: [message]``, whose list is the elements that a flatMap makes of it."""
    match function:
        case ast.Lambda(args=arguments, body=ast.List([item])):
            return is_identity(ast.Lambda(arguments, item))
    return False


def is_identity(function: ast.expr | None) -> bool:
    """``lambda message: message``."""
    body = function.body if isinstance(function, ast.Lambda) else None
    return (
        isinstance(function, ast.Lambda)
        and isinstance(body, ast.Name)
        and parameter_names(function) == [body.id]
    )
