"""Columns with the names and types that a schema of ``createDataFrame`` gives them."""

from __future__ import annotations

import ast

from migrate.columns import Element, Record, Refusal, Scalar
from migrate.columns.code import cast
from migrate.columns.shapes import Bool, Bytes, Date, Float, Int, List, Maybe, Str
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.written_schemas import TYPES, Field

NONES = "None in the first 100 rows for `createDataFrame`"
NO_ITEMS = "lists without items in the first 100 rows for `createDataFrame`"
CAUGHT_NONES = (
    "`createDataFrame` fails if a column has {} in all of its first 100 rows, and the callback catches that: "
    "new code makes the DataFrame (--strict keeps RDD code)"
)
NARROW = "ints beyond {bits} bits for {type}"
CAUGHT = (
    "the callback catches an error: that of {} comes where the column is read, with another text than "
    "`createDataFrame`'s"
)
_INFERRED = (Str, Int, Float, Bool, Bytes, Date)


def as_given(column: Scalar, field: Field, step: Step, *, caught: bool) -> Scalar:
    """The column as the schema names and types it; with the type that Spark infers, if it gives none.

    Args:
        column: the column.
        field: its name and type in the schema.
        step: the operator.
        caught: whether the callback catches exceptions.

    Raises:
        Refusal: its values are not known to be of that type.
    """
    shape, column = column.shape, replace(column, name=field.name)
    if isinstance(shape, Maybe) and field.nullable and (field.type or _inferred(step, NONES, caught=caught)):
        shape = shape.of
    if isinstance(shape, List) and not field.type and _is_inferred(shape, step, caught=caught):
        return column
    given = TYPES.get(field.type)
    if not isinstance(shape, _INFERRED if given is None else given.of):
        raise Refusal("the type of a column is not that of its values", ast.Constant(None))
    bits = 64 if given is None else given.bits
    if not isinstance(shape, Int | Float) or shape.width == bits:
        return column
    type_ = "bigint" if given is None else given.sql
    if isinstance(shape, Float):
        return replace(_cast(column, type_), shape=replace(shape, width=bits))
    _check_range(shape, field, bits, step, caught)
    low, high = _range(bits)
    narrowed = replace(shape, low=max(shape.low, low), high=min(shape.high, high), width=bits)
    text = _parsed(column) if step.basis.guards.left_to_spark else None  # the same text fails for either type
    made = _cast(column, type_) if text is None else column.with_code(cast(text, type_))
    return replace(made, shape=narrowed)


def _parsed(column: Scalar) -> Scalar | None:
    """The text that a column of ints is cast from, if it is."""
    written = column.written
    return written.parts[0] if written is not None and written.type == "bigint" else None


def _range(bits: int) -> tuple[int, int]:
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def with_wide_ints(element: Record, step: Step) -> Record:
    """The parts of an element that becomes a row of a DataFrame, with the type that Spark infers for ints."""
    return replace(element, items=tuple(_wide(item, step) for item in element.items))


def _wide(item: Element, step: Step) -> Element:
    if isinstance(item, Scalar) and isinstance(item.shape, Int) and item.shape.width != 64:
        return replace(_cast(item, "bigint"), shape=replace(item.shape, width=64))
    return item


def _cast(column: Scalar, type_: str) -> Scalar:
    return column.with_code(cast(column, type_))


def _is_inferred(shape: List, step: Step, *, caught: bool) -> bool:
    """Whether Spark infers the type that a column of lists has, if one of them has an item."""
    of = shape.of
    same = isinstance(of, _INFERRED) and not (isinstance(of, Int) and of.width != 64) and not shape.is_empty
    return same and (max(shape.at_least, shape.tested) > 0 or _inferred(step, NO_ITEMS, caught=caught))


def _inferred(step: Step, failing: str, *, caught: bool) -> bool:
    """Whether a column may be one whose type Spark infers of some of its values, and fails without.

    Args:
        step: the operator.
        failing: the values of which it cannot.
        caught: whether the callback catches that.
    """
    if caught and not step.options.strict:
        step.note(CAUGHT_NONES.format("None" if failing == NONES else "lists without items"))
        return True
    if step.basis.guards.fail_as_python_does:
        return False
    own = frozenset({step.operation})
    step.need(gives=(failing,), looser=own, often=own)
    return True


def _check_range(shape: Int, field: Field, bits: int, step: Step, caught: bool) -> None:
    """Have the query fail on ints beyond the type of their column, as Spark's check of the schema does."""
    low, high = _range(bits)
    if low <= shape.low <= shape.high <= high:
        return
    guards = step.basis.guards
    article = "an" if field.type == "IntegerType" else "a"
    beyond = NARROW.format(bits=bits, type=f"{article} `{field.type}`")
    if guards.left_to_spark:
        step.need(ansi=True)
        if caught:
            step.note(CAUGHT.format(beyond))
    elif guards.fail_as_python_does:
        raise Refusal(f"ints may be beyond {bits} bits, and the callback catches that", ast.Constant(None))
    else:
        own = frozenset({step.operation})
        step.need(gives=(beyond,), looser=own, often=own)
