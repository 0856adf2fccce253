"""Objects and namedtuples of which readers read attributes: columns of these names.

flights = lines.map(lambda line: Flight(line.split(",")))
late = flights.filter(lambda flight: flight.delay > 15).map(lambda flight: (flight.carrier, 1))
"""

from __future__ import annotations

import ast

from migrate.columns import UNREAD, Record, named_items
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import mapped
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import check_kept, tokens_of
from migrate.plan.rows.named_rows import NamedRow, made_by, named_row, result_of, with_result
from migrate.proofs.elements.names_read import names_read
from migrate.proofs.values.record_classes import OF_TUPLES, record_class


def with_read_names(step: Step, frame: Frame, function: ast.expr) -> Frame | None:
    """The frame of the attributes that readers read of what a function makes; None if they do more with it.

    Raises:
        Refusal: an attribute has no Column form.
    """
    row = _record(function, step) if not step.choices.named_in_python else None
    read = names_read(step.operation, step.facts) if row is not None else None
    if row is not None and row.of is not None and read:
        read = row.of.read_by(read)
    if row is None or not read or not read <= {*row.names} - OF_TUPLES:
        return None
    frame, made = mapped(step, frame, row.function)
    assert isinstance(made, Record)
    named = named_items(made, row.names)
    kept = {*row.names} if step.choices.all_places else read
    left = [item if name in kept else UNREAD for name, item in zip(row.names, named.items, strict=True)]
    element = replace(named, items=tuple(left), fields=row.names, only_read=True)
    if row.of is not None:
        element = replace(element, methods=row.of.methods, properties=row.of.properties)
    check_kept(tokens_of(named), tokens_of(element), function, "what reads its objects")
    return frame.holding(element)


def _record(function: ast.expr, step: Step) -> NamedRow | None:
    """The names and values of the attributes of what a function makes; None if it makes no such object."""
    own = record_class(function, step.facts)
    if own is not None:
        return NamedRow(own.names, own.constructor, own)
    maker = made_by(function, step)
    call = result_of(maker) if maker is not None else None
    found = record_class(call.func, step.facts) if isinstance(call, ast.Call) else None
    if maker is None or found is None:
        return named_row(function, step, saved=False)
    assert isinstance(call, ast.Call)
    given = ast.copy_location(ast.Call(found.constructor, call.args, call.keywords), call)  # type: ignore[arg-type]
    return NamedRow(found.names, with_result(maker, given), found)
