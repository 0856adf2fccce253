"""Lists of a key's values, in the order in which they came."""

from __future__ import annotations

import ast

from migrate.columns import Record, Refusal, Scalar, check_joins_lists, leaves
from migrate.columns.code import argument, build
from migrate.columns.element import Written
from migrate.columns.shapes import List
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.elements.pairs import check_keys, pair
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import check_kept, tokens_of
from migrate.plan.sources.reduce_order import reduce_in_order
from migrate.rules._aggregates import aggregate
from migrate.rules._in_order import in_order, placed
from migrate.rules._same import ORDER

LISTED = "the values of a key are put into a list in the order in which they came"


def listed_values(step: Step, frame: Frame, node: ast.AST) -> Frame:
    """``groupBy(key).agg(...)`` with a list of the values, as ``groupByKey().mapValues(list)`` gives.

    Raises:
        Refusal: a value is no column.
        Blocked: the values do not come in an order that is kept.
        RatherError: the source must be told to keep them in order.
    """
    _, value = pair(frame.element, step)
    if not isinstance(value, Scalar):
        raise Refusal("the values are no columns", node)
    if has_no_order(value):
        return values_in_any_order(step, frame)
    reduce_in_order(step, ORDER, merges=False, note=LISTED)
    return _listed(step, frame, node, is_flat=False)


def values_in_any_order(step: Step, frame: Frame) -> Frame:
    """The same where the order shows nothing: the values are one constant, or the list is only asked."""
    key, value = pair(frame.element, step)
    if any(leaf.is_plain for leaf in leaves(key)):
        frame = frame.with_what_differs(keys=True)
        key, value = pair(frame.element, step)
    assert isinstance(value, Scalar)
    check_keys(step, key)
    listed = build(f"F.collect_list({argument(value)})", List(value.shape, 1), value, name=value.name)
    return aggregate(step, frame, Record((key, listed)), tokens_of(frame.element))


def has_no_order(value: Scalar) -> bool:
    """Whether the values of all rows are one constant, and no null, which `collect_list` leaves out."""
    return value.is_constant and value.constant is not None


def joined_lists(step: Step, frame: Frame, function: ast.expr) -> Frame:
    """The same with the items of lists, as ``reduceByKey(lambda a, b: a + b)`` gives.

    Raises:
        Refusal: the function does something else, or the values are no lists.
        Blocked: as `listed_values`.
        RatherError: as `listed_values`.
    """
    _, value = pair(frame.element, step)
    if not (isinstance(value, Scalar) and isinstance(value.shape, List)):
        raise Refusal("only lists are put together", function)
    compiled = check_joins_lists(function, value, step.scope)
    item = _only_item(value) if frame.pending else None
    if item is not None and has_no_order(item):
        key, _ = pair(frame.element, step)
        need_compiled(step, compiled.demands)
        return values_in_any_order(step, frame.holding(Record((key, item))))
    reduce_in_order(step, ORDER, note=LISTED)
    need_compiled(step, compiled.demands)
    if item is None:
        return _listed(step, frame, function, is_flat=True)
    key, _ = pair(frame.element, step)
    frame = frame.holding(Record((key, item)))
    there = all(leaf.name is not None and leaf.column == leaf.name for leaf in leaves(frame.element))
    return _listed(step, replace(frame, pending=not there), function, is_flat=False)


def _only_item(value: Scalar) -> Scalar | None:
    """The item of a list that is written with it alone: ``[word]``."""
    match value.written:
        case Written("F.array", (item,)):
            return replace(item, name=item.column)
    return None


def _listed(step: Step, frame: Frame, node: ast.AST, *, is_flat: bool) -> Frame:
    """The aggregate; `is_flat` where the values are lists, and their items are wanted."""
    before = tokens_of(frame.element)
    frame = frame.elements_only().materialised()
    key, value = pair(frame.element, step)
    assert isinstance(value, Scalar)
    check_keys(step, key)
    frame, place = placed(frame)
    code, shape = in_order(place, value.name), value.shape
    if is_flat:
        assert isinstance(shape, List)
        made = build(f"F.flatten({code})", List(shape.of, shape.at_least), value, name=value.name)
    else:
        made = build(code, List(shape, 1), value, name=value.name)
    element = Record((key, made))
    check_kept(before, tokens_of(element), node, "the function")
    return aggregate(step, frame, element, before)
