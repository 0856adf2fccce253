"""The order in which RDD code reduces elements: kept by the source, or given up where the user allows it."""

from __future__ import annotations

import ast

from migrate.columns import Refusal, compile_reduce, element_of
from migrate.columns.shapes import Int, Shape, Tuple
from migrate.graph.blocked import Blocked
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.step import Step
from migrate.plan.sources.side_by_side import IN_ORDER
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.elements.arrival import (
    CUT_ALIKE,
    CUT_BY_DRIVER,
    CUT_BY_SHUFFLE,
    FLOATS,
    ONE_BLOCK,
    SHUFFLED_ALIKE,
    cut_alike,
    cut_by_clock,
    in_order_of_arrival,
    is_cut_by_clock,
    is_whole_sum,
    of_kafka,
    only_lists,
    shows_cuts,
)
from migrate.proofs.elements.arrival import NOTE as ARRIVAL
from migrate.proofs.elements.associative import adds_beside_constants

SUMS = "a sum of floats depends on their order"
ANY_ORDER = (
    "values are reduced in any order, which shows where a function is not commutative and associative, as "
    "Spark wants it to be, and in the last digits of floats"
)
GROUPED_ALIKE = (
    "the values of a key are in the order of each partition of Kafka, and the partitions in that in which a "
    "shuffle finds them, both as before"
)


def reducible(step: Step, function: ast.expr, value: Shape | None, *, behind_shuffles: bool = False) -> None:
    """Check that a reduce function gives the same in any order of the values.

    The blocks of a receiver are not the partitions of Structured Streaming, so values meet in another order.

    Args:
        step: the operator.
        function: the reduce function.
        value: the shape of the values, if it is known.
        behind_shuffles: whether RDD code has dealt them out as DStream does.

    Raises:
        Blocked: it is not known to, values do not meet as they did, and the user does not say so.
        RatherError: the source must be told to keep them in order.
    """
    why = "what it reduces is not known, so its result may depend on the order of the values"
    try:
        if value is not None:
            compile_reduce(function, element_of(value), step.scope)
            return
    except Refusal as refusal:
        why = f"its result may depend on the order of the values: {refusal.reason}"
    if isinstance(value, Tuple):
        whole = [isinstance(item, Int) for item in value.items]
        if adds_beside_constants(step.operation.call, whole, step.facts):
            return
    reduce_in_order(step, why, behind_shuffles=behind_shuffles)


def reduce_in_order(
    step: Step,
    why: str,
    *,
    callback: Callback | None = None,
    merges: bool = True,
    note: str = ARRIVAL,
    behind_shuffles: bool = False,
) -> None:
    """Note that elements are reduced by a function whose result may depend on their order.

    Args:
        why: the reason, if that cannot be allowed.
        callback: the callback that reduces them, if it is not the operator itself.
        merges: whether values are combined to new ones, and not only collected.
        note: says how they are reduced in order.
        behind_shuffles: whether RDD code has dealt them out as DStream does.

    Raises:
        Blocked: they do not meet in the order of their arrival, and the user does not allow another one.
        RatherError: the source must be told to keep them in order.
    """
    merges = merges and not only_lists(callback)
    if merges and is_whole_sum(step.operation, callback, step.facts):
        return
    shuffled = callback is not None and callback.shuffled
    of_batches = step.options.event_time is None
    if not shuffled and in_order_of_arrival(step.operation, windows=of_batches):
        why = _as_they_came(step, callback, note, merges=merges)
        if not why:
            return
    if behind_shuffles and _as_shuffled(step):
        return
    if not step.options.unsafe:
        raise step.blocked(f"{why} (--unsafe takes its function for commutative and associative)")
    step.unsafe()
    step.note(ANY_ORDER)


def _as_they_came(step: Step, callback: Callback | None, note: str, *, merges: bool) -> str:
    """Note how elements that no shuffle has dealt out are reduced.

    Returns:
        Why the result is none that DStream may give, too; empty if it is noted.

    Raises:
        Blocked: the query reads something else, too, so that they have no order.
        RatherError: the source must be told to keep them in order, or not to sort Kafka's partitions.
    """
    shown = shows_cuts(step.operation, callback, step.facts) if merges else ""
    alike = cut_alike(step.operation, callback, step.facts)
    in_partitions = shown or step.choices.in_partitions or step.basis.several
    if alike and in_partitions and step.choices.in_order:
        raise RatherError(Choices(in_partitions=True))
    if alike and (in_partitions or not step.choices.in_order):
        step.note(alike if merges else GROUPED_ALIKE)
        return ""
    if shown and not is_cut_by_clock(step.operation):
        return shown
    if step.choices.in_partitions:
        raise step.blocked(IN_ORDER)
    if not step.choices.in_order:
        raise RatherError(Choices(in_order=True))
    by_clock = cut_by_clock(step.operation, callback, step.facts) if shown is FLOATS else ONE_BLOCK
    step.note(by_clock if shown else note)
    return ""


def _as_shuffled(step: Step) -> bool:
    """Whether elements are reduced in the partitions of the last shuffle, as DStream reduces them.

    Raises:
        RatherError: the source, or shuffles above, must be told to cut them as it does.
    """
    from_kafka, choices = of_kafka(step.operation), step.choices
    received = is_cut_by_clock(step.operation) and not choices.in_partitions
    if not (from_kafka or received):
        return False
    if from_kafka == choices.in_order or not choices.same_shuffles:
        raise RatherError(Choices(in_order=not from_kafka, in_partitions=from_kafka, same_shuffles=True))
    step.note(SHUFFLED_ALIKE if from_kafka else ONE_BLOCK)
    return True


def sum_by_key(step: Step, callback: Callback, node: ast.AST) -> None:
    """Note that floats of a key are summed as the RDD of a callback was, see `reduce_in_order`.

    Raises:
        Refusal: they meet in another order.
        RatherError: the source must be told to keep them in order.
    """
    try:
        reduce_in_order(step, SUMS, callback=callback)
    except Blocked:
        raise Refusal(SUMS, node) from None


def sum_in_partitions(step: Step, callback: Callback, node: ast.AST) -> None:
    """Note that a column of floats is summed as the RDD of a callback was, in Kafka's own partitions.

    Spark adds the floats of a partition one after another, and then these sums.

    Raises:
        Refusal: they lie in other partitions, or are not added up alone.
    """
    moved = callback.shuffled or step.choices.in_order or not in_order_of_arrival(step.operation)
    if moved or cut_alike(step.operation, callback, step.facts) not in (CUT_ALIKE, CUT_BY_DRIVER):
        raise Refusal(SUMS, node)
    step.note(CUT_BY_SHUFFLE)
