"""The order in which RDD code reduces elements: kept by the source, or given up where the user allows it."""

from __future__ import annotations

from migrate.plan.choices import Choices, RatherError
from migrate.plan.step import Step
from migrate.proofs.arrival import NOTE as ARRIVAL
from migrate.proofs.arrival import in_order_of_arrival, shows_cuts
from migrate.proofs.roles import Callback

ANY_ORDER = (
    "values are reduced in any order, which shows where a function is not commutative and associative, as "
    "Spark wants it to be, and in the last digits of floats"
)


def reduce_in_order(step: Step, why: str, *, callback: Callback | None = None, merges: bool = True) -> None:
    """Note that RDDs reduce elements by a function that may show their order.

    Args:
        why: what speaks against it.
        callback: what does so, if the operator itstep does not.
        merges: whether values become other values, and not only lie beside each other.

    Raises:
        Blocked: they do not meet in the order of their arrival, and the user does not allow another one.
        RatherError: the source must be told to keep them in order.
    """
    shuffled = callback is not None and callback.shuffled
    if not shuffled and in_order_of_arrival(step.operation):
        shown = shows_cuts(step.operation, callback, step.facts) if merges else ""
        if not shown:
            if not step.choices.in_order:
                raise RatherError(Choices(in_order=True))
            step.note(ARRIVAL)
            return
        why = shown
    if not step.options.unsafe:
        raise step.blocked(f"{why} (--unsafe takes its function for commutative and associative)")
    step.unsafe()
    step.note(ANY_ORDER)
