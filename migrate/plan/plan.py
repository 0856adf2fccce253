"""What becomes of a graph: the result of planning, which nothing changes any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from migrate.graph.program import Program
from migrate.model import Tier
from migrate.plan.code import ModuleChanges
from migrate.trace import Use


@dataclass(frozen=True)
class Findings:
    """What the report says of a graph."""

    tiers: Mapping[Use, Tier] = field(default_factory=dict)
    reasons: Mapping[Use, str] = field(default_factory=dict)
    unsafe: frozenset[Use] = frozenset()
    """Calls whose new form may give something else, which the user allowed."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """What becomes of a graph."""

    program: Program
    changes: Mapping[str, ModuleChanges]
    """What is written, by the path of each module."""
    findings: Findings
