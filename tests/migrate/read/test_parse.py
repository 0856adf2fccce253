from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from migrate.model import FileResult, Module, Options, Status
from migrate.read.parse import MAX_DEPTH, parse
from migrate.read.scan import SourceFile
from migrate.work import Task, do


def parsed(data: bytes) -> Module | FileResult:
    return parse(SourceFile(Path("a.py"), "a.py", data))


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"", "utf-8"),
        (b"x = 1\n", "utf-8"),
        (b"x = 1", "utf-8"),
        (b"x = 1\r\ny = '\xc3\xa9'\r\n", "utf-8"),
        (b"if x:\r\n\ty = 1\n\tz = 2\r\n", "utf-8"),
        (b"x = 1\ry = 2\r", "utf-8"),
        (codecs.BOM_UTF8 + b"x = '\xc3\xa9'\n", "utf-8"),
        (codecs.BOM_UTF8 + b"# coding: utf-8\r\nx = 1\r\n", "utf-8"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "iso-8859-1"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n", "cp1252"),
        (b"\x0c# form feed\nx = '''\n\x0c\n'''\n", "utf-8"),
        ("# coding: euc-jp\nx = '雪'\n".encode("euc-jp"), "euc-jp"),
    ],
    ids=[
        "empty",
        "plain",
        "no newline at the end",
        "CRLF",
        "mixed line ends and tabs",
        "CR",
        "BOM",
        "BOM and cookie",
        "latin-1",
        "cookie in line 2",
        "form feed",
        "multi-byte",
    ],
)
def test_bytes_come_back_as_they_were(data: bytes, encoding: str) -> None:
    module = parsed(data)
    assert isinstance(module, Module)
    assert module.encoding == encoding
    assert module.bom == data.startswith(codecs.BOM_UTF8)
    assert not module.source.startswith("\ufeff")
    (file,) = do(Task((SourceFile(Path("a.py"), "a.py", data),), Options())).result.files
    assert (file.new_bytes, file.changed) == (data, False)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"def f(:\n", "line 1: invalid syntax"),
        (b"print 'hello'\ndef f(:\n", "line 1: Missing parentheses"),
        (b"x = '\xe9'\n", "cannot be decoded"),
        (b"# coding: nonsense\nx = 1\n", "cannot be decoded"),
        (b"# coding: rot13\nx = 1\n", "cannot be decoded"),
        (b"# coding: utf-7\nx = '+AOk-'\n", "cannot be written back"),
        (codecs.BOM_UTF8 + b"# coding: latin-1\nx = 1\n", "byte order mark"),
        (codecs.BOM_UTF16_LE + "x = 1\n".encode("utf-16-le"), "cannot be decoded"),
        (b"x = 1\0\n", "null byte"),
        (b"if x:\n    a\n\tb\n", "line 3: "),
        (b"x = " + b"(" * 5000 + b")" * 5000, "too many nested parentheses"),
        (b"x = " + b"-" * 100_000 + b"1\n", "nested too deeply"),
        (b"x = " + b" + ".join([b"a"] * (MAX_DEPTH + 10)), "nested too deeply"),
        (b"x" + b".f()" * MAX_DEPTH, "nested too deeply"),
    ],
    ids=[
        "syntax",
        "neither Python 2 nor 3",
        "not UTF-8",
        "unknown encoding",
        "no text encoding",
        "not reversible",
        "BOM against cookie",
        "UTF-16",
        "null byte",
        "tabs",
        "brackets",
        "operators",
        "terms",
        "calls",
    ],
)
def test_what_cannot_be_worked_on_is_unparsed_with_a_reason(data: bytes, error: str) -> None:
    result = parsed(data)
    assert isinstance(result, FileResult)
    assert (result.path, result.status) == ("a.py", Status.UNPARSED)
    assert error in (result.error or "")
    assert not result.changed


def test_invalid_escapes_of_the_user_are_no_warnings_of_ours() -> None:
    assert isinstance(parsed(rb"x = '\d'" + b"\n"), Module)


def test_reading_never_runs_the_code(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    assert isinstance(parsed(f"open({str(mark)!r}, 'w')\n".encode()), Module)
    assert not mark.exists()
