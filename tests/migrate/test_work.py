from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from migrate import work
from migrate.model import Options, Outcome, Status
from migrate.read.scan import SourceFile
from migrate.work import Task, do_all
from tests.migrate.conftest import STREAM

OPTIONS = Options()
AT_ONCE = dict.fromkeys(work.ALONE, 0)


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
    monkeypatch.setattr(work, "ALONE", AT_ONCE)
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


@pytest.mark.parametrize(
    ("platform", "threads", "method"),
    [("linux", 1, "fork"), ("linux", 2, "spawn"), ("darwin", 1, "spawn"), ("win32", 1, "spawn")],
)
def test_this_process_is_copied_where_no_thread_can_be_lost(
    platform: str, threads: int, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(threading, "active_count", lambda: threads)
    assert work._start_method() == method


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes start anew")
def test_a_copy_of_this_process_gives_the_same_result(tmp_path: Path) -> None:
    """In a process of its own, as that of the tests may have threads; its display is one, too."""
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(STREAM)
    command = [sys.executable, "-W", "error", "-c", IN_COPIES, str(tmp_path)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert lines == ["fork", "shown", "a.py compat", "b.py compat"]


IN_COPIES = """
import sys, threading
from contextlib import contextmanager
from pathlib import Path
from migrate import work
from migrate.model import Options
from migrate.run import run

@contextmanager
def shown():
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    print("shown")
    yield
    end.set()
    thread.join()

work.ALONE, work._cores = {"fork": 0}, lambda: 2
print(work._start_method(), flush=True)
for file in run([Path(sys.argv[1])], Options(), shown=shown).result.files:
    print(file.path, file.status.value)
"""


def test_a_process_that_dies_takes_only_the_file_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that kills its process is known by what becomes of each file alone."""

    def in_processes(tasks: list[Task], cores: int, _: object = None) -> list[work.Done | None]:
        dies = [any(b"KILL" in source.data for source in task.sources) for task in tasks]
        return [None if any(dies) else work.do(task) for task in tasks]

    monkeypatch.setattr(work, "ALONE", AT_ONCE)
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
