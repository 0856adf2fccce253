from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from migrate.report.diff import unified_diff

needs_patch = pytest.mark.skipif(shutil.which("patch") is None, reason="needs the patch program")

LINES = "".join(f"line {i}\n" for i in range(20)).encode()
CASES = {
    "one line": (LINES, LINES.replace(b"line 5\n", b"changed\n")),
    "added at the end": (LINES, LINES + b"more\n"),
    "no newline in the old": (b"a\nb", b"a\nb\n"),
    "no newline in the new": (b"a\nb\n", b"a\nb"),
    "no newline in both": (b"a\nb", b"c\nb"),
    "no newline, last line changed": (b"a\nb", b"a\nc"),
    "CRLF": (b"a\r\nb\r\nc\r\n", b"a\r\nx\r\nc\r\n"),
    "CRLF, no newline at the end": (b"a\r\nb", b"x\r\nb"),
    "mixed line ends": (b"a\r\nb\nc\r\n", b"a\r\nx\nc\r\n"),
    "BOM": (b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfx\nb\n"),
    "latin-1": (b"# coding: latin-1\n'\xe9'\nb\n", b"# coding: latin-1\n'\xe9'\nx\n"),
    "form feed and line separator": ("a\x0cb\u2028c\nd\n".encode(), "a\x0cb\u2028c\nx\n".encode()),
    "from nothing": (b"", b"a\n"),
    "to nothing": (b"a\n", b""),
    "a line that looks like a header": (b"--- a/x\n+++ b/x\n", b"--- a/y\n+++ b/x\n"),
}


def apply(directory: Path, diff: bytes) -> None:
    done = subprocess.run(["patch", "-p1", "-s"], cwd=directory, input=diff, capture_output=True, check=False)
    assert not done.returncode, (done.stdout, diff)


@needs_patch
@pytest.mark.parametrize(("old", "new"), CASES.values(), ids=CASES)
def test_patch_applies(tmp_path: Path, old: bytes, new: bytes) -> None:
    path = tmp_path / "sub" / "a.py"
    path.parent.mkdir()
    path.write_bytes(old)
    apply(tmp_path, unified_diff("sub/a.py", old, new))
    assert (path.read_bytes() if path.exists() else b"") == new


@needs_patch
@pytest.mark.parametrize(
    "name", ["with space.py", "é.py", "tab\t.py", 'quote".py', "back\\slash.py", "-x.py"]
)
def test_patch_finds_the_file_whatever_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"a\nb\n")
    apply(tmp_path, unified_diff(name, b"a\nb\n", b"a\nx\n"))
    assert (tmp_path / name).read_bytes() == b"a\nx\n"


@needs_patch
def test_several_files_in_one_diff(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_bytes(b"x")
    apply(tmp_path, unified_diff("a", b"x", b"y") + unified_diff("b", b"x", b"z"))
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"y", b"z"]


def test_no_change_is_no_diff() -> None:
    assert unified_diff("a.py", b"x\n", b"x\n") == b""


def test_the_text_is_what_git_would_print() -> None:
    assert unified_diff("a.py", b"x\ny", b"x\nz") == (
        b"--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n x\n-y\n\\ No newline at end of file\n"
        b"+z\n\\ No newline at end of file\n"
    )
