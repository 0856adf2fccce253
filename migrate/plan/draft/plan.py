"""The result of planning one graph; nothing changes it any more."""

from __future__ import annotations

from collections.abc import Mapping

from migrate.frozen import dataclass
from migrate.graph.program import Program
from migrate.model import Callers, Tier
from migrate.plan.choices import Choices
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.trace import Use


@dataclass(frozen=True)
class Plan:
    """The native form of one graph, and the entries of the report on it."""

    program: Program
    modules: Mapping[str, PlannedModule]
    """The new code of each module, by its path."""
    choices: Choices
    """The choices that it needed."""
    tiers: Mapping[Use, Tier]
    reasons: Mapping[Use, str]
    unsafe: frozenset[Use]
    """Calls whose new form may give another result, which the user allowed."""
    learnt: frozenset[Use]
    """Calls whose new form rests on types that were learnt."""
    notes: tuple[str, ...]
    must_change: tuple[str, ...]
    """What callers and deployments must change."""
    callers: Callers | None
    """What callers pass no more; None where the report does not look for them."""
    requires: tuple[str, ...]
    """Packages of ours that the new code imports."""
