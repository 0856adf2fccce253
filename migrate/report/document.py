"""The report for machines: one JSON document, whose shape is described here and changes only with `VERSION`.

``version``
    This number.
``spark``
    ``version``, which the new code is written for, and ``origin``: asked for, pinned in a file, or installed.
``graphs``
    One object for each StreamingContext: ``id``; ``files``; ``outcome`` (``native``, ``compat``, ``manual``);
    ``reasons``, why it is not native; ``must_change``, what callers and deployments must change; ``notes``,
    what to know of the new code; ``edges``, pairs of positions among the graph's sites: the first one's
    stream is read by the second one; ``connect``, whether its new code runs on Spark Connect: ``ready``, or
    why not, or null for what is not native.
``files``
    ``path``, relative to the PATH given; ``python``, 2 or 3; ``status`` (``native``, ``compat``, ``manual``,
    ``untouched``, ``unparsed``: the worst of its graphs); ``graphs``, their ids; ``changed``, whether a
    rewrite would change it; ``error``, null or why it is unparsed; ``remarks``, names that only Python 2 has
    and bytes that are used as a text, in a file that Python 3 can parse, and cells that cannot be parsed,
    which have no name: ``cell``, ``line``, ``column``, ``name``, ``text``.
``sites``
    One object for each call or bare reference of a stream's member: ``graph``; ``path``; ``cell``, null
    outside notebooks, else its position from 1, all cells counted; ``line`` and ``column``, from 1, in code
    points, of the cell in Jupyter's notebooks and of the file in all others; ``operator``; ``tier``
    (``column``, ``python``, ``rdd``, ``context``, ``compat``, ``manual``, ``ignored``); ``safe``; ``learnt``;
    ``rule``; ``reason``.
``totals``
    ``files`` by status, ``graphs`` by outcome, ``sites`` by tier, each with every kind and their sum as
    ``total``; ``native_with_rdd``, the native graphs that keep a stage of RDD code;
    ``connect``, those that are ready for Spark Connect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
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
        "spark": {"version": result.spark.text, "origin": result.spark.origin},
        "graphs": [_graph(graph) for graph in result.graphs],
        "files": [_file(file) for file in result.files],
        "sites": [_site(site) for site in result.sites],
        "totals": {
            "files": _counted(counts.files),
            "graphs": _counted(counts.graphs),
            "sites": _counted(counts.sites),
            "native_with_rdd": counts.native_with_rdd,
            "connect": counts.connect,
        },
    }


def _graph(graph: GraphResult) -> dict[str, Any]:
    return {
        "id": graph.id,
        "files": list(graph.files),
        "outcome": graph.outcome.value,
        "reasons": list(graph.reasons),
        "must_change": list(graph.must_change),
        "notes": list(graph.notes),
        "edges": [list(edge) for edge in graph.edges],
        "connect": graph.connect,
        "requires": list(graph.requires),
    }


def _file(file: FileResult) -> dict[str, Any]:
    return {
        "path": file.path,
        "python": file.python,
        "status": file.status.value,
        "graphs": list(file.graphs),
        "changed": file.changed,
        "error": file.error,
        "remarks": [asdict(remark) for remark in file.remarks],
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
        "learnt": site.learnt,
        "rule": site.rule,
        "reason": site.reason,
    }


def _counted(counts: Mapping[Any, int]) -> dict[str, int]:
    named: dict[Enum, int] = dict(counts)
    return {**{kind.value: number for kind, number in named.items()}, "total": sum(named.values())}
