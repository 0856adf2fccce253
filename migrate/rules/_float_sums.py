"""Sums of floats by ``reduceByKey`` that only a running sum reads: in the order in which RDD code adds them.

Spark adds the floats of a partition one after another, and then these sums as a shuffle finds them, as RDDs
do. Its sums begin at 0.0, so that one of nothing but -0.0 is 0.0; a running sum adds both to the same.
"""

from __future__ import annotations

from migrate.columns import Refusal, compile_update, leaves
from migrate.columns.shapes import Float
from migrate.plan.pairs import pair
from migrate.plan.reduce_order import reduce_in_order
from migrate.plan.stages import Frame
from migrate.plan.step import Step

ORDER = "a sum of floats depends on their order"


def may_sum_floats(step: Step) -> bool:
    """Whether a running sum that the batch function keeps is the only reader of the sums."""
    consumers = step.operation.consumers
    return len(consumers) == 1 and consumers[0] in step.basis.kept


def check_float_sums(step: Step, sums: Frame) -> None:
    """Check that sums of floats, if there are any, meet in the order of before, and that they are added up.

    Raises:
        Refusal: the state function is no running sum of them.
        Blocked: they meet in another order, and the user does not allow that.
        RatherError: the source must be told to keep them in order.
    """
    _, value = pair(sums.element, step)
    if not any(isinstance(leaf.shape, Float) for leaf in leaves(value)):
        return
    (state,) = step.operation.consumers
    function = next(iter(state.call.args), None)
    if function is None or not compile_update(function, value, step.scope, one_each=True).is_value:
        raise Refusal(ORDER, step.operation.call)
    reduce_in_order(step, ORDER)
