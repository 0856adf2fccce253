"""Files that Python 3 refuses for their tabs alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model import Module, Options, Outcome
from migrate.read.parse import of_one_python, parse_bytes
from migrate.run import run

MAIN = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from shares import share
def show(rdd):
    for x in rdd.collect():
\t\tprint(round(x, 1))
sc = SparkContext(appName="Old")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(share).foreachRDD(show)
ssc.start()
ssc.awaitTermination()
"""
SHARES = "def share(text):\n    return len(text) / 2\n"
OF_3 = f"{SHARES}name = f'{{1}}'\n"
MENDED = MAIN.replace("\t\t", " " * 16)


def module_of(main: str, shares: str, folder: Path = Path("/nowhere")) -> Module:
    """The script of a project, as it is read."""
    found: list[Module] = []
    for name, text in {"main.py": main, "shares.py": shares}.items():
        module = parse_bytes(text.encode(), folder / name, name)
        assert isinstance(module, Module)
        found.append(module)
    return of_one_python(found)[0]


def test_python_2_runs_a_file_with_a_mix_of_tabs_and_blanks() -> None:
    assert module_of(MAIN, SHARES).python == 2


@pytest.mark.parametrize(
    ("main", "shares", "sign"),
    [
        (MAIN, OF_3, "line 3: `from shares import share` imports shares.py, which Python 2 refuses"),
        (
            MAIN,
            f"# é\n{SHARES}",
            "line 3: `from shares import share` imports shares.py, which Python 2 refuses",
        ),
        (f"{MAIN}name = f'{{1}}'\n", SHARES, "what only Python 3 has in it"),
        (f"#!/usr/bin/env python3\n{MAIN}", SHARES, "what only Python 3 has in it"),
    ],
)
def test_it_is_in_python_3_where_something_else_is(main: str, shares: str, sign: str) -> None:
    found = module_of(main, shares)
    assert (found.python, found.signs) == (3, (sign,))
    assert found.source == main.replace("\t\t", " " * 16)
    assert found.text == main
    assert found.place(6).line == 6


@pytest.mark.parametrize(
    ("command", "python"),
    [
        ("python3 main.py 9999", 3),
        ("nohup python3.8 -u jobs/main.py &", 3),
        ("python3 other_main.py", 2),
        ("python3 main.pyc", 2),
        ("python main.py", 2),
    ],
)
def test_a_script_may_run_it_by_python_3(tmp_path: Path, command: str, python: int) -> None:
    (tmp_path / "start.sh").write_text(f"#!/bin/sh\n{command}\n")
    found = module_of(MAIN, SHARES, tmp_path)
    assert found.python == python
    if python == 3:
        assert found.signs[0].startswith("start.sh, line 2: `python3")


@pytest.mark.parametrize("old", ["print 1", "print(xrange(3))"])
def test_what_else_is_of_python_2_says_more(old: str) -> None:
    assert module_of(f"{MAIN}{old}\n", OF_3).python == 2


def test_the_new_code_has_the_operators_of_python_3(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "shares.py").write_text(OF_3)
    result = run([tmp_path], Options()).result
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE
    assert any("main.py, which Python 3 refuses for a mix of tabs and blanks" in note for note in graph.notes)
    (main,) = [file for file in result.files if file.path == "main.py"]
    assert "python2_" not in (main.new or "")
    assert "\t" not in (main.new or "")


def test_a_module_with_such_tabs_changes_with_the_program(tmp_path: Path) -> None:
    shares = "import floats\ndef share(text):\n    if text:\n\treturn len(text) / 2\n"
    (tmp_path / "main.py").write_text(MENDED)
    (tmp_path / "shares.py").write_text(shares)
    (tmp_path / "floats.py").write_text("a: int = 3\n")
    result = run([tmp_path], Options()).result
    new = {file.path: file.new for file in result.files}
    assert new["shares.py"] == shares.replace("\treturn", "        return")
    (graph,) = result.graphs
    assert set(graph.files) == {"main.py", "shares.py"}
