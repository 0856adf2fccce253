"""Sums of floats, in the order in which RDD code adds them.

Spark adds the floats of a partition one after another, and then these sums as a shuffle finds them, as RDDs
do. Its sums begin at 0.0, so that one of nothing but -0.0 is 0.0; a running sum adds both to the same.
"""

from __future__ import annotations

import ast

from migrate.columns import Element, Fold, Refusal, compile_update, leaves
from migrate.columns.shapes import Float
from migrate.plan.draft.step import Step
from migrate.plan.sources.reduce_order import SUMS, reduce_in_order
from migrate.proofs.elements.arrival import in_order_of_arrival, is_cut_by_clock, of_kafka

ZERO = "a sum of floats that are all -0.0 is 0.0"
SIGN = "of 0.0 and -0.0, which are equal, either may be given as the greatest or the least"
ONE_BY_ONE = "the floats of a key are added up in the order in which they came, as before"
BY_SUM = (
    "floats are added up one by one, as by `sum` before Python 3.12, which since then makes up for what it "
    "rounded: the last digits may differ; --strict keeps the function"
)
ONTO_LAST = (
    "the floats of a batch are added up before they are added to the last state, where the function adds one "
    "after the other to it: the last digits may differ; --strict keeps the function"
)

_EXTREMES = frozenset({"max", "min"})
"""Aggregates that are the same in any order of the values."""


def check_float_sums(step: Step, value: Element) -> None:
    """Check that sums of floats, if there are any, are made of the same partitions in the same order.

    Args:
        step: the operator.
        value: the sums, as columns.

    The callback of a ``foreachRDD`` is checked as a whole, see `migrate.plan.callbacks.frame_callbacks`.

    Raises:
        Refusal: the operator is one of another callback.
        Blocked: they meet in another order, and the user does not allow that.
        RatherError: the source must be told to keep them in order.
    """
    floats = [leaf for leaf in leaves(value) if isinstance(leaf.shape, Float)]
    if any(leaf.aggregate in _EXTREMES for leaf in floats):
        step.note(SIGN)
    if all(leaf.aggregate in _EXTREMES for leaf in floats):
        return
    call = step.operation.call
    if call is not step.operation.use.call:
        if step.callback is None or step.operation.use.operator != "foreachRDD":
            raise Refusal(SUMS, call)
        step.need(float_sums=(call,))
    else:
        reduce_in_order(step, SUMS)
    if not _only_added(step, value):
        step.note(ZERO)


def may_be_in_order(step: Step) -> bool:
    """Whether a state's operator may be given the values of a batch in one partition, as they came.

    Spark adds them up from 0.0 on, and what that gives to the last sums. Kafka's partitions it would sum
    each by itself.
    """
    one_partition = is_cut_by_clock(step.operation) and not of_kafka(step.operation)
    return one_partition and not step.choices.in_partitions and in_order_of_arrival(step.operation)


def add_in_order(step: Step, function: ast.expr, fold: Fold) -> None:
    """Note that a running sum adds up floats in the order in which they came, see `may_be_in_order`.

    Args:
        step: the operator.
        function: the state function.
        fold: what it does.

    Raises:
        Refusal: the last digits may be others, and all is to be as it was.
        RatherError: the source must be told to keep them in order.
    """
    reduce_in_order(step, SUMS, merges=False, note=ONE_BY_ONE)
    notes = [*([BY_SUM] if fold.uses_sum else []), *([ONTO_LAST] if fold.onto_last else [])]
    if notes and step.options.strict:
        raise Refusal("it adds up floats in another way, and the last digits may differ", function)
    step.note(*notes)


def _only_added(step: Step, value: Element) -> bool:
    """Whether a running sum that the batch function keeps is the only reader of the sums."""
    consumers = step.operation.consumers
    if len(consumers) != 1 or consumers[0] not in step.basis.kept or not consumers[0].call.args:
        return False
    try:
        return compile_update(consumers[0].call.args[0], value, step.scope, one_each=True).is_value
    except Refusal:
        return False
