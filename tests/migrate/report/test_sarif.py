from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from migrate.migration import migrate
from migrate.model import FileResult, GraphResult, Options, Outcome, Remark, Result, Site, Status, Tier
from migrate.report.sarif import sarif
from tests.migrate.read.notebook.notebooks import CELLS, module, notebook


def site(tier: Tier, *, line: int = 3, safe: bool = True) -> Site:
    return Site("a b.py:1", "a b.py", line, 5, "window", tier, safe, "window", "why")


RESULT = Result(
    (GraphResult("a b.py:1", ("a b.py",), Outcome.COMPAT, ("why",)),),
    (
        FileResult("a b.py", Status.COMPAT, remarks=(Remark(None, 4, 1, "os.getcwdu", "only in Python 2"),)),
        FileResult("b.py", Status.UNPARSED, error="line 1: invalid syntax"),
    ),
    (*(site(tier) for tier in Tier), site(Tier.COLUMN, safe=False)),
)


def run(result: Result) -> dict[str, Any]:
    log = json.loads(json.dumps(sarif(result)))
    assert (log["version"], log["$schema"][-22:]) == ("2.1.0", "arif-schema-2.1.0.json")
    (only,) = log["runs"]
    assert isinstance(only, dict)
    return only


def test_every_result_names_its_rule_and_its_level() -> None:
    log = run(RESULT)
    rules = log["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rules[entry["ruleIndex"]]["id"] == entry["ruleId"] for entry in log["results"])
    assert [(entry["ruleId"], entry["level"]) for entry in log["results"]] == [
        ("window", "note"),
        ("window", "note"),
        ("window", "note"),
        ("window", "note"),
        ("window", "warning"),
        ("window", "error"),
        ("window", "none"),
        ("window", "note"),
        ("python2_only", "warning"),
        ("unparsed", "error"),
    ]
    assert [e for e in log["results"] if "suppressions" in e] == [log["results"][6]]


def test_columns_are_code_points_and_paths_are_uris() -> None:
    log = run(RESULT)
    assert log["columnKind"] == "unicodeCodePoints"
    (location,) = log["results"][0]["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3, "startColumn": 5, "endColumn": 11},
    }
    remark = log["results"][-2]["locations"][0]["physicalLocation"]["region"]
    assert remark == {"startLine": 4, "startColumn": 1, "endColumn": 11}


def test_messages() -> None:
    texts = [entry["message"]["text"] for entry in run(RESULT)["results"]]
    assert texts[0] == "`window` becomes column: why"
    assert texts[5:8] == [
        "`window` is left for a person: why",
        "`window` is left alone: why",
        "`window` becomes column, unsafe: why",
    ]
    assert texts[-1] == "line 1: invalid syntax"


def test_a_run_with_a_file_that_was_not_read_did_not_succeed() -> None:
    assert run(RESULT)["invocations"] == [{"executionSuccessful": False}]
    assert run(Result())["invocations"] == [{"executionSuccessful": True}]


def test_a_cell_is_found_in_the_json_text() -> None:
    for text in (notebook(CELLS), notebook(CELLS, one_text=True)):
        entries = run(migrate([module(text)], Options()))["results"]
        for entry in entries:
            (location,) = entry["locations"]
            row = text.split("\n")[location["physicalLocation"]["region"]["startLine"] - 1]
            operator = entry["message"]["text"].split("`")[1]
            assert operator in row
            assert location["logicalLocations"][0]["name"].startswith("cell ")


def test_what_rests_on_facts_is_called_learnt() -> None:
    learnt = replace(site(Tier.COLUMN, safe=False), learnt=True)
    (entry,) = run(replace(RESULT, sites=(learnt,)))["results"][:1]
    assert entry["message"]["text"] == "`window` becomes column, learnt: why"
    assert entry["properties"]["learnt"] is True
