"""Reduce functions: as aggregates of columns, and in any order of the values."""

from __future__ import annotations

import ast

from migrate.columns import Record, Refusal, after_select, compile_reduce, leaves, name_columns
from migrate.frozen import replace
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.elements.pairs import check_keys, pair
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.tokens import carry_tokens, check_kept, only_tokens, tokens_of
from migrate.rules._float_sums import check_float_sums

PLUS = ast.parse("lambda a, b: a + b", mode="eval").body


def grouped(step: Step, frame: Frame, function: ast.expr, *, floats: bool = False) -> Frame:
    """``groupBy(key).agg(value)`` for a reduce function of values.

    Args:
        step: the operator.
        frame: the pairs.
        function: the reduce function.
        floats: whether sums of floats are taken.

    Raises:
        Refusal: the function is no known aggregate, or the keys cannot be grouped by.
        Blocked: it sums floats in another order, see `check_float_sums`.
        RatherError: the source must be told to keep them in order.
    """
    key, value = pair(frame.element, step)
    if any(leaf.is_plain for leaf in leaves(key)):
        frame = frame.with_what_differs(keys=True)
        key, value = pair(frame.element, step)
    check_keys(step, key)
    compiled = compile_reduce(function, value, step.scope, floats=floats)
    if floats:
        check_float_sums(step, compiled.element)
    before = tokens_of(frame.element)
    made = Record((key, compiled.element))
    check_kept(before, tokens_of(made), function, "the reduce function")
    need_compiled(step, compiled.demands)
    return aggregate(step, frame, made, before)


def check_is_sum(step: Step, frame: Frame, function: ast.expr) -> None:
    """Check that a reduce function sums ints, however it is written.

    Raises:
        Refusal: it does not, or is not known to.
    """
    _, value = pair(frame.element, step)
    found, expected = (compile_reduce(given, value, step.scope).element for given in (function, PLUS))
    if [leaf.code for leaf in leaves(found)] != [leaf.code for leaf in leaves(expected)]:
        raise Refusal(
            "it works on one batch at a time, and is no sum of which there could be a running one", function
        )


def aggregate(step: Step, frame: Frame, made: Record, before: frozenset[int]) -> Frame:
    """``groupBy(...).agg(...)`` for a key and an aggregate of the value."""
    named = name_columns(only_tokens(made, before), taken=frame.taken)
    assert isinstance(named, Record)
    step.need(shuffles=True)
    keys, values = named.items
    frame = frame.by_groups(keys, values)
    return replace(frame, element=carry_tokens(named, after_select(named)), pending=False)


__all__ = [
    "PLUS",
    "aggregate",
    "check_is_sum",
    "grouped",
]
