"""Whether a callback catches exceptions: an error that it does not see ends the query instead."""

from __future__ import annotations

from migrate.proofs.call_graph import Reached
from migrate.proofs.facts import Facts
from migrate.proofs.roles import Callback


def catches(callback: Callback, facts: Facts) -> bool:
    """Whether a callback, or a function that it calls, catches exceptions and goes on."""
    return any(summary.catches for summary in Reached([callback.node], facts, handed=False).code)
