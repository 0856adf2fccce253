"""The report as one page of HTML that needs nothing else: no script, no font, no picture from anywhere."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from migrate.model import FileResult, GraphResult, Outcome, Result, Site, Status
from migrate.read.notebook import jupyter
from migrate.report import flow, tool_version
from migrate.report.drawing import svg
from migrate.report.totals import totals


@dataclass(frozen=True)
class Count:
    """How many there are of one kind."""

    kind: str
    number: int
    share: float
    """In percent of all."""


@dataclass(frozen=True)
class Program:
    """A graph with all that is said of it."""

    graph: GraphResult
    sites: list[Site]
    before: Markup
    after: Markup
    diffs: list[tuple[str, list[tuple[str, str]]]]
    """Of each changed file: its path, and its lines, each with ``add``, ``del``, ``hunk`` or ``same``."""


def page(result: Result) -> str:
    """`result` as a page."""
    files = {file.path: file for file in result.files}
    counts = totals(result)
    template = _environment().get_template("page.html.j2")
    return template.render(
        version=tool_version(),
        spark=str(result.spark),
        totals={
            "programs": _counts(counts.graphs),
            "files": _counts(counts.files),
            "call sites": _counts(counts.sites),
        },
        native_with_rdd=counts.native_with_rdd,
        connect=counts.connect,
        programs=[_program(graph, result, files) for graph in result.graphs],
        unparsed=[file for file in result.files if file.status is Status.UNPARSED],
        remarked=[file for file in result.files if file.remarks],
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("migrate.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _counts(counts: Mapping[Any, int]) -> list[Count]:
    named: dict[Enum, int] = dict(counts)
    total = sum(named.values())
    return [Count(kind.value, n, 100 * n / total if total else 0) for kind, n in named.items()]


def _program(graph: GraphResult, result: Result, files: Mapping[str, FileResult]) -> Program:
    sites = [site for site in result.sites if site.graph == graph.id]
    own = [files[path] for path in graph.files if path in files]
    old = flow.before(graph, sites)
    new = flow.after(_new_code(file) for file in own) if graph.outcome is Outcome.NATIVE else old
    return Program(
        graph,
        sorted(sites, key=lambda site: (site.path, site.cell or 0, site.line, site.column)),
        Markup(svg(old, "The pipeline as it is")),
        Markup(svg(new, "The pipeline as it will be")),
        [(file.path, list(_diff(file))) for file in own if file.changed],
    )


def _new_code(file: FileResult) -> str:
    notebook = jupyter(file.new) if file.path.endswith(".ipynb") else None
    return file.new if notebook is None else notebook.code


def _diff(file: FileResult) -> Iterator[tuple[str, str]]:
    lines = difflib.unified_diff(file.old.splitlines(), file.new.splitlines(), lineterm="", n=3)
    kinds = {"+": "add", "-": "del", "@": "hunk"}
    for number, line in enumerate(lines):
        if number > 1:  # the names of the file stand above
            yield kinds.get(line[:1], "same"), line
