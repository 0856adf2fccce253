"""How many of the programs that you have become native: the rates in migrate/README.md.

    python -m tests.bench.rates REPOSITORY... [--event-time COLUMN] [--unsafe]

Each REPOSITORY is a directory that is migrated as `check` would, on its own; nothing is written. A program is
a graph: all that hangs on one StreamingContext, over as many files as it spans.
"""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.table import Table

from migrate.model import Outcome, Result, Tier
from migrate.run import run
from tests.bench.repositories import arguments

KINDS = ("files", "notebooks")


def counted(result: Result) -> Counter[tuple[str, str]]:
    """What became of the programs and calls of one repository, by where they stand."""
    rdd = {site.graph for site in result.sites if site.tier is Tier.RDD}
    kinds = {graph.id: _kind(graph.files) for graph in result.graphs}
    found: Counter[tuple[str, str]] = Counter()
    for graph in result.graphs:
        kind = kinds[graph.id]
        found[kind, graph.outcome.value] += 1
        if graph.outcome is Outcome.NATIVE:
            found[kind, "with rdd" if graph.id in rdd else "without rdd"] += 1
            found[kind, "requires"] += bool(graph.requires)
    found.update((kinds[site.graph], f"call {site.tier.value}") for site in result.sites)
    found.update((kind, "repositories") for kind in set(kinds.values()))
    found.update((_kind((file.path,)), "broken") for file in result.files if not file.is_whole)
    return found


def _kind(paths: tuple[str, ...]) -> str:
    return "notebooks" if any(path.endswith(".ipynb") for path in paths) else "files"


def table(found: Counter[tuple[str, str]]) -> Table:
    """The rates, of programs in files and of those in notebooks."""
    rows = Table("what", *KINDS)
    programs = {kind: sum(found[kind, outcome.value] for outcome in Outcome) for kind in KINDS}
    calls = {kind: sum(found[kind, f"call {tier.value}"] for tier in Tier) for kind in KINDS}

    def row(what: str, *names: str, of: dict[str, int] | None = None) -> None:
        cells = []
        for kind in KINDS:
            number = sum(found[kind, name] for name in names)
            rate = f" ({number / of[kind]:.0%})" if of is not None and of[kind] else ""
            cells.append(f"{number}{rate}")
        rows.add_row(what, *cells)

    row("repositories with programs", "repositories")
    row("programs", *(outcome.value for outcome in Outcome))
    row("native", "native", of=programs)
    row("native, without a stage of RDD code", "without rdd", of=programs)
    row("native, with a source of compat.sources", "requires", of=programs)
    row("native or compat", "native", "compat", of=programs)
    row("manual", "manual", of=programs)
    row("calls", *(f"call {tier.value}" for tier in Tier))
    for tier in Tier:
        row(f"calls: {tier.value}", f"call {tier.value}", of=calls)
    row("not parsed, or not all of it", "broken")
    return rows


def main() -> None:
    """Count and print a table."""
    repositories, options = arguments(__doc__)
    found: Counter[tuple[str, str]] = Counter()
    for repository in repositories:
        found += counted(run([repository], options).result)
    Console().print(table(found))


if __name__ == "__main__":
    main()
