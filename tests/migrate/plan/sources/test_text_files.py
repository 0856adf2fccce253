"""Directories of text files."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run, whole_program


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("'/in/input.txt'", True),
        ("'hdfs://host/in/log.CSV'", True),
        ("PATH", True),
        ("'/in'", False),
        ("'/in/day.2024'", False),
        ("'/in/.txt'", False),
    ],
)
def test_a_path_that_is_a_file_by_its_name_is_told_of(path: str, told: bool) -> None:
    (graph,) = run("PATH = 'in/words.json'\n" + whole_program(f"ssc.textFileStream({path}).pprint()")).graphs
    found = [one for one in graph.must_change if "is a file by its name" in one]
    assert len(found) == told
