"""Which jars are used, and from where."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from migrate.errors import EnvironmentProblemError
from migrate.kafka import UnreachableError, jars
from migrate.kafka import jars as jars_function
from migrate.kafka.ivy import SETTINGS
from migrate.kafka.jars import CHOSEN, LOCAL

Calls = list[list[str]]


@pytest.fixture
def ivy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Calls:
    """An Ivy that puts a jar into each place, and notes how it was called, with its file."""
    calls: Calls = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in (LOCAL, CHOSEN, SETTINGS):
        monkeypatch.delenv(name, raising=False)

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        module = Path(command[command.index("-ivy") + 1]).read_text()
        calls.append([*command, module])
        pattern = command[command.index("-retrieve") + 1]
        for conf in ("connector", "broker"):
            path = Path(pattern.replace("[conf]", conf).replace("[artifact]-[revision].[ext]", "a-1.jar"))
            path.parent.mkdir(parents=True)
            path.touch()
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    return calls


def test_they_are_fetched_once(ivy: Calls) -> None:
    first = jars()
    assert [path.name for path in (*first.connector, *first.broker)] == ["a-1.jar", "a-1.jar"]
    assert jars() == first
    assert len(ivy) == 1
    assert "spark-sql-kafka-0-10_2.1" in ivy[0][-1]
    assert not list(first.connector[0].parents[1].parent.glob(".fetching-*")), "nothing is left over"


def test_versions_and_repositories_can_be_chosen(ivy: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    jars()
    monkeypatch.setenv(CHOSEN, "connector=9.9.9 pool=8.8.8")
    monkeypatch.setenv(SETTINGS, "/etc/ivysettings.xml")
    jars()
    assert 'rev="9.9.9"' in ivy[1][-1] and 'rev="8.8.8"' in ivy[1][-1]
    assert ivy[1][ivy[1].index("-settings") + 1] == "/etc/ivysettings.xml"


@pytest.mark.parametrize("given", ["connector", "spark=4", "connector= token=1"])
def test_versions_that_there_are_not(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.delenv(LOCAL, raising=False)
    monkeypatch.setenv(CHOSEN, given)
    with pytest.raises(EnvironmentProblemError, match=r"broker, clients, connector, pool, token"):
        jars_function()


def test_jars_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(LOCAL, str(tmp_path))
    with pytest.raises(UnreachableError, match="there are no jars in"):
        jars()
    for conf in ("connector", "broker"):
        (tmp_path / conf).mkdir()
        (tmp_path / conf / "own.jar").touch()
    assert jars().connector == (tmp_path / "connector" / "own.jar",)


def test_what_ivy_says_is_told(ivy: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "UNRESOLVED DEPENDENCIES\n\nnot found\n", "")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(UnreachableError, match=r"(?s)DSTREAM_MIGRATE_IVY_SETTINGS.*UNRESOLVED.*not found"):
        jars()
