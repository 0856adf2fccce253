"""Sums of floats, in the order in which RDD code adds them.

Spark adds the floats of a partition one after another, and then these sums as a shuffle finds them, as RDDs
do. Its sums begin at 0.0, so that one of nothing but -0.0 is 0.0; a running sum adds both to the same.
"""

from __future__ import annotations

from migrate.columns import Element, Refusal, compile_update, leaves
from migrate.columns.shapes import Float
from migrate.plan.draft.step import Step
from migrate.plan.sources.reduce_order import SUMS, reduce_in_order

ZERO = "a sum of floats that are all -0.0 is 0.0"


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
    if not any(isinstance(leaf.shape, Float) for leaf in leaves(value)):
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


def _only_added(step: Step, value: Element) -> bool:
    """Whether a running sum that the batch function keeps is the only reader of the sums."""
    consumers = step.operation.consumers
    if len(consumers) != 1 or consumers[0] not in step.basis.kept or not consumers[0].call.args:
        return False
    try:
        return compile_update(consumers[0].call.args[0], value, step.scope, one_each=True).is_value
    except Refusal:
        return False
