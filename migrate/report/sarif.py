"""The report as SARIF 2.1.0, which code scanning services show beside the code.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from migrate.model import FileResult, Remark, Result, Site, Tier
from migrate.read.notebook import file_line
from migrate.report import tool_version
from migrate.rules import all_rules

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Tier.COMPAT: "warning", Tier.MANUAL: "error", Tier.IGNORED: "none"}
"""Of everything else nobody needs to take notice: ``note``."""
UNPARSED, PYTHON_2 = "unparsed", "python2_only"
OWN_RULES = {
    UNPARSED: "a file cannot be read or parsed",
    PYTHON_2: "a name that only Python 2 has, in a file that Python 3 can parse",
}


def sarif(result: Result) -> dict[str, Any]:
    """`result` as JSON values: a SARIF log of one run."""
    lines = _Lines(result)
    found = [_site(site, lines) for site in result.sites]
    for file in result.files:
        found += [_remark(file, remark, lines) for remark in file.remarks]
        if file.error is not None:
            found.append(_unparsed(file))
    rules = _rules(result)
    positions = {rule["id"]: position for position, rule in enumerate(rules)}
    for entry in found:
        entry["ruleIndex"] = positions[entry["ruleId"]]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "dstream-migrate", "version": tool_version(), "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "properties": {
                    "spark": str(result.spark),
                    "connect": {graph.id: graph.connect for graph in result.graphs if graph.connect},
                },
                "invocations": [{"executionSuccessful": not any(file.error for file in result.files)}],
                "results": found,
            }
        ],
    }


def _rules(result: Result) -> list[dict[str, Any]]:
    """All rules, and those operators of the code that no rule is in charge of."""
    texts = {rule.id: f"{rule.operator}: {rule.summary}" for rule in all_rules()}
    for site in result.sites:
        texts.setdefault(site.rule, f"`{site.operator}` has no rule")
    texts |= OWN_RULES
    return [{"id": name, "shortDescription": {"text": texts[name]}} for name in sorted(texts)]


class _Lines:
    """Lines in the files, also of notebooks, whose sites are in cells."""

    def __init__(self, result: Result) -> None:
        self._notebooks = {file.path: file.old for file in result.files if file.path.endswith(".ipynb")}

    def of(self, path: str, place: Site | Remark) -> int:
        if path in self._notebooks and place.cell is not None:
            return file_line(self._notebooks[path], place.cell, place.line)
        return place.line


def _site(site: Site, lines: _Lines) -> dict[str, Any]:
    reason = f": {site.reason}" if site.reason else ""
    trust = "" if site.safe or site.tier is Tier.MANUAL else ", learnt" if site.learnt else ", unsafe"
    entry = {
        "ruleId": site.rule,
        "level": LEVELS.get(site.tier, "note"),
        "message": {"text": f"`{site.operator}` becomes {site.tier.value}{trust}{reason}"},
        "locations": [_location(site.path, site, lines.of(site.path, site), len(site.operator))],
        "properties": {
            "graph": site.graph,
            "tier": site.tier.value,
            "safe": site.safe,
            "learnt": site.learnt,
        },
    }
    if site.tier is Tier.MANUAL:
        entry["message"] = {"text": f"`{site.operator}` is left for a person{reason}"}
    elif site.tier is Tier.IGNORED:
        entry["message"] = {"text": f"`{site.operator}` is left alone{reason}"}
        entry["suppressions"] = [{"kind": "inSource"}]
    return entry


def _remark(file: FileResult, remark: Remark, lines: _Lines) -> dict[str, Any]:
    where = _location(file.path, remark, lines.of(file.path, remark), len(remark.name))
    rule, level = (PYTHON_2, "warning") if remark.name else (UNPARSED, "error")
    return {"ruleId": rule, "level": level, "message": {"text": remark.text}, "locations": [where]}


def _unparsed(file: FileResult) -> dict[str, Any]:
    return {
        "ruleId": UNPARSED,
        "level": "error",
        "message": {"text": file.error},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(file.path)}}],
    }


def _location(path: str, place: Site | Remark, line: int, length: int) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(path), "region": {"startLine": line}}
    if not path.endswith(".ipynb"):  # a column of a cell is none of the JSON text
        physical["region"] |= {"startColumn": place.column, "endColumn": place.column + length}
    location: dict[str, Any] = {"physicalLocation": physical}
    if place.cell is not None:
        name = f"cell {place.cell}"
        location["logicalLocations"] = [
            {"name": name, "fullyQualifiedName": f"{path}, {name}, line {place.line}"}
        ]
    return location


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(path), "uriBaseId": "%SRCROOT%"}
