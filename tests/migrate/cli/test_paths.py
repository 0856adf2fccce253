from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.migrate.conftest import Cli

SHARED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Shared")
ssc = StreamingContext(sc, 1)
"""
JOB = """\
from shared import ssc

ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
"""
OTHER = SHARED + 'ssc.socketTextStream("localhost", 9999).glom().pprint()\nssc.start()\n'


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose context is made beside the directory of its jobs."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "jobs").mkdir()
    (tmp_path / "shared.py").write_text(SHARED)
    (tmp_path / "jobs" / "job.py").write_text(JOB)
    (tmp_path / "jobs" / "other.py").write_text(OTHER)
    (tmp_path / "elsewhere.py").write_text(OTHER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_graph_that_reaches_outside_is_left_and_the_others_are_done(cli: Cli, repository: Path) -> None:
    done = cli("rewrite", "jobs")
    assert (done.code, done.err) == (0, "dstream-migrate: rewrote 1 file\n")
    assert "it reaches files outside of the given PATHs, which must not be written: shared.py" in done.text
    assert (repository / "jobs" / "job.py").read_text() == JOB
    assert (repository / "shared.py").read_text() == SHARED
    assert (repository / "elsewhere.py").read_text() == OTHER
    assert "compat.streaming" in (repository / "jobs" / "other.py").read_text()


def test_the_report_has_the_files_below_the_path(cli: Cli, repository: Path) -> None:
    found = json.loads(cli("report", "--json", "jobs").out)
    assert [(file["path"], file["status"]) for file in found["files"]] == [
        ("job.py", "manual"),
        ("other.py", "compat"),
    ]
    assert {graph["id"]: graph["files"] for graph in found["graphs"]} == {
        "job.py:3": ["job.py", "../shared.py"],
        "other.py:5": ["other.py"],
    } or {graph["id"]: graph["files"] for graph in found["graphs"]} == {
        "../shared.py:5": ["job.py", "../shared.py"],
        "other.py:5": ["other.py"],
    }


def test_with_all_its_files_the_graph_is_done(cli: Cli, repository: Path) -> None:
    assert cli("rewrite", ".").code == 0
    assert (
        "compat.streaming" in (repository / "shared.py").read_text()
        or "SparkSession" in (repository / "shared.py").read_text()
    )


def test_one_file_alone(cli: Cli, repository: Path) -> None:
    assert "must not be written: shared.py" in cli("check", "jobs/job.py").text
    assert "outside" not in cli("check", "jobs/other.py").text
    assert "outside" in cli("check", "shared.py").text


def test_it_runs_as_a_module_too(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "migrate", "check", str(tmp_path / "nowhere")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 3
    assert "nowhere does not exist" in done.stderr
