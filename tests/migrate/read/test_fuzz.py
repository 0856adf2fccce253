"""Code that nobody wrote for us: no crash, no change of what is no stream, and nothing twice."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import hypothesmith
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from migrate.model import FileResult, Options, Status
from migrate.read.scan import SourceFile
from migrate.work import Task, do
from tests.migrate.programs import SOCKET

LIBRARY = [
    path
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    if "site-packages" not in path.parts and path.stat().st_size < 50_000
]
AT_LEISURE = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def migrated(data: bytes) -> FileResult:
    """What becomes of a file, whether or not its bytes speak of streams."""
    done = do(Task((SourceFile(Path("/nowhere/a.py"), "a.py", data),), Options()))
    (file,) = done.result.files
    assert not done.crashed, file.error
    return file


@given(st.sampled_from(LIBRARY))
@AT_LEISURE
def test_the_standard_library_stays_as_it_is(path: Path) -> None:
    data = path.read_bytes()
    file = migrated(data)
    assert not file.changed
    if file.status is not Status.UNPARSED:
        assert (file.status, file.old_bytes) == (Status.UNTOUCHED, data)


@given(
    st.binary(max_size=40) | st.text(alphabet="\t\n\r\x0c ()[]:'\"\\#%!?=xi1é", max_size=60).map(str.encode)
)
@AT_LEISURE
def test_any_bytes_at_all(data: bytes) -> None:
    assert not migrated(data).changed
    assert not migrated(b"# Databricks notebook source\n" + data).changed
    assert not migrated(b"print 1\n" + data).changed


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@given(hypothesmith.from_node(auto_target=False))
@AT_LEISURE
def test_any_module_at_all(code: str) -> None:
    file = migrated(code.encode(errors="replace"))
    assert (file.status, file.changed) == (Status.UNTOUCHED, False)
    program = SOCKET.format(body=f"{code}\nlines.map(lambda x: (x, 1)).pprint()")
    try:
        ast.parse(program)
    except (SyntaxError, ValueError):
        assume(False)
    new = migrated(program.encode(errors="replace"))
    assert new.status is not Status.UNPARSED, new.error
    ast.parse(new.new)
    assert not migrated(new.new_bytes).changed
