"""The report for people: every file that has a graph, every site of it, and the totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeVar

from rich.text import Text

from migrate.model import FileResult, GraphResult, Outcome, Remark, Result, Site, Status, Tier
from migrate.report.totals import totals

COLOURS = {
    "native": "green",
    "compat": "yellow",
    "manual": "red",
    "unparsed": "red",
    "column": "green",
    "python": "cyan",
    "rdd": "cyan",
    "ignored": "dim",
}


SEVERAL = 3
"""Programs from which on what is to be known of so many is said once, with a number, below all files."""
TITLES = {"changes": "you must change", "notes": "note"}

Kind = TypeVar("Kind", Status, Outcome, Tier)


def render(result: Result) -> Iterator[Text]:
    """The report, line by line, without any wrapping."""
    yield Text(f"new code is for {result.spark}")
    graphs = {graph.id: graph for graph in result.graphs}
    shared = {
        "changes": _of_several(graph.must_change for graph in result.graphs),
        "notes": _of_several(graph.notes for graph in result.graphs),
    }
    homes = {site.graph: site.path for site in reversed(result.sites)}
    for file in result.files:
        if file.error is not None:
            yield _line(f"{file.path}: ", "unparsed", f" ({file.error})")
        elif file.status is not Status.UNTOUCHED:
            sites = [site for site in result.sites if site.path == file.path]
            own = [graphs[name] for name in file.graphs if name in graphs]
            begun = {name for name, path in homes.items() if path == file.path}
            yield from _file(file, own, sites, begun, shared)
    for kind, texts in shared.items():
        if texts:
            yield Text(f"{kind} for several programs:")
            yield from (Text(f"  {number:>2}. {text}") for text, number in texts.items())
            yield Text()
    yield from _totals(result)


def _file(
    file: FileResult,
    graphs: Sequence[GraphResult],
    sites: Sequence[Site],
    begun: Set[str],
    shared: Mapping[str, Mapping[str, int]],
) -> Iterator[Text]:
    """What is said of a file; notes on a graph stand where it is `begun`, at its first site.

    Of what is `shared` by several graphs it has the numbers.
    """
    yield _line(f"{file.path}: ", file.status.value, "", bold=True)
    said = {reason for graph in graphs for reason in graph.reasons}
    yield from _sites(sorted(sites, key=lambda site: (site.cell or 0, site.line, site.column)), said)
    if not sites:
        homes = dict.fromkeys(graph.id.rpartition(":")[0] for graph in graphs)
        yield Text(f"  goes with {', '.join(homes)}{'' if file.changed else '; nothing changes here'}")
    for graph in graphs if sites else ():
        if graph.reasons:
            yield Text("  why not native:")
            yield from (Text(f"    - {reason}") for reason in graph.reasons)
        if graph.id in begun:
            for kind, texts in (("changes", graph.must_change), ("notes", graph.notes)):
                if texts:
                    yield Text(f"  {TITLES[kind]}:")
                    yield from _notes(texts, kind, shared[kind])
        if graph.connect is not None:
            yield Text(f"  {'' if graph.is_ready else 'not '}on Spark Connect: {graph.connect}")
    for title, of_cells in (("cells that are no Python", True), ("only in Python 2", False)):
        remarks = [remark for remark in file.remarks if of_cells is not bool(remark.name)]
        if remarks:
            yield Text(f"  {title}:")
            yield from (Text(f"    - {_place(remark)}: {remark.text}") for remark in remarks)
    yield Text()


def _notes(texts: Sequence[str], kind: str, shared: Mapping[str, int]) -> Iterator[Text]:
    """A line for each of the texts that only one graph has, and one for all others."""
    yield from (Text(f"    - {text}") for text in texts if text not in shared)
    numbers = sorted({shared[text] for text in texts if text in shared})
    if numbers:
        yield Text(f"    - {kind if len(numbers) > 1 else kind[:-1]} {', '.join(map(str, numbers))} below")


def _of_several(texts: Iterable[Sequence[str]]) -> dict[str, int]:
    """The texts that `SEVERAL` graphs or more have, numbered from the most common one on."""
    counts = Counter(text for each in texts for text in dict.fromkeys(each))
    common = (text for text, graphs in counts.most_common() if graphs >= SEVERAL)
    return {text: number for number, text in enumerate(common, 1)}


def _sites(sites: Sequence[Site], said: Set[str]) -> Iterator[Text]:
    """A line for each of `sites`, with its reason where that is not among those `said` of the whole graph."""
    where = max((len(_place(site)) for site in sites), default=0)
    operator = max((len(site.operator) for site in sites), default=0)
    tier = max((len(site.tier.value) for site in sites), default=0)
    for site in sites:
        line = Text(f"  {_place(site):>{where}}  {site.operator:{operator}}  ")
        line.append(site.tier.value, style=COLOURS.get(site.tier.value, ""))
        reason = "" if site.reason in said else site.reason
        trust = "" if site.safe or site.tier is Tier.MANUAL else "learnt" if site.learnt else "unsafe"
        if reason or trust:
            line.append(" " * (tier - len(site.tier.value)) + "  ")
            line.append(f"{trust}: " if trust and reason else trust, style="yellow" if site.learnt else "red")
            line.append(reason)
        yield line


def _place(site: Site | Remark) -> str:
    cell = "" if site.cell is None else f"cell {site.cell}:"
    return f"{cell}{site.line}:{site.column}"


def _totals(result: Result) -> Iterator[Text]:
    counts = totals(result)
    yield _counted("file", counts.files)
    yield _counted("graph", counts.graphs)
    if counts.native_with_rdd:
        yield Text(f"  {counts.native_with_rdd} native with a stage of RDD code: right, but slower")
    if counts.connect:
        yield Text(f"  {counts.connect} native and ready for Spark Connect")
    yield _counted("site", counts.sites)


def _counted(noun: str, counts: Mapping[Kind, int]) -> Text:
    total = sum(counts.values())
    line = Text(f"{total} {noun}{'' if total == 1 else 's'}")
    parts = [(kind.value, number) for kind, number in counts.items() if number]
    for index, (name, number) in enumerate(parts):
        line.append(": " if index == 0 else ", ")
        line.append(f"{number} {name}", style=COLOURS.get(name, ""))
    return line


def _line(before: str, status: str, after: str, *, bold: bool = False) -> Text:
    line = Text(before, style="bold" if bold else "")
    line.append(status, style=COLOURS.get(status, ""))
    line.append(after)
    return line
