from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from migrate.write import journal as module
from migrate.write.journal import BusyError, Undone, replace_all, roll_back

OLD = {"a.py": b"old a\n", "sub/b.py": b"old b\r\n", "c.py": b""}
NEW = {"a.py": b"new a\n", "sub/b.py": b"new b\r\n", "c.py": b"new c"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, data in OLD.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return tmp_path


def contents(tree: Path) -> dict[str, bytes]:
    return {p.relative_to(tree).as_posix(): p.read_bytes() for p in tree.rglob("*") if p.is_file()}


def replace(tree: Path) -> None:
    replace_all(tree / ".journal", {tree / name: data for name, data in NEW.items()})


def test_all_files_get_their_new_bytes_and_nothing_is_left_behind(tree: Path) -> None:
    replace(tree)
    assert contents(tree) == NEW


def test_mode_is_kept(tree: Path) -> None:
    (tree / "a.py").chmod(0o751)
    replace(tree)
    assert stat.S_IMODE((tree / "a.py").stat().st_mode) == 0o751


def test_a_full_disk_leaves_everything_as_it_was(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_write", full)
    with pytest.raises(OSError, match="No space"):
        replace(tree)
    assert contents(tree) == OLD


@pytest.mark.parametrize("number", range(len(OLD)))
def test_ctrl_c_between_two_files_leaves_everything_as_it_was(
    tree: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def interrupted(self: Path, target: Path) -> Path:
        if self.name == f"{number}.new":
            raise KeyboardInterrupt
        os.replace(self, target)  # noqa: PTH105
        return target

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        replace(tree)
    assert contents(tree) == OLD


KILLED = """
import os, signal, sys
from pathlib import Path
from migrate.write import journal

calls = 0

def counting(function):
    def counted(*arguments, **named):
        global calls
        calls += 1
        if calls == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **named)
    return counted

for name in ("link", "replace", "fsync", "unlink", "mkdir", "rename"):
    setattr(os, name, counting(getattr(os, name)))
tree = Path(sys.argv[1])
new = {"a.py": b"new a\\n", "sub/b.py": b"new b\\r\\n", "c.py": b"new c"}
journal.replace_all(tree / ".journal", {tree / name: data for name, data in new.items()})
print("calls", calls)
"""


def test_killed_at_any_moment_the_next_run_finds_all_old_or_all_new(tree: Path) -> None:
    outcomes = set()
    for step in range(1, 100):
        for name, data in OLD.items():
            (tree / name).write_bytes(data)
        done = subprocess.run(
            [sys.executable, "-c", KILLED, tree, str(step)], capture_output=True, text=True, check=False
        )
        if not done.returncode:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        left = {name: (tree / name).read_bytes() for name in OLD}
        assert all(left[name] in (OLD[name], NEW[name]) for name in OLD), "never a half-written file"
        if (tree / ".journal").exists():
            roll_back(tree / ".journal")
        assert contents(tree) in (OLD, NEW), step
        outcomes.add(contents(tree) == NEW)
    else:
        pytest.fail("the rewrite never came to its end")
    assert step > 10
    assert outcomes == {True, False}


def crash_after(tree: Path, number: int) -> None:
    """Leave what a kill leaves after `number` files were replaced."""
    journal = tree / ".journal"
    journal.mkdir()
    module._prepare(journal, {tree / name: data for name, data in NEW.items()})
    for index, name in enumerate(list(NEW)[:number]):
        (journal / f"{index}.new").replace(tree / name)


@pytest.mark.parametrize("number", range(len(OLD) + 1))
def test_the_next_run_rolls_back(tree: Path, number: int) -> None:
    crash_after(tree, number)
    undone = roll_back(tree / ".journal")
    assert undone == Undone(tuple(tree / name for name in list(NEW)[:number]), ())
    assert contents(tree) == OLD


def test_the_next_rewrite_rolls_back_first(tree: Path) -> None:
    crash_after(tree, 2)
    replace_all(tree / ".journal", {tree / "c.py": b"other"})
    assert contents(tree) == {**OLD, "c.py": b"other"}


def test_edits_made_since_the_crash_are_not_lost(tree: Path) -> None:
    crash_after(tree, 1)
    (tree / "a.py").write_bytes(b"edited\n")
    assert roll_back(tree / ".journal") == Undone((), (tree / "a.py",))
    assert contents(tree) == {**OLD, "a.py": b"edited\n", "a.py.orig": OLD["a.py"]}


def test_a_file_removed_since_the_crash_stays_away(tree: Path) -> None:
    crash_after(tree, 1)
    (tree / "a.py").unlink()
    assert roll_back(tree / ".journal").edited == (tree / "a.py",)
    assert not (tree / "a.py").exists()


def test_without_hard_links_the_old_text_is_copied(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", refuse)
    crash_after(tree, 2)
    roll_back(tree / ".journal")
    assert contents(tree) == OLD


def test_two_rewrites_at_once_are_kept_apart(tree: Path) -> None:
    journal = tree / ".journal"
    journal.mkdir()
    with (journal / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BusyError, match="another dstream-migrate"):
            replace(tree)
        with pytest.raises(BusyError):
            roll_back(journal)
    assert {name: contents(tree)[name] for name in OLD} == OLD
