"""Which side effects are refused. Audit hooks cannot be taken off, so each case has a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SET_UP = """
import os, socket, subprocess, sys, threading
from pathlib import Path
sys.path.insert(0, {root!r})
from migrate.verify.child import guard
def refuse(what):
    raise PermissionError(what)
guard.watch([{allowed!r}], refuse)
outside = {outside!r}
os.chdir({allowed!r})
"""
ROOT = str(Path(__file__).resolve().parents[3])


def run(tmp_path: Path, code: str) -> subprocess.CompletedProcess[str]:
    allowed, outside = tmp_path / "work", tmp_path / "outside"
    allowed.mkdir()
    outside.mkdir()
    (outside / "there").write_text("x")
    program = tmp_path / "program.py"
    program.write_text(SET_UP.format(root=ROOT, allowed=str(allowed), outside=str(outside)) + code)
    return subprocess.run([sys.executable, "-B", str(program)], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("open(outside + '/new', 'w')", "writing to"),
        ("open(outside + '/there', 'a')", "writing to"),
        ("open('../outside/new', 'x')", "writing to"),
        ("Path(outside, 'new').write_text('x')", "writing to"),
        ("os.open(outside + '/new', os.O_WRONLY | os.O_CREAT)", "writing to"),
        ("os.mkdir(outside + '/new')", "writing to"),
        ("os.remove(outside + '/there')", "writing to"),
        ("os.rename(outside + '/there', 'here')", "writing to"),
        ("Path('here').symlink_to(outside); open('here/new', 'w')", "writing to"),
        ("socket.create_connection(('127.0.0.1', 9), 1)", "connecting to 127.0.0.1:9"),
        ("import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')", "connecting to 127.0.0.1:9"),
        ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))", "connecting to 127.0.0.1:9"),
        ("os.system('true')", "starting another program"),
        ("subprocess.run(['true'])", "starting another program"),
    ],
)
def test_refused(tmp_path, code, what):
    done = run(tmp_path, code)
    assert done.returncode == 1
    assert "PermissionError" in done.stderr
    assert what in done.stderr
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["there"]


@pytest.mark.parametrize(
    "code",
    [
        "open('new', 'w').write('x')",
        "os.makedirs('a/b'); os.rename('a/b', 'c')",
        "open(outside + '/there').read()",
        "open(os.devnull, 'w')",
        "import sqlite3; sqlite3.connect('data.db').execute('create table t (n)')",
    ],
)
def test_let_through(tmp_path, code):
    done = run(tmp_path, code)
    assert done.returncode == 0, done.stderr
