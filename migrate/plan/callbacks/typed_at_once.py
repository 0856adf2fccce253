"""A batch of which a callback makes one DataFrame: its columns get their types of the schema at once.

``rdd.isEmpty()`` beside ``createDataFrame(rdd, schema)`` reads no value: one ``select`` is enough for both.
"""

from __future__ import annotations

import ast
from contextlib import suppress

from migrate.columns import Record, Refusal, Scalar
from migrate.frozen import replace
from migrate.graph.program import Operation
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.step import Step
from migrate.plan.elements.caught_errors import catches
from migrate.plan.elements.written_schemas import schema_of
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import tokens_of
from migrate.plan.rows.given_schema import as_given
from migrate.proofs.callbacks.roles import Callback, NotTheSame, forwarded, given

_ASKING = frozenset({"count", "isEmpty"})
"""Methods of RDDs that read no value of the elements."""


def typed_at_once(draft: Draft, operation: Operation, frame: Frame) -> Frame:
    """Give the columns of a stream the types of the schema that its only callback gives them.

    Args:
        draft: gets what the types need.
        operation: the stream.
        frame: its DataFrame, whose columns are still to be made.

    Returns:
        The DataFrame; as it is where something else reads it, too.
    """
    readers = [one for one in operation.consumers if one in draft.basis.live]
    if [one.operator for one in readers] != ["foreachRDD"] or not frame.pending:
        return frame
    line = next(line for line in draft.basis.program.lines if readers[0] in line.operations)
    step = draft.step(readers[0], line)
    called = given(step.function("func"), step.facts)
    if called is None or not called.editable:
        return frame
    with suppress(NotTheSame, Refusal):
        callback = called.callback()
        handed = forwarded(callback, step.facts)
        callback = callback if handed is None else handed.callback
        typed = _typed(step.within(callback.node), callback, frame)
        draft.accept(step)
        return typed
    return frame


def _typed(step: Step, callback: Callback, frame: Frame) -> Frame:
    """The batch with the types of the schema, if the callback makes a DataFrame of it and nothing else.

    Raises:
        Refusal: the values of a column are not known to be of its type.
    """
    created, element = _created(callback), frame.element
    if created is None or not isinstance(element, Record) or tokens_of(element):
        return frame
    fields = schema_of(created.args[1], step) or []
    names = tuple(field.name for field in fields)
    columns = [one for one in element.items if isinstance(one, Scalar)]
    if not all(field.type for field in fields) or element.fields not in ((), names):
        return frame
    if not len(columns) == len(element.items) == len(names):
        return frame
    caught = catches(callback, step.facts)
    pairs = zip(columns, fields, strict=True)
    made = tuple(as_given(column, field, step, caught=caught) for column, field in pairs)
    return frame.holding(replace(element, items=made))


def _created(callback: Callback) -> ast.Call | None:
    """The only call of ``createDataFrame(rdd, schema)``, if nothing else reads values of the RDD."""
    found: list[ast.Call] = []
    for name in (node for node in callback.walk() if isinstance(node, ast.Name)):
        if name.id not in (callback.rdd, *callback.rdds) or name.id in callback.hidden_at(name):
            continue
        match above := callback.parents.get(name):
            case ast.Attribute(attr=method) if method in _ASKING:
                continue
            case ast.Call(ast.Attribute(attr="createDataFrame"), [data, _], []) if data is name:
                found.append(above)
            case _:
                return None
    return found[0] if len(found) == 1 else None
