"""Names that callbacks give the parts of a stream's tuples: ``rdd.toDF(["price", "shop"])``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress

from migrate.columns import Element, Record, Scalar, named_items
from migrate.graph.operations import Operation
from migrate.plan.draft.step import Step
from migrate.plan.elements.written_schemas import Field, schema_of
from migrate.plan.rows.given_schema import with_wide_ints
from migrate.plan.rows.named_rows import named_row
from migrate.proofs.callbacks.roles import Callback, NotTheSame, given
from migrate.proofs.elements.places_read import SAME

_SHOWN = frozenset({"foreachRDD", "pprint"})
"""The outputs that may read a stream whose columns are called so."""


def given_names(step: Step) -> tuple[str, ...]:
    """The names that those who read a stream make columns of its parts by; none if they differ."""
    found = {tuple(field.name for field in fields) for fields in _given(step)}
    names = next(iter(found), ())
    distinct = {name.lower() for name in names if name.isidentifier()}
    return names if len(found) == 1 and len(distinct) == len(names) else ()


def with_given_names(element: Element, step: Step) -> Element:
    """The tuples of an operator with these names for their parts, if they have as many."""
    if not isinstance(element, Record) or not all(isinstance(item, Scalar) for item in element.items):
        return element
    names = given_names(step)
    if len(names) != len(element.items):
        return element
    named = named_items(element, names)
    inferred = all(not field.type for fields in _given(step) for field in fields)
    return with_wide_ints(named, step) if inferred else named


def _given(step: Step) -> list[tuple[Field, ...]]:
    """The columns that each reader of a stream makes of its parts; none if one may be shown others."""
    consumers = _readers(step.operation)
    if {one.operator for one in consumers} == {"map"}:
        made = [fields for one in consumers for fields in _of_map(one, step)]
        return made if len(made) == len(consumers) else []
    if not {one.operator for one in consumers} <= _SHOWN:
        return []
    return [fields for one in consumers if one.operator == "foreachRDD" for fields in _columns(one, step)]


def _readers(operation: Operation) -> list[Operation]:
    """The operations that read the elements of a stream, also where a window holds them."""
    return [
        reader
        for consumer in operation.consumers
        for reader in (_readers(consumer) if consumer.operator in SAME else [consumer])
    ]


def _of_map(operation: Operation, step: Step) -> Iterator[tuple[Field, ...]]:
    """The fields of the rows that an operator makes of pairs, if they become DataFrames and nothing else."""
    framed = bool(operation.consumers) and all(one.operator == "foreachRDD" for one in operation.consumers)
    if framed and len(operation.call.args) == 1:
        yield from _of_function(operation.call.args[0], step)


def _columns(output: Operation, step: Step) -> Iterator[tuple[Field, ...]]:
    """The columns in calls that make a DataFrame, or its rows, of a callback's RDD."""
    called = given(output.call.args[0], step.facts) if output.call.args else None
    if called is None:
        return
    with suppress(NotTheSame):
        callback = called.callback()
        for node in callback.walk() if not callback.rebound else ():
            if isinstance(node, ast.Call):
                schema = _schema(node, callback)
                fields = schema_of(schema, step) if schema is not None else None
                yield from ([tuple(fields)] if fields else _of_rows(node, callback, step))


def _of_rows(call: ast.Call, callback: Callback, step: Step) -> Iterator[tuple[Field, ...]]:
    """The fields in ``rdd.map(lambda pair: Row(word=pair[0], n=pair[1]))``, by the places of the parts."""
    match call:
        case ast.Call(ast.Attribute(ast.Name(rdd), "map"), [function]) if rdd == callback.rdd:
            yield from _of_function(function, step)


def _of_function(function: ast.expr, step: Step) -> Iterator[tuple[Field, ...]]:
    """The fields of what a function of a pair makes, by the places of the parts."""
    row = named_row(function, step, saved=False)
    made = row.function.body if row is not None and isinstance(row.function, ast.Lambda) else None
    if row is not None and isinstance(made, ast.Tuple):
        places = [_place(item) for item in made.elts]
        if sorted(places) == [*range(len(places))]:
            yield tuple(Field(name) for _, name in sorted(zip(places, row.names, strict=True)))


def _place(item: ast.expr) -> int:
    """The place of a part in ``pair[0]``; -1 for any other expression."""
    match item:
        case ast.Subscript(ast.Name(), ast.Constant(int(place))):
            return place
    return -1


def _schema(call: ast.Call, callback: Callback) -> ast.expr | None:
    """The schema in ``createDataFrame(rdd, schema)`` or ``rdd.toDF(schema)`` of the callback's own RDD."""
    match call:
        case ast.Call(ast.Attribute(ast.Name(rdd), "toDF"), args):
            pass
        case ast.Call(ast.Attribute(attr="createDataFrame"), [ast.Name(rdd), *args]):
            pass
        case _:
            return None
    schemas = [*args, *(keyword.value for keyword in call.keywords if keyword.arg == "schema")]
    return schemas[0] if rdd == callback.rdd and len(schemas) == 1 else None
