from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from migrate import work
from migrate.model import Options, Outcome, Status
from migrate.read.scan import SourceFile
from migrate.work import Task, do_all
from tests.migrate.conftest import STREAM

OPTIONS = Options()


def task(name: str, text: str = STREAM, options: Options | None = OPTIONS) -> Task:
    return Task((SourceFile(Path(name), name, text.encode()),), options)


def test_the_result_is_the_same_in_one_process_and_in_several(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [
        task("a.py"),
        task("b.py", "def (:\n"),
        task("c.py", "x = 1\n", None),
        task("d.py", "print 1", None),
    ]
    alone = {file.path: file for done in do_all(tasks) for file in done.result.files}
    monkeypatch.setattr(work, "ALONE", 0)
    monkeypatch.setattr(work, "_cores", lambda: 2)
    done = do_all(tasks)
    assert {file.path: file for part in done for file in part.result.files} == alone
    assert {path: file.status for path, file in alone.items()} == {
        "a.py": Status.COMPAT,
        "b.py": Status.UNPARSED,
        "c.py": Status.UNTOUCHED,
        "d.py": Status.UNTOUCHED,
    }
    assert alone["d.py"].python == 2
    assert [graph.outcome for part in done for graph in part.result.graphs] == [Outcome.COMPAT]


def test_a_process_that_dies_takes_only_the_file_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that kills its process is known by what becomes of each file alone."""

    def in_processes(tasks: list[Task], cores: int) -> list[work.Done | None]:
        dies = [any(b"KILL" in source.data for source in task.sources) for task in tasks]
        return [None if any(dies) else work.do(task) for task in tasks]

    monkeypatch.setattr(work, "ALONE", 0)
    monkeypatch.setattr(work, "_cores", lambda: 2)
    monkeypatch.setattr(work, "_in_processes", in_processes)
    pair = Task((*task("a.py").sources, *task("bad.py", "KILL = 1").sources), Options())
    done = do_all([pair, task("c.py")])
    files = {file.path: file for part in done for file in part.result.files}
    assert {path: file.status for path, file in files.items()} == {
        "a.py": Status.COMPAT,
        "bad.py": Status.UNPARSED,
        "c.py": Status.COMPAT,
    }
    assert "the process that worked on it died" in (files["bad.py"].error or "")
    assert any(part.crashed for part in done)


def test_a_killed_process_is_noticed() -> None:
    assert work._in_processes([Task((_Deadly(Path("a.py"), "a.py", b""),), None)], 1) == [None]


class _Deadly(SourceFile):
    """A source whose process is killed when it is read there."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.kill, (_Parent(), signal.SIGKILL)


class _Parent:
    """The id of whichever process it is unpickled in."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.getpid, ()
