"""The report for machines: one JSON document, whose shape is described here and changes only with `VERSION`.

``version``
    This number.
``graphs``
    One object for each StreamingContext: ``id``; ``files``; ``outcome`` (``native``, ``compat``, ``manual``);
    ``reasons``, why it is not native; ``notes``, what to know of the native code.
``files``
    ``path``, relative to the PATH given; ``python``, 2 or 3; ``status`` (``native``, ``compat``, ``manual``,
    ``untouched``, ``unparsed``: the worst of its graphs); ``graphs``, their ids; ``changed``, whether a
    rewrite would change it; ``error``, null or why it is unparsed.
``sites``
    One object for each call or bare reference of a stream's member: ``graph``; ``path``; ``cell``, null
    outside notebooks; ``line`` and ``column``, from 1, in code points; ``operator``; ``tier`` (``column``,
    ``python``, ``rdd``, ``context``, ``compat``, ``manual``, ``ignored``); ``safe``; ``rule``; ``reason``.
``totals``
    ``files`` by status, ``graphs`` by outcome, ``sites`` by tier, each with every kind and their sum as
    ``total``; ``native_with_rdd``, the native graphs that keep a stage of RDD code.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from migrate.model import FileResult, GraphResult, Result, Site
from migrate.report.totals import totals

VERSION = 1


def document(result: Result) -> dict[str, Any]:
    """`result` as JSON values."""
    counts = totals(result)
    return {
        "version": VERSION,
        "graphs": [_graph(graph) for graph in result.graphs],
        "files": [_file(file) for file in result.files],
        "sites": [_site(site) for site in result.sites],
        "totals": {
            "files": _counted(counts.files),
            "graphs": _counted(counts.graphs),
            "sites": _counted(counts.sites),
            "native_with_rdd": counts.native_with_rdd,
        },
    }


def _graph(graph: GraphResult) -> dict[str, Any]:
    return {
        "id": graph.id,
        "files": list(graph.files),
        "outcome": graph.outcome.value,
        "reasons": list(graph.reasons),
        "notes": list(graph.notes),
    }


def _file(file: FileResult) -> dict[str, Any]:
    return {
        "path": file.path,
        "python": file.python,
        "status": file.status.value,
        "graphs": list(file.graphs),
        "changed": file.changed,
        "error": file.error,
    }


def _site(site: Site) -> dict[str, Any]:
    return {
        "graph": site.graph,
        "path": site.path,
        "cell": site.cell,
        "line": site.line,
        "column": site.column,
        "operator": site.operator,
        "tier": site.tier.value,
        "safe": site.safe,
        "rule": site.rule,
        "reason": site.reason,
    }


def _counted(counts: Mapping[Any, int]) -> dict[str, int]:
    named: dict[Enum, int] = dict(counts)
    return {**{kind.value: number for kind, number in named.items()}, "total": sum(named.values())}
