"""How many files, graphs and sites there are of each kind; every kind is named, and the numbers add up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from migrate.model import Outcome, Result, Status, Tier


@dataclass(frozen=True)
class Totals:
    """Counts by kind, in the order of the enumerations in `migrate.model`."""

    files: dict[Status, int]
    graphs: dict[Outcome, int]
    sites: dict[Tier, int]
    native_with_rdd: int
    """Native graphs that keep a stage of RDD code: right, but slower."""
    connect: int
    """Native graphs that run on Spark Connect."""


def totals(result: Result) -> Totals:
    """Count everything in `result`."""
    statuses = Counter(file.status for file in result.files)
    outcomes = Counter(graph.outcome for graph in result.graphs)
    tiers = Counter(site.tier for site in result.sites)
    with_rdd = {site.graph for site in result.sites if site.tier is Tier.RDD}
    return Totals(
        files={status: statuses[status] for status in Status},
        graphs={outcome: outcomes[outcome] for outcome in Outcome},
        sites={tier: tiers[tier] for tier in Tier},
        native_with_rdd=sum(g.outcome is Outcome.NATIVE and g.id in with_rdd for g in result.graphs),
        connect=sum(graph.is_ready for graph in result.graphs),
    )
