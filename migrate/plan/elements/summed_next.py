"""Pairs that are summed by key right away: ones among them need no column."""

from __future__ import annotations

from migrate.graph.operations import Operation

_SUMS = frozenset({"reduceByKey", "reduceByKeyAndWindow", "updateStateByKey"})
"""Operators that may count where values are ones."""


def are_summed(operation: Operation) -> bool:
    """Whether pairs go to such an operator, at most past conditions on them."""
    return any(
        one.operator in _SUMS or (one.operator == "filter" and are_summed(one)) for one in operation.consumers
    )
