from __future__ import annotations

import json
from dataclasses import replace

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import READY, FileResult, GraphResult, Outcome, Result, Site, Status, Tier
from migrate.report.document import document
from migrate.report.terminal import render


def site(
    graph: str, path: str, line: int, operator: str, tier: Tier, reason: str = "", *, safe: bool = True
) -> Site:
    return Site(graph, path, line, 5, operator, tier, safe, operator, reason)


RESULT = Result(
    spark=SparkVersion("4.0.1", "pinned in uv.lock"),
    graphs=(
        GraphResult("a.py:1", ("a.py",), Outcome.NATIVE, (), ("socket: no reconnect",), connect=READY),
        GraphResult(
            "b.py:1",
            ("b.py", "c.py"),
            Outcome.COMPAT,
            ("line 9: a window",),
            (),
            ((0, 1),),
            must_change=("pip install",),
        ),
    ),
    files=(
        FileResult("a.py", Status.NATIVE, ("a.py:1",), old="1", new="2"),
        FileResult("b.py", Status.COMPAT, ("b.py:1",), old="1", new="2"),
        FileResult("c.py", Status.COMPAT, ("b.py:1",)),
        FileResult("d.py", Status.UNPARSED, error="line 1: invalid syntax"),
        FileResult("e.py", Status.UNTOUCHED),
    ),
    sites=(
        site("a.py:1", "a.py", 12, "map", Tier.RDD, "unknown element"),
        site("a.py:1", "a.py", 3, "window", Tier.COLUMN, "event time", safe=False),
        site("b.py:1", "b.py", 9, "window", Tier.COMPAT, "a window"),
        site("b.py:1", "c.py", 2, "pprint", Tier.COMPAT, "line 9: a window"),
    ),
)


def test_the_totals_add_up() -> None:
    totals = document(RESULT)["totals"]
    assert totals["files"] == {
        "native": 1,
        "compat": 2,
        "manual": 0,
        "untouched": 1,
        "unparsed": 1,
        "total": 5,
    }
    assert totals["graphs"] == {"native": 1, "compat": 1, "manual": 0, "total": 2}
    assert totals["sites"] == {
        "column": 1,
        "python": 0,
        "rdd": 1,
        "context": 0,
        "compat": 2,
        "manual": 0,
        "ignored": 0,
        "total": 4,
    }
    assert (totals["native_with_rdd"], totals["connect"]) == (1, 1)


def test_the_document_is_json_and_says_everything() -> None:
    read = json.loads(json.dumps(document(RESULT)))
    assert read["version"] == 1
    assert read["spark"] == {"version": "4.0.1", "origin": "pinned in uv.lock"}
    assert read["graphs"][1] == {
        "id": "b.py:1",
        "files": ["b.py", "c.py"],
        "outcome": "compat",
        "reasons": ["line 9: a window"],
        "must_change": ["pip install"],
        "notes": [],
        "edges": [[0, 1]],
        "connect": None,
        "requires": [],
    }
    assert read["files"][3] == {
        "path": "d.py",
        "python": 3,
        "status": "unparsed",
        "graphs": [],
        "changed": False,
        "error": "line 1: invalid syntax",
        "remarks": [],
    }
    assert read["sites"][0] == {
        "graph": "a.py:1",
        "path": "a.py",
        "cell": None,
        "line": 12,
        "column": 5,
        "operator": "map",
        "tier": "rdd",
        "safe": True,
        "learnt": False,
        "rule": "map",
        "reason": "unknown element",
    }


def test_the_terminal_report() -> None:
    assert "\n".join(line.plain for line in render(RESULT)) == (
        """\
new code is for Spark 4.0.1 (pinned in uv.lock)
a.py: native
   3:5  window  column  unsafe: event time
  12:5  map     rdd     unknown element
  note:
    - socket: no reconnect
  on Spark Connect: ready

b.py: compat
  9:5  window  compat  a window
  why not native:
    - line 9: a window
  you must change:
    - pip install

c.py: compat
  2:5  pprint  compat
  why not native:
    - line 9: a window

d.py: unparsed (line 1: invalid syntax)
5 files: 1 native, 2 compat, 1 untouched, 1 unparsed
2 graphs: 1 native, 1 compat
  1 native with a stage of RDD code: right, but slower
  1 native and ready for Spark Connect
4 sites: 1 column, 1 rdd, 2 compat"""
    )


def test_what_several_programs_have_is_said_once() -> None:
    graph, path = RESULT.graphs[0], "a.py"
    graphs = [
        replace(
            graph, id=f"{path}:{line}", notes=("of all", f"of {line}"), must_change=("start it", "stop it")
        )
        for line in (1, 2, 3)
    ]
    sites = [Site(one.id, path, 3, 5, "map", Tier.COLUMN, True, "map", "") for one in graphs]
    file = FileResult(path, Status.NATIVE, tuple(one.id for one in graphs))
    lines = [line.plain for line in render(Result(tuple(graphs), (file,), tuple(sites)))]
    assert lines.count("    - note 1 below") == lines.count("    - changes 1, 2 below") == len(graphs)
    assert lines.count("    - of 2") == 1
    at = lines.index("changes for several programs:")
    assert lines[at + 1 : at + 4] == ["   1. start it", "   2. stop it", ""]
    assert lines[at + 4 : at + 7] == ["notes for several programs:", "   1. of all", ""]
    two = render(Result(tuple(graphs[:2]), (file,), tuple(sites[:2])))
    assert not any("several" in line.plain for line in two)


def test_what_rests_on_facts_is_called_learnt() -> None:
    learnt = Site("a.py:1", "a.py", 3, 5, "map", Tier.COLUMN, False, "map", "a select", learnt=True)
    result = replace(RESULT, sites=(learnt, replace(learnt, line=4, learnt=False)))
    first, second = document(result)["sites"]
    assert (first["safe"], first["learnt"]) == (False, True)
    assert (second["safe"], second["learnt"]) == (False, False)
    lines = [line.plain for line in render(result)]
    assert "  3:5  map  column  learnt: a select" in lines
    assert "  4:5  map  column  unsafe: a select" in lines
